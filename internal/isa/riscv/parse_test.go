package riscv

import (
	"os"
	"strings"
	"testing"

	"incore/internal/isa"
)

// render writes instructions like the corpus: forms with operands, or the error.
func render(a *isa.ISA, code []isa.Inst, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	for i := range code {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(a.FormName(&code[i]))
		for k := range int(code[i].NOps) {
			switch o := code[i].Ops[k]; {
			case o.Kind == isa.OpReg && o.Reg == isa.NoReg:
				b.WriteString(" -")
			case o.Kind == isa.OpReg:
				b.WriteString(" " + a.Regs.Name(o.Reg))
			case o.Kind == isa.OpImm:
				b.WriteString(" " + string(a.Print(nil, &isa.Inst{Form: a.Forms.Named("Insn32"), NOps: 1, Ops: [isa.MaxOps]isa.Operand{o}}, "")[len(".insn 0x4, "):]))
			default:
				b.WriteString(" " + strings.ReplaceAll(o.Expr.Text, " ", ""))
			}
		}
	}
	return b.String()
}

// TestParse checks testdata/parse.txt.
func TestParse(t *testing.T) {
	a := ISA()
	cases(t, "testdata/parse.txt", func(stmt string) string {
		code, err := a.Parse(nil, stmt, "")
		return render(a, code, err)
	})
}

// TestParseLLVM compares the statements of the same corpus with llvm-mc.
func TestParseLLVM(t *testing.T) {
	data, err := os.ReadFile("testdata/parse.txt")
	if err != nil {
		t.Fatal(err)
	}
	var stmts []string
	for _, l := range strings.Split(string(data), "\n") {
		if s, _, ok := strings.Cut(l, " =>"); ok && !strings.HasPrefix(l, "#") && !strings.Contains(l, "error:") {
			stmts = append(stmts, s)
		}
	}
	a := ISA()
	attr := decodeAttr + ",-c,-zcb,-zcmop,-zca,-zcd"
	plain, full, zcmp, zfinx := llvmAssemble(t, attr, stmts), llvmAssemble(t, decodeAttr, stmts), llvmAssemble(t, attr+",+zcmp", stmts), llvmAssemble(t, "+zfinx", stmts)
	for i, s := range stmts {
		want := plain[i]
		for _, other := range [][][]mcInst{full, zcmp, zfinx} {
			if want == nil {
				want = other[i]
			}
		}
		if want == nil {
			if !gnuOnly[s] {
				t.Errorf("llvm-mc refuses %q", s)
			}
			continue
		}
		var w, g []string
		for _, m := range want {
			w = append(w, m.String())
		}
		code, _ := a.Parse(nil, s, "")
		for k := range code {
			g = append(g, ourInst(a, &code[k]))
		}
		if strings.Join(w, "; ") != strings.Join(g, "; ") {
			t.Errorf("%q: %s, llvm-mc has %s", s, strings.Join(g, "; "), strings.Join(w, "; "))
		}
	}
}

// gnuOnly are statements that GNU as takes and llvm-mc does not.
var gnuOnly = map[string]bool{"vsetvli a0, a1, e64": true, "ADD A0, A1, T6": true, "ADDI SP, SP, -16": true, "bgtu a0, a1, 1b": true}

// TestPIC checks the one expansion that depends on the code model.
func TestPIC(t *testing.T) {
	a := ISA()
	code, err := a.Parse(nil, "la a0, x", "pic")
	if got := render(a, code, err); got != "AUIPC X10 %got_pcrel_hi(x); LD X10 X10 %pcrel_lo(x)" {
		t.Errorf("la under .option pic: %s", got)
	}
}

// march is the instruction set of an architecture string as -march has it ("rv64gc_zba_zbb", "rv64i2p1_m2p0_zcmp1p0"). It differs from ISA() where extensions
// give one text or one encoding different meanings: without Zba, Zbb and Zbs "li" and the sign extensions take other instructions; Zcmp, Zcmt and
// Xwchc take over encodings of compressed floating-point loads and stores; Zfinx takes over those of F, D and Zfh.
func march(name string) *isa.ISA {
	set := map[string]bool{}
	for _, e := range strings.Split(strings.ToLower(name), "_") {
		set[strings.TrimRight(e, "0123456789")] = true
		if base := versionRE().ReplaceAllString(e, ""); base != "" {
			set[base] = true
		}
	}
	if set["b"] || strings.Contains(strings.SplitN(name, "_", 2)[0], "b") {
		set["zba"], set["zbb"], set["zbs"] = true, true, true
	}
	return build(func(name string) bool { return set[name] })
}

// versionRE matches the version of an extension ("zba1p0").
var versionRE = lazyRE(`\d+(p\d+)?$`)

// TestExtensions checks texts and encodings whose meaning depends on the extensions.
func TestExtensions(t *testing.T) {
	for _, c := range []struct{ march, stmt, want string }{
		{"rv64gc", "li a0, 2048", "ADDI X10 X0 1; SLLI X10 X10 11"},
		{"rv64gc_zbs", "li a0, 2048", "BSETI X10 X0 11"},
		{"rv64gc", "sext.b a0, a1", "SLLI X10 X11 56; SRAI X10 X10 56"},
		{"rv64i2p1_m2p0_zba1p0_zbb1p0", "sext.b a0, a1", "SEXT_B X10 X11"},
		{"rv64gcb", "zext.w a0, a1", "ADD_UW X10 X11 X0"},
		{"rv64gc", "zext.w a0, a1", "SLLI X10 X11 32; SRLI X10 X10 32"},
		{"rv64gc_zbkb", "zext.h a0, a1", "PACKW X10 X11 X0"},
		{"rv64gc", "rol a0, a1, a2", "ROL X10 X11 X12"}, // named outright: it exists
	} {
		a := march(c.march)
		code, err := a.Parse(nil, c.stmt, "")
		if got := render(a, code, err); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.march, c.stmt, got, c.want)
		}
	}
	for _, c := range []struct {
		march string
		code  []byte
		want  string
	}{
		{"rv64gc", []byte{0x62, 0xb8}, "C_FSDSP F24_D X2 48"},
		{"rv64imac_zcmp", []byte{0x62, 0xb8}, "CM_PUSH 6 0"},
		{"rv64gc", []byte{0x53, 0x85, 0xc5, 0x00}, "FADD_S F10_F F11_F F12_F 0"},
		{"rv64imac_zfinx", []byte{0x53, 0x85, 0xc5, 0x00}, "FADD_S_INX X10 X11 X12 0"},
		{"rv64gc", []byte{0x81, 0x60}, "C_MOP1"},
		{"rv64gc_zicfiss", []byte{0x81, 0x60}, "C_SSPUSH X1"},
	} {
		a := march(c.march)
		var in isa.Inst
		_, err := a.Decode(c.code, 0, &in)
		if got := render(a, []isa.Inst{in}, err); got != c.want {
			t.Errorf("%s: % x is %s, want %s", c.march, c.code, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"lw a0, %lo(x)(a1)", "vsetvli t0,a0,e32,m1,ta,ma", "cm.push {ra, s0-s1}, -32", "li a0, -(1<<3)", ".insn r 1,2,3,a0,a1,a2",
		"fence iorw, 0", "la a0, a+b-c", "th.ldd a0, a1, (a2), 1, 4", "call \"a b\"@plt", "lw a0, ((((1))))(a0)", ".insn 4,", "beq a0, %(,", "fli.s fa0, 0x1p-3"} {
		f.Add(s)
	}
	a := ISA()
	f.Fuzz(func(t *testing.T, s string) {
		code, err := a.Parse(nil, s, "")
		if err != nil && len(code) != 0 {
			t.Errorf("%q: error and %d instructions", s, len(code))
		}
		a.Context(code, true)
		var e isa.Effects
		for i := range code {
			a.Effects(&code[i], &e)
			a.Flow(&code[i])
			a.RegMove(&code[i])
			a.SchedClass(&code[i])
			a.FusesWith(&code[i], &code[0])
			_ = a.Print(nil, &code[i], "")
			_, _ = a.Encode(nil, &code[i], 0)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x13, 0x05, 0x00, 0x00})
	f.Add([]byte{0x01, 0x00})
	f.Add([]byte{0x1f, 0x00, 0x00, 0x00})
	a := ISA()
	f.Fuzz(func(t *testing.T, b []byte) {
		var in isa.Inst
		n, err := a.Decode(b, 64, &in)
		if n > len(b) || n == 0 && len(b) > 0 {
			t.Fatalf("% x: %d bytes", b, n)
		}
		if err != nil {
			return
		}
		got, err := a.Encode(nil, &in, 64)
		if err != nil || string(got) != string(b[:n]) {
			t.Errorf("% x: %s encodes to % x, %v", b[:n], ourInst(a, &in), got, err)
		}
		var e isa.Effects
		in.VType = isa.VType{SEW: 8 << (b[0] & 3), LMUL: b[0] >> 2 & 7, Keep: b[0] >> 5 & 3}
		a.Effects(&in, &e)
		a.Flow(&in)
		_ = a.Print(nil, &in, "")
	})
}

func BenchmarkParse(b *testing.B) {
	a := ISA()
	stmts := []string{"ld a5,-24(s0)", "addi a5,a5,1", "vadd.vv v8,v8,v9,v0.t", "beq a0,a1,.L3", "lui a5,%hi(x)", "fmadd.d fa5,fa4,fa3,fa5", "vsetvli t0,a0,e32,m1,ta,ma"}
	var buf []isa.Inst
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		buf, _ = a.Parse(buf[:0], stmts[i%len(stmts)], "")
	}
}

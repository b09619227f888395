package aarch64

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"incore/internal/isa"
)

// words returns n random fillings of every encoding: fixed bits as they must be, the rest random.
func words(e *isa.FixedEnc, n int, seed uint64) []uint32 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]uint32, 0, n*e.Len())
	for i := range e.Len() {
		for range n {
			out = append(out, e.Value(i)|r.Uint32()&^e.Mask(i))
		}
	}
	return out
}

func decodeWord(a *isa.ISA, w uint32, addr uint64) (in isa.Inst, err error) {
	_, err = a.Decode(binary.LittleEndian.AppendUint32(nil, w), addr, &in)
	return in, err
}

// TestRoundTrip decodes random words of every encoding, encodes the result, prints it and parses the text.
// Words with bits that mean nothing (unused register fields, rotations modulo
// the element) come back in their canonical form, which must be stable.
func TestRoundTrip(t *testing.T) {
	a := ISA()
	decoded, canonical := map[isa.FormID]bool{}, 0
	all := words(isa.LoadFixedEnc(tables), 20, 7)
	n := 0
	for i, w := range all {
		addr := uint64(i) * 4 % (1 << 20)
		in, err := decodeWord(a, w, addr)
		if err != nil {
			continue
		}
		n++
		decoded[in.Form] = true
		code, err := a.Encode(nil, &in, addr)
		if err != nil {
			t.Errorf("%08x %s: encode: %v", w, operands(a, &in), err)
			continue
		}
		w2 := binary.LittleEndian.Uint32(code)
		if w2 == w {
			canonical++
		} else if in2, err := decodeWord(a, w2, addr); err != nil || in2 != in {
			t.Errorf("%08x %s: encodes to %08x %s, %v", w, operands(a, &in), w2, operands(a, &in2), err)
			continue
		}
		text := string(a.Print(nil, &in, ""))
		back, err := a.Parse(nil, text, "")
		if err != nil {
			t.Errorf("%08x %s prints as %q: %v", w, operands(a, &in), text, err)
			continue
		}
		code, err = a.Encode(nil, &back[0], addr)
		if err != nil {
			t.Errorf("%08x %q: %v", w, text, err)
			continue
		}
		in3, err := decodeWord(a, binary.LittleEndian.Uint32(code), addr)
		if err != nil || in3.Form != in.Form || string(a.Print(nil, &in3, "")) != text {
			t.Errorf("%08x %s prints as %q, which is %s", w, operands(a, &in), text, operands(a, &back[0]))
		}
	}
	t.Logf("%d words decoded of %d tried, %d canonical, %d forms", n, len(all), canonical, len(decoded))
	if len(decoded) < 6000 || canonical < n*98/100 {
		t.Errorf("only %d forms decoded, %d of %d words canonical", len(decoded), canonical, n)
	}
}

// TestDecodeText encodes what the parser makes of text and decodes it to the same.
func TestDecodeText(t *testing.T) {
	a := ISA()
	table(t, "testdata/code.txt", func(s string) string {
		ins, err := a.Parse(nil, s, "")
		if err != nil {
			return err.Error()
		}
		code, err := a.Encode(nil, &ins[0], 0)
		if err != nil {
			return err.Error()
		}
		var in isa.Inst
		if _, err := a.Decode(code, 0, &in); err != nil {
			return err.Error()
		}
		in.Size = 0
		if in != ins[0] {
			return "decodes to " + operands(a, &in)
		}
		return fmt.Sprintf("%08x %s", binary.LittleEndian.Uint32(code), a.Print(nil, &in, ""))
	})
}

// differentInLLVM reports where LLVM 19's disassembler and its assembler disagree
// on the operands; we side with the assembler: 64-bit vector immediates, whose register the disassembler takes for 128
// bits wide, and signed immediates of DUP and CPY, which it leaves unsigned.
func differentInLLVM(form string) bool {
	return regexp.MustCompile(`^((MOVI|MVNI|ORR|BIC|FMOV)v.*|(DUP|CPY)_Z\w*I_[BHSD]|TSB)$`).MatchString(form)
}

// TestDecodeAgainstLLVM compares the decoder with llvm-mc's on random words of every encoding.
func TestDecodeAgainstLLVM(t *testing.T) {
	if testing.Short() {
		t.Skip("runs llvm-mc on 13,000 words")
	}
	compareWithLLVM(t, words(isa.LoadFixedEnc(tables), 2, 11))
}

// FuzzDecodeLLVM: the decoder and llvm-mc make the same of any word. One llvm-mc disassembles many variants of each input: the word with
// some of its bits changed, and encodings with the word's bits where theirs are free.
func FuzzDecodeLLVM(f *testing.F) {
	tool(f, "llvm-mc-19")
	e := isa.LoadFixedEnc(tables)
	for i := range 16 {
		f.Add(words(e, 1, 5)[i*e.Len()/16], uint64(i))
	}
	f.Fuzz(func(t *testing.T, w uint32, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		ws := []uint32{w}
		for range 200 {
			i := rng.IntN(e.Len())
			ws = append(ws, w^1<<rng.IntN(32)^1<<rng.IntN(32)^1<<rng.IntN(32), e.Value(i)|(w^rng.Uint32()&rng.Uint32())&^e.Mask(i), rng.Uint32())
		}
		compareWithLLVM(t, ws)
	})
}

// compareWithLLVM decodes words and compares with llvm-mc.
func compareWithLLVM(t *testing.T, ws []uint32) {
	t.Helper()
	a := ISA()
	mc := tool(t, "llvm-mc-19")
	var src bytes.Buffer
	for _, w := range ws {
		fmt.Fprintf(&src, "%#x %#x %#x %#x\n", w&0xff, w>>8&0xff, w>>16&0xff, w>>24)
	}
	cmd := exec.Command(mc, "--disassemble", "--triple=aarch64", "-mattr=+all", "-show-inst")
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &src, &out, &errs
	_ = cmd.Run() // fails where a word is invalid
	invalid, undefined := map[int]bool{}, map[int]bool{}
	for _, m := range regexp.MustCompile(`<stdin>:(\d+):\d+: warning: (invalid|potentially undefined)`).FindAllStringSubmatch(errs.String(), -1) {
		var n int
		fmt.Sscan(m[1], &n)
		if m[2] == "invalid" {
			invalid[n-1] = true
		} else {
			undefined[n-1] = true
		}
	}
	var want []string
	operand := regexp.MustCompile(`<MCOperand (Reg|Imm):?(-?\d+)>`)
	for line := range strings.Lines(out.String()) {
		if m := regexp.MustCompile(`<MCInst #\d+ (\w+)`).FindStringSubmatch(line); m != nil {
			want = append(want, m[1])
		}
		for _, m := range operand.FindAllStringSubmatch(line, -1) {
			var n int
			fmt.Sscan(m[2], &n)
			if m[1] == "Reg" {
				want[len(want)-1] += " " + a.Regs.Name(isa.Reg(n))
			} else {
				want[len(want)-1] += fmt.Sprintf(" %d", n)
			}
		}
	}
	if len(want)+len(invalid) != len(ws) {
		t.Fatalf("%d instructions and %d invalid words of %d", len(want), len(invalid), len(ws))
	}
	k, same, extra := 0, 0, 0
	for i, w := range ws {
		in, err := decodeWord(a, w, 0)
		if invalid[i] {
			if err == nil {
				if extra++; extra < 20 {
					t.Errorf("%08x: %s, which llvm-mc rejects", w, operands(a, &in))
				}
			}
			continue
		}
		if n := len(in.Ops[:in.NOps]); n > 0 && pcRelative(a, &in) { // LLVM counts words and pages
			o := &in.Ops[n-1]
			if a.FormName(&in) == "ADRP" {
				o.Imm >>= 12
			} else {
				o.Imm >>= 2
			}
		}
		form, _, _ := strings.Cut(want[k], " ")
		switch got := operands(a, &in); {
		case got == want[k]:
			same++
		case differentInLLVM(form) && a.FormName(&in) == form:
		case undefined[i] && (a.FormName(&in) == "?" || a.FormName(&in) == "MSR"): // bits that should be zero or one are not
		default:
			t.Errorf("%08x: %s, want %s", w, got, want[k])
		}
		k++
	}
	t.Logf("%d of %d the same; %d words decode that LLVM rejects", same, k, extra)
}

func pcRelative(a *isa.ISA, in *isa.Inst) bool {
	c := a.Forms.OperandClass(in.Form, int(in.NOps)-1)
	return c != nil && c.Kind == "pcrel" && c.Name != "adrlabel"
}

func TestDecodeErrors(t *testing.T) {
	a := ISA()
	var in isa.Inst
	for _, c := range []struct {
		code []byte
		want string
	}{{nil, "code ends"}, {[]byte{1, 2, 3}, "code ends"}, {[]byte{0xff, 0xff, 0xff, 0xff}, "unallocated encoding ffffffff"}} {
		if n, err := a.Decode(c.code, 0, &in); err == nil || !strings.HasPrefix(err.Error(), c.want) || n != len(c.code) || in.Form != isa.NoForm { // so that what follows is where an instruction can be
			t.Errorf("%x: %d, %v, %s", c.code, n, err, a.FormName(&in))
		}
	}
	for _, s := range []string{"b foo", "ldr x0, =sym", "add x0, x1, :lo12:foo"} {
		ins, err := a.Parse(nil, s, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Encode(nil, &ins[0], 0); err == nil || !strings.Contains(err.Error(), "has no value") {
			t.Errorf("%s: %v", s, err)
		}
	}
	in = isa.Inst{Form: a.Forms.Named("ADDXri")}
	if _, err := a.Encode(nil, &in, 0); err == nil {
		t.Error("ADDXri without operands encodes")
	}
	in = isa.Inst{Form: a.Forms.Named("B")}
	in.AddImm(1 << 40)
	if _, err := a.Encode(nil, &in, 0); err == nil {
		t.Error("branch out of range encodes")
	}
}

func FuzzDecode(f *testing.F) {
	a := ISA()
	for _, w := range words(isa.LoadFixedEnc(tables), 1, 3)[:500] {
		f.Add(w, uint64(w)&0xfffff000)
	}
	f.Fuzz(func(t *testing.T, w uint32, addr uint64) {
		addr &^= 3
		in, err := decodeWord(a, w, addr)
		if err != nil {
			return
		}
		var e isa.Effects
		a.Effects(&in, &e)
		a.Flow(&in)
		if _, err := a.Encode(nil, &in, addr); err != nil {
			t.Errorf("%08x: %v", w, err)
		}
		text := string(a.Print(nil, &in, ""))
		if _, err := a.Parse(nil, text, ""); err != nil {
			t.Errorf("%08x: %v", w, err)
		}
	})
}

// compiled is code as compilers write it: the encodable lines of the golden file.
func compiled(b *testing.B) []byte {
	a := ISA()
	var code []byte
	for line := range strings.Lines(goldenLines(b, "testdata/code.txt")) {
		if s, _, ok := strings.Cut(line, " => "); ok {
			ins, err := a.Parse(nil, s, "")
			if err != nil {
				b.Fatal(err)
			}
			if c, err := a.Encode(code, &ins[0], 0); err == nil {
				code = c
			}
		}
	}
	return code
}

func BenchmarkDecode(b *testing.B) {
	a, code := ISA(), compiled(b)
	var in isa.Inst
	b.ReportAllocs()
	for at := 0; b.Loop(); {
		if _, err := a.Decode(code[at:], 0, &in); err != nil {
			b.Fatal(err)
		}
		if at += 4; at == len(code) {
			at = 0
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	a, code := ISA(), compiled(b)
	var in isa.Inst
	var buf []byte
	b.ReportAllocs()
	for at := 0; b.Loop(); {
		if _, err := a.Decode(code[at:], 0, &in); err != nil {
			b.Fatal(err)
		}
		buf = a.Print(buf[:0], &in, "")
		if at += 4; at == len(code) {
			at = 0
		}
	}
}

func BenchmarkEffects(b *testing.B) {
	a, code := ISA(), compiled(b)
	var ins []isa.Inst
	for at := 0; at < len(code); at += 4 {
		var in isa.Inst
		if _, err := a.Decode(code[at:], 0, &in); err != nil {
			b.Fatal(err)
		}
		ins = append(ins, in)
	}
	var e isa.Effects
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		a.Effects(&ins[i%len(ins)], &e)
	}
}

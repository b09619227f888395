package aarch64

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"incore/internal/isa"
)

// operands writes an instruction as LLVM's -show-inst has it: the form and its MC
// operands, registers by name. Branch targets are in bytes (LLVM counts words, pages).
func operands(a *isa.ISA, in *isa.Inst) string {
	s := a.FormName(in)
	for _, o := range in.Ops[:in.NOps] {
		switch o.Kind {
		case isa.OpReg:
			s += " " + a.Regs.Name(o.Reg)
		case isa.OpImm:
			s += fmt.Sprintf(" %d", o.Imm)
		case isa.OpExpr:
			s += " (" + o.Expr.Sym + ")"
		}
	}
	return s
}

func parseOne(a *isa.ISA, stmt string) string {
	ins, err := a.Parse(nil, stmt, "")
	if err != nil {
		return "? " + err.Error()
	}
	return operands(a, &ins[0])
}

// TestParse compares with the forms and operands that llvm-mc 19 shows, one line per form
// of what compilers make of the programs in testdata, and hand-written lines.
func TestParse(t *testing.T) {
	a := ISA()
	table(t, "testdata/forms.txt", func(s string) string { return parseOne(a, s) })
}

// TestRewrites checks the aliases that the tables don't have, and notations of several assemblers.
func TestRewrites(t *testing.T) {
	a := ISA()
	table(t, "testdata/syntax.txt", func(s string) string { return parseOne(a, s) })
}

func TestErrors(t *testing.T) {
	a := ISA()
	for _, c := range []struct {
		stmt, msg, nearest string
		unknown            bool
	}{
		{"fmladd d0, d1, d2", "unknown mnemonic 'fmladd'", "fmadd", true},
		{"add x0, x1, q2", "operands do not fit 'add'", "add Rd, Rn, Rm_and_extend", false},
		{"ldr x0, [x1", "cannot read operand '[x1'", "ldr Rt, label", false},
		{"", "empty statement", "", false},
		{"mov x0,, x1", "cannot read operand '(missing)'", "", false},
		{"bfi x0, x1, #60, #9", "operands do not fit 'bfi'", "", false},
	} {
		_, err := a.Parse(nil, c.stmt, "")
		var e *isa.SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%q: error %v", c.stmt, err)
			continue
		}
		if e.Msg != c.msg || e.Unknown != c.unknown {
			t.Errorf("%q: %q, unknown %v", c.stmt, e.Msg, e.Unknown)
		}
		if c.nearest != "" && (len(e.Nearest) == 0 || e.Nearest[0] != c.nearest) {
			t.Errorf("%q: nearest %q, want %q", c.stmt, e.Nearest, c.nearest)
		}
	}
}

// statements returns the instructions in a compiler's assembly output.
func statements(asm []byte) []string {
	var out []string
	seen := map[string]bool{}
	comment := regexp.MustCompile(`//.*`)
	label := regexp.MustCompile(`^[\w.$]+:`)
	for line := range strings.Lines(string(asm)) {
		line = strings.TrimSpace(comment.ReplaceAllString(line, ""))
		if line == "" || line[0] == '.' || line[0] == '#' || label.MatchString(line) || seen[line] {
			continue
		}
		seen[line] = true
		out = append(out, line)
	}
	return out
}

func goldenLines(tb testing.TB, path string) string {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func tool(t testing.TB, names ...string) string {
	t.Helper()
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	t.Skipf("needs one of %s", strings.Join(names, ", "))
	return ""
}

// llvmForms runs llvm-mc over statements and returns what it makes of each, "" where it rejects one.
func llvmForms(t *testing.T, a *isa.ISA, mc string, stmts []string) []string {
	t.Helper()
	rejected := map[int]bool{}
	errLine := regexp.MustCompile(`<stdin>:(\d+):\d+: error`)
	run := func(src string) (string, string) {
		var out, errs bytes.Buffer
		cmd := exec.Command(mc, "--triple=aarch64", "-mattr=+all", "-show-inst")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(src), &out, &errs
		_ = cmd.Run() // fails where it rejects a line
		return out.String(), errs.String()
	}
	// NOPs keep a MOVPRFX from constraining the next line
	_, errs := run("nop;" + strings.Join(stmts, "\nnop;"))
	for _, m := range errLine.FindAllStringSubmatch(errs, -1) {
		var n int
		fmt.Sscan(m[1], &n)
		rejected[n-1] = true
	}
	var src strings.Builder
	for i, s := range stmts {
		if !rejected[i] {
			fmt.Fprintf(&src, "nop\nL__%d:\n%s\nK__%d:\n", i, s, i)
		}
	}
	text, _ := run(src.String())
	out := make([]string, len(stmts))
	cur := -1
	inst := regexp.MustCompile(`<MCInst #\d+ (\w+)`)
	operand := regexp.MustCompile(`<MCOperand (Reg|Imm|Expr):?(.*?)>`)
	for line := range strings.Lines(text) {
		if m := regexp.MustCompile(`^([LK])__(\d+):`).FindStringSubmatch(line); m != nil {
			cur = -1
			if m[1] == "L" {
				fmt.Sscan(m[2], &cur)
			}
			continue
		}
		if cur < 0 {
			continue
		}
		if m := inst.FindStringSubmatch(line); m != nil {
			out[cur] += m[1]
		}
		for _, m := range operand.FindAllStringSubmatch(line, -1) {
			switch m[1] {
			case "Reg":
				var n int
				fmt.Sscan(m[2], &n)
				out[cur] += " " + a.Regs.Name(isa.Reg(n)) // LLVM 19's register numbers are ours
			case "Imm":
				out[cur] += " " + m[2]
			default:
				out[cur] += " (expr)"
			}
		}
	}
	return out
}

// TestAgainstLLVM compiles the programs in testdata for several cores and
// compares every instruction with llvm-mc's reading of it.
func TestAgainstLLVM(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles")
	}
	a := ISA()
	mc := tool(t, "llvm-mc-19")
	cc := tool(t, "clang-19", "aarch64-linux-gnu-gcc")
	sources, err := filepath.Glob("testdata/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources", err)
	}
	sym := regexp.MustCompile(`\([^)]*\)`)
	var stmts []string
	for _, src := range sources {
		for _, opt := range [][]string{{"-O1"}, {"-O3", "-march=armv8.2-a"}, {"-Ofast", "-march=armv9-a"}} {
			args := append(opt, "-w", "-ffreestanding", "-S", "-o", "-", src)
			if strings.Contains(cc, "clang") {
				args = append(args, "--target=aarch64-linux-gnu", "-nostdlibinc")
			}
			out, err := exec.Command(cc, args...).Output()
			if err != nil {
				t.Fatalf("%s %s: %v", cc, strings.Join(args, " "), err)
			}
			stmts = append(stmts, statements(out)...)
		}
	}
	for _, name := range []string{"testdata/forms.txt", "testdata/syntax.txt"} {
		for line := range strings.Lines(goldenLines(t, name)) {
			// numeric branch targets are bytes here, words there
			if s, form, ok := strings.Cut(line, " => "); ok && !strings.Contains(s, "=") && !strings.HasPrefix(form, "B ") && !strings.HasPrefix(form, "CBZ") {
				stmts = append(stmts, s)
			}
		}
	}
	want := llvmForms(t, a, mc, stmts)
	n := 0
	for i, s := range stmts {
		if want[i] == "" {
			continue
		}
		n++
		if got := parseOne(a, s); sym.ReplaceAllString(got, "(expr)") != want[i] {
			t.Errorf("%s\n got %s\nwant %s", s, got, want[i])
		}
	}
	t.Logf("%d statements", n)
	if n < 1000 {
		t.Errorf("only %d statements compared", n)
	}
}

// TestGaussSeidel compiles a Gauss-Seidel sweep for ThunderX2 as in the OSACA paper's
// example and checks that every line resolves and that the loop's accesses come out.
func TestGaussSeidel(t *testing.T) {
	a := ISA()
	fc := tool(t, "aarch64-linux-gnu-gfortran")
	out, err := exec.Command(fc, "-Ofast", "-mcpu=thunderx2t99", "-funroll-loops", "-S", "-o", "-", "testdata/gaussseidel.f90").Output()
	if err != nil {
		t.Fatal(err)
	}
	n, loads, stores, adds, branches := 0, 0, 0, 0, 0
	var e isa.Effects
	for _, s := range statements(out) {
		ins, err := a.Parse(nil, s, "")
		if err != nil {
			t.Error(err)
			continue
		}
		n++
		a.Effects(&ins[0], &e)
		for _, m := range e.Mem {
			if m.Bits != 64 && m.Bits != 128 && m.Bits != 32 || m.Base == isa.NoReg && m.Sym == nil {
				t.Errorf("%s: %+v", s, m)
			}
			if m.Load {
				loads++
			}
			if m.Store {
				stores++
			}
		}
		switch f := a.FormName(&ins[0]); {
		case f == "FADDDrr" || f == "FMADDDrrr":
			adds++
		case a.Flow(&ins[0]).Kind == isa.FlowCond:
			branches++
		}
	}
	t.Logf("%d statements, %d loads, %d stores, %d additions, %d branches", n, loads, stores, adds, branches)
	if n < 50 || loads < 8 || stores < 4 || adds < 8 || branches < 2 {
		t.Error("too few")
	}
}

func FuzzParse(f *testing.F) {
	a := ISA()
	for _, name := range []string{"testdata/forms.txt", "testdata/syntax.txt"} {
		for i, line := range strings.Split(goldenLines(f, name), "\n") {
			if s, _, ok := strings.Cut(line, " => "); ok && i%7 == 0 {
				f.Add(s)
			}
		}
	}
	f.Fuzz(func(t *testing.T, stmt string) {
		ins, err := a.Parse(nil, stmt, "")
		if err != nil {
			var e *isa.SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("%q: %T", stmt, err)
			}
			return
		}
		var e isa.Effects
		for i := range ins {
			if ins[i].Form == isa.NoForm {
				t.Fatalf("%q: no form and no error", stmt)
			}
			a.Effects(&ins[i], &e)
			a.Flow(&ins[i])
			a.ZeroIdiom(&ins[i])
			a.RegMove(&ins[i])
		}
	})
}

func BenchmarkParse(b *testing.B) {
	a := ISA()
	var stmts []string
	for line := range strings.Lines(goldenLines(b, "testdata/forms.txt")) {
		if s, _, ok := strings.Cut(line, " => "); ok {
			stmts = append(stmts, s)
		}
	}
	var ins []isa.Inst
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		var err error
		if ins, err = a.Parse(ins[:0], stmts[i%len(stmts)], ""); err != nil {
			b.Fatal(err)
		}
	}
}

package x86

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"incore/internal/isa"
)

// canonical prints an instruction: prefixes, form, operands ("-" for an absent register).
func canonical(in *isa.Inst) string {
	s := ""
	for i, name := range []string{"lock", "rep", "repne", "data16", "addr32", "notrack", "bnd", "rexw", "vex", "vex3", "evex", "disp8", "disp32"} {
		if in.Prefix>>i&1 != 0 {
			s += name + " "
		}
	}
	s += ISA().FormName(in)
	for _, o := range in.Ops[:in.NOps] {
		switch {
		case o.Kind == isa.OpReg && o.Reg == isa.NoReg:
			s += " -"
		case o.Kind == isa.OpReg:
			s += " " + ISA().Regs.Name(o.Reg)
		case o.Kind == isa.OpImm:
			s += fmt.Sprint(" ", o.Imm)
		default:
			s += " <" + o.Expr.Text + ">"
			if o.Expr.Mod != "" {
				s += "@" + o.Expr.Mod
			}
		}
	}
	return s
}

// TestParse checks testdata/att.txt and testdata/intel.txt: statements and what they become.
func TestParse(t *testing.T) {
	for _, syntax := range []string{"att", "intel"} {
		t.Run(syntax, func(t *testing.T) {
			cases(t, "testdata/"+syntax+".txt", func(stmt string) (string, error) {
				l, err := ISA().Parse(nil, stmt, syntax)
				var s []string
				for i := range l {
					s = append(s, canonical(&l[i]))
				}
				return strings.Join(s, "; "), err
			})
		})
	}
}

// TestOracle compares the statements of TestParse and a sample of LLVM's forms with llvm-mc.
func TestOracle(t *testing.T) {
	for _, syntax := range []string{"att", "intel"} {
		data, err := os.ReadFile("testdata/" + syntax + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		var stmts []string
		ours := false
		for _, line := range strings.Split(string(data), "\n") {
			if strings.HasPrefix(line, "//") {
				ours = strings.Contains(line, "not llvm-mc")
			}
			if input, _, ok := strings.Cut(line, " → "); ok && !ours {
				stmts = append(stmts, strings.TrimSpace(input))
			}
		}
		a := compare(t, stmts, syntax)
		t.Logf("%s: %v", syntax, a)
		if len(a.diffs) > 0 {
			t.Errorf("%s: differences:\n%s", syntax, strings.Join(a.diffs, "\n"))
		}
	}
}

// TestOptions: the prefix of unknown text comes back untouched, and what failed leaves dst alone.
func TestFailureLeavesDst(t *testing.T) {
	dst, err := ISA().Parse(nil, "nop", "att")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"nopx", "addq %rax", "fstcw %rax", "addq %rax, %rbx, %rcx, %rdx", "mov (%rax,%rbx,3), %rax", "mov 8(%rax", ""} {
		got, err := ISA().Parse(dst, s, "att")
		if err == nil || len(got) != 1 {
			t.Errorf("%q: %d instructions, error %v", s, len(got), err)
		}
	}
}

// TestLongInput: time and memory stay bounded on lines that are no assembly.
func TestLongInput(t *testing.T) {
	n := 10 << 20
	for _, unit := range []string{"(", "-", "[", "a", "1", "{%k1}", "%rax,", "1+", "lock ", "rep;", "{evex}", "$x+", "\"", "'a"} {
		for _, head := range []string{"", "mov ", "addq $", "mov %rax, "} {
			s := head + strings.Repeat(unit, n/len(unit)/16)
			for _, syntax := range []string{"att", "intel"} {
				if _, err := ISA().Parse(nil, s, syntax); err != nil && len(err.Error()) > 4096 {
					t.Errorf("%s%s…: error of %d bytes", head, unit, len(err.Error()))
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, syntax := range []string{"att", "intel"} {
		for _, s := range kernels[syntax] {
			f.Add(s, syntax == "intel")
		}
	}
	f.Fuzz(func(t *testing.T, stmt string, intel bool) {
		syntax := "att"
		if intel {
			syntax = "intel"
		}
		l, err := ISA().Parse(nil, stmt, syntax)
		if err == nil && len(l) == 0 {
			t.Errorf("%q: neither instruction nor error", stmt)
		}
		if err != nil && len(l) != 0 {
			t.Errorf("%q: both %d instructions and error %v", stmt, len(l), err)
		}
		ISA().Context(l, false)
		var e isa.Effects
		for i := range l {
			ISA().Effects(&l[i], &e)
			ISA().Flow(&l[i])
			ISA().FusesWith(&l[0], &l[i])
			ISA().RegMove(&l[i])
		}
	})
}

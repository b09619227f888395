package x86

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"incore/internal/isa"
)

// summary prints effects in one line: reads, writes, memory. Roles are marked
// a(ddress), m(ask), f(lags omitted), c(ontrol), u(pdate); + is a partial write,
// ~ a read whose value does not matter.
func summary(in *isa.Inst) string {
	var e isa.Effects
	a := ISA()
	a.Effects(in, &e)
	list := func(acc []isa.Access) string {
		var s []string
		for _, x := range acc {
			t := a.Regs.Name(x.Reg)
			switch x.Role {
			case isa.RoleAddr:
				t += ":a"
			case isa.RoleMask:
				t += ":m"
			case isa.RoleControl:
				t += ":c"
			case isa.RoleUpdate:
				t += ":u"
			}
			if x.Merge {
				t += "+"
			}
			if x.SameValue {
				t += "~"
			}
			s = append(s, t)
		}
		sort.Strings(s)
		return strings.Join(s, " ")
	}
	out := "r[" + list(e.Reads) + "] w[" + list(e.Writes) + "]"
	for _, m := range e.Mem {
		kind := ""
		if m.Load {
			kind += "load"
		}
		if m.Store {
			kind += "store"
		}
		out += fmt.Sprintf(" %s%dx%d(%s", kind, m.Bits, m.Elems, a.Regs.Name(m.Base))
		if m.Index != 0 {
			out += fmt.Sprintf("+%s*%d", a.Regs.Name(m.Index), m.Scale)
		}
		if m.Seg != 0 {
			out += "," + a.Regs.Name(m.Seg)
		}
		if m.Sym != nil {
			out += "," + m.Sym.Text
		}
		out += fmt.Sprintf("%+d)", m.Disp)
		if m.Update != 0 {
			out += fmt.Sprintf("%+d", m.Update)
		}
		if m.Gather {
			out += "gather"
		}
	}
	return out
}

// TestEffects checks testdata/effects.txt: statements in AT&T syntax and their summary.
func TestEffects(t *testing.T) {
	cases(t, "testdata/effects.txt", func(stmt string) (string, error) {
		l, err := ISA().Parse(nil, stmt, "att")
		if err != nil {
			return "", err
		}
		ISA().Context(l, false)
		s := make([]string, len(l))
		for i := range l {
			l[i].Top = 0 // unknown, unless a case says otherwise
			s[i] = summary(&l[i])
		}
		return strings.Join(s, "; "), nil
	})
}

// cases runs a file of lines "input → want"; -update rewrites it.
func cases(t *testing.T, file string, got func(input string) (string, error)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		input, want, _ := strings.Cut(line, " → ")
		if input = strings.TrimSpace(input); input == "" || strings.HasPrefix(input, "//") {
			out = append(out, line)
			continue
		}
		n++
		s, err := got(input)
		if err != nil {
			s = "error: " + err.Error()
		}
		out = append(out, input+" → "+s)
		if s != strings.TrimSpace(want) && !*update {
			t.Errorf("%s\n got  %s\n want %s", input, s, want)
		}
	}
	if n == 0 {
		t.Errorf("%s holds no cases", file)
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEncodedConstants(t *testing.T) {
	for text, want := range map[string]int{
		"addq %rax, %rbx": 0, "addq $1, %rax": 1, "cmpl $5, (%rdi)": 1, "cmpl $5, 8(%rdi)": 2, "cmpl $5, (%rbp)": 2, "cmpl $5, (%r13)": 2,
		"movabsq $81985529216486895, %rax": 2, "movq $1, %rax": 1, "leaq (%rax,%rcx), %rdx": 0, "leaq 8(,%rcx,8), %rdx": 1, "movl x(%rip), %eax": 1,
		"jne x": 0, "sete %al": 0, "cmovne 8(%rax), %rcx": 1, "shlq $3, %rax": 1, "shlq %rax": 0, "vpermilps $3, 16(%rax), %xmm1": 2,
	} {
		if got := encodedConstants(&parseAll(t, text)[0]); got != want {
			t.Errorf("%s: %d constants, want %d", text, got, want)
		}
	}
}

// TestOneResult: an instruction that names one register for two results leaves the first of them there, as xadd and mulx do.
func TestOneResult(t *testing.T) {
	a, count := ISA(), 0
	var e isa.Effects
	for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
		for in := range isa.Samples(a, f) {
			if a.Forms.NumDefs(f) < 2 || in.Ops[0].Kind != isa.OpReg || in.Ops[1].Kind != isa.OpReg {
				break
			}
			in.Ops[1].Reg = in.Ops[0].Reg
			a.Effects(&in, &e)
			if n := len(slices.DeleteFunc(slices.Clone(e.Writes), func(w isa.Access) bool { return w.Reg != in.Ops[0].Reg })); n != 1 || e.Writes[0].Op != 0 {
				t.Errorf("%s: %d results in one register", a.Forms.Name(f), n)
			}
			count++
			break
		}
	}
	if count < 10 {
		t.Errorf("only %d forms have two results", count)
	}
}

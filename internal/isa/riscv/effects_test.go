package riscv

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"incore/internal/isa"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestEffects checks testdata/effects.txt: "[vtype |] statement => effects".
func TestEffects(t *testing.T) {
	cases(t, "testdata/effects.txt", func(stmt string) string {
		code := assemble(t, stmt)
		in := code[len(code)-1]
		return describe(ISA(), &in)
	})
}

// assemble parses statements separated by ';' and runs the context pass over them.
func assemble(t testing.TB, text string) []isa.Inst {
	t.Helper()
	var code []isa.Inst
	for _, s := range strings.Split(text, ";") {
		var err error
		if code, err = ISA().Parse(code, strings.TrimSpace(s), ""); err != nil {
			t.Fatal(err)
		}
	}
	ISA().Context(code, false)
	return code
}

// cases runs a corpus of lines "input => output"; # starts a comment line.
func cases(t *testing.T, file string, run func(string) string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	n := 0
	for i, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		in, want, ok := strings.Cut(line, "=>")
		if strings.HasPrefix(line, "#") || !ok {
			out = append(out, line)
			continue
		}
		n++
		in = strings.TrimSpace(in)
		got := run(in)
		if got != strings.TrimSpace(want) && !*update {
			t.Errorf("%s:%d: %s\n\tgot  %s\n\twant %s", file, i+1, in, got, strings.TrimSpace(want))
		}
		out = append(out, in+" => "+got)
	}
	if n == 0 {
		t.Fatalf("%s has no cases", file)
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var roleNames = map[isa.Role]string{isa.RoleAddr: ":addr", isa.RoleUpdate: ":update", isa.RoleMask: ":mask", isa.RoleControl: ":ctl"}

func describe(a *isa.ISA, in *isa.Inst) string {
	var e isa.Effects
	a.Effects(in, &e)
	var b strings.Builder
	list := func(title string, l []isa.Access) {
		if len(l) == 0 {
			return
		}
		b.WriteString(title)
		for _, x := range l {
			b.WriteString(" " + a.Regs.Name(x.Reg) + roleNames[x.Role])
		}
		b.WriteString("; ")
	}
	list("R", e.Reads)
	list("W", e.Writes)
	for _, m := range e.Mem {
		kind := ""
		if m.Load {
			kind += "load"
		}
		if m.Store {
			kind += "store"
		}
		fmt.Fprintf(&b, "%s %dx%d [%s%+d", kind, m.Elems, m.Bits, a.Regs.Name(m.Base), m.Disp)
		if m.Sym != nil {
			b.WriteString(" " + m.Sym.Text)
		}
		if m.Index != isa.NoReg {
			fmt.Fprintf(&b, " %s*%d", a.Regs.Name(m.Index), m.Scale)
		}
		b.WriteString("]")
		if m.Extend != 0 {
			b.WriteString(" extend " + string(m.Extend))
		}
		if m.Gather {
			b.WriteString(" gather")
		}
		if m.Update != 0 {
			fmt.Fprintf(&b, " update %+d post %v", m.Update, m.Post)
		}
		b.WriteString("; ")
	}
	if v := in.VType; v.SEW != 0 {
		fmt.Fprintf(&b, "e%d lmul %d keep %d; ", v.SEW, v.LMUL, v.Keep)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// TestContextLoop checks that a loop's end reaches its start.
func TestContextLoop(t *testing.T) {
	a := ISA()
	var code []isa.Inst
	for _, s := range []string{"vadd.vv v8, v8, v16", "vsetvli t0, a0, e16, mf2, tu, mu", "vadd.vv v8, v8, v9"} {
		code, _ = a.Parse(code, s, "")
	}
	want := isa.VType{SEW: 16, LMUL: 7, Keep: isa.KeepTail | isa.KeepMasked}
	a.Context(code, true)
	if code[0].VType != want || code[2].VType != want {
		t.Errorf("in a loop: %+v, %+v, want %+v", code[0].VType, code[2].VType, want)
	}
	a.Context(code, false)
	if code[0].VType != (isa.VType{}) || code[2].VType != want {
		t.Errorf("straight: %+v, %+v", code[0].VType, code[2].VType)
	}
	code, _ = a.Parse(code, "call f", "")
	a.Context(code, true)
	if code[0].VType != (isa.VType{}) {
		t.Errorf("after a call: %+v", code[0].VType)
	}
}

package aarch64

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"incore/internal/isa"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata")

// describe writes effects as "reads | writes | memory" with roles as suffixes.
func describe(a *isa.ISA, e *isa.Effects) string {
	role := map[isa.Role]string{isa.RoleAddr: "@", isa.RoleUpdate: "!", isa.RoleMask: "/", isa.RoleFlags: "", isa.RoleControl: "~"}
	list := func(l []isa.Access) string {
		var s []string
		for _, x := range l {
			s = append(s, strings.ToLower(a.Regs.Name(x.Reg))+role[x.Role])
		}
		return strings.Join(s, " ")
	}
	var mem []string
	for _, m := range e.Mem {
		s := ""
		if m.Load {
			s += "L"
		}
		if m.Store {
			s += "S"
		}
		s += fmt.Sprintf("%dx%d", m.Bits, m.Elems)
		if m.Gather {
			s += "g"
		}
		s += "[" + strings.ToLower(a.Regs.Name(m.Base))
		if m.Index != isa.NoReg {
			s += "+" + strings.ToLower(a.Regs.Name(m.Index))
			if m.Extend != 0 {
				s += ":" + string(m.Extend)
			}
			s += fmt.Sprintf("*%d", m.Scale)
		}
		if m.Disp != 0 {
			s += fmt.Sprintf("%+d", m.Disp)
		}
		if m.Sym != nil {
			s += "{" + m.Sym.Text + "}"
		}
		s += "]"
		if m.Update != 0 || m.Post {
			s += fmt.Sprintf(" %+d", m.Update)
			if m.Post {
				s += " post"
			}
		}
		mem = append(mem, s)
	}
	return list(e.Reads) + " | " + list(e.Writes) + " | " + strings.Join(mem, ", ")
}

// TestEffects checks what instructions read, write and access, one case per line.
func TestEffects(t *testing.T) {
	a := ISA()
	table(t, "testdata/effects.txt", func(stmt string) string {
		ins, err := a.Parse(nil, stmt, "")
		if err != nil {
			return err.Error()
		}
		var e isa.Effects
		a.Effects(&ins[0], &e)
		return describe(a, &e)
	})
}

// TestProperties checks control flow, idioms and fusion, one case per line.
func TestProperties(t *testing.T) {
	a := ISA()
	kinds := []string{"next", "jump", "cond", "call", "return", "indirect", "trap"}
	table(t, "testdata/properties.txt", func(stmt string) string {
		var ins []isa.Inst
		for s := range strings.SplitSeq(stmt, ";") {
			var err error
			if ins, err = a.Parse(ins, s, ""); err != nil {
				return err.Error()
			}
		}
		in := &ins[0]
		f := a.Flow(in)
		s := kinds[f.Kind]
		switch f.Target.Kind {
		case isa.OpExpr:
			s += " " + f.Target.Expr.Sym
		case isa.OpImm:
			s += fmt.Sprintf(" %d", f.Target.Imm)
		}
		if a.ZeroIdiom(in) {
			s += " zero"
		}
		if d, r, ok := a.RegMove(in); ok {
			s += " move " + strings.ToLower(a.Regs.Name(r)+"->"+a.Regs.Name(d))
		}
		if len(ins) > 1 {
			if k := a.FusesWith(in, &ins[1]); k != "" {
				s += " " + k
			}
		}
		return s
	})
}

// table runs a file of cases "input => result"; with -update it rewrites the results.
func table(t *testing.T, path string, run func(string) string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for sc, n := bufio.NewScanner(f), 1; sc.Scan(); n++ {
		line := sc.Text()
		if line == "" || line[0] == '#' {
			out = append(out, line)
			continue
		}
		in, want, _ := strings.Cut(line, " => ")
		got := strings.TrimRight(run(strings.TrimSpace(in)), " ")
		if got != want && !*update {
			t.Errorf("%s:%d: %s\n got %s\nwant %s", path, n, in, got, want)
		}
		out = append(out, strings.TrimSpace(in)+" => "+got)
	}
	if len(out) == 0 {
		t.Fatalf("%s: no cases", path)
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(out, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

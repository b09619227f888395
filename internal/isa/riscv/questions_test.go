package riscv

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/isa"
)

var flowNames = map[isa.FlowKind]string{isa.FlowJump: "jump", isa.FlowCond: "cond", isa.FlowCall: "call", isa.FlowReturn: "return",
	isa.FlowIndirect: "indirect", isa.FlowTrap: "trap"}

// TestQuestions checks testdata/questions.txt.
func TestQuestions(t *testing.T) {
	a := ISA()
	cases(t, "testdata/questions.txt", func(stmt string) string {
		code := assemble(t, stmt)
		in := &code[len(code)-1]
		var out []string
		if f := a.Flow(in); f.Kind != isa.FlowNext {
			s := flowNames[f.Kind]
			if f.Target.Kind == isa.OpExpr {
				s += " " + f.Target.Expr.Text
			}
			out = append(out, s)
		}
		if d, s, ok := a.RegMove(in); ok {
			out = append(out, "move "+a.Regs.Name(s)+" to "+a.Regs.Name(d))
		}
		if a.ZeroIdiom(in) {
			out = append(out, "zero")
		}
		if len(code) > 1 {
			if k := a.FusesWith(&code[len(code)-2], in); k != "" {
				out = append(out, "fuses "+k)
			}
		}
		if c := a.SchedClass(in); c != a.Forms.SchedClass(in.Form) {
			out = append(out, fmt.Sprintf("class %d", c))
		}
		if len(out) == 0 {
			return "-"
		}
		return strings.Join(out, ", ")
	})
}

package plan

import (
	"fmt"
	"testing"
)

// TestStackBalance follows the depth of the stack through all plans on it: no instruction may find it full or empty,
// read what is empty, or leave it deeper.
func TestStackBalance(t *testing.T) {
	x86 := X86()
	forms := x86.SelectStack(nil, nil)
	if len(forms) < 100 {
		t.Errorf("%d forms on the stack; x87 has more than 100", len(forms))
	}
	for _, f := range forms {
		x, err := x86.OnStack(f)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := x.Throughput()
		if err != nil {
			t.Errorf("%s: %v", x86.ISA.Forms.Name(f), err)
			continue
		}
		q, share, err := x.Balance()
		if want := 2 * float64(max(x.move, -x.move)); err != nil || float64(len(q.Insts))/share != max(1, want) { // a push with each pop; or a turn
			t.Errorf("%s: %d instructions keep %g instances in balance, %v", x86.ISA.Forms.Name(f), len(q.Insts), share, err)
		}
		plans := []*Plan{p, q}
		if p := x.Latency(); p != nil {
			plans = append(plans, p)
		}
		for _, p := range plans {
			if why := balanced(x86, x, p); why != "" {
				t.Errorf("%s: %s", x86.ISA.Forms.Name(f), why)
			}
		}
	}
}

// balanced says what is wrong with a plan's use of the stack, "" if nothing is.
func balanced(t *Target, x *Stack, p *Plan) string {
	depth := p.Stack
	push, _ := t.parse(t.stack.push, 0, 0, 0)
	pop, _ := t.parse(t.stack.pop, 0, 0, 0)
	for i := range p.Insts {
		in := &p.Insts[i]
		for _, o := range in.Ops[:in.NOps] {
			if name := t.ISA.Regs.Name(o.Reg); len(name) == 3 && name[:2] == "ST" && name[2] <= '7' && int(name[2]-'0') >= depth {
				return fmt.Sprintf("instruction %d names %s of %d", i, name, depth)
			}
		}
		switch {
		case p.Own[i]:
			depth += x.move
		case in.Form == push.Form:
			depth++
		case in.Form == pop.Form:
			depth--
		}
		if depth < 1 || depth > t.stack.size {
			return fmt.Sprintf("behind instruction %d the stack has %d registers", i, depth)
		}
	}
	if depth != p.Stack {
		return fmt.Sprintf("goes from %d to %d registers", p.Stack, depth)
	}
	return ""
}

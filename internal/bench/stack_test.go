package bench

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"incore/internal/bench/feature"

	"incore/internal/bench/host"
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
		x, err := x86.onStack(f)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := x.throughput()
		if err != nil {
			t.Errorf("%s: %v", x86.ISA.Forms.Name(f), err)
			continue
		}
		plans := []*Plan{p}
		if p := x.latency(); p != nil {
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
func balanced(t *Target, x *stackForm, p *Plan) string {
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

// measured measures a form until it is as expected, which noise may be in the way of.
func measured(t *testing.T, b *Bench, form string, expected func(*FormResult) bool) {
	t.Helper()
	var r *FormResult
	for range 8 {
		var err error
		r, err = b.Form(context.Background(), b.Target.ISA.Forms.Named(form), Throughput|Latency)
		if why := new(host.Reason); errors.As(err, &why) && why.Kind == "unsupported" {
			t.Skipf("cannot measure here: %v", err)
		} else if err != nil {
			t.Fatal(err)
		}
		if r.Reason != "" {
			t.Skipf("cannot measure here: %s", r.Reason)
		}
		if expected(r) {
			return
		}
	}
	t.Errorf("%s: latencies %v, throughput %.2f", form, r.Pairs, r.RThru)
}

// TestStackForms holds figures of x87 against what must be on any core: additions depend on their result, but not those
// of different registers.
func TestStackForms(t *testing.T) {
	native, err := Native()
	if err != nil || native != X86() {
		t.Skip("not on x86-64")
	}
	b := NewBench(native)
	for _, name := range []string{"ADD_FrST0", "MUL_FrST0", "ADD_FST0r"} {
		measured(t, b, name, func(r *FormResult) bool {
			return len(r.Pairs) == 1 && r.Pairs[0].Cycles >= 1.9 && r.RThru < 0.7*r.Pairs[0].Cycles
		})
	}
}

// TestTiles measures a product of tiles where the CPU has them: it depends on its operands for longer than it keeps its unit busy.
func TestTiles(t *testing.T) {
	native, err := Native()
	if err != nil || native != X86() || !feature.Here()["amx_int8"] {
		t.Skip("no AMX here")
	}
	measured(t, NewBench(native), "TDPBSSD", func(r *FormResult) bool {
		slowest := 0.0
		for _, p := range r.Pairs {
			slowest = max(slowest, p.Cycles)
		}
		return r.RThru > 4 && slowest > 1.5*r.RThru
	})
}

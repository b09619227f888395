package bench

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/isa"
)

// TestUncover measures on a machine whose form takes 4 cycles of its unit but has its result after 2: chains of the
// form alone, or with one helper, take the 4.
func TestUncover(t *testing.T) {
	x := plan.X86()
	const each, latency = 4, 2
	b := &Bench{Target: x, helpers: make([]float64, len(x.Helpers())), clearing: 2}
	for i := range b.helpers {
		b.helpers[i] = 1
	}
	longer := 0
	b.Run = func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		if (p.To == isa.Access{}) {
			return each * p.N, 0, nil
		}
		if len(p.Helpers) > each {
			longer++
		}
		return math.Max(each*p.N, latency*p.N+float64(len(p.Helpers)+p.Extra)), 0, nil
	}
	for _, name := range []string{"CMPXCHG64rr", "RCL64ri"} { // registers, implicit ones and flags
		r, err := b.Form(context.Background(), x.ISA.Forms.Named(name), plan.Latency)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Pairs) == 0 {
			t.Errorf("%s: no latency", name)
		}
		for _, p := range r.Pairs {
			if p.Cycles != latency {
				t.Errorf("%s: %g cycles from %d to %d, want %d", name, p.Cycles, p.From.Op, p.To.Op, latency)
			}
		}
	}
	if longer == 0 {
		t.Error("no chain was made longer")
	}
}

// TestImplicit measures flags that no instance waits for, on a machine where results wait for the registers: a chain
// through one register would show that.
func TestImplicit(t *testing.T) {
	x := plan.X86()
	b := &Bench{Target: x, helpers: make([]float64, len(x.Helpers())), clearing: 2}
	for i := range b.helpers {
		b.helpers[i] = 1
	}
	b.Run = func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		each := 0.5
		if p.From.Op < 0 && x.Kind(p.From.Reg) == plan.Flags != p.Flags {
			t.Errorf("a chain from %s is not said to go through the flags", x.ISA.Regs.Name(p.From.Reg))
		}
		for i := 1; i < len(p.Insts); i++ {
			if p.Insts[i].Ops[0] == p.Insts[i-1].Ops[0] {
				each = 1
			}
		}
		if len(p.Insts) == 1 {
			each = 1
		}
		renewed := slices.ContainsFunc(p.Insts, func(in isa.Inst) bool { return strings.HasPrefix(x.ISA.Forms.Name(in.Form), "MOV") })
		if renewed && p.Flags {
			each = 0
		}
		return each*p.N + float64(len(p.Helpers)), 0, nil
	}
	r, err := b.Form(context.Background(), x.ISA.Forms.Named("SHL64rCL"), plan.Latency)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range r.Pairs {
		if p.From.Op < 0 && x.Kind(p.From.Reg) == plan.Flags {
			found = true
			if p.Cycles != 0 {
				t.Errorf("%g cycles from the flags to %d", p.Cycles, p.To.Op)
			}
		}
	}
	if !found {
		t.Error("no chain through the flags alone")
	}
}

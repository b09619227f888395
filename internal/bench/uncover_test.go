package bench

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestUncover measures on a machine whose form takes 4 cycles of its unit but has its result after 2: chains of the
// form alone, or with one helper, take the 4.
func TestUncover(t *testing.T) {
	x := X86()
	const each, latency = 4, 2
	b := &Bench{Target: x, helpers: make([]float64, len(x.helpers)), clearing: 2}
	for i := range b.helpers {
		b.helpers[i] = 1
	}
	longer := 0
	b.Run = func(_ context.Context, p *Plan) (float64, float64, error) {
		if (p.To == isa.Access{}) {
			return each * p.N, 0, nil
		}
		if len(p.Helpers) > each {
			longer++
		}
		return math.Max(each*p.N, latency*p.N+float64(len(p.Helpers)+p.Extra)), 0, nil
	}
	for _, name := range []string{"CMPXCHG64rr", "RCL64ri"} { // registers, implicit ones and flags
		r, err := b.Form(context.Background(), x.ISA.Forms.Named(name), Latency)
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
	x := X86()
	b := &Bench{Target: x, helpers: make([]float64, len(x.helpers)), clearing: 2}
	for i := range b.helpers {
		b.helpers[i] = 1
	}
	b.Run = func(_ context.Context, p *Plan) (float64, float64, error) {
		each := 0.5
		if p.From.Op < 0 && x.kindOf[p.From.Reg] == flags != p.Flags {
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
	r, err := b.Form(context.Background(), x.ISA.Forms.Named("SHL64rCL"), Latency)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range r.Pairs {
		if p.From.Op < 0 && x.kindOf[p.From.Reg] == flags {
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

// TestLonger checks that a longer chain is one: each instruction reads what the one before it wrote, and the first what the last wrote.
func TestLonger(t *testing.T) {
	x := X86()
	const more = 5
	n := 0
	forms := x.Select(nil, nil)
	for i := 0; i < len(forms); i += 37 {
		plans, _ := x.Latencies(forms[i])
		for _, p := range plans {
			q := x.Longer(p, more)
			if q == nil {
				continue
			}
			n++
			var e isa.Effects
			for k := range q.Insts {
				x.ISA.Effects(&q.Insts[k], &e)
				writes := slices.Clone(e.Writes)
				x.ISA.Effects(&q.Insts[(k+1)%len(q.Insts)], &e)
				if !slices.ContainsFunc(e.Reads, func(r isa.Access) bool {
					return slices.ContainsFunc(writes, func(w isa.Access) bool { return x.root[w.Reg] == x.root[r.Reg] && x.root[r.Reg] != isa.NoReg })
				}) && len(q.Insts) == len(q.Helpers)+1 {
					t.Errorf("%s: from %d to %d: %s does not wait for what stands before it", x.ISA.Forms.Name(forms[i]), p.From.Op, p.To.Op, x.ISA.Print(nil, &q.Insts[(k+1)%len(q.Insts)], "att"))
				}
			}
			if q.N != 1 || len(q.Helpers) < more {
				t.Errorf("%s: %g instances, %d helpers", x.ISA.Forms.Name(forms[i]), q.N, len(q.Helpers))
			}
		}
	}
	t.Logf("%d chains", n)
	if n < 500 {
		t.Errorf("only %d chains can be made longer", n)
	}
}

package bench

import (
	"context"
	"fmt"
	"math"

	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
)

// stackForm measures a form that uses the stack: its throughput, between the measured cycles with and without the helpers that keep the balance, and
// the latency of its result to itself.
func (b *Bench) stackForm(ctx context.Context, f isa.FormID, x *plan.Stack, what int) (*results.Form, error) {
	r := results.NewForm(f)
	p, helped, err := x.Throughput()
	if err != nil {
		r.Reason = err.Error()
		return r, nil
	}
	r.Note = p.Note
	v, _, err := b.run(ctx, p)
	if err != nil {
		return b.failed(ctx, r, err)
	}
	if what&plan.Throughput != 0 {
		r.RThru, r.RThruLow = v/p.N, v/p.N
		if helped {
			alone, err := b.balance(ctx, x)
			if err != nil {
				return b.failed(ctx, r, err)
			}
			r.RThruLow = max(0, r.RThru-alone)
		}
	}
	if p := x.Latency(); p != nil && what&plan.Latency != 0 {
		v, _, err := b.run(ctx, p)
		if err != nil {
			return b.failed(ctx, r, err)
		}
		r.Pairs = []results.Pair{{From: p.From, To: p.To, Cycles: v / p.N, Total: v, Self: math.NaN()}}
	}
	return r, nil
}

// balance measures what the helpers around an instance take alone, or more: a push comes with a pop.
func (b *Bench) balance(ctx context.Context, x *plan.Stack) (float64, error) {
	p, pairs, err := x.Balance()
	if err != nil {
		return 0, err
	}
	v, _, err := b.run(ctx, p)
	return v / pairs, err
}

// branchForm measures a form that changes the control flow: the throughput in the best layout. For conditional jumps the row has the figure of jumps
// that are not taken, and a comment has that of taken jumps. The cost of addresses and conditions is excluded if twice as many of them take no
// longer, because time is a convex function of their number. The figure of a return is the rest of the time of return and call.
func (b *Bench) branchForm(ctx context.Context, f isa.FormID, x *plan.Branch, what int) (*results.Form, error) {
	r := results.NewForm(f)
	if what&plan.Throughput == 0 {
		r.Reason = "has no result that a chain could lead back"
		return r, nil
	}
	ways := x.Outcomes()
	for i := range ways {
		o := &ways[i]
		v, err := b.bestLayout(ctx, x, o, 1)
		if err != nil {
			return b.failed(ctx, r, err)
		}
		low := v
		switch {
		case x.Flow == isa.FlowReturn:
			call, err := b.Target.Call()
			if err != nil {
				return nil, err
			}
			alone, err := b.bestLayout(ctx, call, o, 1)
			if err != nil {
				return b.failed(ctx, r, err)
			}
			low, r.Note = v-alone, "the call that it returns from"
		case x.Indirect() || o.Sets():
			more, err := b.bestLayout(ctx, x, o, 2)
			if err != nil {
				return b.failed(ctx, r, err)
			}
			low = 2*v - more
		}
		if low > (1-caseChange)*v {
			low = v
		}
		if x.Flow == isa.FlowCond && o.Taken {
			r.Cases = append(r.Cases, results.Case{Note: "the branch taken", RThru: v, Latency: math.NaN()})
			continue
		}
		r.RThru, r.RThruLow = v, max(0, low)
	}
	return r, nil
}

// fewestLayouts is the number of layouts that must have a figure: with more taken jumps in a line of code than the predictor tracks (Zen 4: one jump
// directly after another), no figure is stable.
const fewestLayouts = 3

// bestLayout returns the least time of an instance, in cycles.
func (b *Bench) bestLayout(ctx context.Context, x *plan.Branch, o *plan.Outcome, times int) (least float64, err error) {
	if b.noise != nil {
		return 0, b.noise
	}
	least = math.Inf(1)
	n := 0
	var noise error
	for _, layout := range plan.BranchLayouts {
		p, err := x.Plan(o, layout, times)
		if err != nil {
			return 0, fmt.Errorf("a branch: %w", err)
		}
		v, _, err := b.measure(ctx, p)
		if host.Unstable(err) || host.Unsteady(err) {
			noise = err
			continue
		} else if err != nil {
			return 0, err
		}
		n++
		least = min(least, v/p.N)
	}
	if n < fewestLayouts {
		return 0, noise
	}
	return least, nil
}

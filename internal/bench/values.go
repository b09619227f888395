package bench

import (
	"context"
	"math"
	"slices"

	"incore/internal/bench/plan"
	"incore/internal/bench/results"
)

// caseChange is the relative difference of a figure from which on a separate row is written.
const caseChange = 0.05

// cases measures a form with the special operands that the target names, and keeps the results that differ.
func (b *Bench) cases(ctx context.Context, r *results.Form, through *plan.Plan, chains []*plan.Plan) error {
	usual := 0.0
	for _, q := range r.Pairs {
		if q.Self < q.Cycles {
			q.Cycles = q.Self // only chains of the form itself are repeated
		}
		usual = max(usual, q.Cycles)
	}
	list := b.Target.Cases(r.Form)
	for i := range list {
		c := results.Case{Note: list[i].Note, RThru: math.NaN(), Latency: math.NaN()}
		if p, err := through.With(b.Target, &list[i]); err == nil {
			if v, _, err := b.run(ctx, p); err == nil {
				c.RThru = v / p.N
			}
		}
		for _, p := range chains {
			if p, err := p.With(b.Target, &list[i]); err == nil {
				if v, _, err := b.run(ctx, p); err == nil {
					if own := b.own(p, v); math.IsNaN(c.Latency) || own > c.Latency {
						c.Latency = own
					}
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if differs(c.RThru, r.RThru) || differs(c.Latency, usual) {
			r.Cases = append(r.Cases, c)
		}
	}
	return nil
}

// immediates measures a form with other immediates that may change its operation (lanes, counts), and keeps the results that differ from the known
// ones; and with other conditions.
func (b *Bench) immediates(ctx context.Context, r *results.Form) error {
	if math.IsNaN(r.RThru) {
		return nil
	}
	op, conditions := b.Target.Conditions(r.Form)
	for _, v := range conditions {
		z, err := b.immediate(ctx, r, v)
		if err != nil {
			return err
		}
		if z != nil {
			r.Immediates = append(r.Immediates, results.Immediate{Op: op, Value: v, Result: z})
		}
	}
	if op = b.Target.Selector(r.Form); op < 0 {
		return nil
	}
	for _, v := range []int64{0, 1, 2} { // lanes, selected by the low bits
		z, err := b.immediate(ctx, r, v)
		if err != nil {
			return err
		}
		if z != nil && !slices.ContainsFunc(r.Immediates, func(o results.Immediate) bool {
			return o.Result.Latencies(b.Target.ISA.Forms) == z.Latencies(b.Target.ISA.Forms) && !differs(o.Result.RThru, z.RThru)
		}) {
			r.Immediates = append(r.Immediates, results.Immediate{Op: op, Value: v, Result: z})
		}
	}
	return nil
}

// immediate measures a form with an immediate; nil if nothing changes.
func (b *Bench) immediate(ctx context.Context, r *results.Form, value int64) (*results.Form, error) {
	t := b.Target.WithImmediate(value)
	p, err := t.Throughput(r.Form, 1)
	if err != nil || len(p.Insts) > int(p.N) {
		return nil, nil
	}
	plans, err := t.Latencies(r.Form)
	if err != nil {
		return nil, nil
	}
	p.Rough, p.Once = r.RThru*p.N, true
	v, _, err := b.run(ctx, p)
	if err != nil {
		return nil, ctx.Err()
	}
	if p.Once = false; differs(v/p.N, r.RThru) { // the layout of the body may be the reason
		if v, _, err = b.run(ctx, p); err != nil {
			return nil, ctx.Err()
		}
	}
	if !differs(v/p.N, r.RThru) {
		if len(plans) == 0 || len(r.Pairs) == 0 {
			return nil, nil
		}
		if v, _, err := b.run(ctx, plans[0]); err != nil || !differs(v, r.Pairs[0].Total) {
			return nil, ctx.Err()
		}
	}
	z := results.NewForm(r.Form)
	z.RThru = v / p.N
	z.RThruLow = z.RThru
	if z.Pairs, err = b.pairs(ctx, t, plans, z.RThru); err != nil {
		return nil, err
	}
	if z.Latencies(b.Target.ISA.Forms) == r.Latencies(b.Target.ISA.Forms) && math.Abs(z.RThru-r.RThru) < otherUnits*math.Max(z.RThru, r.RThru) {
		return nil, nil
	}
	return z, nil
}

// otherUnits is the relative difference from which on throughputs with equal latencies mean different units: uneven assignment adds up to a tenth.
const otherUnits = 0.15

func differs(a, b float64) bool { return math.Abs(a-b) > caseChange*math.Max(a, b) }

package bench

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
)

// Time measures a plan outside of any form: cycles of one execution of its block.
func (b *Bench) Time(ctx context.Context, p *plan.Plan) (cycles, uncertainty float64, err error) {
	return b.measure(ctx, p)
}

// measure measures a plan's block in a loop.
func (b *Bench) measure(ctx context.Context, p *plan.Plan) (cycles, uncertainty float64, err error) {
	if b.Run != nil {
		return b.Run(ctx, p)
	}
	c := b.code(p)
	copies := max(1, min(2*block.BodyInsts/len(p.Insts), block.BodyBytes/len(p.Code)))
	rough := p.Rough
	if !(rough > 0) && b.Guess != nil && !p.Flags {
		rough = b.Guess(p.Insts)
	}
	if rough > 0 {
		if f, err := b.looped(ctx, p, c, copies, rough); err == nil {
			return f.Cycles, f.Uncertainty, nil
		} else if host.Unstable(err) || ctx.Err() != nil {
			return 0, 0, err
		} // else the guess may be wrong
	}
	if rough, err = block.Settle(ctx, c, copies); err != nil {
		return 0, 0, err
	}
	if p.Flags {
		f, err := block.Layout(ctx, c, copies, rough, block.Setup{Windows: windows, Unrolled: true})
		if err != nil {
			return 0, 0, err
		}
		return f.Cycles, f.Uncertainty, nil
	}
	f, err := b.looped(ctx, p, c, copies, rough)
	if err != nil {
		return 0, 0, err
	}
	return f.Cycles, f.Uncertainty, nil
}

// looped measures a plan's block in a loop, given the number of copies and the approximate cycles of one.
func (b *Bench) looped(ctx context.Context, p *plan.Plan, c *host.Code, copies int, rough float64) (*block.Figure, error) {
	t := b.Target
	latency := p.To != isa.Access{}
	other := max(1, copies/2)
	if latency {
		other = copies
	}
	f, err := twice(ctx, c, copies, other, rough)
	if err != nil {
		return nil, err
	}
	// The position of the body in the µop cache and the ports chosen at rename are not properties of the form: the faster of two lengths counts. A
	// chain takes whole or half cycles unless such effects disturb it.
	if latency && copies > 1 && math.Abs(f.Cycles-results.Half(f.Cycles)) > 0.01*f.Cycles {
		if g, err := block.Layout(ctx, c, copies/2, f.Cycles, block.Setup{Windows: windows}); err == nil && g.Cycles < f.Cycles {
			f = g
		}
	}
	if !latency && !p.Once && p.N > 0 && (f.Cycles > slowForm*p.N && b.severalSlots(ctx, p, f.Cycles) || p.OnlyInstances(t) && uneven(f.Cycles/p.N)) {
		b.again(ctx, p, f)
	}
	return f, nil
}

// windows is the number of time windows in a measurement of a plan.
const windows = 30

// twice measures two lengths of a body, once each if they agree. Else it measures the faster one, which counts, once more; if that does not confirm
// it, it repeats each length until two measurements agree. A chain (whose two lengths are equal) with whole or half cycles needs no second
// measurement. A guess of the cycles that is far off is corrected.
func twice(ctx context.Context, c *host.Code, copies, other int, rough float64) (*block.Figure, error) {
	block.Runs(c, copies, rough, false)
	r, err := host.Measure(ctx, c, host.Options{Windows: windows})
	if err == nil && (r.Cycles < rough/2 || r.Cycles > 4*rough) {
		rough = r.Cycles
		block.Runs(c, copies, rough, false)
		r, err = host.Measure(ctx, c, host.Options{Windows: windows})
	}
	if err == nil {
		if other == copies && whole(r) {
			return block.NewFigure(c, r, r, copies), nil
		}
		block.Runs(c, other, r.Cycles, false)
		if q, err := host.Measure(ctx, c, host.Options{Windows: windows}); err == nil {
			if block.Alike(r, q) {
				return block.NewFigure(c, r, q, copies), nil
			}
			best, n := r, copies
			if q.Cycles < r.Cycles {
				best, n = q, other
			}
			block.Runs(c, n, best.Cycles, false)
			if s, err := host.Measure(ctx, c, host.Options{Windows: windows}); err == nil && block.Alike(best, s) {
				return block.NewFigure(c, best, s, n), nil
			}
		}
	} else {
		return nil, host.Noise(err) // after noise, the whole form is measured again later
	}
	f, err := block.Layout(ctx, c, copies, rough, block.Setup{Windows: windows})
	if err == nil && other != copies {
		if g, err := block.Layout(ctx, c, other, f.Cycles, block.Setup{Windows: windows}); err == nil && g.Cycles < f.Cycles {
			f = g
		}
	}
	return f, err
}

// whole reports whether a chain's measurement is so close to a whole or half number of cycles that noise is an unlikely cause.
func whole(r *host.Result) bool {
	const near, longest = 0.02, 25 // cycles
	return r.Cycles <= longest && math.Abs(r.Cycles-results.Half(r.Cycles)) <= near && r.Uncertainty <= near
}

// code returns a plan's machine code for the CPUs of the measurements.
func (b *Bench) code(p *plan.Plan) *host.Code {
	c := b.Target.Code(p)
	c.CPUs = b.cpus
	return c
}

// slowForm is the reciprocal throughput above which a form may have µops of several kinds.
const slowForm = 0.55

// quick measures a plan once with low precision: cycles of one execution of its block in the fastest window, given the approximate cycles. NaN if it
// fails.
func (b *Bench) quick(ctx context.Context, p *plan.Plan, rough float64) float64 {
	c := b.code(p)
	block.Runs(c, max(1, block.BodyInsts/len(p.Insts)), rough, false)
	r, err := host.Measure(ctx, c, host.Options{Windows: windows / 2, Patience: 100 * time.Millisecond})
	if err != nil {
		return math.NaN()
	}
	return math.Min(r.Cycles, r.Fastest)
}

// severalSlots reports whether the instances of a plan, which takes so many cycles, take more than a dispatch slot
// each: what is left of the core's width between as many instructions that only take a slot as make dispatch the bound.
func (b *Bench) severalSlots(ctx context.Context, p *plan.Plan, cycles float64) bool {
	const fillers, most = 60, 30
	t := b.Target
	filler := t.Filler(p)
	if filler == "" {
		return false
	}
	if !(b.width > 0) {
		none := &plan.Plan{}
		b.width = math.Round(fillers / b.quick(ctx, none.Padded(t, 0, fillers, t.Filler(none)), fillers/6))
	}
	each := int(math.Ceil(1.2*b.width*cycles/p.N)) + 1
	if math.IsNaN(b.width) || each > most { // dividers, microcode
		return false
	}
	n := int(p.N)
	v := b.quick(ctx, p.Padded(t, n, n*each, filler), float64(n*each)/b.width)
	return !(v*b.width/p.N-float64(each) < 1.5)
}

// uneven reports whether independent instances take a number of cycles that neither one to six units nor several µops on some of them explain: the
// assignment to units was uneven.
func uneven(each float64) bool {
	const near, fastest, slowest = 0.015, 0.26, 2.5
	for _, units := range []float64{1, 2, 3, 4, 6} {
		if n := math.Round(each * units); math.Abs(each*units-n) <= near*n {
			return false
		}
	}
	return each > fastest && each < slowest
}

// again measures a throughput plan in many variants: with fewer instances, and with instructions without operands between them. It stores the least
// time that occurred several times in f. Cores that assign µops to units at dispatch (Zen) assign two kinds of µops evenly only in some variants, and
// only sometimes.
// assignment of two kinds of µops in some of them, some of the times.
func (b *Bench) again(ctx context.Context, p *plan.Plan, f *block.Figure) {
	const lengths, step, nops = 8, 2, 6
	patience := 72 // one of two to twenty loops has an even assignment
	if !p.OnlyInstances(b.Target) {
		patience = 12 // the form without a memory operand gives the units
	}
	least, spread := fastest(f.Cycles, 2*lengths*nops, patience, func(i int) float64 {
		q := p.Padded(b.Target, max(1, int(p.N)-step*(i%lengths)), (i/lengths+i%lengths)%nops, b.Target.Nop)
		return b.quick(ctx, q, f.Cycles/p.N*q.N) / q.N * p.N
	})
	if least < f.Cycles {
		f.Cycles, f.Uncertainty = least, math.Max(spread, block.AgreeFraction*least)/2
	}
}

// fastest returns the least time, clearly below a known one, that two loops had, and the difference of the two; without such a time, the known one.
// quick measures a loop; it returns NaN if it cannot. fastest stops after patience loops without a faster time, or after some loops without
// improvement on a confirmed time.
func fastest(known float64, loops, patience int, quick func(loop int) float64) (least, spread float64) {
	const (
		confirm = 3
		further = 12 // of three assignments the second is not enough
		faster  = 0.97
		near    = 1 + 2*block.AgreeFraction
	)
	var took []float64
	best, since := known, 0 // loops since the last improvement
	try := func(i int) (better bool) {
		v := quick(i)
		if math.IsNaN(v) {
			return false
		}
		took = append(took, v)
		if better = v < faster*best; better {
			best, since = v, 0
		}
		return better
	}
	twice := func(of float64) bool {
		n := 0
		for _, v := range took {
			if v <= of*near {
				n++
			}
		}
		return n > 1
	}
	enough := patience
	for i := 0; i < loops && since < enough; i++ {
		since++
		if try(i) { // a time found in one loop occurs there more often than elsewhere
			for range confirm {
				try(i)
			}
		}
		enough = patience
		if best < known && twice(best) {
			enough = min(patience, further)
		}
	}
	slices.Sort(took)
	for i := range took {
		if i+1 < len(took) && took[i+1] <= took[i]*near && took[i] < faster*known {
			return took[i], took[i+1] - took[i]
		}
	}
	return known, 0
}

// run measures a plan, and records if it was too noisy.
func (b *Bench) run(ctx context.Context, p *plan.Plan) (cycles, uncertainty float64, err error) {
	if b.noise != nil { // the whole form is measured again
		return 0, 0, b.noise
	}
	cycles, uncertainty, err = b.measure(ctx, p)
	if why := new(host.Reason); errors.As(err, &why) && why.Kind == "unstable" {
		b.noise = why
	}
	return cycles, uncertainty, err
}

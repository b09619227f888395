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

// Time measures a plan that belongs to no form: cycles of one execution of its block.
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
		} // else the guess may be to blame
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

// looped measures a plan's block in a loop, so many copies of which take roughly so many cycles each.
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
	// How a body lies in the µop cache, and which ports rename chooses for what it repeats, is no property of the form:
	// of two lengths the faster counts. A chain takes whole or half cycles unless something of that kind is in its way.
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

// windows is the number of time windows of one measurement of a plan.
const windows = 30

// twice measures two lengths of a body, each once if they agree; else the faster, which counts, once more. If that does
// not confirm it, each is measured until two measurements agree. Of one length, a chain (whose two lengths are the
// same) that takes whole or half cycles needs no second measurement. A guess of the cycles that is far off is made
// good.
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
		return nil, host.Noise(err) // if noise is to blame: a form is tried again as a whole, later
	}
	f, err := block.Layout(ctx, c, copies, rough, block.Setup{Windows: windows})
	if err == nil && other != copies {
		if g, err := block.Layout(ctx, c, other, f.Cycles, block.Setup{Windows: windows}); err == nil && g.Cycles < f.Cycles {
			f = g
		}
	}
	return f, err
}

// whole reports whether a measurement of a chain says a whole or half number of cycles, so near that noise hardly makes
// it: half a cycle is more than it adds.
func whole(r *host.Result) bool {
	const near, longest = 0.02, 25 // cycles
	return r.Cycles <= longest && math.Abs(r.Cycles-results.Half(r.Cycles)) <= near && r.Uncertainty <= near
}

// code is a plan's machine code on the CPUs where measurements may run.
func (b *Bench) code(p *plan.Plan) *host.Code {
	c := b.Target.Code(p)
	c.CPUs = b.cpus
	return c
}

// slowForm is the reciprocal throughput above which a form may have µops of several kinds.
const slowForm = 0.55

// quick measures a plan once, without much precision: cycles of one execution of its block, which takes roughly so
// many, in the fastest of the windows. NaN if that fails.
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

// uneven reports whether independent instances that take so many cycles each take what neither one to six units allow
// nor several µops on some of them: units were then assigned unevenly.
func uneven(each float64) bool {
	const near, fastest, slowest = 0.015, 0.26, 2.5
	for _, units := range []float64{1, 2, 3, 4, 6} {
		if n := math.Round(each * units); math.Abs(each*units-n) <= near*n {
			return false
		}
	}
	return each > fastest && each < slowest
}

// again measures a throughput plan in many ways: with fewer instances, and instructions without operands among them.
// The least that came out several times is put into f. Cores that assign µops to units at dispatch (Zen) find an even
// assignment of two kinds of µops in some of them, some of the times.
func (b *Bench) again(ctx context.Context, p *plan.Plan, f *block.Figure) {
	const lengths, step, nops = 8, 2, 6
	patience := 72 // an even assignment comes up in one of two to twenty
	if !p.OnlyInstances(b.Target) {
		patience = 12 // the form without a memory operand has the units
	}
	least, spread := fastest(f.Cycles, 2*lengths*nops, patience, func(i int) float64 {
		q := p.Padded(b.Target, max(1, int(p.N)-step*(i%lengths)), (i/lengths+i%lengths)%nops, b.Target.Nop)
		return b.quick(ctx, q, f.Cycles/p.N*q.N) / q.N * p.N
	})
	if least < f.Cycles {
		f.Cycles, f.Uncertainty = least, math.Max(spread, block.AgreeFraction*least)/2
	}
}

// fastest is the least time, clearly below one that is known, that came out twice in so many loops, and by how much the
// two differ; the known one if there is none. quick measures a loop, NaN: it can't. It gives up when none of patience
// loops was faster, or no further one of some behind a time that came out twice.
func fastest(known float64, loops, patience int, quick func(loop int) float64) (least, spread float64) {
	const (
		confirm = 3
		further = 12 // of three assignments the second is not enough
		faster  = 0.97
		near    = 1 + 2*block.AgreeFraction
	)
	var took []float64
	best, since := known, 0 // loops since there was a faster one
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
		if try(i) { // what one loop found once it finds more often than others do
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

// run measures a plan and remembers if it was too noisy.
func (b *Bench) run(ctx context.Context, p *plan.Plan) (cycles, uncertainty float64, err error) {
	if b.noise != nil { // the form is tried again as a whole: nothing more of it is of use
		return 0, 0, b.noise
	}
	cycles, uncertainty, err = b.measure(ctx, p)
	if why := new(host.Reason); errors.As(err, &why) && why.Kind == "unstable" {
		b.noise = why
	}
	return cycles, uncertainty, err
}

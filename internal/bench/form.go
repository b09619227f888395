package bench

import (
	"context"
	"errors"
	"math"

	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
)

// noChain is the latency, in cycles, below which a chain through helpers shows no dependence: the helpers' latencies are known to half a cycle.
const noChain = 0.75

// Form measures one form. If one of its plans is too noisy, the result is only that reason.
func (b *Bench) Form(ctx context.Context, f isa.FormID, what int) (*results.Form, error) {
	b.noise = nil
	r, err := b.form(ctx, f, what)
	if err == nil && r.Reason == "" && b.noise != nil {
		r.Reason = host.OneLine(b.noise)
	}
	return r, err
}

func (b *Bench) form(ctx context.Context, f isa.FormID, what int) (*results.Form, error) {
	if x, err := b.Target.OnStack(f); err == nil {
		return b.stackForm(ctx, f, x, what)
	}
	if x, err := b.Target.OnBranch(f); err == nil {
		return b.branchForm(ctx, f, x, what)
	}
	r := results.NewForm(f)
	if why := b.Target.Absent(f); why != "" && b.Run == nil {
		r.Reason = why
		return r, nil
	}
	p, err := b.Target.Throughput(f, 1)
	if err != nil {
		r.Reason = err.Error()
		return r, nil
	}
	r.Note = p.Note
	v, _, err := b.run(ctx, p)
	if err != nil {
		return b.failed(ctx, r, err)
	}
	each := v / p.N
	p.Rough = v
	if what&plan.Throughput != 0 {
		r.RThru = each
		r.RThruLow = r.RThru
		if int(p.N) < len(p.Insts) {
			if err := b.fewerHelpers(ctx, r); err != nil {
				return b.failed(ctx, r, err)
			}
		}
	}
	if what&plan.Latency == 0 {
		return r, nil
	}
	plans, err := b.Target.Latencies(f)
	if err != nil {
		return r, nil
	}
	if r.Pairs, err = b.pairs(ctx, b.Target, plans, each); err != nil {
		return nil, err
	}
	if p := b.Target.SameAddress(f); p != nil {
		if v, _, err := b.run(ctx, p); err == nil {
			r.RMW = v
		}
	}
	if err := b.cases(ctx, r, p, plans); err != nil {
		return nil, err
	}
	if err := b.immediates(ctx, r); err != nil {
		return nil, err
	}
	if p, err := b.Target.Forwarding(f); err == nil && p != nil {
		if v, _, err := b.run(ctx, p); err == nil {
			r.Forward = v
		}
	}
	return r, b.same(ctx, r)
}

// pairs measures the chains of a form's pairs of operands, given the form's reciprocal throughput each.
func (b *Bench) pairs(ctx context.Context, t *plan.Target, plans []*plan.Plan, each float64) (out []results.Pair, err error) {
	for _, p := range plans {
		v, _, err := b.run(ctx, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // the latency of this pair stays unknown
		}
		p.Rough = v
		own := b.own(p, v)
		if own < noChain && len(p.Helpers) > 0 && t.Kind(p.From.Reg) == plan.Flags {
			own = 0 // no dependence: the helper writes all flags
		} else if math.IsNaN(own) || own < noChain && len(p.Helpers)+p.Extra > 0 {
			continue // no dependence on the operand, or not through this path
		}
		implicit := p.N > 1 && p.From.Op < 0 && p.To.Op < 0 // no other dependence between the instances
		if implicit && own < noChain && own <= sameTime*each {
			own = 0
		}
		pair := results.Pair{From: p.From, To: p.To, Cycles: max(0, own), Total: v, Self: math.NaN()}
		hidden := v/p.N <= sameTime*each
		if hidden {
			hidden, err = b.uncover(ctx, t, p, &pair, each)
		}
		if err == nil && !hidden {
			err = b.apart(ctx, t, p, &pair)
		}
		if err != nil {
			return nil, err
		}
		if math.IsNaN(pair.Cycles) && implicit {
			pair.Cycles = 0
		}
		if !math.IsNaN(pair.Cycles) {
			out = append(out, pair)
		}
	}
	return out, nil
}

// A chain that takes at most sameTime times the cycles of as many independent instances may hide a smaller latency (microcode, units that are not
// pipelined). Chains of about one cycle have nothing to hide; above mostHidden cycles a longer chain would take too long.
const (
	sameTime    = 1.05
	leastHidden = 1.25
	mostHidden  = 60
)

// uncover measures a pair again if its chain is as fast as the form's throughput allows (each, in cycles). It adds helpers to the chain until the
// chain is slower than the throughput. It reports whether this showed a smaller latency, which it stores in pair: NaN if the result does not depend
// on the operand.
func (b *Bench) uncover(ctx context.Context, t *plan.Target, p *plan.Plan, pair *results.Pair, each float64) (bool, error) {
	if each < leastHidden || each > mostHidden {
		return false, nil
	}
	q := t.Longer(p, int(math.Ceil(each))+1)
	if q == nil {
		return false, nil
	}
	q.Rough = pair.Total + each
	v, _, err := b.run(ctx, q)
	own := b.own(q, v)
	if err != nil || !(own < pair.Cycles-fastForward) {
		return false, ctx.Err()
	}
	if own < noChain {
		own = math.NaN()
	}
	pair.Cycles, pair.Total = own, v
	return true, nil
}

// fastForward is the number of cycles by which a chain of one form must be faster than a chain with another form in it, to show that the core
// forwards results earlier to consumers of the same kind.
const fastForward = 0.4

// apart measures a pair again with other operations in the chain: adders that forward to themselves, and multiply-adds with a late addend, have a
// second latency.
func (b *Bench) apart(ctx context.Context, t *plan.Target, p *plan.Plan, pair *results.Pair) error {
	plans := t.Apart(p)
	if len(plans) == 0 {
		return nil
	}
	least := math.NaN()
	for _, q := range plans {
		q.Rough = pair.Total + 1
		v, _, err := b.run(ctx, q)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if own := b.own(q, v); err == nil && !(own >= least) { // a helper of another domain costs a bypass
			if least = own; least <= pair.Cycles+fastForward {
				return nil
			}
		}
	}
	if least > pair.Cycles+fastForward {
		pair.Self, pair.Cycles = pair.Cycles, least
	}
	return nil
}

// own returns the part of a chain's cycles for one instance of the form.
func (b *Bench) own(p *plan.Plan, cycles float64) float64 {
	cycles -= float64(p.Extra) / 2 * b.clearing
	for _, h := range p.Helpers {
		cycles -= b.helpers[h]
	}
	return cycles / p.N
}

// failed converts an error of a measurement into a result, if the code caused it.
func (b *Bench) failed(ctx context.Context, r *results.Form, err error) (*results.Form, error) {
	var why *host.Reason
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !errors.As(err, &why) || why.Kind == "unsupported" {
		return nil, err
	}
	r.Reason = host.OneLine(why)
	return r, nil
}

// fewerHelpers refines a throughput that was measured with a helper to each instance: with fewer, and with helpers that take other resources. The figure
// without helpers is at most what was measured with any number of them. It is at least
//   - what was measured with a helper to each instance, less what these take alone;
//   - where the straight line through two measurements with unlike numbers of helpers leads: what ports and slots allow is a convex function of that
//     number. (Of several lines the lowest counts, as with few helpers instances wait for each other.)
//
// Helpers of two kinds, which meet the form in different resources, often close in on it from both sides.
func (b *Bench) fewerHelpers(ctx context.Context, r *results.Form) error {
	high := r.RThru
	var least []float64
	for _, plans := range []func(isa.FormID, int) (*plan.Plan, error){b.Target.Throughput, b.Target.ThroughputOther} {
		before, line, helpers := 0.0, math.Inf(1), 0
		for every := 1; every <= plan.RareHelpers; every *= 2 {
			p, err := plans(r.Form, every)
			if err != nil || len(p.Insts)-int(p.N) == helpers { // each instance needs its own helper, or none
				break
			}
			helpers = len(p.Insts) - int(p.N)
			p.Rough, p.Once = r.RThru*p.N, true
			v, _, err := b.run(ctx, p)
			if err != nil {
				return err
			}
			now := v / p.N
			high = min(high, now)
			if every == 1 {
				h := p.OnlyHelpers(b.Target)
				h.Rough, h.Once = v/2, true
				alone, _, err := b.run(ctx, h)
				if err != nil {
					return err
				}
				least = append(least, now-alone/p.N)
			} else {
				line = min(line, 2*now-before)
			}
			before = now
		}
		least = append(least, line)
		r.RThru, r.RThruLow = high, 0
		for _, l := range least {
			if l <= high*(1+caseChange) { // else refuted: instances lie in dispatch groups without such a rule
				r.RThruLow = max(r.RThruLow, min(l, high))
			}
		}
		if r.RThruLow > (1-caseChange)*high { // the two measurements agree within their precision
			r.RThruLow = high
			break
		}
	}
	return nil
}

// copies finds whether a copy is eliminated, also within one register.
func (b *Bench) copies(ctx context.Context, r *results.Form) error {
	for i := range r.Pairs {
		q := &r.Pairs[i]
		if q.Cycles >= 0.6 || q.From.Op != 1 || q.To.Op != 0 {
			continue
		}
		r.Same = results.MoveElim
		p := b.Target.CopyWithin(r.Form, q.To.Reg)
		if p == nil {
			return nil
		}
		v, _, err := b.run(ctx, p)
		if err == nil && v >= 0.6 {
			r.Same, q.Cycles = results.MoveElimDistinct, v
		}
		return ctx.Err()
	}
	return nil
}

// same measures a form whose sources are the same register, if the instruction set says that the result does not depend on it; and whether a copy
// takes no time.
func (b *Bench) same(ctx context.Context, r *results.Form) error {
	if b.Target.Copies(r.Form) {
		return b.copies(ctx, r)
	}
	s := b.Target.SameSources(r.Form)
	if s == nil {
		return nil
	}
	v, _, err := b.run(ctx, s.Plan)
	if err != nil {
		return ctx.Err()
	}
	slowest := 0.0
	for _, q := range r.Pairs {
		slowest = max(slowest, q.Cycles)
	}
	if v < 0.75 && v < slowest-0.2 || v < 0.6 && slowest == 0 {
		r.Same, r.SameOps = results.DepBreak, s.Operands
		if v < 0.2 && s.Zero { // faster than execution on any set of ports
			r.Same = results.ZeroIdiom
		}
	}
	return nil
}

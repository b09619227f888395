package bench

import (
	"context"
	"errors"
	"math"
	"regexp"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// Bench measures instruction forms on this machine.
type Bench struct {
	Target *Target
	// CPUs are those that measurements may run on, each list at a time: no two are threads of one core. Empty: one measurement at a time, anywhere.
	CPUs [][]int
	// Run tells a plan's time where nothing is measured: cycles of one execution of its block, by a model that tests have. nil: it is measured.
	Run func(context.Context, *Plan) (cycles, uncertainty float64, err error)
	// Guess says about how many cycles instructions take that are repeated, NaN or 0: not known. nil: that is measured first.
	Guess func([]isa.Inst) float64

	cpus     []int        // that measurements may run on now
	helpers  []float64    // latency of each of the target's helpers, NaN if it cannot run here
	clearing float64      // cycles of the target's clear and step together
	width    float64      // instructions that only take a slot that the core dispatches in a cycle; 0 or NaN: not known yet
	Residual float64      // the largest residual of the helpers' system, in cycles
	noise    *host.Reason // of the form at hand: why the last plan that was too noisy was
}

// What to measure.
const (
	Throughput = 1 << iota
	Latency
)

// noChain is the latency, in cycles, below which a chain through helpers shows that there is none: theirs are known to
// half a cycle.
const noChain = 0.75

// PairLatency is the latency from one operand of a form to another.
type PairLatency struct {
	From, To isa.Access
	Cycles   float64
	Total    float64 // cycles of the whole chain
	// Self is the latency where the operand is the result of the same form; less than Cycles if that is forwarded faster. NaN if not known.
	Self float64
}

// FormResult is what was measured of a form; NaN is not known.
type FormResult struct {
	Form     isa.FormID
	RThru    float64 // cycles per instance, many of them independent
	RThruLow float64 // less than RThru if helpers were needed: at least so many without them
	Pairs    []PairLatency
	Forward  float64 // from the stored register to the result of a load of the same bytes; NaN if it doesn't store one
	RMW      float64 // of a form that loads and stores at one address: from one to the next at that address; NaN
	Cases    []CaseResult
	// Immediates are what differs with other values of an immediate that selects something.
	Immediates []ImmediateResult
	Note       string
	Same       string // "zero-idiom", "dep-break", "move-elim" or moveElimDistinct, if so measured
	SameOps    [2]int // the operands that are one register
	Reason     string // why nothing was measured
}

// NewBench prepares measuring on this machine.
func NewBench(t *Target) *Bench {
	return &Bench{Target: t}
}

// workers are what measures at a time: b with the CPUs of each.
func (b *Bench) workers() []*Bench {
	list := make([]*Bench, max(1, len(b.CPUs)))
	for i := range list {
		w := *b
		if len(b.CPUs) > 0 {
			w.cpus = b.CPUs[i]
		}
		list[i] = &w
	}
	return list
}

// Select lists the forms that a plan can be made for and whose name matches, in the tables' order.
func (t *Target) Select(match *regexp.Regexp, exts map[string]bool) []isa.FormID {
	var out []isa.FormID
	for f := isa.FormID(1); int(f) < t.ISA.Forms.Len(); f++ {
		name := t.ISA.Forms.Name(f)
		const not = isa.Branch | isa.Call | isa.Return | isa.IndirectBranch | isa.Trap | isa.Pseudo
		if match != nil && !match.MatchString(name) || t.excluded(name) || t.ISA.Forms.Flags(f)&not != 0 || len(exts) > 0 && !t.In(f, exts) {
			continue
		}
		if _, _, err := t.first(f); err != nil {
			continue
		}
		out = append(out, f)
	}
	return out
}

// Extension is the family that a form belongs to, by encoding and registers: base, mmx, sse, avx, avx512, mask.
func (t *Target) Extension(f isa.FormID) string {
	x := &instance{t: t, form: f}
	widest := gpr
	for _, o := range t.ISA.Forms.Operands(f) {
		if o.Class.Kind == "reg" {
			switch k := x.kind(o.Class); k {
			case vec, mmx:
				widest = k
			case mask:
				if widest == gpr {
					widest = mask
				}
			}
		}
	}
	switch t.ISA.Forms.Encoding(f) {
	case 'E':
		return "avx512"
	case 'V':
		if widest == mask {
			return "mask"
		}
		if widest == gpr {
			return "bmi"
		}
		return "avx"
	}
	return t.families[widest]
}

// Form measures one form. If any of its plans is too noisy it has no result, but that as the reason.
func (b *Bench) Form(ctx context.Context, f isa.FormID, what int) (*FormResult, error) {
	b.noise = nil
	r, err := b.form(ctx, f, what)
	if err == nil && r.Reason == "" && b.noise != nil {
		r.Reason = host.OneLine(b.noise)
	}
	return r, err
}

// newResult is the result of a form of which nothing is known yet.
func newResult(f isa.FormID) *FormResult {
	return &FormResult{Form: f, RThru: math.NaN(), RThruLow: math.NaN(), Forward: math.NaN(), RMW: math.NaN()}
}

func (b *Bench) form(ctx context.Context, f isa.FormID, what int) (*FormResult, error) {
	if x, err := b.Target.onStack(f); err == nil {
		return b.stackForm(ctx, x, what)
	}
	if x, err := b.Target.onBranch(f); err == nil {
		return b.branchForm(ctx, x, what)
	}
	r := newResult(f)
	if x := b.Target.Lacks(f); x != "" {
		r.Reason = "this CPU does not have " + x
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
	if what&Throughput != 0 {
		r.RThru = each
		r.RThruLow = r.RThru
		if int(p.N) < len(p.Insts) {
			if err := b.fewerHelpers(ctx, r); err != nil {
				return b.failed(ctx, r, err)
			}
		}
	}
	if what&Latency == 0 {
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
	return r, b.same(ctx, f, r)
}

// pairs measures the chains of a form's pairs of operands; each is the form's reciprocal throughput.
func (b *Bench) pairs(ctx context.Context, t *Target, plans []*Plan, each float64) (out []PairLatency, err error) {
	for _, p := range plans {
		v, _, err := b.run(ctx, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // that pair stays unknown
		}
		p.Rough = v
		own := b.own(p, v)
		if own < noChain && len(p.Helpers) > 0 && t.kindOf[p.From.Reg] == flags {
			own = 0 // not waited for: the helper writes all flags
		} else if math.IsNaN(own) || own < noChain && len(p.Helpers)+p.Extra > 0 {
			continue // the operand is not waited for, or not on this way
		}
		implicit := p.N > 1 && p.From.Op < 0 && p.To.Op < 0 // nothing else leads from one instance to the next
		if implicit && own < noChain && own <= sameTime*each {
			own = 0
		}
		pair := PairLatency{p.From, p.To, max(0, own), v, math.NaN()}
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

// A chain that takes no longer than sameTime of what as many independent instances take does not show the latency, which may be less (microcode,
// units that are not pipelined). Those of a cycle have none to hide; of those above mostHidden cycles a chain would be too long.
const (
	sameTime    = 1.05
	leastHidden = 1.25
	mostHidden  = 60
)

// uncover measures a pair again whose chain takes what the form's throughput allows, given in cycles, with so many helpers on the chain that it takes longer; and
// reports whether that showed a smaller latency: NaN if the operand is not waited for.
func (b *Bench) uncover(ctx context.Context, t *Target, p *Plan, pair *PairLatency, each float64) (bool, error) {
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

// fastForward is by how many cycles a chain of one form must be faster than one with another form in it to show that the core forwards
// results of that kind to their own kind sooner.
const fastForward = 0.4

// apart measures a pair that was measured as a chain of the form alone once more with other operations between: adders that forward to
// themselves, and multiply-adds whose addend may come late, have a latency for each.
func (b *Bench) apart(ctx context.Context, t *Target, p *Plan, pair *PairLatency) error {
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

// own is the part of a chain's cycles that one instance of the form takes.
func (b *Bench) own(p *Plan, cycles float64) float64 {
	cycles -= float64(p.Extra) / 2 * b.clearing
	for _, h := range p.Helpers {
		cycles -= b.helpers[h]
	}
	return cycles / p.N
}

// failed turns an error of a measurement into a result where it is the code's own.
func (b *Bench) failed(ctx context.Context, r *FormResult, err error) (*FormResult, error) {
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

// rareHelpers is the largest number of instances to a helper that is tried: so many may wait for each other, as the core executes the next ones
// meanwhile.
const rareHelpers = 8

// fewerHelpers refines a throughput that was measured with a helper to each instance: with fewer, and with helpers that take other resources. The figure
// without helpers is at most what was measured with any number of them. It is at least
//   - what was measured with a helper to each instance, less what these take alone;
//   - where the straight line through two measurements with unlike numbers of helpers leads: what ports and slots allow is a convex function of that
//     number. (Of several lines the lowest counts, as with few helpers instances wait for each other.)
//
// Helpers of two kinds, which meet the form in different resources, often close in on it from both sides.
func (b *Bench) fewerHelpers(ctx context.Context, r *FormResult) error {
	high := r.RThru
	var least []float64
	for _, other := range []bool{false, true} {
		before, line, helpers := 0.0, math.Inf(1), 0
		for every := 1; every <= rareHelpers; every *= 2 {
			p, err := b.Target.throughput(r.Form, every, other)
			if err != nil || len(p.Insts)-int(p.N) == helpers { // each instance needs its own, or none
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
				h := p.helpers(b.Target)
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
			if l <= high*(1+caseChange) { // else refuted: how instances lie in dispatch groups follows no such rule
				r.RThruLow = max(r.RThruLow, min(l, high))
			}
		}
		if r.RThruLow > (1-caseChange)*high { // two measurements of one thing are no nearer
			r.RThruLow = high
			break
		}
	}
	return nil
}

// copies finds whether a copy is eliminated, and whether also within one register.
func (b *Bench) copies(ctx context.Context, x *instance, p *Plan, r *FormResult) error {
	for i := range r.Pairs {
		q := &r.Pairs[i]
		if q.Cycles >= 0.6 || q.From.Op != 1 || q.To.Op != 0 {
			continue
		}
		r.Same = "move-elim"
		root := x.t.root[q.To.Reg]
		in, err := x.build(choice{roots: map[int]isa.Reg{0: root, 1: root}})
		if err != nil || p.add(x.t, in, true) != nil {
			return nil
		}
		v, _, err := b.run(ctx, p)
		if err == nil && v >= 0.6 {
			r.Same, q.Cycles = moveElimDistinct, v
		}
		return ctx.Err()
	}
	return nil
}

// moveElimDistinct is what Same says of a copy that is eliminated unless it is to the register itself.
const moveElimDistinct = "move-elim if distinct"

// same measures what a form does if its sources are one register, where the instruction set has it
// that the result does not depend on it, and whether a copy costs no time.
func (b *Bench) same(ctx context.Context, f isa.FormID, r *FormResult) error {
	t := b.Target
	x, in, err := t.first(f)
	if err != nil {
		return nil
	}
	p, _ := t.newPlan(f)
	if _, _, ok := t.ISA.RegMove(&in); ok {
		return b.copies(ctx, x, p, r)
	}
	n := int(in.NOps)
	if n < 2 || in.Reg(n-1) == isa.NoReg || in.Reg(n-2) == isa.NoReg {
		return nil
	}
	root := t.root[in.Reg(n-1)]
	if k := t.kindOf[in.Reg(n-1)]; len(t.spare[k]) > 0 {
		root = t.named(t.spare[k][0])
	}
	roots := map[int]isa.Reg{n - 1: root, n - 2: root, 0: root}
	if in, err = x.build(choice{roots: roots}); err != nil || t.ISA.DepBreaking == nil || !t.ISA.DepBreaking(&in) {
		return nil
	}
	if err := p.add(t, in, true); err != nil {
		return nil
	}
	v, _, err := b.run(ctx, p)
	if err != nil {
		return ctx.Err()
	}
	slowest := 0.0
	for _, q := range r.Pairs {
		slowest = max(slowest, q.Cycles)
	}
	if v < 0.75 && v < slowest-0.2 || v < 0.6 && slowest == 0 {
		r.Same, r.SameOps = "dep-break", [2]int{n - 2, n - 1}
		if v < 0.2 && t.ISA.ZeroIdiom(&in) { // faster than any port set could execute it
			r.Same = "zero-idiom"
		}
	}
	return nil
}

// Package advice finds changes of a loop that make it faster, and predicts their gain. Each remedy changes the kernel as a programmer or a compiler would, and the
// same engine predicts the changed kernel. The package reports only remedies that gain.
//
// A remedy is a file and an entry in the list of remedies. docs/add-advice.md explains how to add one.
package advice

import (
	"cmp"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// The kinds of advice, as reports name them.
const (
	Accumulators = "accumulators"     // several accumulators for a reduction
	Reassociate  = "reassociate"      // operands that are not on the chain are combined first
	Unroll       = "unroll"           // several iterations in one
	Addressing   = "addressing"       // addresses with a base and no index
	AlignLoop    = "align-loop"       // the loop begins at a boundary of code lines
	AlignData    = "align-data"       // arrays begin at a boundary of cache lines
	Wider        = "wider-vectors"    // vectors instead of scalars, or wider vectors
	KeepRegister = "keep-in-register" // a value that is stored and loaded again stays in a register
	FalseDep     = "false-dependency" // an instruction no longer waits for a register that it overwrites
	Instead      = "other-instruction"
	Reciprocal   = "reciprocal" // multiplication by the reciprocal instead of division by a loop invariant
	Hoist        = "hoist"      // loop-invariant instructions move in front of the loop
	SinkStore    = "sink-store" // stores to a fixed address move behind the loop
)

// The conditions of a change, as reports name them.
const (
	Reassociation = "reassociation" // results may be rounded differently
	NoAlias       = "no-alias"      // stores do not overlap other loads
	Multiple      = "multiple"      // the number of iterations is a multiple of the unroll factor, or separate code handles the remainder
	Rounding      = "rounding"      // a product with a reciprocal may be rounded differently from a quotient
	Unmasked      = "unmasked"      // gathers load all elements
	UpperBits     = "upper-bits"    // the upper bits of the registers are 0 before the loop
	Contiguous    = "contiguous"    // loads and stores access adjacent elements without a mask
)

// Options configures Find.
type Options struct {
	Engine engine.Choice
	Layout engine.Layout
	// Graph finds the dependences of a changed kernel, in the same way as those of the original kernel.
	Graph func(*machine.Bound) *depgraph.Graph
	// Work is the number of instructions that all predictions together may have; 0: DefaultWork.
	Work int
}

// DefaultWork is the default of Options.Work.
const DefaultWork = 1500

// Threshold is the share of the cycles that a remedy must save to be reported. A gain below the simulator's usual error cannot be told from no gain.
const Threshold = 0.05

// Advice is a remedy and its gain.
type Advice struct {
	Kind     string
	What     string   // the object of the change, by kind: the operation of a reduction, a mnemonic; ""
	Operands []string // registers or instructions, as the code writes them
	Count    int      // number of accumulators or copies, bytes of alignment or bits of vectors, by kind; 0
	Insts    []int    // the affected instructions of the kernel
	// Accumulators, if not 0, is the number of accumulators that wider vectors need in addition.
	Accumulators int
	// Before and After are cycles per iteration of the original kernel; one iteration of the changed loop does the work of Iterations.
	Before, After float64
	Limit         string // the bound of the changed loop
	Iterations    float64
	Assumes       []string
	Conditional   bool // Before is not the prediction, but the cycles with badly aligned arrays
	Lines         []Line
	Front         []Line // code that moves in front of the loop
	Behind        []Line // code that moves behind the loop
}

// Gain returns the share of the cycles that the change saves.
func (a *Advice) Gain() float64 { return 1 - a.After/a.Before }

// Line is an instruction of a changed loop.
type Line struct {
	From int // index of the original instruction; -1: none
	Text string
	New  bool // changed or added
}

// remedy proposes changes of a kernel and tries them.
type remedy struct {
	kind    string
	propose func(*search)
}

// remedies lists all remedies.
var remedies = []remedy{
	{Accumulators, accumulators},
	{Reassociate, reassociate},
	{FalseDep, falseDependencies},
	{KeepRegister, keepInRegister},
	{Reciprocal, reciprocals},
	{Instead, otherInstructions},
	{Hoist, hoist},
	{SinkStore, sinkStores},
	{Wider, wider},
	{AlignLoop, alignLoop},
	{AlignData, alignData},
	{Unroll, unrolling},
	{Addressing, addressing},
}

// search is the state of a search for advice.
type search struct {
	*loop
	o      Options
	now    *engine.Estimate
	least  float64 // cycles of the unchanged loop at the place that suits it best: a remedy must do more than move the code there
	chains *latency.Loop
	work   int // instructions that may still be predicted
	found  []Advice
}

// reserved reports whether the specification reserves an instruction of a kernel.
func reserved(b *machine.Bound) bool { l, _ := b.Reserved(); return l != nil }

// Find returns the remedies that make a kernel faster, the greatest gain first. g holds its dependences, chains its loop-carried chains, now its
// prediction. Straight code, code with instructions of unknown cost and code that the core cannot execute get no advice.
func Find(g *depgraph.Graph, chains *latency.Loop, now *engine.Estimate, o Options) []Advice {
	b := g.Bound
	if !b.Kernel.Loop || b.Doubtful() > 0 || b.Lacking() != "" || reserved(b) || now.Cycles <= 0 || len(b.Insts) == 0 {
		return nil
	}
	s := &search{loop: newLoop(g), o: o, now: now, chains: chains, work: cmp.Or(o.Work, DefaultWork)}
	s.least = s.wellPlaced()
	for _, r := range remedies {
		if len(b.Insts) > s.work || s.stopped() {
			break
		}
		r.propose(s)
	}
	slices.SortStableFunc(s.found, func(x, y Advice) int { return cmp.Compare(y.rank(), x.rank()) })
	return s.found
}

// codeAlignment is the alignment in bytes that compilers give to loops.
const codeAlignment = 16

// wellPlaced returns the cycles of a loop whose address is not known at the place where the µop cache fetches it fastest, of those that compilers
// choose from. The prediction has it begin at the usual place (frontend.Start).
func (s *search) wellPlaced() float64 {
	b := s.g.Bound
	fewest, _, here := frontend.FetchRange(b)
	if b.Kernel.Placed() || fewest >= here || float64(here) < s.now.Cycles*(1-Threshold) || len(b.Insts) > s.work {
		return s.now.Cycles
	}
	k := s.draft().kernel()
	at := codeAlignment*1<<20 + frontend.BestStart(b, codeAlignment)
	for i := range k.Lines {
		k.Lines[i].Addr = at
		at += uint64(k.Lines[i].Inst.Size)
	}
	s.work -= len(b.Insts)
	e := s.o.Engine.Estimate(s.o.Graph(uops.Bind(b.Model, k)), s.o.Layout)
	return min(s.now.Cycles, e.Cycles)
}

// stopped reports whether the caller has cancelled the search (engine.Layout.Done).
func (s *search) stopped() bool {
	select {
	case <-s.o.Layout.Done:
		return true
	default:
		return false
	}
}

// rank is the key by which advice is sorted: by gain, unconditional advice before conditional.
func (a *Advice) rank() float64 {
	if a.Conditional {
		return a.Gain() - 1
	}
	return a.Gain()
}

// predict predicts a changed kernel; cycles is per iteration of the original kernel. ok is false if there is no prediction: the search has used up its
// work, the core lacks an instruction, or the model does not know its cost.
func (s *search) predict(d *draft) (e engine.Estimate, cycles float64, ok bool) {
	if len(d.lines) > s.work || s.stopped() {
		return e, 0, false
	}
	s.work -= len(d.lines)
	k := d.kernel()
	b := uops.Bind(s.g.Bound.Model, k)
	if b.Doubtful() > 0 || s.lacks(k) || !s.keepsFlags(d, b) {
		return e, 0, false
	}
	if least := bound(b) / d.times; least >= s.least*(1-Threshold) { // it gains too little, whatever the simulation would predict
		return engine.Estimate{Cycles: least * d.times}, least, true
	}
	g := s.o.Graph(b)
	e = s.o.Engine.Estimate(g, s.o.Layout)
	return e, e.Cycles / d.times, e.Cycles > 0
}

// bound returns the lower bound of a kernel's cycles by its ports and dispatch slots.
func bound(b *machine.Bound) float64 {
	u := uops.UsageOf(b)
	return max(throughput.Ports(u), throughput.Dispatch(u))
}

// lacks reports whether some instruction needs an extension that the core lacks and that the original loop does not need.
func (s *search) lacks(k *isa.Kernel) bool {
	cores := s.g.Bound.Model.Cores(k.ISA, "")
	for i := range k.Lines {
		f := k.Lines[i].Inst.Form
		if slices.ContainsFunc(s.g.Bound.Kernel.Lines, func(l isa.Line) bool { return l.Inst.Form == f }) {
			continue
		}
		if _, no := cores.Lacks(f); no {
			return true
		}
	}
	return false
}

// try predicts a draft and keeps the advice if it gains.
func (s *search) try(d *draft, a Advice) bool {
	e, cycles, ok := s.predict(d)
	if !ok {
		return false
	}
	return s.keep(d, a, &e, cycles)
}

// keep adds advice to the results if it gains at least Threshold.
func (s *search) keep(d *draft, a Advice, e *engine.Estimate, cycles float64) bool {
	if a.Before == 0 {
		a.Before = s.now.Cycles
	}
	if cycles >= a.Before*(1-Threshold) || !a.Conditional && cycles >= s.least*(1-Threshold) {
		return false
	}
	a.After, a.Limit, a.Iterations = cycles, e.Limit, d.times
	a.Lines, a.Front, a.Behind = d.shown(), d.front, d.behind
	s.found = append(s.found, a)
	return true
}

// best predicts drafts, sorted by growing size, and keeps the first whose gain is nearly the best.
func (s *search) best(drafts []*draft, advice func(d *draft) Advice) {
	type trial struct {
		d      *draft
		e      engine.Estimate
		cycles float64
	}
	var all []trial
	least := s.least
	for _, d := range drafts {
		e, c, ok := s.predict(d)
		if !ok {
			continue
		}
		all = append(all, trial{d, e, c})
		if least = min(least, c); c > 0.98*s.least && len(all) > 1 {
			break
		}
	}
	const most = 0.9 // share of the best gain
	for _, t := range all {
		if s.least-t.cycles >= most*(s.least-least) {
			s.keep(t.d, advice(t.d), &t.e, t.cycles)
			return
		}
	}
}

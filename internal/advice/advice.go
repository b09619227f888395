// Package advice finds what would make a loop faster, and how much faster: each known remedy changes the kernel as a programmer or a compiler would, and the
// changed kernel is predicted as any other is. What does not gain is not mentioned.
//
// A remedy is a file and a line in the list of remedies. docs/add-advice.md tells how to add one.
package advice

import (
	"cmp"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Kinds of advice, as reports name them.
const (
	Accumulators = "accumulators"     // several accumulators for a reduction
	Reassociate  = "reassociate"      // what the chain does not need is joined first
	Unroll       = "unroll"           // several iterations in one
	Addressing   = "addressing"       // addresses of a base alone
	AlignLoop    = "align-loop"       // the loop begins with a line of code
	AlignData    = "align-data"       // arrays begin with a cache line
	Wider        = "wider-vectors"    // vectors, or wider ones
	KeepRegister = "keep-in-register" // a value that is stored and loaded again stays in a register
	Forwarding   = "store-forwarding" // a load has its data from one store
	FalseDep     = "false-dependency" // what an instruction overwrites need not be waited for
	Instead      = "other-instruction"
	Reciprocal   = "reciprocal" // a division by what does not change
	Hoist        = "hoist"      // what does not change in the loop leaves it
)

// What a change takes for granted, as reports name it.
const (
	Reassociation = "reassociation" // results may be rounded otherwise
	NoAlias       = "no-alias"      // what is stored is not what is loaded elsewhere
	Multiple      = "multiple"      // the rest of the iterations, if their number is no multiple, has code of its own
	Rounding      = "rounding"      // a product with a reciprocal is rounded otherwise than a quotient
	Unmasked      = "unmasked"      // gathers load all elements
	Contiguous    = "contiguous"    // elements are loaded and stored side by side, no masked ones
)

// Options of Find.
type Options struct {
	Engine engine.Choice
	Layout engine.Layout
	// Graph finds the dependences of a kernel as those of the one that advice is sought for were found.
	Graph func(*machine.Bound) *depgraph.Graph
	// Work is how many instructions all predictions together may have; 0: DefaultWork.
	Work int
}

// DefaultWork is the least number of instructions that are tried in all.
const DefaultWork = 1500

// Threshold is the share of the cycles that a remedy must save to be mentioned: less than the simulator's usual error is not to be told from none.
const Threshold = 0.05

// Advice is a remedy and what it is worth.
type Advice struct {
	Kind     string
	What     string   // what it is about, by the kind: the operation of a reduction, a mnemonic; ""
	Operands []string // registers or instructions, as the code writes them
	Count    int      // accumulators, copies, bytes of alignment or bits of vectors, by the kind; 0
	Insts    []int    // instructions of the kernel that it is about
	// Accumulators, if not 0, are those that wider vectors need besides.
	Accumulators int
	// Before and After are cycles per iteration of the kernel as it is; Iterations is how many of these one of the changed loop does the work of.
	Before, After float64
	Limit         string // what limits the changed loop
	Iterations    float64
	Assumes       []string
	Conditional   bool // Before is not the prediction, but what it would be where the arrays lie badly
	Lines         []Line
	Front         []Line // code that moves in front of the loop
}

// Gain is the share of the cycles that it saves.
func (a *Advice) Gain() float64 { return 1 - a.After/a.Before }

// Line is an instruction of a changed loop.
type Line struct {
	From int // the instruction of the kernel that it is or was made of; -1: none
	Text string
	New  bool // it differs from that
}

// remedy proposes changes of a kernel and has them tried.
type remedy struct {
	kind    string
	propose func(*search)
}

// remedies are all that is known.
var remedies = []remedy{
	{Accumulators, accumulators},
	{Reassociate, reassociate},
	{FalseDep, falseDependencies},
	{KeepRegister, keepInRegister},
	{Forwarding, forwarding},
	{Reciprocal, reciprocals},
	{Instead, otherInstructions},
	{Hoist, hoist},
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
	chains *latency.Loop
	work   int // instructions that may still be predicted
	found  []Advice
}

// Find lists what would make a kernel faster, the most first. g are its dependences, chains those that go around, now its prediction. Straight code,
// and code with instructions of unknown cost, has none.
func Find(g *depgraph.Graph, chains *latency.Loop, now *engine.Estimate, o Options) []Advice {
	b := g.Bound
	if !b.Kernel.Loop || b.Doubtful() > 0 || now.Cycles <= 0 || len(b.Insts) == 0 {
		return nil
	}
	s := &search{loop: newLoop(g), o: o, now: now, chains: chains, work: cmp.Or(o.Work, DefaultWork)}
	for _, r := range remedies {
		if len(b.Insts) > s.work || s.stopped() {
			break
		}
		r.propose(s)
	}
	slices.SortStableFunc(s.found, func(x, y Advice) int { return cmp.Compare(y.rank(), x.rank()) })
	return s.found
}

// stopped reports whether the caller wants no more (engine.Layout.Done).
func (s *search) stopped() bool {
	select {
	case <-s.o.Layout.Done:
		return true
	default:
		return false
	}
}

// rank orders advice: by gain, what holds in any case first.
func (a *Advice) rank() float64 {
	if a.Conditional {
		return a.Gain() - 1
	}
	return a.Gain()
}

// predict is what a changed kernel takes for one iteration of the kernel as it is; ok is false where that cannot be told: the search has used up what it
// may, or the core lacks or does not know an instruction.
func (s *search) predict(d *draft) (e engine.Estimate, cycles float64, ok bool) {
	if len(d.lines) > s.work || s.stopped() {
		return e, 0, false
	}
	s.work -= len(d.lines)
	k := d.kernel()
	b := s.g.Bound.Model.Bind(k)
	if b.Doubtful() > 0 || s.lacks(k) {
		return e, 0, false
	}
	if least := bound(b) / d.times; least >= s.now.Cycles*(1-Threshold) { // it gains too little to be told, whatever a simulation finds
		return engine.Estimate{Cycles: least * d.times}, least, true
	}
	g := s.o.Graph(b)
	if d.keep != nil {
		g = g.Keep(d.keep)
	}
	if d.mend != nil {
		for i := range g.Edges {
			d.mend(&g.Edges[i])
		}
	}
	e = s.o.Engine.Estimate(g, s.o.Layout)
	return e, e.Cycles / d.times, e.Cycles > 0
}

// bound is the least that a kernel's ports and slots allow.
func bound(b *machine.Bound) float64 {
	ports, dispatch := throughput.Quick(b)
	return max(ports, dispatch)
}

// lacks reports whether the core lacks what some instruction needs that the loop as it is does not need.
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

// keep notes advice that gains.
func (s *search) keep(d *draft, a Advice, e *engine.Estimate, cycles float64) bool {
	if a.Before == 0 {
		a.Before = s.now.Cycles
	}
	if cycles >= a.Before*(1-Threshold) {
		return false
	}
	a.After, a.Limit, a.Iterations = cycles, e.Limit, d.times
	a.Lines, a.Front = d.shown(), d.front
	s.found = append(s.found, a)
	return true
}

// best predicts drafts of growing effort and keeps the advice of the first that is nearly as good as any of them.
func (s *search) best(drafts []*draft, advice func(d *draft) Advice) {
	type trial struct {
		d      *draft
		e      engine.Estimate
		cycles float64
	}
	var all []trial
	least := s.now.Cycles
	for _, d := range drafts {
		e, c, ok := s.predict(d)
		if !ok {
			continue
		}
		all = append(all, trial{d, e, c})
		if least = min(least, c); c > 0.98*s.now.Cycles && len(all) > 1 {
			break
		}
	}
	const most = 0.9 // of the gain
	for _, t := range all {
		if s.now.Cycles-t.cycles >= most*(s.now.Cycles-least) {
			s.keep(t.d, advice(t.d), &t.e, t.cycles)
			return
		}
	}
}

package analyze

import (
	"cmp"
	"slices"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// Limits of the trials of a report: the number of predictions, and the instructions of all predictions together.
const (
	maxTried      = 12
	maxTriedInsts = 4000
	maxPairs      = 100_000 // stores times loads above which the possible dependences of a kernel are not looked for
	noticeable    = 1.02    // a possible dependence is mentioned if it makes the kernel slower by this factor
)

// trial predicts a kernel under other assumptions about its dependences through memory.
type trial struct {
	w    *writer
	o    *Options
	left int // predictions still to be made
}

// cycles predicts with changed options; nil if no prediction is left.
func (t *trial) cycles(change func(*MemoryOptions)) *report.Estimate {
	if t.left == 0 {
		return nil
	}
	t.left--
	o := *t.o
	change(&o.Memory)
	e := Kernel(t.w.k, t.w.a.Bound.Model, &o).Estimate(&o)
	return &report.Estimate{Cycles: report.Round(e.Cycles), Bound: report.Bound(e.Limit)}
}

// memory describes the dependences through memory, the prediction without them, and the predictions with possible
// dependences that are not certain. It returns nil if there are no dependences to report.
func (w *writer) memory(o *Options) *report.Memory {
	if o.Memory.Off {
		return nil
	}
	n := len(w.k.Lines)
	t := &trial{w: w, o: o, left: min(maxTried, maxTriedInsts/max(1, n))}
	found := w.evidence(o)
	out := &report.Memory{Dependencies: w.certain(t, found), Possible: []report.PossibleDependency{}}
	if len(out.Dependencies) > 0 {
		out.Without = t.cycles(func(m *MemoryOptions) { m.Off = true })
	}
	if !o.Memory.NoAlias {
		out.Possible = w.possible(t, found)
	}
	if len(out.Dependencies)+len(out.Possible) == 0 {
		return nil
	}
	return out
}

// evidence executes the kernel to find its dependences through memory.
func (w *writer) evidence(o *Options) *memdep.Result {
	opt := o.Memory.memdep(w.k.ISA)
	opt.May = storeLoadPairs(w.a.Bound) <= maxPairs
	return memdep.Analyze(w.a.Bound, opt)
}

// storeLoadPairs counts the pairs of a store and a load of a kernel.
func storeLoadPairs(b *machine.Bound) int {
	loads, stores := b.Accesses()
	return loads * stores
}

// certain describes the dependences that are in the graph.
func (w *writer) certain(t *trial, found *memdep.Result) []report.MemoryDependency {
	out := []report.MemoryDependency{}
	onLCD := map[int]bool{}
	if len(w.a.Loop.Chains) > 0 {
		for _, s := range w.a.Loop.Chains[0].Steps {
			onLCD[s.Edge] = true
		}
	}
	for i := range w.a.Graph.Edges {
		e := &w.a.Graph.Edges[i]
		if e.Kind != depgraph.Memory {
			continue
		}
		m := w.a.Graph.MemoryEdge(e)
		d := report.MemoryDependency{From: int(e.From), To: int(e.To), Distance: int(e.Dist), Forwarding: report.Round(e.Latency), LCD: onLCD[i],
			Evidence: evidenceOf(found, m), Blocked: w.blocked(e)}
		if d.LCD {
			d.Without = t.cycles(func(o *MemoryOptions) { o.without = []depgraph.MemoryEdge{m} })
		}
		out = append(out, d)
	}
	return out
}

// blocked returns sim.Core.Blocked for a dependence if the simulator made the prediction.
func (w *writer) blocked(e *depgraph.Edge) int {
	if e.Kind != depgraph.Memory {
		return 0
	}
	core, err := sim.Available(w.a.Bound.Model)
	if err != nil || w.estimate().Result == nil {
		return 0
	}
	return core.Blocked(w.a.Graph, e)
}

// evidenceOf returns how a dependence was found: by the execution or, if the execution did not show it, from the address expressions.
func evidenceOf(found *memdep.Result, m depgraph.MemoryEdge) report.Evidence {
	if e := found.Find(m); e != nil && e.Must() {
		return report.Evidence{Method: report.Executed, Bytes: e.Bytes, Size: e.Size, Seen: e.Seen, Of: e.Of}
	}
	return report.Evidence{Method: report.Expressions}
}

// possible describes the dependences that are not certain and would change the prediction, the slowest first.
func (w *writer) possible(t *trial, found *memdep.Result) []report.PossibleDependency {
	out := []report.PossibleDependency{}
	now := w.estimate().Cycles
	tried := map[string]bool{}
	for i := range found.Edges {
		e := &found.Edges[i]
		if e.Must() || e.Kind != memdep.RAW {
			continue
		}
		p := report.PossibleDependency{From: int(e.From), To: int(e.To), Distance: int(e.Dist), Why: e.Why.String()}
		var then *report.Estimate
		switch p.If = w.equation(e); {
		case e.Why != memdep.OtherBase:
			if p.If = ""; !w.related(e) {
				continue
			}
			m := e.MemoryEdge
			m.Varying = true
			if w.a.Graph.Renames {
				p.Renamed = true
			}
			then = t.cycles(func(o *MemoryOptions) { o.with = []depgraph.MemoryEdge{m} })
		case p.If != "" && !tried[p.If]:
			tried[p.If] = true
			then = t.cycles(func(o *MemoryOptions) { o.Alias = append(slices.Clone(o.Alias), p.If) })
		}
		if then != nil && then.Cycles > now*noticeable {
			p.Estimate = *then
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b report.PossibleDependency) int { return cmp.Compare(b.Cycles, a.Cycles) })
	return out
}

// Possible lists the dependences through memory of an analysed kernel that are not certain and would change the prediction, the slowest first.
func (a *Analysis) Possible(k *isa.Kernel, o *Options) []report.PossibleDependency {
	w := &writer{a: a, k: k, options: o}
	return w.possible(&trial{w: w, o: o, left: min(maxTried, maxTriedInsts/max(1, len(k.Lines)))}, w.evidence(o))
}

// Slowest names the register or memory operand that carries the slowest chain into the next iteration, and reports whether it is memory.
func (a *Analysis) Slowest() (via string, memory bool) {
	if len(a.Loop.Chains) == 0 {
		return "", false
	}
	c := &a.Loop.Chains[0]
	for _, s := range c.Steps {
		memory = memory || a.Graph.Edges[s.Edge].Kind == depgraph.Memory
	}
	return (&writer{a: a, k: a.Bound.Kernel}).chain(c).Via, memory
}

// related reports whether a store and a load use the same base pointer or symbol. Accesses that use different ones and whose offsets depend on
// data overlap only by two coincidences.
func (w *writer) related(e *memdep.Edge) bool {
	s := &w.a.Bound.Insts[e.From].Effects.Mem[e.FromMem]
	l := &w.a.Bound.Insts[e.To].Effects.Mem[e.ToMem]
	if s.Sym != nil || l.Sym != nil {
		return s.Sym != nil && l.Sym != nil && s.Sym.Sym == l.Sym.Sym
	}
	return s.Base == l.Base
}

// equation names the two registers whose equality would make a store and a load overlap, "r10=rax"; "" if the overlap does not depend on
// two pointers. The stack pointer is assumed to differ from every other pointer.
func (w *writer) equation(e *memdep.Edge) string {
	s := &w.a.Bound.Insts[e.From].Effects.Mem[e.FromMem]
	l := &w.a.Bound.Insts[e.To].Effects.Mem[e.ToMem]
	store, load := s.Base, l.Base
	if store == load { // [rdi+rax] and [rdi+rcx]
		store, load = s.Index, l.Index
	}
	if store == load || !w.pointer(store) || !w.pointer(load) {
		return ""
	}
	return w.register(store) + "=" + w.register(load)
}

// pointer reports whether a register may hold a pointer and is not the stack pointer.
func (w *writer) pointer(r isa.Reg) bool {
	a := w.k.ISA
	if r == isa.NoReg || a.Semantics == nil || r == a.Semantics.PC || a.StackPointer != nil && a.StackPointer(r) {
		return false
	}
	_, _, width := a.Semantics.Part(r)
	return width == 64
}

func (w *writer) register(r isa.Reg) string { return strings.ToLower(w.k.ISA.Regs.Name(r)) }

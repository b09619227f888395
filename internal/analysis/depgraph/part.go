package depgraph

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file finds out what memory renaming does in a part of an execution: whether its prediction table holds the
// pairs of stores and loads, and whether the loads are too many, depends on all of them.

// Renaming is what memory renaming does in a part of an execution.
type Renaming struct {
	Others  bool // the prediction table holds the pairs that are not found by their registers
	Crowded bool // Graph.Crowded
}

// Part collects the dependences through memory of a part of an execution.
type Part struct {
	runs  *Runs
	model *machine.Model
	isa   *isa.ISA
	seen  map[lines]bool
	used  []int // set of the prediction table → its pairs
	all   []served
}

type lines struct{ store, load *isa.Line }

// pair is a dependence with all that decides whether memory renaming serves it.
type pair struct {
	lines
	fromMem, toMem                int16
	offset                        int64
	short, several, latest, moved bool
}

// served is what memory renaming makes of a pair.
type served struct {
	named bool // it finds the pair by its registers
	loads bool // it serves the load, if it finds the pair
}

// Part begins a part.
func (r *Runs) Part(m *machine.Model, a *isa.ISA) Part {
	p := Part{runs: r, model: m, isa: a}
	if how := &m.Core().Renaming; how.Renames() {
		p.seen, p.used = map[lines]bool{}, make([]int, max(1, how.Sets))
	}
	return p
}

// Add adds a dependence on an instruction. It reports whether memory renaming serves the load, as long as nothing
// else keeps it from doing so.
func (p *Part) Add(x *Executed, from, to *machine.Inst) bool {
	if p.seen == nil {
		return false
	}
	s := p.runs.served(p.model, p.isa, x, from, to)
	p.all = append(p.all, s)
	if at := (lines{from.Line, to.Line}); !s.named && !p.seen[at] {
		p.seen[at] = true
		p.used[to.Line.Addr>>1%uint64(len(p.used))]++
	}
	return s.loads
}

// Renaming returns what memory renaming does in the part, whose executed instructions have so many bytes; 0: that
// is not known.
func (p *Part) Renaming(bytes int) (r Renaming) {
	how := &p.model.Core().Renaming
	r.Others = p.seen == nil || slices.Max(p.used) <= how.Entries
	if p.seen == nil || how.Density == 0 {
		return r
	}
	loads := 0
	for _, s := range p.all {
		if s.loads && (s.named || r.Others) {
			loads++
		}
	}
	r.Crowded = tooDense(p.model.Core(), loads, bytes)
	return r
}

// served returns what memory renaming makes of a dependence between two instructions.
func (r *Runs) served(m *machine.Model, a *isa.ISA, x *Executed, from, to *machine.Inst) served {
	at := pair{lines{from.Line, to.Line}, x.FromMem, x.ToMem, x.Offset, x.Short, x.Several, x.Stores == 0, x.Moved}
	s, ok := r.pairs[at]
	if !ok {
		b := &machine.Bound{Kernel: &isa.Kernel{ISA: a}, Model: m, Insts: []machine.Inst{*from, *to}}
		bd := &builder{Graph: &Graph{Bound: b}, constant: a.Constant, regs: a.Regs, leaps: new(leaps), others: true}
		e := *x
		e.From, e.To = 0, 1
		p := bd.ran(&e)
		s = served{bd.named(&e), bd.eligible(&p)}
		if r.pairs == nil {
			r.pairs = map[pair]served{}
		}
		r.pairs[at] = s
	}
	return s
}

// Leaps returns, for each instruction of a block and for its end, how many instructions before it set the stack
// pointer to a place which the core takes for unknown; 0 on cores for which that makes no difference.
func Leaps(b *machine.Bound) []int32 {
	a := b.Kernel.ISA
	for i := range b.Insts {
		for _, w := range b.Insts[i].Effects.Writes {
			if b.Model.Core().Renaming.Registers && a.StackPointer != nil && a.StackPointer(w.Reg) {
				bd := &builder{Graph: &Graph{Bound: b}, regs: a.Regs, leaps: new(leaps)}
				return bd.leaps.count(bd, w.Reg)
			}
		}
	}
	return make([]int32, len(b.Insts)+1)
}

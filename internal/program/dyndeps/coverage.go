package dyndeps

import (
	"cmp"
	"slices"

	"incore/internal/analysis/memdep"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/object"
)

// Scope is the unit of code for the static analysis.
type Scope string

// The scopes.
const (
	ScopeBare  Scope = "bare"  // each basic block alone, as the body of a loop: CesASMe's protocol
	ScopeBlock Scope = "block" // the same, with the code before the block in its function
	ScopeLoop  Scope = "loop"  // the likeliest path through each innermost loop, with the code before the loop
)

// Scopes in the order of reports.
var Scopes = []Scope{ScopeBare, ScopeBlock, ScopeLoop}

// DefaultWindow is the number of instructions within which the static analysis looks for dependences: the
// shortest lifetime (Windows).
const DefaultWindow = 512

// hotShare is the share of the executions of the most executed block (loop) below which one is left out.
const hotShare = 0.1

// Coverage compares the static analysis with a run (CesASMe, section 4.4): the dependences through memory that
// occurred between instructions of the same block (or loop), and those among them that the analysis of the block finds.
// It leaves out blocks with less than a tenth of the executions of the most executed block, and
// dependences between blocks, which the analysis cannot find by construction.
type Coverage struct {
	Scope  Scope
	Code   int     // number of analysed blocks or loops
	Static int     // dependences that the analysis found in them, as pairs of instructions
	Rows   []Row   // by lifetime: first the limit of the run, which may be none, then from long to short
	Missed []*Pair // dependences within the limit of the run that the analysis did not find, the most frequent first
	Extra  []Extra // dependences that the analysis found and that never occurred
}

// Row is the coverage of the dependences with fewer instructions between store and load than Lifetime, 0 for all.
type Row struct {
	Lifetime uint64 `json:"lifetime"` // 0: no limit
	Tally
	// Own counts only the dependences within and between iterations of the innermost loop around the load: an analysis of that loop cannot find
	// those that an outer loop or another call carries.
	Own Tally `json:"own"`
}

// Tally counts pairs of instructions and their occurrences.
type Tally struct {
	Found       uint64 `json:"found"`
	Missed      uint64 `json:"missed"`
	FoundCount  uint64 `json:"found_count"`
	MissedCount uint64 `json:"missed_count"`
}

// Unweighted returns cov_u = found/(found + missed); ok is false if no dependence occurred.
func (t *Tally) Unweighted() (share float64, ok bool) { return ratio(t.Found, t.Missed) }

// Weighted returns cov_w, the same with each pair weighted by its occurrences.
func (t *Tally) Weighted() (share float64, ok bool) { return ratio(t.FoundCount, t.MissedCount) }

func ratio(a, b uint64) (float64, bool) {
	if a+b == 0 {
		return 0, false
	}
	return float64(a) / (float64(a) + float64(b)), true
}

func (t *Tally) add(found bool, n uint64) {
	switch {
	case n == 0:
	case found:
		t.Found++
		t.FoundCount += n
	default:
		t.Missed++
		t.MissedCount += n
	}
}

// sum adds the tallies of another program.
func (t *Tally) sum(o *Tally) {
	t.Found += o.Found
	t.Missed += o.Missed
	t.FoundCount += o.FoundCount
	t.MissedCount += o.MissedCount
}

// Extra is a dependence that the analysis found and that never occurred, with the executions of its load.
type Extra struct {
	From, To uint64
	Runs     uint64
}

type edge struct{ from, to uint64 }

// piece is a unit of analysed code.
type piece struct {
	kernel *isa.Kernel
	runs   uint64 // executions, or iterations
}

// Cover compares the analysis with the run. window is the number of instructions within which the analysis looks for dependences; 0: the size of the machine's
// reorder buffer.
func (t *Trace) Cover(scope Scope, m *machine.Model, window int) *Coverage {
	pieces := t.blockPieces()
	if scope == ScopeLoop {
		pieces = t.loopPieces()
	}
	c := &Coverage{Scope: scope, Code: len(pieces)}
	static, seen := map[edge]uint64{}, map[edge]bool{}
	within := map[uint64][]int{} // address → pieces
	for i, p := range pieces {
		for _, l := range p.kernel.Lines {
			within[l.Addr] = append(within[l.Addr], i)
		}
		for _, e := range analyse(p.kernel, scope, m, window) {
			static[e] = max(static[e], p.runs)
		}
	}
	c.Static = len(static)
	c.Rows = []Row{{Lifetime: t.Lifetime}}
	windows := slices.Clone(Windows)
	slices.SortFunc(windows, func(a, b uint64) int { return cmp.Compare(b, a) })
	for _, l := range windows {
		if t.Lifetime == 0 || l < t.Lifetime {
			c.Rows = append(c.Rows, Row{Lifetime: l})
		}
	}
	for i := range t.Pairs {
		p := &t.Pairs[i]
		e := edge{p.From, p.To}
		seen[e] = true
		if !share(within[p.From], within[p.To]) {
			continue
		}
		_, found := static[e]
		for k := range c.Rows {
			c.Rows[k].add(found, below(p.Count, p.Within, c.Rows[k].Lifetime))
			c.Rows[k].Own.add(found, t.own(p, c.Rows[k].Lifetime))
		}
		if !found {
			c.Missed = append(c.Missed, p)
		}
	}
	for e, runs := range static {
		if !seen[e] {
			c.Extra = append(c.Extra, Extra{e.from, e.to, runs})
		}
	}
	slices.SortFunc(c.Extra, func(a, b Extra) int {
		return cmp.Or(cmp.Compare(b.Runs, a.Runs), cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From))
	})
	return c
}

// below picks the count of a lifetime under a limit, 0 for none.
func below(count uint64, within []uint64, limit uint64) uint64 {
	if i := slices.Index(Windows, limit); i >= 0 {
		return within[i]
	}
	return count
}

// own counts the occurrences that the innermost loop around the load carries; outside of loops it counts those within a call.
func (t *Trace) own(p *Pair, limit uint64) (n uint64) {
	loop := -1
	if b := t.Program.blockAt(p.To); b >= 0 {
		loop = t.Program.Blocks[b].Loop
	}
	for _, d := range p.Distances {
		if d.Iterations >= 0 && d.Loop == loop {
			n += below(d.Count, d.Within, limit)
		}
	}
	return n
}

// share reports whether two lists have a common number.
func share(a, b []int) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// blockPieces returns the basic blocks that were executed often enough.
func (t *Trace) blockPieces() (out []piece) {
	least := uint64(float64(slices.Max(append([]uint64{1}, t.Blocks...))) * hotShare)
	for i, n := range t.Blocks {
		if b := &t.Program.Blocks[i]; n > 0 && n >= least {
			out = append(out, piece{t.Program.Funcs[b.Func].BlockKernel(b.Graph, b.Index), n})
		}
	}
	return out
}

// loopPieces returns the innermost loops that were executed often enough.
func (t *Trace) loopPieces() (out []piece) {
	most := uint64(1)
	for i, n := range t.Loops {
		if t.Program.Loops[i].Innermost {
			most = max(most, n)
		}
	}
	for i, n := range t.Loops {
		l := t.Program.Loops[i]
		if !l.Innermost || n == 0 || float64(n) < hotShare*float64(most) {
			continue
		}
		if k, err := l.Kernel(object.KernelOptions{}); err == nil {
			out = append(out, piece{k, n})
		}
	}
	return out
}

// analyse returns the certain dependences of loads on stores, as analyze and predict have them.
func analyse(k *isa.Kernel, scope Scope, m *machine.Model, window int) (out []edge) {
	edges, _ := memdep.Find(uops.Bind(m, k), memdep.Options{NoEntry: scope == ScopeBare, Instructions: window})
	for _, e := range edges {
		if x := (edge{k.Lines[e.From].Addr, k.Lines[e.To].Addr}); !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

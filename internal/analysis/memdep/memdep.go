// Package memdep finds the dependences of a kernel that go through memory: which store
// wrote what a load reads, and how many iterations before.
//
// The method is the staticdeps heuristic (CesASMe, section 3): the kernel is executed for as
// many iterations as the reorder buffer can hold, on random 64-bit values in place of
// everything unknown. Integer arithmetic is exact (isa.Semantics), anything else makes its
// results invalid, and a shadow memory remembers for each byte who wrote it. What is
// found in (nearly) every iteration, for every seed, is a dependence; two accesses
// through unrelated pointers meet with probability 2^-64 only.
//
// It follows that an edge says: these accesses are to the same bytes whatever the registers
// held at the start. That nothing is found does not prove the contrary: pointers
// may be equal. Options.May lists such pairs, and Options.Alias tells what is known better.
package memdep

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Kind says what a dependence orders.
type Kind uint8

// The kinds of dependences.
const (
	RAW Kind = iota // a load reads what a store wrote
	WAR             // a store overwrites what a load read
	WAW             // a store overwrites what a store wrote
)

// Reason says why a dependence is possible, but not certain.
type Reason uint8

// The reasons.
const (
	Certain     Reason = iota
	NotFollowed        // an address comes from operations that are not evaluated, or from a vector register
	FromData           // an address changes from iteration to iteration by values that are not known
	OtherBase          // the addresses come from pointers of which it is not known whether they are related
	SomeTimes          // the addresses meet, but not in every iteration
	FromLength         // whether they meet, or after how many iterations, depends on the length of a vector register
)

func (r Reason) String() string {
	return [...]string{"", "address not followed", "address depends on data", "unrelated base pointers", "not in every iteration", "depends on the vector length"}[r]
}

// Edge is one dependence through memory.
type Edge struct {
	depgraph.MemoryEdge
	Kind Kind
	// Why is Certain for dependences that must hold. For the others the distance is the least that is possible.
	Why Reason
	// Bytes of the Size bytes that To accesses are those of From.
	Bytes, Size int
	// Seen and Of count the iterations in which it was found, of those in which it could be.
	Seen, Of int
}

// Must reports whether the dependence is certain.
func (e *Edge) Must() bool { return e.Why == Certain }

// Alias is something known of the registers when the loop is entered: Reg = Base + Offset.
type Alias struct {
	Reg, Base isa.Reg // full integer registers; Base is NoReg for a constant
	Offset    int64
}

// The defaults of Options.
const (
	DefaultRuns   = 3
	DefaultWindow = 512 // µops; the largest reorder buffer of CPUs in wide use (Golden Cove)
	minIterations = 4
	minEvidence   = 3  // iterations in which a dependence must have been able to show, where the loop does not end before
	threshold     = 80 // percent of the iterations in which a dependence must show
)

// Options of Analyze. The zero value is the default.
type Options struct {
	Seed   uint64
	Runs   int // executions, each with other random values, in all of which an edge must show; 0: DefaultRuns
	Window int // µops within which dependences matter; 0: the model's reorder buffer, else DefaultWindow
	// Instructions within which dependences are looked for, whatever µops they are; 0: Window says.
	Instructions int
	// VectorBytes is the size of a vector register of scalable vectors. 0: the model's; if it has none, each run takes another one.
	VectorBytes int
	Alias       []Alias
	NoAlias     bool // different base pointers do not meet: leaves out what is possible only if they do
	WAR, WAW    bool // find these too
	May         bool // list dependences that are possible, too
	NoEntry     bool // do not look at the code that leads into the kernel
	// Equal: every integer register and every aligned word of memory hold one value when the code starts, the address of a page
	// (isa.ISA.EqualStart), and one page of memory stands behind all addresses: what the profiler of BHive does.
	Equal bool
	// Word is what every aligned word of memory holds when the code starts; 0: not known.
	Word uint64
}

// Result is what Analyze finds.
type Result struct {
	Edges      []Edge // the certain ones first, sorted by To, From and distance
	Iterations int    // that were executed
	Trip       int    // iterations after which the loop ends, where what leads into it tells and they are few; 0: not known
	Runs       int
	Entry      int // instructions leading into the loop that were executed before
	// Period is after how many iterations all loads read what the same stores wrote again, where that is known (Options.Word) and more than one; else 0.
	// Phases are the dependences then that do not hold in every iteration.
	Period int
	Phases []depgraph.MemoryEdge
	// Places is where accesses go in the last iterations, of those whose addresses registers and memory tell (Options.Alias with constants, Options.Word).
	Places  []depgraph.Place
	horizon int // iterations within which dependences were looked for
}

// Memory returns the certain dependences of loads on stores, for depgraph.
func (r *Result) Memory() []depgraph.MemoryEdge {
	out := []depgraph.MemoryEdge{}
	for i := range r.Edges {
		if e := &r.Edges[i]; e.Kind == RAW && e.Must() {
			out = append(out, e.MemoryEdge)
		}
	}
	return out
}

// Find returns the evidence of a dependence that Memory returned, nil if it isn't one.
func (r *Result) Find(m depgraph.MemoryEdge) *Edge {
	for i := range r.Edges {
		if r.Edges[i].Kind == RAW && r.Edges[i].MemoryEdge == m {
			return &r.Edges[i]
		}
	}
	return nil
}

// Analyze finds the dependences of a kernel, taken as the body of a loop. It is deterministic
// for a seed. Instruction sets without integer semantics have none.
func Analyze(b *machine.Bound, o Options) *Result {
	r := &Result{Runs: o.Runs}
	if b.Kernel.ISA.Semantics == nil || len(b.Insts) == 0 {
		return r
	}
	if o.VectorBytes == 0 {
		o.VectorBytes = b.Model.Params.VectorBytes
	}
	traced := len(o.Alias) > 0
	if loads, stores := b.Accesses(); !traced && (stores == 0 || loads == 0 && !o.WAW) { // there is nothing to find
		return r
	}
	p := compile(b, &o)
	if r.Runs <= 0 {
		r.Runs = DefaultRuns
		if p.scalable && o.VectorBytes == 0 {
			r.Runs = len(vectorLengths)
		}
	}
	r.horizon = iterations(b, &o)
	for i := range p.entry {
		if !p.entry[i].maybe {
			r.Entry++
		}
	}
	m := newMachine(p, &o, r.horizon-1)
	defer m.free()
	if o.Word != 0 {
		m.iterations = max(m.iterations, evidencePeriods*maxPeriod+m.farthest)
	}
	if traced {
		m.iterations = max(m.iterations, placedIterations)
	}
	r.Iterations = m.iterations
	limit := 0
	for run := range r.Runs {
		m.run(run)
		if run == 0 {
			r.Trip, limit = m.end, m.limit
		}
		if m.end != r.Trip { // it hangs on the values
			r.Trip = 0
		}
		if m.limit != limit {
			limit = 0
		}
		if traced && run == 0 {
			r.Places = m.whereabouts()
		}
		if r.Trip == 0 && limit == 0 && !o.May && o.Word == 0 && !m.any(run) {
			r.Runs = run + 1 // nothing can show in all of them
			return r
		}
	}
	r.Period, r.Phases = m.period()
	if r.Trip > 0 || limit > 0 {
		m.shorten(r.Trip, limit)
		r.Iterations, r.horizon = m.iterations, min(r.horizon, m.iterations)
		for run := range r.Runs {
			m.run(run)
		}
	}
	r.Edges = m.edges(r.Runs)
	if o.May {
		r.Edges = append(r.Edges, m.possible(r, r.Runs)...)
	}
	return r
}

// iterations is how often a kernel is executed so that each instruction of the last iteration sees all
// that can be in flight with it.
func iterations(b *machine.Bound, o *Options) int {
	if n := len(b.Insts); o.Instructions > 0 {
		return max(minIterations, (o.Instructions+n)/n+1)
	}
	window := o.Window
	if window <= 0 {
		if window = b.Model.Params.ROB; window <= 0 {
			window = DefaultWindow
		}
	}
	uops := 0.0
	for i := range b.Insts {
		uops += b.Insts[i].Slots
	}
	uops = max(uops, float64(len(b.Insts))/2, 1)
	return max(minIterations, int((float64(window)+uops)/uops)+1)
}

// record counts how often a dependence was found.
type record struct {
	from  int32 // access
	dist  int32
	count int32 // in this run
	least int32 // in the run in which it was found the least
	of    int32 // of so many iterations there
	bytes int32 // least number of bytes
	kind  Kind
	runs  int32 // runs that found it often enough
	// remapped: the store went to another page, behind which the same memory is
	remapped bool
}

// any reports whether a dependence has shown in all runs up to the given one.
func (m *machineState) any(run int) bool {
	for _, l := range m.found {
		for i := range l {
			if int(l[i].runs) == run+1 {
				return true
			}
		}
	}
	return false
}

// edges makes the dependences of what was found in all runs.
func (m *machineState) edges(runs int) []Edge {
	var out []Edge
	for to := range m.found {
		for _, r := range m.found[to] {
			if int(r.runs) != runs {
				continue
			}
			out = append(out, m.edge(&r, to, Certain))
		}
	}
	slices.SortFunc(out, order)
	return out
}

func (m *machineState) edge(r *record, to int, why Reason) Edge {
	f, t := &m.p.access[r.from], &m.p.access[to]
	return Edge{MemoryEdge: depgraph.MemoryEdge{From: f.inst, To: t.inst, FromMem: f.mem, ToMem: t.mem, Dist: r.dist, Remapped: r.remapped},
		Kind: r.kind, Why: why, Bytes: int(r.bytes), Size: t.size, Seen: int(r.least), Of: int(r.of)}
}

func order(a, b Edge) int {
	for _, c := range [...]int{int(a.To - b.To), int(a.ToMem - b.ToMem), int(a.From - b.From), int(a.FromMem - b.FromMem), int(a.Dist - b.Dist), int(a.Kind) - int(b.Kind)} {
		if c != 0 {
			return c
		}
	}
	return 0
}

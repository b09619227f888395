// Package memdep finds the memory dependences of a kernel: which store wrote the data that a load reads, and how many iterations earlier.
//
// The method is the staticdeps heuristic (CesASMe, section 3). It executes the kernel for as many iterations as the reorder buffer can hold, with
// random 64-bit values for everything unknown. Integer arithmetic is exact (isa.Semantics); the results of other instructions are invalid. A shadow
// memory holds the last writer of each byte. A relation found in (nearly) every iteration, for every seed, is a dependence; two accesses through
// unrelated pointers meet by chance with probability 2^-64 only.
//
// So an edge means that the accesses use the same bytes, whatever the registers held at the start. A missing edge does not prove the opposite,
// because pointers may be equal. Options.May lists the possible pairs, and Options.Alias states known relations.
package memdep

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Kind is the kind of order that a dependence enforces.
type Kind uint8

// The kinds of dependences.
const (
	RAW Kind = iota // a load reads stored data
	WAR             // a store overwrites data that a load read
	WAW             // a store overwrites stored data
)

// Reason tells why a dependence is possible, but not certain.
type Reason uint8

// The reasons.
const (
	Certain     Reason = iota
	NotFollowed        // an address comes from operations that are not evaluated, or from a vector register
	FromData           // an address changes from iteration to iteration by unknown values
	OtherBase          // the addresses come from pointers whose relation is not known
	SomeTimes          // the addresses meet, but not in every iteration
	FromLength         // the length of a vector register determines whether, or after how many iterations, they meet
)

func (r Reason) String() string {
	return [...]string{"", "address not followed", "address depends on data", "unrelated base pointers", "not in every iteration", "depends on the vector length"}[r]
}

// Edge is a dependence through memory.
type Edge struct {
	depgraph.MemoryEdge
	Kind Kind
	// Why is Certain for dependences that must hold. For the others the distance is the least possible one.
	Why Reason
	// Bytes is the number of To's Size bytes that come from From.
	Bytes, Size int
	// Seen is the number of iterations in which it was found, Of the number in which it could be found.
	Seen, Of int
}

// Must reports whether the dependence is certain.
func (e *Edge) Must() bool { return e.Why == Certain }

// Alias is a known relation of registers at the loop's entry: Reg = Base + Offset.
type Alias struct {
	Reg, Base isa.Reg // full integer registers; Base is NoReg for a constant
	Offset    int64
}

// The defaults of Options.
const (
	DefaultRuns   = 3
	DefaultWindow = 512 // µops; the largest reorder buffer of CPUs in wide use (Golden Cove)
	minIterations = 4
	minEvidence   = 3  // iterations that a dependence needs to show in, unless the loop ends earlier
	threshold     = 80 // percentage of the iterations in which a dependence must show
)

// Options of Analyze. The zero value is the default.
type Options struct {
	Seed   uint64
	Runs   int // executions with different random values; an edge must show in all of them; 0: DefaultRuns
	Window int // window in µops within which dependences matter; 0: the model's reorder buffer, else DefaultWindow
	// Instructions replaces Window by a number of instructions; 0: Window counts.
	Instructions int
	// VectorBytes is the size of a scalable vector register. 0: the model's size; if it has none, the runs use different sizes.
	VectorBytes int
	Alias       []Alias
	NoAlias     bool // different base pointers never meet: leaves out dependences that assume it
	WAR, WAW    bool // find these dependences too
	May         bool // also list possible dependences
	NoEntry     bool // ignore the code that leads into the kernel
	// Equal: every integer register and every aligned word of memory hold the same value when the code starts, the address of a page
	// (isa.ISA.EqualStart), and one physical page serves all addresses. The profiler of BHive does this.
	Equal bool
	// Path: the kernel is a path that was executed, whose branches went as the addresses of its instructions say.
	Path bool
	// Word is the value of every aligned word of memory when the code starts; 0: not known.
	Word uint64
}

// Result is the result of Analyze.
type Result struct {
	Edges      []Edge // the certain ones first, sorted by To, From and distance
	Iterations int    // executed iterations
	Trip       int    // iterations after which the loop ends, if its entry shows it and they are few; 0: not known
	Runs       int
	Entry      int // instructions of the loop's entry that were executed first
	// Period is the number of iterations after which all loads read from the same stores again, if it is known (Options.Word) and greater than 1;
	// else 0. Phases are then the dependences that do not hold in every iteration.
	Period int
	Phases []depgraph.MemoryEdge
	// Places holds the addresses, in the last iterations, of accesses with known addresses (Options.Alias with constants, Options.Word).
	Places  []depgraph.Place
	horizon int // iterations within which dependences were searched
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

// Find returns the evidence of a dependence that Memory returned, nil if there is none.
func (r *Result) Find(m depgraph.MemoryEdge) *Edge {
	for i := range r.Edges {
		if r.Edges[i].Kind == RAW && r.Edges[i].Joins(&m) {
			return &r.Edges[i]
		}
	}
	return nil
}

// Analyze finds the dependences of a kernel, taken as the body of a loop. It is deterministic for a seed. It finds none for instruction sets without
// integer semantics.
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
		if m.end != r.Trip { // it depends on the random values
			r.Trip = 0
		}
		if m.limit != limit {
			limit = 0
		}
		if traced && run == 0 {
			r.Places = m.whereabouts()
		}
		if r.Trip == 0 && limit == 0 && !o.May && o.Word == 0 && !m.any(run) {
			r.Runs = run + 1 // no dependence can show in all of them
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

// iterations returns the number of iterations after which every instruction of the last iteration has seen all instructions that can be in flight
// with it.
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
	least int32 // in the run with the fewest
	of    int32 // number of iterations in which it was possible there
	bytes int32 // least number of bytes
	kind  Kind
	runs  int32 // runs in which it was found often enough
	// remapped: the store used another page with the same physical memory.
	remapped bool
	offset   int64 // bytes from the start of the store to the start of the load
	placed   bool  // offset is the same in all iterations and runs
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

// edges makes edges of the dependences found in all runs.
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
	return Edge{MemoryEdge: depgraph.MemoryEdge{From: f.inst, To: t.inst, FromMem: f.mem, ToMem: t.mem, Dist: r.dist, Remapped: r.remapped,
		Placed: r.placed, Offset: r.offset},
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

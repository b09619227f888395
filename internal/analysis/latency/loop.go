package latency

import (
	"cmp"
	"slices"
	"sync"

	"incore/internal/analysis/depgraph"
)

// Limits of the list of chains (see LoopCarried).
const (
	maxChains    = 16   // per set of connected values
	searchBudget = 2000 // arcs followed by the search for competing chains, per set
	maxPeels     = 8    // rounds that remove the slowest chain's back edges
)

// Chain is an elementary cycle of dependences through the loop.
type Chain struct {
	// Cycles is the chain's cycles per iteration: Latency / Distance.
	Cycles   float64
	Latency  float64 // total latency of the chain, in cycles
	Distance int     // number of iterations that the chain spans
	// Steps are the instructions in the order of the chain, beginning with the first of
	// the program; each is entered by its Edge, the first by the edge from the last.
	Steps []Step

	set uint64 // hash of the set of instructions
}

// Loop is the cost of loop-carried dependences.
type Loop struct {
	// Cycles is the lower bound on the cycles per iteration that the slowest chain sets
	// (the maximum cycle ratio); 0 without a chain. Low and High differ from it if
	// latencies are not known.
	Cycles, Low, High float64
	// Chains are the slowest chain and those competing with it, slowest first.
	Chains []Chain
	// Complete is false if there are more chains than listed. The slowest chain is always listed.
	Complete bool
}

// LoopCarried finds the chains of dependences that run through successive iterations.
// The nodes of its graph are the results of instructions, the weights are the latencies from operand to
// result. So a chain never enters an instruction by an operand and leaves it by a result
// that does not depend on this operand.
//
// The slowest chain is the cycle with the maximum ratio, which is exact for any size of the graph.
// Chains lists it and, for each strongly connected component, the slowest chains
// through different sets of instructions: of chains through the same instructions only one is listed.
// They are found by exhaustive search (Johnson
// 1975) within a fixed number of steps. If the search exceeds this number,
// the list holds the chains found until then, and the slowest chains that remain after
// the back edges of the slowest chain are removed one by one.
func LoopCarried(g *depgraph.Graph) *Loop {
	l := &Loop{Complete: true}
	f := newFinder(newCosts(g, stated), l)
	defer f.release()
	f.components(f.all(), -1, 0)
	slices.SortStableFunc(l.Chains, compare)
	for i := range l.Chains {
		l.Cycles = max(l.Cycles, l.Chains[i].Cycles)
	}
	l.Low, l.High = l.Cycles, l.Cycles
	if anyUnknown(g.Bound) {
		l.Low = slowest(newCosts(g, lowest))
		l.High = slowest(newCosts(g, highest))
	}
	return l
}

// slowest is the maximum cycle ratio alone.
func slowest(c costs) float64 {
	f := newFinder(c, nil)
	defer f.release()
	f.ratioOnly = true
	f.components(f.all(), -1, 0)
	return f.best
}

// arc is a dependence of one value on another: an edge into an instruction and the
// crossing to one of its outputs.
type arc struct {
	from, to int32
	edge     int32
	dist     int32
	weight   float64
}

// finder collects chains from the value graph.
type finder struct {
	costs
	loop      *Loop
	ratioOnly bool
	best      float64 // greatest ratio so far
	inst      []int32 // node → instruction
	off       []int32 // instruction → first node
	start     []int32 // node → first of its arcs
	arcs      []arc   // by source
	found     []arc   // in the order of the edges
	next      []int32 // node → index for its next arc
	data      []int32 // node of an output → its data node, 0 if it has none (dataNodes)
	stored    []int32 // data node, counted from the first one → node of the stored output
	nodes     []int32
	graph     ratioGraph // graph of the current part
	scc
}

// finders keeps finders for reuse of their memory.
var finders = sync.Pool{New: func() any { return new(finder) }}

func (f *finder) release() {
	f.costs, f.loop = costs{}, nil
	finders.Put(f)
}

// resize returns a slice of n elements in the memory of s, with any content.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// newFinder builds the value graph: a node per output, an arc per dependent pair.
func newFinder(c costs, l *Loop) *finder {
	g := c.g
	f := finders.Get().(*finder)
	f.costs, f.loop, f.ratioOnly, f.best = c, l, false, 0
	f.off = outputs(f.off, g.Bound)
	off := f.off
	n := int(off[len(off)-1])
	f.inst = resize(f.inst, n)
	for i := range g.Bound.Insts {
		for v := off[i]; v < off[i+1]; v++ {
			f.inst[v] = int32(i)
		}
	}
	n = f.dataNodes(n)
	f.start = resize(f.start, n+1)
	clear(f.start)
	f.found = f.found[:0]
	for k := range g.Edges {
		e := &g.Edges[k]
		for v := off[e.To]; v < off[e.To+1]; v++ {
			if cycles, ok := c.cross(int(e.To), int(e.In), int(v-off[e.To])); ok {
				f.arc(int32(k), v, cycles)
			}
		}
	}
	for v := range n {
		f.start[v+1] += f.start[v]
	}
	// Group by source, keeping the order.
	f.arcs, f.next = resize(f.arcs, len(f.found)), append(f.next[:0], f.start...)
	for _, a := range f.found {
		f.arcs[f.next[a.from]] = a
		f.next[a.from]++
	}
	f.scc.init(n)
	return f
}

// all returns every node.
func (f *finder) all() []int32 {
	f.nodes = resize(f.nodes, len(f.inst))
	for i := range f.nodes {
		f.nodes[i] = int32(i)
	}
	return f.nodes
}

// components splits the graph that nodes induce into strongly connected parts and
// collects the chains of each. If the nodes are the rest of one part, first is the index of this part's first
// chain in the list, else first is negative.
func (f *finder) components(nodes []int32, first, peels int) {
	for _, part := range f.split(f, nodes) {
		at := first
		if at < 0 && !f.ratioOnly {
			at = len(f.loop.Chains)
		}
		f.chains(part, at, peels)
	}
}

// chains collects the chains of one strongly connected part.
func (f *finder) chains(part []int32, first, peels int) {
	slices.Sort(part)
	r := f.ratio(part)
	if r == nil {
		return
	}
	ratio, cycle := r.maxRatio()
	f.best = max(f.best, ratio)
	if f.ratioOnly {
		return
	}
	f.add(r, cycle, first)
	if len(r.to) == r.nodes() {
		return // every node has one outgoing arc: no other cycle
	}
	s := newSearch(r)
	s.found = func(cycle []int32) { f.add(r, cycle, first) }
	if s.run(searchBudget) {
		f.trim(first)
		return
	}
	f.loop.Complete = false
	f.trim(first)
	if peels < maxPeels {
		for _, a := range cycle {
			if r.dist[a] > 0 {
				f.arcs[r.id[a]].from = cut
			}
		}
		f.components(part, first, peels+1)
	}
}

// cut marks a removed arc.
const cut = -1

// ratio copies a part of the value graph; it returns nil if the part has no arcs. Of parallel arcs with the
// same distance it keeps only the slowest. The copy is valid until the next call.
func (f *finder) ratio(part []int32) *ratioGraph {
	local := f.scc.local // node → index in part
	for k, v := range part {
		local[v] = int32(k)
	}
	r := &f.graph
	r.start, r.weight = append(r.start[:0], 0), r.weight[:0]
	r.to, r.dist, r.id = r.to[:0], r.dist[:0], r.id[:0]
	for _, v := range part {
		first := len(r.to)
	arcs:
		for a := f.start[v]; a < f.start[v+1]; a++ {
			arc := &f.arcs[a]
			if arc.from == cut || f.scc.part[arc.to] != f.scc.part[v] {
				continue
			}
			to := local[arc.to]
			for k := first; k < len(r.to); k++ {
				if r.to[k] == to && r.dist[k] == arc.dist {
					if arc.weight > r.weight[k] {
						r.weight[k], r.id[k] = arc.weight, a
					}
					continue arcs
				}
			}
			r.to, r.dist, r.id, r.weight = append(r.to, to), append(r.dist, arc.dist), append(r.id, a), append(r.weight, arc.weight)
		}
		r.start = append(r.start, int32(len(r.to)))
	}
	if len(r.to) == 0 {
		return nil
	}
	return r
}

// add appends a chain unless the list, from index first on, has a chain through the same instructions
// that is at least as slow. Cycles without latency are no chains.
func (f *finder) add(r *ratioGraph, cycle []int32, first int) {
	latency, dist := r.cycleOf(cycle)
	if latency <= 0 {
		return
	}
	c := Chain{Cycles: latency / float64(dist), Latency: latency, Distance: dist}
	for _, a := range cycle {
		c.set += mix(uint64(f.inst[f.arcs[r.id[a]].to]))
	}
	list := f.loop.Chains
	for k := first; k < len(list); k++ {
		if list[k].set == c.set && len(list[k].Steps) == len(cycle) {
			if c.Cycles > list[k].Cycles {
				c.Steps = f.steps(r, cycle)
				list[k] = c
			}
			return
		}
	}
	if len(list)-first >= 2*maxChains {
		f.trim(first)
	}
	c.Steps = f.steps(r, cycle)
	f.loop.Chains = append(f.loop.Chains, c)
}

// mix hashes a number (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// trim keeps the slowest maxChains chains from index first on.
func (f *finder) trim(first int) {
	list := f.loop.Chains[first:]
	slices.SortStableFunc(list, compare)
	if len(list) > maxChains {
		f.loop.Chains = f.loop.Chains[:first+maxChains]
		f.loop.Complete = false
	}
}

// compare orders chains: slowest first, then in program order, then by instructions and edges.
func compare(a, b Chain) int {
	if a.Cycles != b.Cycles {
		return cmp.Compare(b.Cycles, a.Cycles)
	}
	return slices.CompareFunc(a.Steps, b.Steps, func(x, y Step) int {
		return cmp.Or(cmp.Compare(x.Inst, y.Inst), cmp.Compare(x.Edge, y.Edge), cmp.Compare(x.Out, y.Out))
	})
}

// steps describes a cycle, beginning with its first instruction in program order.
func (f *finder) steps(r *ratioGraph, cycle []int32) []Step {
	begin := 0
	for k, a := range cycle {
		if f.arcs[r.id[a]].to < f.arcs[r.id[cycle[begin]]].to {
			begin = k
		}
	}
	steps := make([]Step, len(cycle))
	for k := range steps {
		a := &f.arcs[r.id[cycle[(begin+k)%len(cycle)]]]
		i := f.inst[a.to]
		e := &f.g.Edges[a.edge]
		s := Step{Inst: int(i), Edge: int(a.edge), Out: int(f.output(a.to) - f.off[i])}
		f.enter(&s, s.Edge, a.weight-e.Latency)
		steps[k] = s
	}
	return steps
}

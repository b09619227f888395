package latency

import "math"

// ratioGraph is a strongly connected graph whose arcs have a weight (latency) and a
// distance (iterations). Every cycle has a distance of at least 1. Arcs are grouped
// by source: the arcs of node u are start[u] … start[u+1]-1.
type ratioGraph struct {
	start  []int32
	to     []int32
	weight []float64
	dist   []int32
	id     []int32 // the caller's name of each arc
	search howard  // memory of maxRatio
}

func (g *ratioGraph) nodes() int { return len(g.start) - 1 }

// cycleOf returns the ratio of a cycle given as arcs.
func (g *ratioGraph) cycleOf(arcs []int32) (weight float64, dist int) {
	for _, a := range arcs {
		weight += g.weight[a]
		dist += int(g.dist[a])
	}
	return weight, dist
}

// maxRatio finds the cycle with the greatest Σ weight / Σ distance by Howard's policy
// iteration, in the form of Dasdan (TODAES 9(4), 2004). It ends when the potentials
// prove that no cycle has a greater ratio, so the result is exact up to rounding.
// The arcs of the cycle are returned in order; they are valid until the next call.
func (g *ratioGraph) maxRatio() (ratio float64, cycle []int32) {
	n := g.nodes()
	h := &g.search
	h.g, h.policy, h.value, h.mark = g, resize(h.policy, n), resize(h.value, n), resize(h.mark, n)
	scale := 1.0
	for u := range n {
		best := g.start[u]
		for a := best; a < g.start[u+1]; a++ {
			if g.weight[a] > g.weight[best] {
				best = a
			}
		}
		h.policy[u], h.value[u] = best, g.weight[best]
		scale = max(scale, g.weight[best])
	}
	eps := scale * 1e-10
	for {
		ratio, node := h.bestCycle()
		h.evaluate(node, ratio)
		if !h.improve(ratio, eps) {
			return ratio, h.cycle(node)
		}
	}
}

type howard struct {
	g      *ratioGraph
	policy []int32   // node → its chosen arc
	value  []float64 // node → potential
	mark   []int32
	path   []int32
	arcs   []int32 // arcs of the found cycle
}

// bestCycle returns the greatest ratio among the cycles of the policy, and a node on it.
func (h *howard) bestCycle() (best float64, node int32) {
	g := h.g
	clear(h.mark)
	best, node = math.Inf(-1), 0
	for u := range h.mark {
		v := int32(u)
		for h.mark[v] == 0 {
			h.mark[v] = int32(u) + 1
			v = g.to[h.policy[v]]
		}
		if h.mark[v] != int32(u)+1 {
			continue // leads to a node of an earlier walk
		}
		weight, dist := 0.0, int32(0)
		for w := v; ; {
			a := h.policy[w]
			weight, dist = weight+g.weight[a], dist+g.dist[a]
			if w = g.to[a]; w == v {
				break
			}
		}
		if r := weight / float64(dist); r > best {
			best, node = r, v
		}
	}
	return best, node
}

// evaluate sets the potentials of all nodes whose policy leads to node.
func (h *howard) evaluate(node int32, ratio float64) {
	g := h.g
	clear(h.mark)
	const known, seen, astray = 1, 2, 3
	h.mark[node] = known
	for u := range h.mark {
		h.path = h.path[:0]
		v := int32(u)
		for h.mark[v] == 0 {
			h.mark[v] = seen
			h.path = append(h.path, v)
			v = g.to[h.policy[v]]
		}
		end := h.mark[v]
		if end == seen {
			end = astray // another cycle
		}
		for k := len(h.path) - 1; k >= 0; k-- {
			w := h.path[k]
			h.mark[w] = end
			if a := h.policy[w]; end == known {
				h.value[w] = h.value[g.to[a]] + g.weight[a] - ratio*float64(g.dist[a])
			}
		}
	}
}

// improve relaxes all arcs once; it reports whether a potential grew.
func (h *howard) improve(ratio, eps float64) bool {
	g, grew := h.g, false
	for u := range h.policy {
		for a := g.start[u]; a < g.start[u+1]; a++ {
			if v := h.value[g.to[a]] + g.weight[a] - ratio*float64(g.dist[a]); v > h.value[u]+eps {
				h.value[u], h.policy[u], grew = v, a, true
			}
		}
	}
	return grew
}

// cycle returns the arcs of the policy's cycle through node.
func (h *howard) cycle(node int32) []int32 {
	arcs := h.arcs[:0]
	for u := node; ; {
		a := h.policy[u]
		arcs = append(arcs, a)
		if u = h.g.to[a]; u == node {
			h.arcs = arcs
			return arcs
		}
	}
}

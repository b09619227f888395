package latency

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// randomRatio makes a strongly connected graph: a ring and random arcs. Arcs to a
// later node may have distance 0, all others have at least 1.
func randomRatio(r *rand.Rand, n, extra int) *ratioGraph {
	out := make([][][3]int, n)
	add := func(u, v int) {
		d := r.IntN(3)
		if v <= u {
			d = 1 + r.IntN(3)
		}
		out[u] = append(out[u], [3]int{v, d, r.IntN(10)})
	}
	for u := range n {
		add(u, (u+1)%n)
	}
	for range extra {
		add(r.IntN(n), r.IntN(n))
	}
	g := &ratioGraph{}
	for u := range n {
		g.start = append(g.start, int32(len(g.to)))
		for _, a := range out[u] {
			g.id = append(g.id, int32(len(g.to)))
			g.to, g.dist, g.weight = append(g.to, int32(a[0])), append(g.dist, int32(a[1])), append(g.weight, float64(a[2])/2)
		}
	}
	g.start = append(g.start, int32(len(g.to)))
	return g
}

// enumerate lists all elementary cycles by plain depth-first search.
func enumerate(g *ratioGraph, found func([]int32)) {
	var path []int32
	on := make([]bool, g.nodes())
	var visit func(root, v int32)
	visit = func(root, v int32) {
		on[v] = true
		for a := g.start[v]; a < g.start[v+1]; a++ {
			path = append(path, a)
			if w := g.to[a]; w == root {
				found(path)
			} else if w > root && !on[w] {
				visit(root, w)
			}
			path = path[:len(path)-1]
		}
		on[v] = false
	}
	for v := range g.nodes() {
		visit(int32(v), int32(v))
	}
}

// TestRatio holds the maximum cycle ratio and the search against enumeration.
func TestRatio(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 4000 {
		n := 1 + r.IntN(8)
		g := randomRatio(r, n, r.IntN(2*n))
		best, count := math.Inf(-1), 0
		enumerate(g, func(c []int32) {
			w, d := g.cycleOf(c)
			best, count = max(best, w/float64(d)), count+1
		})
		got, cycle := g.maxRatio()
		w, d := g.cycleOf(cycle)
		if math.Abs(got-best) > 1e-9 || math.Abs(w/float64(d)-best) > 1e-9 {
			t.Fatalf("round %d: ratio %g by a cycle of %g, enumeration has %g", round, got, w/float64(d), best)
		}
		for k, a := range cycle {
			if next := cycle[(k+1)%len(cycle)]; next < g.start[g.to[a]] || next >= g.start[g.to[a]+1] {
				t.Fatalf("round %d: %v is no cycle", round, cycle)
			}
		}
		s := newSearch(g)
		var seen [][]int32
		s.found = func(c []int32) { seen = append(seen, slices.Clone(c)) }
		if !s.run(1 << 30) {
			t.Fatal("search gave up")
		}
		slices.SortFunc(seen, slices.Compare)
		if n := len(slices.CompactFunc(seen, slices.Equal)); n != count || len(seen) != count {
			t.Fatalf("round %d: search found %d cycles, %d distinct, enumeration %d", round, len(seen), n, count)
		}
	}
}

// TestRatioLarge proves the ratio of large graphs: with weights reduced by it no cycle is positive.
func TestRatioLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, size := range [][2]int{{2000, 0}, {2000, 1000}, {2000, 8000}, {500, 50000}} {
		g := randomRatio(r, size[0], size[1])
		begin := time.Now()
		ratio, _ := g.maxRatio()
		t.Logf("%d nodes, %d arcs: %v", g.nodes(), len(g.to), time.Since(begin))
		if positiveCycle(g, ratio*(1+1e-9)+1e-9) || !positiveCycle(g, ratio-1e-6) {
			t.Errorf("%d nodes, %d arcs: %g is not the maximum ratio", g.nodes(), len(g.to), ratio)
		}
	}
}

// positiveCycle reports whether a cycle has a ratio above a number (Bellman and Ford).
func positiveCycle(g *ratioGraph, ratio float64) bool {
	value := make([]float64, g.nodes())
	for range g.nodes() + 1 {
		grew := false
		for u := range value {
			for a := g.start[u]; a < g.start[u+1]; a++ {
				if v := value[g.to[a]] + g.weight[a] - ratio*float64(g.dist[a]); v > value[u]+1e-13 {
					value[u], grew = v, true
				}
			}
		}
		if !grew {
			return false
		}
	}
	return true
}

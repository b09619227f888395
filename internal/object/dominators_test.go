package object

import (
	"math/rand/v2"
	"testing"
)

// TestDominators compares with the definition on random graphs: a dominates b if b is not reached from its region's entries without a.
func TestDominators(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		n := 1 + rng.IntN(14)
		g := &Graph{Blocks: make([]Block, n)}
		for range rng.IntN(3 * n) {
			a, b := rng.IntN(n), rng.IntN(n)
			g.Blocks[a].Succ = append(g.Blocks[a].Succ, b)
			g.Blocks[b].Pred = append(g.Blocks[b].Pred, a)
		}
		g.dominators()
		var roots []int
		for b := range g.Blocks {
			if g.parent[b] == 0 {
				roots = append(roots, b)
			}
		}
		for a := range g.Blocks {
			seen := make([]bool, n)
			var walk func(b int)
			walk = func(b int) {
				if seen[b] || b == a {
					return
				}
				seen[b] = true
				for _, s := range g.Blocks[b].Succ {
					if g.region[s] == g.region[b] {
						walk(s)
					}
				}
			}
			for _, r := range roots {
				walk(r)
			}
			for b := range g.Blocks {
				if got := g.Dominates(a, b); got == seen[b] {
					t.Fatalf("%d dominates %d: %v; blocks %+v", a, b, got, g.Blocks)
				}
			}
		}
	}
}

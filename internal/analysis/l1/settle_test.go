package l1

import (
	"math/rand/v2"
	"testing"

	"incore/internal/machine"
)

// TestSettled: stores that wait for each other do so as ever after from iteration settled on: the bounds of random stores to three words of two blocks are the
// same over the iterations that follow and over many more.
func TestSettled(t *testing.T) {
	rule := &machine.StoreCommit{Merge: 32, Partial: 3, Within: 5}
	rng, differ := rand.New(rand.NewPCG(1, 2)), 0
	const trials = 500
	for range trials {
		r := machine.NewRewrites(rule)
		type store struct{ block, bytes uint64 }
		stores := make([]store, 1+rng.IntN(5))
		for i := range stores {
			n := 1 << rng.IntN(4)
			stores[i] = store{rng.Uint64N(2), machine.Span(rng.IntN(12), n, 32)}
		}
		cycles := func(iterations int) (sum int) {
			for range iterations {
				for _, s := range stores {
					sum += 1 + r.Add(s.block, s.bytes, false)
				}
			}
			return sum
		}
		cycles(settled)
		soon := float64(cycles(pattern)) / pattern
		late := float64(cycles(16*pattern)) / (16 * pattern)
		if soon > 1.02*late || soon < 0.98*late {
			differ++
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d loops of stores wait otherwise later", differ, trials)
	}
}

package ports

import (
	"math"
	"math/bits"
	"math/rand"
	"testing"
)

// TestCycles: the time of a load is that of its most loaded union, over all choices of sets.
func TestCycles(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 3000 {
		var l load
		for range rng.Intn(9) {
			l.add(Set(1+rng.Intn(1<<(1+rng.Intn(10))-1)), float64(1+rng.Intn(4)))
		}
		want := 0.0
		for pick := 1; pick < 1<<l.n; pick++ {
			union, work := Set(0), 0.0
			for p := uint(pick); p != 0; p &= p - 1 {
				union |= l.terms[bits.TrailingZeros(p)].ports
			}
			for _, x := range l.terms[:l.n] {
				if x.ports&^union == 0 {
					work += x.n
				}
			}
			want = math.Max(want, work/float64(union.Size()))
		}
		if got := l.cycles(); got != want {
			t.Fatalf("%v takes %v, want %v", l.terms[:l.n], got, want)
		}
	}
}

package branches

import (
	"math/rand/v2"
	"testing"
)

// missed counts the branches of a sequence that a predictor does not foresee once it has seen the sequence for a while.
func missed(n int, direction func(i int) (branch uint64, taken bool)) float64 {
	var p Predictor
	wrong, counted := 0, 0
	for i := range n {
		b, taken := direction(i)
		if ok := p.Conditional(b, taken); i > n/2 {
			counted++
			if !ok {
				wrong++
			}
		}
	}
	return float64(wrong) / float64(counted)
}

// TestDirections: what repeats is learnt, what is random is not.
func TestDirections(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name        string
		least, most float64
		direction   func(i int) (uint64, bool)
	}{
		{"always", 0, 0, func(int) (uint64, bool) { return 0x401000, true }},
		{"a loop of 7", 0, 0.01, func(i int) (uint64, bool) { return 0x401000, i%7 != 6 }},
		{"a loop of 30 in a loop", 0, 0.01, func(i int) (uint64, bool) {
			if i%31 == 30 {
				return 0x401100, true
			}
			return 0x401000, i%31 != 29
		}},
		{"one that does what another did", 0, 0.3, func(i int) (uint64, bool) {
			return 0x401000 + uint64(i%2)*64, mix(uint64(i/2))&1 == 0
		}},
		{"random", 0.4, 0.6, func(int) (uint64, bool) { return 0x401000, r.IntN(2) == 0 }},
		{"one in ten", 0.08, 0.2, func(int) (uint64, bool) { return 0x401000, r.IntN(10) == 0 }},
	} {
		if got := missed(20000, c.direction); got < c.least || got > c.most {
			t.Errorf("%s: %.3f are not foreseen, want %.2f to %.2f", c.name, got, c.least, c.most)
		}
	}
}

// TestTargets: an indirect branch whose targets repeat is learnt; returns are foreseen as deep as the stack is.
func TestTargets(t *testing.T) {
	var p Predictor
	wrong := 0
	for i := range 3000 {
		if !p.Indirect(0x402000, 0x403000+uint64(i%5)*64) && i > 1000 {
			wrong++
		}
	}
	if wrong > 20 {
		t.Errorf("%d of 2000 targets of a sequence of five are not foreseen", wrong)
	}
	for d := range 40 {
		p.Call(uint64(0x404000 + d))
	}
	foreseen := 0
	for d := 39; d >= 0; d-- {
		if p.Return(uint64(0x404000 + d)) {
			foreseen++
		}
	}
	if foreseen < returnEntries-1 || foreseen > returnEntries {
		t.Errorf("%d of 40 returns are foreseen by a stack of %d", foreseen, returnEntries)
	}
}

package whatif

import (
	"math/bits"
	"strings"

	"incore/internal/base/parallel"
)

// Share is the part of a kernel's cycles that one limit causes.
type Share struct {
	Free   string // one of the keys of Free
	Cycles float64
}

// Attribution divides the cycles of the kernel among the limits of the ladder: each gets its Shapley value, the mean over all orders in which the limits could be
// removed of the cycles that its removal saves. Where two limits cost the same cycles, removing either alone saves nothing, and each gets half. left is what
// remains with all limits removed; shares and left add up to the cycles. The method is that of Concorde (Nasr-Esfahany et al., ISCA 2025) for cores' parameters.
// It needs the estimate Now, and gives no shares without it or without limits.
func (b *Base) Attribution() (shares []Share, left float64) {
	ladder := b.Ladder()
	if b.Now == nil || len(ladder) == 0 {
		return nil, 0
	}
	n := len(ladder)
	cycles := make([]float64, 1<<n)
	parallel.For(len(cycles), func(set int) {
		if set == 0 {
			cycles[0] = b.Now.Cycles
			return
		}
		var free []string
		for i := range ladder {
			if set>>i&1 == 1 {
				free = append(free, ladder[i].Free+"=free")
			}
		}
		cycles[set] = b.Now.Cycles
		if a := b.answer(strings.Join(free, ",")); a != nil {
			cycles[set] = a.Estimate.Cycles
		}
	})
	for set := range cycles { // fewer limits never cost more; a simulated core may take its ports in a worse order
		for i := range n {
			if set>>i&1 == 1 {
				cycles[set] = min(cycles[set], cycles[set&^(1<<i)])
			}
		}
	}
	return shapley(cycles, n, func(i int) string { return ladder[i].Free }), cycles[len(cycles)-1]
}

// shapley returns the value of each of n players, given what remains without the players of each set.
func shapley(remains []float64, n int, name func(int) string) []Share {
	factorial := make([]float64, n+1)
	factorial[0] = 1
	for i := range n {
		factorial[i+1] = factorial[i] * float64(i+1)
	}
	out := make([]Share, n)
	for i := range out {
		out[i].Free = name(i)
		for set := range remains {
			if set>>i&1 == 0 {
				k := bits.OnesCount(uint(set))
				out[i].Cycles += factorial[k] * factorial[n-k-1] / factorial[n] * (remains[set] - remains[set|1<<i])
			}
		}
	}
	return out
}

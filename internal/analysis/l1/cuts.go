package l1

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/machine"
)

// Cut says in which iterations an access reaches from one line into the next: bit k of Iterations is iteration k, and what follows 64 of them repeats them.
type Cut struct {
	Inst        int
	Load, Store bool
	Iterations  uint64
}

// cuts lists the accesses that cross lines.
func cuts(list []access) (out []Cut) {
	for i := range list {
		a := &list[i]
		cut := Cut{Inst: a.inst, Load: a.load, Store: a.store}
		n := a.repeats()
		for k := range n {
			if a.crosses(k) > 0 {
				cut.Iterations |= 1 << k
			}
		}
		if cut.Iterations = repeated(cut.Iterations, n); cut.Iterations != 0 {
			out = append(out, cut)
		}
	}
	return out
}

// pattern is the number of iterations that patterns describe.
const pattern = 64

// repeats returns the number of iterations after which an access is at the same offset in a line again, as far as patterns tell.
func (a *access) repeats() int64 {
	if a.at != nil {
		return pattern
	}
	return a.positions()
}

// repeated is the pattern that repeats its first n bits.
func repeated(bits uint64, n int64) uint64 {
	for ; n < pattern; n *= 2 {
		bits |= bits << n
	}
	return bits
}

// placed lists the accesses of an iteration in program order, where an alignment and the known places have them.
func placed(b *machine.Bound, c *machine.Core, alignment Alignment, places []depgraph.Place) []access {
	accesses := follow(b)
	locate(accesses, places)
	for i := range accesses {
		a := &accesses[i]
		a.whole = a.store && c.StoreTurns != 0 && b.Insts[a.inst].StoreTurns(c.StoreTurns) >= c.StoreTurns.Size()
	}
	if alignment != Aligned && (c.LineCrossing || c.StoreCommit.Merge > 0) {
		place(accesses, c, alignment == Unlucky)
	}
	return accesses
}

// crosses counts the ends of lines inside the pieces of an access in an iteration that make it take longer.
func (a *access) crosses(iteration int64) int {
	if a.whole {
		return 0
	}
	return a.cut(a.address(iteration), a.piece, line)
}

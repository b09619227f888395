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
	if c.StoreRows {
		follows(accesses)
	}
	if alignment != Aligned && (c.LineCrossing || c.StoreCommit.Merge > 0) {
		place(accesses, c, alignment == Unlucky)
	}
	return accesses
}

// follows finds the stores as wide as a line that come directly behind another one through the same pointer.
func follows(list []access) {
	var last *access
	before := int64(1) // the first store comes behind the last one of the iteration before
	for i := len(list) - 1; i >= 0 && last == nil; i-- {
		if list[i].store {
			last = &list[i]
		}
	}
	for i := range list {
		a := &list[i]
		if !a.store {
			continue
		}
		if a.bytes == line && last.bytes == line && (a.at != nil && last.at != nil || a.sameOrigin(last)) {
			a.last, a.ago = last, before
		}
		last, before = a, 0
	}
}

// crosses counts the ends of lines inside the pieces of an access in an iteration. A store that goes on where the one before it has ended (Core.StoreRows)
// counts as if it crossed none.
func (a *access) crosses(iteration int64) int {
	if a.goesOn(iteration) {
		return 0
	}
	return a.cut(a.address(iteration), a.piece, line)
}

// goesOn reports whether a store as wide as a line begins where the one before it, as wide, has ended.
func (a *access) goesOn(iteration int64) bool {
	return a.last != nil && a.last.address(iteration-a.ago)+line == a.address(iteration)
}

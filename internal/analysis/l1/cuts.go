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
		n := int64(line)
		if a.at == nil {
			n = a.positions()
		}
		for k := range n {
			if a.cut(a.address(k), a.piece, line) > 0 {
				cut.Iterations |= 1 << k
			}
		}
		for ; n < line; n *= 2 {
			cut.Iterations |= cut.Iterations << n
		}
		if cut.Iterations != 0 {
			out = append(out, cut)
		}
	}
	return out
}

// placed lists the accesses of an iteration in program order, where an alignment and the known places have them.
func placed(b *machine.Bound, c *machine.Core, alignment Alignment, places []depgraph.Place) []access {
	accesses := follow(b)
	locate(accesses, places)
	if alignment != Aligned && (c.LineCrossing || c.StoreCommit.Merge > 0) {
		place(accesses, c, alignment == Unlucky)
	}
	return accesses
}

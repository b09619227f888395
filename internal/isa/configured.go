package isa

const (
	noSEW   = 1   // an element width that no configuration has: what code leaves of it, it does not set
	maxWays = 256 // blocks that are looked at
)

// Configured returns the vector configuration in force where some blocks of a control-flow graph end, the zero value if
// it is not known or ways to them leave different ones. before returns the blocks that may come before one, none of
// where a function begins; code appends a block's instructions.
func (a *ISA) Configured(blocks []int, before func(b int) []int, code func(dst []Inst, b int) []Inst) (v VType) {
	seen := map[int]bool{}
	var insts []Inst
	found := false
	for work := blocks; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if seen[b] = true; len(seen) > maxWays {
			return VType{}
		}
		left := VType{SEW: noSEW}
		insts = code(insts[:0], b)
		for i := range insts {
			left, _ = a.Configure(&insts[i], left)
		}
		switch {
		case left.SEW == noSEW: // as before it
			from := before(b)
			if len(from) == 0 {
				return VType{}
			}
			work = append(work, from...)
		case !found:
			v, found = left, true
		case left.SEW != v.SEW || left.LMUL != v.LMUL:
			return VType{}
		default:
			v.Keep |= left.Keep
			if left.AVL != v.AVL {
				v.AVL = 0
			}
		}
		if found && v.SEW == 0 {
			return VType{}
		}
	}
	return v
}

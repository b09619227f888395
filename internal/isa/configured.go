package isa

const (
	noSEW   = 1   // a width that no configuration has; it stands for code that leaves the configuration unchanged
	maxWays = 256 // blocks that are visited at most
)

// Configured returns the vector configuration in force at the end of some blocks of a control-flow graph; the zero value if it is not known or
// differs between paths. before returns the predecessors of a block, none at the start of a function; code appends a block's instructions.
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
		case left.SEW == noSEW: // unchanged since the end of the predecessors
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

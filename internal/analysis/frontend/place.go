package frontend

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file says what of a loop the µop cache cannot hold. The legacy decoders that serve it instead are simulated for unrolled
// code only.

// erratumWindow is the size of the pieces of code of the JCC erratum, in bytes.
const erratumWindow = 32

// Misplaced lists the jumps (indices of instructions) that a core keeps out of its µop cache for where they lie: those that cross a 32-byte boundary or
// end on one, together with the instruction that they are fused with (Intel, Mitigations for Jump Conditional Code Erratum, 2019). It is nil
// where addresses are not known, and on cores without the erratum.
func Misplaced(b *machine.Bound) (jumps []int) {
	c, err := b.Model.Core()
	flow := b.Kernel.ISA.Flow
	if err != nil || !c.JCCErratum || flow == nil {
		return nil
	}
	for i := range b.Insts {
		l := b.Insts[i].Line
		start, end := l.Addr, l.Addr+uint64(l.Inst.Size)
		if l.Addr == 0 || l.Inst.Size == 0 || flow(&l.Inst).Kind == isa.FlowNext {
			continue
		}
		if i > 0 && b.Insts[i].Flags&machine.FusedSecond != 0 {
			start = b.Insts[i-1].Line.Addr
		}
		if start/erratumWindow != end/erratumWindow {
			jumps = append(jumps, i)
		}
	}
	return jumps
}

// Overflows returns how many slots a loop takes of the µop cache, and how many that has, where they are more; else zeros.
func Overflows(b *machine.Bound) (slots, entries int) {
	c, err := b.Model.Core()
	if err != nil || c.UopCache == 0 {
		return 0, 0
	}
	for i := range b.Insts {
		slots += int(b.Insts[i].Slots + 0.99)
	}
	if slots <= c.UopCache {
		return 0, 0
	}
	return slots, c.UopCache
}

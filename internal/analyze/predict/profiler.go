package predict

import (
	"incore/internal/analysis/engine"
	"incore/internal/isa"
)

// BHive's profiler (Chen et al., IISWC 2019; timing-harness/run_test.nasm) subtracts the cycles of 100 copies of a block from those of 200 copies. After the copies
// follow xor, cpuid, and then mov and rdpmc, which read the counter. cpuid empties the pipeline, so that the fetch restarts at the mov. If mov and rdpmc cross
// a boundary of the 16-byte fetch blocks of Intel's decoders, the counter is read one cycle later. The copies begin at address 15 modulo 16, the
// mov 5 bytes after their end.
const (
	profilerCopies = 100
	profilerStart  = 15 // address of the first copy, modulo fetchWindow
	profilerRead   = 5  // bytes from the end of the copies to the mov
	profilerMov    = 7  // bytes of mov and rdpmc
	fetchWindow    = 16 // bytes
	// profilerLow is the constant by which the difference of the two runs is below the cycles of 100 copies. Most blocks whose chain or port bound is a whole number
	// of cycles show it, on each of Ivy Bridge, Haswell and Skylake and in both halves of their blocks. The cause is not known.
	profilerLow = 2 // cycles
)

// read adds the systematic error of BHive's profiler to a prediction, if the profiler measured the block.
func (c *Conditions) read(k *isa.Kernel, e *engine.Estimate) {
	if !c.Profiler {
		return
	}
	bytes := 0
	for i := range k.Lines {
		bytes += int(k.Lines[i].Inst.Size)
	}
	e.Cycles += (late(2*profilerCopies*bytes) - late(profilerCopies*bytes) - profilerLow) / profilerCopies
}

// late returns the cycles by which the counter is read late after a number of bytes of copies.
func late(bytes int) float64 {
	if (profilerStart+bytes+profilerRead)%fetchWindow+profilerMov > fetchWindow {
		return 1
	}
	return 0
}

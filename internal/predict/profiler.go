package predict

import (
	"incore/internal/analysis/engine"
	"incore/internal/isa"
)

// BHive's profiler (Chen et al., IISWC 2019; timing-harness/run_test.nasm) takes the cycles of 100 copies of a block from those of 200. Behind the copies
// stand xor, cpuid, and then mov and rdpmc, which read the counter. cpuid empties the pipeline, so that fetching begins anew at the mov: where the two lie
// across a boundary of the 16 bytes that Intel's decoders are given at a time, the counter is read a cycle later. The copies begin at 15 modulo 16, the
// mov 5 bytes behind their end.
const (
	profilerCopies = 100
	profilerStart  = 15 // where the first copy begins, modulo fetchWindow
	profilerRead   = 5  // from the end of the copies to the mov, bytes
	profilerMov    = 7  // mov and rdpmc, bytes
	fetchWindow    = 16 // bytes
	// profilerLow is what the difference of the two runs lies below the cycles of 100 copies, whatever these take: of the blocks that a chain or a port
	// binds to whole cycles, most were measured so, on each of Ivy Bridge, Haswell and Skylake and in each half of their blocks. Why is not known.
	profilerLow = 2 // cycles
)

// read adds what BHive's profiler reads beside the cycles of a block, if that measured it.
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

// late is how many cycles later the counter is read behind so many bytes of copies.
func late(bytes int) float64 {
	if (profilerStart+bytes+profilerRead)%fetchWindow+profilerMov > fetchWindow {
		return 1
	}
	return 0
}

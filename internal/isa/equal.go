package isa

// EqualStart returns the offset in its page of register r when BHive's profiler begins a measurement (Chen et al., IISWC 2019): all integer registers
// hold the address of one page, except the stack pointer, which holds the middle of the page, and the frame pointer, which holds 16 bytes less.
func (a *ISA) EqualStart(r Reg) int64 {
	switch {
	case a.StackPointer != nil && a.StackPointer(r):
		return 2048
	case a.FramePointer != nil && a.FramePointer(r):
		return 2048 - 16
	}
	return 0
}

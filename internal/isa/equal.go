package isa

// EqualStart is where in its page register r points when the profiler of BHive begins a measurement (Chen et al., IISWC 2019): all
// integer registers hold the address of one page, but the stack pointer that of its middle, the frame pointer 16 bytes less.
func (a *ISA) EqualStart(r Reg) int64 {
	switch {
	case a.StackPointer != nil && a.StackPointer(r):
		return 2048
	case a.FramePointer != nil && a.FramePointer(r):
		return 2048 - 16
	}
	return 0
}

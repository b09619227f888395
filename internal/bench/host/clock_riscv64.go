package host

import "sync/atomic"

// rdtime and rdcycle read the timer, and the core's cycles where the kernel lets programs read them.
func rdtime() uint64
func rdcycle() uint64

// cycles is whether programs may read the core's cycles (prepare finds out).
var cycles atomic.Bool

func ticks() uint64 {
	if cycles.Load() {
		return rdcycle()
	}
	return rdtime()
}

// counterCSR is the counter that time stamps are read from.
func counterCSR() uint32 {
	if cycles.Load() {
		return cycleCSR
	}
	return timeCSR
}

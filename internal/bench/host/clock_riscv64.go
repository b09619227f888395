package host

import "sync/atomic"

// rdtime and rdcycle read the timer, and the core's cycles where the kernel lets programs read them.
func rdtime() uint64
func rdcycle() uint64

// counter is the number of the counter that time stamps are read from (prepare chooses).
var counter atomic.Uint32

func counterCSR() uint32 {
	if counter.Load() == cycleCSR {
		return cycleCSR
	}
	return timeCSR
}

var timeHz, cycleHz = rate(rdtime), rate(rdcycle)

// tscHz is the rate of the counter that time stamps are read from. While it is not yet known whether programs may read
// the cycles, we must not.
func tscHz() float64 {
	if counter.Load() == cycleCSR && readable.Load() {
		return cycleHz()
	}
	return timeHz()
}

// readable is whether programs may read the cycles.
var readable atomic.Bool

package host

import "sync/atomic"

// rdtime reads the timer; rdcycle reads the core's cycle counter, if the kernel lets programs read it.
func rdtime() uint64
func rdcycle() uint64

// counter is the CSR number of the counter that gives the time stamps (prepare chooses it).
var counter atomic.Uint32

func counterCSR() uint32 {
	if counter.Load() == cycleCSR {
		return cycleCSR
	}
	return timeCSR
}

var timeHz, cycleHz = rate(rdtime), rate(rdcycle)

// tscHz returns the frequency in Hz of the counter that gives the time stamps. It does not read the cycle counter
// before prepare has found that programs may read it.
func tscHz() float64 {
	if counter.Load() == cycleCSR && readable.Load() {
		return cycleHz()
	}
	return timeHz()
}

// readable reports whether programs may read the cycle counter.
var readable atomic.Bool

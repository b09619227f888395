package host

import (
	"math"
	"os"
	"sync"
	"time"
)

// rate returns a function that measures a counter's frequency in Hz once, against the monotonic clock, for a few milliseconds. Cycle
// counts do not depend on it, only the displayed GHz and the length of runs.
func rate(ticks func() uint64) func() float64 {
	return sync.OnceValue(func() float64 {
		best := 0.0
		for range 3 {
			t0, c0 := time.Now(), ticks()
			time.Sleep(2 * time.Millisecond)
			c1, d := ticks(), time.Since(t0)
			best = max(best, float64(c1-c0)/d.Seconds())
		}
		return best
	})
}

// Scale is the factor by which runs are longer than on a machine whose counter is about as fast as its core. Many Arm and RISC-V cores
// have counters of 24 or 100 MHz, which need longer runs to resolve a fraction of a percent.
func Scale() int {
	const core, resolution = 4e9, 1000 // the fastest core in Hz, and the least difference of the calibrations in ticks
	hz := tscHz()
	if hz <= 0 {
		return 1
	}
	return max(1, int(math.Ceil(core/hz*resolution/(calLong-calShort))))
}

// longestSetup is the longest time, in cycles, that setting up the state may take: loading constants into all registers,
// and refilling the data.
func longestSetup() float64 {
	return 1000*float64(Scale()) + float64(min(os.Getpagesize(), mostRefill)-4096)/4
}

// mostRefill is the largest number of bytes of the data that are refilled between runs; it takes effect with large
// pages. It is more than registers and displacements reach.
const mostRefill = 16384

// refill returns the number of bytes that are refilled between runs.
func (c *Code) refill() int { return min(c.dataPages()*os.Getpagesize(), mostRefill) }

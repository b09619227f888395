package host

import (
	"math"
	"os"
	"sync"
	"time"
)

// rate is a function that measures, once, how fast a counter counts, in Hz, against the monotonic clock over a few milliseconds. Cycle
// counts do not depend on it, only the GHz shown to people and the length of runs.
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

// Scale is by how much runs are longer than on a machine whose counter is about as fast as its core: counters of 24 or 100 MHz, as many
// Arm and RISC-V cores have, need so many cycles to show a fraction of a percent.
func Scale() int {
	const core, resolution = 4e9, 1000 // the fastest core, and the ticks that the calibrations' difference should have at least
	hz := tscHz()
	if hz <= 0 {
		return 1
	}
	return max(1, int(math.Ceil(core/hz*resolution/(calLong-calShort))))
}

// longestSetup is how long setting the state up may take, in cycles: constants for all registers, and the data refilled.
func longestSetup() float64 {
	return 1000*float64(Scale()) + float64(min(os.Getpagesize(), mostRefill)-4096)/4
}

// mostRefill is how many bytes of the data are filled again between runs where pages are larger: more than registers
// and displacements reach.
const mostRefill = 16384

// refill is the number of bytes that are filled again.
func (c *Code) refill() int { return min(c.dataPages()*os.Getpagesize(), mostRefill) }

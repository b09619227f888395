package host

import (
	"sync"
	"time"
)

// rdtsc reads the timestamp counter.
func rdtsc() uint64

// tscHz returns the timestamp counter's rate, measured once against the monotonic clock over a few
// milliseconds. Only the GHz shown to people depends on it, never a cycle count.
var tscHz = sync.OnceValue(func() float64 {
	best := 0.0
	for range 3 {
		t0, c0 := time.Now(), rdtsc()
		time.Sleep(2 * time.Millisecond)
		c1, d := rdtsc(), time.Since(t0)
		best = max(best, float64(c1-c0)/d.Seconds())
	}
	return best
})

// Package growth checks that time and memory of an analysis grow roughly linearly with its input. It compares two sizes in one process, so that the
// speed and load of the machine do not matter.
package growth

import (
	"runtime"
	"testing"
	"time"
)

// most is the largest allowed growth for four times the input. n log n gives less than 6, a square gives 16.
const most = 10

// Growth below these values is ignored, because small inputs have fixed costs, and a short measurement may contain a scheduler's switch.
const (
	leastBytes = 4 << 20
	leastTime  = 100 * time.Millisecond
)

// Check runs the result of prepare for n and for four times n, and fails if time or memory grows by more than the limit. The cost of prepare does not
// count; a run is repeated before a failure is reported.
func Check(t testing.TB, n int, prepare func(n int) (run func())) {
	t.Helper()
	small, quick := cost(prepare(n))
	large, slow := cost(prepare(4 * n))
	for again := 0; ; again++ {
		if !much(small, large, leastBytes) && !much(quick, slow, leastTime) {
			return
		}
		if again == 3 {
			break
		}
		b, d := cost(prepare(n))
		small, quick = max(small, b), max(quick, d)
		b, d = cost(prepare(4 * n))
		large, slow = min(large, b), min(slow, d)
	}
	t.Errorf("%d: %d kB, %v; %d: %d kB, %v: four times the input takes %.1f times the memory and %.1f times the time",
		n, small>>10, quick, 4*n, large>>10, slow, float64(large)/float64(small), slow.Seconds()/quick.Seconds())
}

// much reports whether a cost grew by more than allowed, and is large enough to judge.
func much[T int64 | uint64 | time.Duration](small, large, least T) bool {
	return large > least && large > most*max(small, least/most)
}

// cost measures one run: the bytes that it takes from the heap, and its time.
func cost(run func()) (bytes uint64, took time.Duration) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	run()
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took
}

// Package growth holds an analysis to time and memory that grow about as its input does. It measures two sizes in one
// process and compares them, so that neither the machine's speed nor its load is in the result.
package growth

import (
	"runtime"
	"testing"
	"time"
)

// most is the largest growth that four times the input may bring. n log n gives less than 6; a square gives 16.
const most = 10

// Small inputs have costs of their own, and a scheduler's turn can lie in a short measurement: growth below these counts for nothing.
const (
	leastBytes = 4 << 20
	leastTime  = 100 * time.Millisecond
)

// Check runs what prepare makes for n and for four times as much, and fails when time or memory grows by more than tenfold.
// The input is made by prepare, whose cost does not count; the run is repeated before a failure is reported.
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

// much reports whether a cost grew by more than it may, and is large enough to say so.
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

// Package parallel does independent work on all cores.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls do for 0 … n-1, several at a time, and returns when all are done.
func For(n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		}()
	}
	group.Wait()
}

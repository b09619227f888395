// Package parallel runs independent work on all cores.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls do for 0 … n-1, several calls at the same time, and returns when all are done.
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

// Ordered calls do for 0 … n-1 by several workers, and take for each result, one after another and in order. The first error ends it.
func Ordered[T any](ctx context.Context, workers, n int, do func(ctx context.Context, worker, i int) (T, error), take func(i int, v T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		i   int
		v   T
		err error
	}
	results := make(chan result)
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range max(1, min(workers, n)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				v, err := do(ctx, worker, i)
				results <- result{i, v, err}
			}
		}()
	}
	go func() {
		group.Wait()
		close(results)
	}()
	var failed error
	early, at := map[int]T{}, 0
	for r := range results {
		if failed == nil {
			failed = r.err
		}
		early[r.i] = r.v
		for failed == nil {
			v, ok := early[at]
			if !ok {
				break
			}
			delete(early, at)
			failed = take(at, v)
			at++
		}
		if failed != nil {
			cancel()
		}
	}
	if failed == nil && at < n {
		failed = ctx.Err()
	}
	return failed
}

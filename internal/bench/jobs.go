package bench

import (
	"context"
	"sync"
	"sync/atomic"

	"incore/internal/bench/host"
)

// mostJobs is how many measurements run at a time if nobody says how many: more have less to do than the process that
// plans and traces them.
const mostJobs = 4

// Jobs divides the cores that this process may use among measurements that run at a time: the CPUs of each, none of
// which two share. n is their number, 0: one for each core, up to a few. Of one alone, or where it is not known which
// CPUs are threads of one core, it may be any CPU: nil.
func Jobs(n int) [][]int {
	cores := host.Cores()
	if n == 0 {
		n = min(len(cores), mostJobs)
	}
	n = min(n, len(cores))
	if n < 2 {
		return [][]int{nil}
	}
	out := make([][]int, n)
	for i, cpus := range cores {
		out[i%n] = append(out[i%n], cpus...)
	}
	return out
}

// spread calls do for 0 … n-1 by several workers at a time, and take for what it returns, one after another and in
// order. The first error ends it.
func spread[T any](ctx context.Context, workers, n int, do func(ctx context.Context, worker, i int) (T, error), take func(i int, v T) error) error {
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

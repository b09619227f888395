package api

import (
	"context"
	"runtime/metrics"
	"sync"
	"time"
)

// Guard bounds the memory of the requests that run: beyond its limit it stops the one that has run longest, which fails alone. MaxWork keeps requests far below
// it; the guard is for those whose cost was not foreseen.
type Guard struct {
	limit uint64 // bytes of the heap

	mu       sync.Mutex
	running  []*run // in the order of their start
	watching bool
}

type run struct{ stop context.CancelCauseFunc }

// NewGuard returns a guard with a limit in bytes.
func NewGuard(limit uint64) *Guard { return &Guard{limit: limit} }

var errMemory = &Error{Status: tooLarge, Message: "the request was stopped because it takes too much memory", Hint: "send a smaller part of the code, or use incore analyze"}

// enter records a request that starts. Its work has to stop when the returned context ends, and to call left then.
func (g *Guard) enter(ctx context.Context) (within context.Context, left func()) {
	if g == nil {
		return ctx, func() {}
	}
	within, stop := context.WithCancelCause(ctx)
	r := &run{stop}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running = append(g.running, r); !g.watching {
		g.watching = true
		go g.watch()
	}
	return within, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		for i := range g.running {
			if g.running[i] == r {
				g.running = append(g.running[:i], g.running[i+1:]...)
				break
			}
		}
		stop(nil)
	}
}

// glance is the time between two looks at the heap.
const glance = 50 * time.Millisecond

// watch looks at the heap as long as requests run.
func (g *Guard) watch() {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for range tick.C {
		metrics.Read(heap)
		g.mu.Lock()
		if len(g.running) == 0 {
			g.watching = false
			g.mu.Unlock()
			return
		}
		if heap[0].Value.Uint64() > g.limit {
			g.running[0].stop(errMemory)
		}
		g.mu.Unlock()
	}
}

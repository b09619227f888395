package bench

import (
	"context"
	"errors"
	"math"

	"incore/internal/base/parallel"
	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
)

// Memory measures memory tests and passes on each result when it is ready.
func (b *Bench) Memory(ctx context.Context, tests []plan.MemoryTest, found func(results.MemoryFigure) error) error {
	workers := b.workers()
	measure := func(ctx context.Context, worker, i int) (results.MemoryFigure, error) {
		return workers[worker].memory(ctx, &tests[i])
	}
	return parallel.Ordered(ctx, len(workers), len(tests), measure, func(_ int, x results.MemoryFigure) error { return found(x) })
}

// memory measures one test.
func (b *Bench) memory(ctx context.Context, m *plan.MemoryTest) (results.MemoryFigure, error) {
	x := results.MemoryFigure{Test: m.Name}
	v, u, err := b.measure(ctx, m.Plan)
	if ctx.Err() != nil {
		return x, ctx.Err()
	}
	if why := new(host.Reason); errors.As(err, &why) && why.Kind != "unsupported" {
		x.Reason = host.OneLine(why)
		return x, nil
	} else if err != nil {
		return x, err
	}
	c := v
	switch m.Unit {
	case plan.UnitLatency, plan.UnitUpdate, plan.UnitForward + plan.ToVector, plan.UnitForward + plan.ToInteger:
		c = b.own(m.Plan, v)
	case plan.UnitEach:
		c, u = v/m.Plan.N, u/m.Plan.N
	}
	if !math.IsNaN(c) {
		x.Cycles, x.Doubt, x.Unit = &c, u, m.Unit
	}
	return x, nil
}

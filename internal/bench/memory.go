package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"incore/internal/base/parallel"
	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
)

// Memory measures memory tests one after another and writes each result when it is ready.
func (b *Bench) Memory(ctx context.Context, tests []plan.MemoryTest, w io.Writer, progress func(done, failed int)) error {
	failed := 0
	workers := b.workers()
	type outcome struct {
		line string // "" if there is no result
		fail bool
	}
	return parallel.Ordered(ctx, len(workers), len(tests), func(ctx context.Context, worker, i int) (outcome, error) {
		line, fail, err := workers[worker].memory(ctx, &tests[i])
		return outcome{line, fail}, err
	}, func(i int, o outcome) error {
		if o.fail {
			failed++
		}
		if o.line != "" {
			if err := results.WriteMemory(w, tests[i].Name, o.line); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(i+1, failed)
		}
		return nil
	})
}

// memory measures one test. It returns a figure with its unit, "" without a result, or the reason of the failure.
func (b *Bench) memory(ctx context.Context, m *plan.MemoryTest) (line string, failed bool, err error) {
	v, u, err := b.measure(ctx, m.Plan)
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if why := new(host.Reason); errors.As(err, &why) && why.Kind != "unsupported" {
		return host.OneLine(why), true, nil
	} else if err != nil {
		return "", false, err
	}
	c := v
	switch m.Unit {
	case plan.UnitLatency, plan.UnitUpdate, plan.UnitForward + plan.ToVector, plan.UnitForward + plan.ToInteger:
		c = b.own(m.Plan, v)
	case plan.UnitEach:
		c, u = v/m.Plan.N, u/m.Plan.N
	}
	if math.IsNaN(c) {
		return "", false, nil
	}
	return fmt.Sprintf("%s ± %s %s", results.Trim(c, 2), results.Trim(u, 2), m.Unit), false, nil
}

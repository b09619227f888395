package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"incore/internal/base/stats"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/probe"
)

// program makes one pass over a program's region. For each call it takes the fastest time among several runs of the program, considering only times at which the core was
// quiet; the region's time is the sum.
func (t *timer) program(ctx context.Context, dir string, b *Benchmark) (figure, error) {
	p := b.Program
	if d := p.unchanged(binaryFile(dir, b.ID)); d != nil {
		return figure{}, d
	}
	f, err := object.Open(p.Path, catalog.ISAs()...)
	if err != nil {
		return figure{}, &dropError{"executable not readable", err.Error()}
	}
	calls := int(p.Last-p.First) + 1
	var runs []*probe.Result
	for spent := time.Duration(0); len(runs) < programRuns || spent < passTime; {
		r, err := p.run(ctx, f, probe.Options{First: p.First, Last: p.Last, CPU: t.cpu(), Limit: programLimit})
		if ctx.Err() != nil {
			return figure{}, ctx.Err()
		} else if err != nil {
			return figure{}, &dropError{"run fails", err.Error()}
		}
		if err := p.complain(r); err != nil {
			return figure{}, &dropError{"run fails", err.Error()}
		}
		runs, spent = append(runs, r), spent+r.Elapsed
		t.learnCalls(r.Calls)
		if n := len(runs); n >= programRuns && spent >= leastPass || n >= 2 && r.Elapsed > slowRun {
			if _, missing := t.fastestCalls(runs, calls); missing == 0 || n > programRuns && r.Elapsed > slowRun {
				break
			}
		}
	}
	best, missing := t.fastestCalls(runs, calls)
	overhead := runs[0].Overhead
	switch {
	case missing > 0:
		return figure{}, &dropError{noisy, fmt.Sprintf("%d of %d calls never ran undisturbed", missing, calls)}
	case best.cycles < leastCycles:
		return figure{}, &dropError{"too short", fmt.Sprintf("%.0f cycles", best.cycles)}
	case best.cycles/float64(calls) < leastPerProbe*overhead:
		return figure{}, &dropError{"too short", fmt.Sprintf("a call takes %.0f cycles, as against %.0f of the probe's own", best.cycles/float64(calls), overhead)}
	}
	return best, nil
}

// learnCalls adds the width probe's times around calls to the calibration.
func (t *timer) learnCalls(calls []probe.Call) {
	var widths []float64
	for _, c := range calls {
		if c.Cycles > 0 {
			widths = append(widths, c.Width)
		}
	}
	if len(widths) > 0 {
		t.learn(stats.Quantile(widths, 0.1))
	}
}

// fastestCalls sums up the fastest time of each call, and counts the calls without any.
func (t *timer) fastestCalls(runs []*probe.Result, calls int) (f figure, missing int) {
	for i := range calls {
		least := math.Inf(1)
		var best probe.Call
		for _, r := range runs {
			if i < len(r.Calls) && r.Calls[i].Cycles > 0 && r.Calls[i].Cycles < least && !t.disturbed(r.Calls[i].Width) {
				least, best = r.Calls[i].Cycles, r.Calls[i]
			}
		}
		if math.IsInf(least, 1) {
			missing++
			continue
		}
		f.cycles += least
		f.width += best.Width / float64(calls)
		f.room += best.Room / float64(calls)
		f.windows++
	}
	return f, missing
}

// time makes one pass over a benchmark.
func (r *runner) time(ctx context.Context, t *timer, b *Benchmark) (figure, error) {
	if b.Program != nil {
		return t.program(ctx, r.Dir, b)
	}
	return t.measure(ctx, binaryFile(r.Dir, b.ID))
}

// known makes sure that the width probe's time on a quiet core is known; if it is not, it calibrates with the first of the kernels.
func (t *timer) know(ctx context.Context, dir string, list []*Benchmark) error {
	if t.quiet > 0 {
		return nil
	}
	for _, b := range list {
		if b.Program == nil {
			return t.calibrate(ctx, binaryFile(dir, b.ID))
		}
	}
	for _, b := range list { // programs tell as well
		for range programRuns {
			var d *dropError
			if _, err := t.program(ctx, dir, b); errors.As(err, &d) {
				break
			} else if err != nil {
				return err
			}
		}
		if t.quiet > 0 {
			break
		}
	}
	return nil
}

package suite

import (
	"context"
	"fmt"
	"slices"

	"incore/internal/base/parallel"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/dyndeps"
)

// Coverage is the share of the observed dependences through memory in a benchmark's blocks that the static analysis finds (CesASMe, section 4.4).
type Coverage struct {
	ID      string        `json:"id"`
	Failure string        `json:"failure,omitempty"`
	Rows    []CoverageRow `json:"rows,omitempty"`
}

// CoverageRow counts dependences with fewer instructions than Lifetime between store and load, 0 for all.
type CoverageRow struct {
	Lifetime uint64 `json:"lifetime"`
	dyndeps.Tally
	// Own counts only the dependences within and between iterations of the innermost loop around the load. An analysis of a block as a loop cannot find the dependences
	// that an outer loop carries, since the inner index restarts.
	Own *dyndeps.Tally `json:"own,omitempty"`
}

// coveredSample is the number of benchmarks whose dependences are observed; the emulator takes one second for each.
const coveredSample = 48

// CoverageName selects the coverage in the list of predictors.
const CoverageName = "coverage"

// cover observes dependences under QEMU, for the benchmarks that QEMU can run.
func (r *runner) cover(ctx context.Context, list []*Benchmark) error {
	if !r.Coverage || r.Model == nil || r.rows.Suite.Cross != "" {
		return nil
	}
	var ask []*Benchmark
	for _, b := range drawn(list) {
		if b.Program != nil || r.rows.Measured[b.ID] == nil || b.Vectors == "avx512" || b.Vectors == "native" {
			continue // QEMU has no AVX-512
		}
		if ask = append(ask, b); len(ask) == coveredSample {
			break
		}
	}
	ask = slices.DeleteFunc(ask, func(b *Benchmark) bool { return r.rows.Coverage[b.ID] != nil })
	warned := false
	return parallel.Ordered(ctx, workers(), len(ask), func(ctx context.Context, _, i int) (*Coverage, error) {
		c, err := r.covered(ctx, ask[i])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			c = &Coverage{ID: ask[i].ID, Failure: err.Error()}
		}
		return c, nil
	}, func(i int, c *Coverage) error {
		r.progress("observing dependences", i+1, len(ask))
		if c.Failure != "" && !warned {
			warned = true
			r.Warn(fmt.Sprintf("dependences of %s cannot be observed: %s", c.ID, c.Failure))
		}
		return r.out.add(Row{Coverage: c})
	})
}

// covered observes one benchmark.
func (r *runner) covered(ctx context.Context, b *Benchmark) (*Coverage, error) {
	f, err := object.Open(binaryFile(r.Dir, b.ID), catalog.ISAs()...)
	if err != nil {
		return nil, err
	}
	p, err := dyndeps.Open(f)
	if err != nil {
		return nil, err
	}
	o := dyndeps.Options{Args: []string{"check"}, CPU: "max", Limit: foreignLimit}
	for _, fn := range reach(f, f.Function("kernel")) {
		o.Pick = append(o.Pick, dyndeps.Range{Lo: fn.Addr, Hi: fn.End()})
	}
	t, err := p.Observe(ctx, o)
	if err != nil {
		return nil, err
	}
	if t.Exit != "" || t.Interrupted {
		return nil, fmt.Errorf("under QEMU it ends with: %s", t.Exit)
	}
	c := &Coverage{ID: b.ID}
	for _, row := range t.Cover(dyndeps.ScopeBare, r.Model, dyndeps.DefaultWindow).Rows {
		c.Rows = append(c.Rows, CoverageRow{row.Lifetime, row.Tally, &row.Own})
	}
	return c, nil
}

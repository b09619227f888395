package suite

import (
	"context"
	"fmt"
	"slices"

	"incore/internal/base/platform"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/clone"
	"incore/internal/program/dyndeps"
)

// emulate counts the blocks of a benchmark's kernel under QEMU, for other instruction sets than this machine's and as a check of the recording copies.
// It returns only counts; the run has no record.
func emulate(ctx context.Context, dir string, b *Benchmark, cpu string) (*run, error) {
	f, err := object.Open(binaryFile(dir, b.ID), catalog.ISAs()...)
	if err != nil {
		return nil, &dropError{"executable not readable", err.Error()}
	}
	entry := f.Function("kernel")
	if entry == nil {
		return nil, &dropError{"no function kernel", f.Path}
	}
	p, err := dyndeps.Open(f)
	if err != nil {
		return nil, &dropError{"executable not readable", err.Error()}
	}
	t, err := p.Observe(ctx, dyndeps.Options{Args: []string{"check"}, CPU: cpu, Limit: runLimit, Pick: []dyndeps.Range{{Lo: entry.Addr, Hi: entry.End()}}})
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if t.Interrupted || t.Exit != "" {
		return nil, &dropError{"not countable", "under QEMU it ends with: " + t.Exit}
	}
	r := &run{benchmark: b, file: f, image: &clone.Image{}}
	own := reach(f, entry)
	for i, n := range t.Blocks {
		x := &p.Blocks[i]
		if fn := p.Funcs[x.Func]; slices.ContainsFunc(own, func(o *object.Function) bool { return o.Addr == fn.Addr }) {
			r.image.Blocks = append(r.image.Blocks, clone.Block{Func: fn, Graph: x.Graph, Index: x.Index})
			r.counts = append(r.counts, n)
		}
	}
	return r, nil
}

// reach returns a function and all functions of the same file that it calls, directly or not.
func reach(f *object.File, entry *object.Function) []*object.Function {
	out := []*object.Function{entry}
	for i := 0; i < len(out); i++ {
		g := out[i].Graph()
		for b := range g.Blocks {
			for _, l := range g.Insts(b) {
				flow := f.ISA.Flow(&l.Inst)
				if l.Err != nil || flow.Target.Kind != isa.OpImm {
					continue
				}
				if fn := f.At(uint64(flow.Target.Imm)); fn != nil && !slices.Contains(out, fn) {
					out = append(out, fn)
				}
			}
		}
	}
	return out
}

// observe runs a benchmark and counts its blocks: natively if it is for this machine, otherwise under QEMU.
func (r *runner) observe(ctx context.Context, b *Benchmark) (*run, error) {
	if cross := r.rows.Suite.Cross; cross != "" {
		cpu := ""
		if p := platform.Of(r.rows.Suite.Target); p != nil {
			cpu = p.CPU
		}
		return emulate(ctx, r.Dir, b, cpu)
	}
	return record(ctx, r.Dir, b)
}

// count counts the blocks of benchmarks for another machine, which are not measured.
func (r *runner) count(ctx context.Context, list []*Benchmark) error {
	for i, b := range list {
		r.progress("counting", i, len(list))
		if r.rows.Measured[b.ID] != nil || r.dropped[b.ID] {
			continue
		}
		run, err := r.observe(ctx, b)
		if d, ok := err.(*dropError); ok {
			if err := r.drop(b, d); err != nil {
				return err
			}
			continue
		} else if err != nil {
			return fmt.Errorf("counting %s: %w", b.ID, err)
		}
		m := &Measured{ID: b.ID, Instructions: run.instructions()}
		m.Hot = run.hot()
		m.Blocks = len(m.Hot)
		r.rows.Measured[b.ID] = m
		if err := r.out.add(Row{Measured: m}); err != nil {
			return err
		}
	}
	return nil
}

package suite

import (
	"context"
	"errors"
	"fmt"

	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/program/clone"
	"incore/internal/program/trace"
)

// traced simulates the whole recorded run: its path, its dependences through memory, its mispredicted branches (package trace).
func traced() Predictor {
	return Predictor{Name: "trace", Lifting: "whole", Native: true, About: "incore's simulator on the whole recorded run: its path, its dependences through memory, its mispredicted branches", Open: func(_ context.Context, e *Env) (Predict, error) {
		if e.Model == nil {
			return nil, errors.New("there is no model of this machine")
		}
		core := &trace.Core{Model: e.Model}
		core.Penalty, _ = sim.Penalty(e.Model)
		return func(ctx context.Context, s *Subject) (*Prediction, error) {
			if s.run.trace == nil {
				return nil, &FailError{"blocks were only counted"}
			}
			a, err := trace.Replay(core, s.run.file.ISA, traceSample, s.run.feed(ctx))
			if ctx.Err() != nil {
				return nil, ctx.Err()
			} else if err != nil {
				return nil, &FailError{err.Error()}
			}
			if a.Instructions == 0 {
				return nil, &FailError{"nothing was executed"}
			}
			return &Prediction{Cycles: a.Cycles, Limits: a.Causes}, nil
		}, nil
	}}
}

// traceSample is the least number of similar segments of a run that are simulated (trace.Recorder.Sample).
const traceSample = 60

// part is the part of a block up to a call in it, or after a call.
type part struct {
	id       int
	accesses int
	call     bool // it ends with a call
	ret      bool
}

// warmRuns is the number of runs that fill the caches and the core before the run that counts.
const warmRuns = 2

// feed passes a run to a recorder: first several times as warm-up, since measurements repeat the run, and then once to count.
func (r *run) feed(ctx context.Context) func(rec *trace.Recorder) error {
	return func(rec *trace.Recorder) error {
		if r.visits != nil {
			r.visits.Feed(rec)
			return ctx.Err()
		}
		parts := make([][]part, len(r.image.Blocks))
		for i := range parts {
			list, err := r.parts(rec, &r.image.Blocks[i])
			if err != nil {
				return err
			}
			parts[i] = list
		}
		train(func() (missed, all uint64) {
			missed = rec.Train(func(visit func(int)) {
				r.walk(parts, func(id int, _ []uint64) { visit(id); all++ })
			})
			return missed, all
		})
		for pass := range warmRuns + 1 {
			rec.Warm(pass < warmRuns)
			r.walk(parts, rec.Visit)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	}
}

// parts cuts a block after each of its calls, where execution continues after the return.
func (r *run) parts(rec *trace.Recorder, b *clone.Block) (out []part, err error) {
	a := r.file.ISA
	lines := b.Graph.Insts(b.Index)
	var effects isa.Effects
	first, next := 0, 0
	for i := range lines {
		if lines[i].Err != nil {
			return nil, fmt.Errorf("%#x: %w", lines[i].Addr, lines[i].Err)
		}
		kind := a.Flow(&lines[i].Inst).Kind
		if kind != isa.FlowCall && i+1 < len(lines) {
			continue
		}
		var accesses []trace.Access
		for ; next < len(b.Accesses) && b.Accesses[next].Line <= i; next++ {
			x := &b.Accesses[next]
			a.Effects(&lines[x.Line].Inst, &effects)
			mem := 0
			for k := range effects.Mem {
				if effects.Mem[k].Op >= 0 {
					mem = k
					break
				}
			}
			accesses = append(accesses, trace.Access{Line: x.Line - first, Mem: mem, Bytes: max(1, x.Bytes), Load: x.Load, Store: x.Store})
		}
		id := rec.Add(trace.NewBlock(a, lines[first:i+1], accesses))
		out = append(out, part{id, len(accesses), kind == isa.FlowCall, kind == isa.FlowReturn})
		first = i + 1
	}
	return out, nil
}

// walk passes the recorded blocks, by their numbers in a recorder, with the addresses of their accesses. The accesses of a block after a call follow the
// accesses of the callee.
func (r *run) walk(parts [][]part, visit func(id int, words []uint64)) {
	var calls [][]part // the remaining parts of the calling blocks
	var words []uint64
	r.trace.Walk(func(block int, addresses []int64) {
		left := parts[block]
		for len(left) > 0 {
			p := left[0]
			words = words[:0]
			for _, a := range addresses[:min(p.accesses, len(addresses))] {
				words = append(words, uint64(a))
			}
			addresses = addresses[len(words):]
			visit(p.id, words)
			left = left[1:]
			switch n := len(calls); {
			case p.call:
				calls = append(calls, left)
				return
			case p.ret && n > 0:
				left, calls = calls[n-1], calls[:n-1]
			}
		}
	})
}

// Package bench measures instruction forms and loads and stores on this machine, and writes the results. incore/internal/bench/plan decides what to
// run, incore/internal/bench/block lays out and times a body of code, incore/internal/bench/results defines the files of results.
//
// form.go measures a form: its throughput, and the latencies between its operands. values.go does so for special operands and immediates, special.go
// for jumps and for registers that form a stack, memory.go for loads and stores. timing.go times a plan. calibrate.go measures the latencies of the
// helper instructions in chains. played.go replaces the machine by a model's simulator.
package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"incore/internal/base/parallel"
	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
)

// Bench measures instruction forms on this machine.
type Bench struct {
	Target *plan.Target
	// CPUs are the CPUs for measurements, in lists that measure in parallel: no two are threads of one core. Empty: one measurement at a time, on any
	// CPU.
	CPUs [][]int
	// Run returns a plan's time in place of a measurement: cycles of one execution of its block, by a model that tests have. nil: plans are measured.
	Run func(context.Context, *plan.Plan) (cycles, uncertainty float64, err error)
	// Guess estimates the cycles of repeated instructions; NaN or 0: not known. nil: they are measured first.
	Guess func([]isa.Inst) float64

	cpus     []int        // for measurements at present
	helpers  []float64    // latency of each of the target's helpers, NaN if it cannot run here
	clearing float64      // latency of the target's clear and step together, in cycles
	width    float64      // dispatch width, by instructions that only take a slot; 0 or NaN: not known yet
	Residual float64      // the largest residual of the helpers' system, in cycles
	noise    *host.Reason // reason why the last plan of the present form was too noisy
}

// NewBench prepares measurements on this machine.
func NewBench(t *plan.Target) *Bench {
	return &Bench{Target: t}
}

// workers returns copies of b that measure in parallel, each with its own CPUs.
func (b *Bench) workers() []*Bench {
	list := make([]*Bench, max(1, len(b.CPUs)))
	for i := range list {
		w := *b
		if len(b.CPUs) > 0 {
			w.cpus = b.CPUs[i]
		}
		list[i] = &w
	}
	return list
}

// WriteHeader starts a file of results: a model with base as its base.
func (b *Bench) WriteHeader(w io.Writer, id results.Identity, base string) error {
	return results.WriteHeader(w, id, b.Target.ISA, b.describeHelpers(), base)
}

// describeHelpers lists the helpers with their latencies.
func (b *Bench) describeHelpers() string {
	var s []string
	for i, h := range b.Target.Helpers() {
		if !math.IsNaN(b.helpers[i]) { // the machine lacks it
			s = append(s, h+" "+results.Trim(b.helpers[i], 1))
		}
	}
	return strings.Join(s, ", ") + fmt.Sprintf("; largest residual %.2f cycles", b.Residual)
}

// rounds is the number of attempts to measure a form despite noise.
const rounds = 4

// Forms measures forms and passes on each result when it is ready. Forms with noisy measurements are repeated at the
// end.
func (b *Bench) Forms(ctx context.Context, forms []isa.FormID, what int, found func(*results.Form) error) error {
	workers := b.workers()
	for round := range rounds {
		var again []isa.FormID
		err := parallel.Ordered(ctx, len(workers), len(forms), func(ctx context.Context, worker, i int) (*results.Form, error) {
			return workers[worker].Form(ctx, forms[i], what)
		}, func(i int, r *results.Form) error {
			if strings.HasPrefix(r.Reason, host.UnstablePrefix) && round < rounds-1 {
				again = append(again, forms[i])
				return nil
			}
			return found(r)
		})
		if forms = again; err != nil || len(forms) == 0 {
			return err
		}
	}
	return nil
}

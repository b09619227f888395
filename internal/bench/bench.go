// Package bench measures instruction forms and loads and stores on the machine under us, and writes what it found. What to
// run is incore/internal/bench/plan's, how a body of code is laid out and timed incore/internal/bench/block's, what
// results look like in files incore/internal/bench/results'.
//
// form.go measures a form: its throughput, and the latencies between its operands. values.go does so for special
// operands and immediates, special.go for jumps and for registers that are a stack, memory.go for loads and stores.
// timing.go times a plan; calibrate.go finds what the helpers take that chains need. played.go has a model's simulator
// in the machine's place.
package bench

import (
	"context"
	"fmt"
	"io"
	"strings"

	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
	"incore/internal/parallel"
)

// Bench measures instruction forms on this machine.
type Bench struct {
	Target *plan.Target
	// CPUs are those that measurements may run on, each list at a time: no two are threads of one core. Empty: one measurement at a time, anywhere.
	CPUs [][]int
	// Run tells a plan's time where nothing is measured: cycles of one execution of its block, by a model that tests have. nil: it is measured.
	Run func(context.Context, *plan.Plan) (cycles, uncertainty float64, err error)
	// Guess says about how many cycles instructions take that are repeated, NaN or 0: not known. nil: that is measured first.
	Guess func([]isa.Inst) float64

	cpus     []int        // that measurements may run on now
	helpers  []float64    // latency of each of the target's helpers, NaN if it cannot run here
	clearing float64      // cycles of the target's clear and step together
	width    float64      // instructions that only take a slot that the core dispatches in a cycle; 0 or NaN: not known yet
	Residual float64      // the largest residual of the helpers' system, in cycles
	noise    *host.Reason // of the form at hand: why the last plan that was too noisy was
}

// NewBench prepares measuring on this machine.
func NewBench(t *plan.Target) *Bench {
	return &Bench{Target: t}
}

// workers are what measures at a time: b with the CPUs of each.
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

// WriteHeader starts a file of results: a model that stands over base.
func (b *Bench) WriteHeader(w io.Writer, id results.Identity, base string) error {
	return results.WriteHeader(w, id, b.Target.ISA, b.describeHelpers(), base)
}

// describeHelpers lists the helpers with their latencies.
func (b *Bench) describeHelpers() string {
	var s []string
	for i, h := range b.Target.Helpers() {
		s = append(s, h+" "+results.Trim(b.helpers[i], 1))
	}
	return strings.Join(s, ", ") + fmt.Sprintf("; largest residual %.2f cycles", b.Residual)
}

// rounds is how often forms are tried that noise has spoilt.
const rounds = 4

// Forms measures forms and writes each as it comes. What noise spoils is tried again at the end.
func (b *Bench) Forms(ctx context.Context, forms []isa.FormID, what int, w io.Writer, progress func(done, failed int)) error {
	done, failed := 0, 0
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
			if done++; r.Reason != "" {
				failed++
			}
			if err := r.Write(w, b.Target.ISA.Forms); err != nil {
				return fmt.Errorf("writing results: %w", err)
			}
			if progress != nil {
				progress(done, failed)
			}
			return nil
		})
		if forms = again; err != nil || len(forms) == 0 {
			return err
		}
	}
	return nil
}

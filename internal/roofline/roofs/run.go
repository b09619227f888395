package roofs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"incore/internal/base/stats"
	"incore/internal/isa"
)

// sample is one reading: the duration of the passes, and the clock rate after them.
type sample struct {
	seconds, hertz float64
}

// runner runs tests.
type runner struct {
	ctx  context.Context
	isa  *isa.ISA
	dir  string
	cpus []int // CPUs that run a test at the same time; nil: one, chosen by the system
	n    int
}

// Supported returns the reason why roofs cannot be measured here, nil if they can.
func Supported() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return errors.New("roofs are measured on x86-64 under Linux only")
	}
	return nil
}

// run runs a test on each CPU at the same time. The result has the samples of each.
func (r *runner) run(t test, input []byte) (out [][]sample, err error) {
	if t.bytes > arrayMost {
		return nil, fmt.Errorf("a test of %d MiB of memory: %d are the most", t.bytes>>20, arrayMost>>20)
	}
	t.samples = min(max(t.samples, 3), maxSample)
	cpus := r.cpus
	if cpus == nil {
		cpus = []int{-1}
	}
	out = make([][]sample, len(cpus))
	errs := make([]error, len(cpus))
	names := make([]string, len(cpus))
	for i, cpu := range cpus { // all are written before any starts: a process that starts meanwhile would hold the file open, and it could not be executed
		t.cpu = cpu
		exe, err := t.build(r.isa)
		if err != nil {
			return nil, err
		}
		r.n++
		names[i] = filepath.Join(r.dir, fmt.Sprint("test", r.n))
		if err := os.WriteFile(names[i], exe, 0o700); err != nil {
			return nil, err
		}
	}
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Add(1)
		go func() {
			defer wait.Done()
			defer os.Remove(name)
			out[i], errs[i] = execute(r.ctx, name, input, t.samples)
		}()
	}
	wait.Wait()
	return out, errors.Join(errs...)
}

// execute runs the program and reads its clock's readings.
func execute(ctx context.Context, name string, input []byte, samples int) (out []sample, err error) {
	cmd := exec.CommandContext(ctx, name)
	if input != nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	var text bytes.Buffer
	cmd.Stdout = &text
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the measuring program: %w", err)
	}
	b := text.Bytes()
	if len(b) != samples*stampsOf {
		return nil, fmt.Errorf("the measuring program: %w", io.ErrUnexpectedEOF)
	}
	at := func(i, k int) float64 {
		s := b[i*stampsOf+16*k:]
		return float64(binary.LittleEndian.Uint64(s)) + 1e-9*float64(binary.LittleEndian.Uint64(s[8:]))
	}
	base := at(0, 0)
	for i := range samples {
		t0, t1, t2 := at(i, 0)-base, at(i, 1)-base, at(i, 2)-base
		out = append(out, sample{t1 - t0, chainRounds * chainLength / (t2 - t1)})
	}
	return out[1:], nil // the first sample warms up
}

// Figure is a rate measured several times.
type Figure struct {
	Best   float64 // of all samples
	Median float64
	Low    float64 // the first quartile
	Clock  float64 // GHz, median
}

// rate turns samples into a figure: work per second, in 10⁹. Samples of several CPUs are added one by one, in order.
func rate(all [][]sample, work float64) Figure {
	var rates, clocks []float64
	for i := range all[0] {
		sum := 0.0
		for _, s := range all {
			if i < len(s) {
				sum += work / s[i].seconds / 1e9
				clocks = append(clocks, s[i].hertz/1e9)
			}
		}
		rates = append(rates, sum)
	}
	slices.Sort(rates)
	f := Figure{Best: rates[len(rates)-1], Median: stats.Quantile(rates, 0.5), Low: stats.Quantile(rates, 0.25), Clock: stats.Quantile(clocks, 0.5)}
	if len(all) > 1 { // samples of several CPUs do not begin together: their best is chance
		f.Best = f.Median
	}
	return f
}

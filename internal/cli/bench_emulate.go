package cli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"incore/internal/bench/emulate"
	"incore/internal/bench/plan"
	"incore/internal/isa/catalog"
)

// The most frequent forms in compiled code, by instruction set.
var (
	//go:embed quick.txt
	quickX86 string
	//go:embed quick-aarch64.txt
	quickARM string
	//go:embed quick-riscv64.txt
	quickRISCV string
)

func quickForms(t *plan.Target) string {
	return map[string]string{"x86-64": quickX86, "aarch64": quickARM, "riscv64": quickRISCV}[t.ISA.Name]
}

// emulatedISAs returns the instruction sets whose benchmarks an emulator can run.
var emulatedISAs = []string{"aarch64", "riscv64"}

// emulateFlag adds --emulate.
func emulateFlag(fl *pflag.FlagSet, to *string) {
	fl.StringVar(to, "emulate", "", "run the benchmarks of an `ISA` ("+strings.Join(emulatedISAs, ", ")+") under QEMU, without figures of time: whether they run, and what they execute")
}

// benchTarget is the target of the benchmarks: this machine, or the emulated one that --emulate names.
func benchTarget(emulate string) (*plan.Target, error) {
	if emulate == "" {
		t, err := plan.Native()
		if err != nil {
			return nil, inputError{err}
		}
		return t, nil
	}
	set := catalog.ISA(emulate)
	if set != nil {
		for _, n := range emulatedISAs {
			if set.Name == n {
				return plan.For(set), nil
			}
		}
	}
	return nil, fmt.Errorf("--emulate %s: known are %s", emulate, strings.Join(emulatedISAs, ", "))
}

// emulation selects the benchmarks for an emulator, their number, and where the trials go.
type emulation struct {
	out  *benchOutput
	what string
	n    int
}

// emulated runs benchmarks under an emulator to check that they run and execute the intended instructions. It measures no times. run produces n trials.
func emulated(ctx context.Context, e *env, t *plan.Target, x emulation, run func(m *emulate.Emulator, one func(*emulate.Trial) error, progress func(done, failed int)) error) error {
	output, what, n := x.out.file, x.what, x.n
	m, err := emulate.New(ctx, t)
	if err != nil {
		return inputError{err}
	}
	if !x.out.rows() {
		log := emulate.NewLog(io.Discard, m, what)
		err = errors.Join(run(m, log.Add, e.progress(n)), log.End())
		return x.out.end(e, &log.Trials, err)
	}
	w, err := e.create(output)
	if err != nil {
		return err
	}
	defer w.Abort()
	log := emulate.NewLog(w, m, what)
	err = run(m, log.Add, e.progress(n))
	if err == nil {
		err = log.End()
	}
	if errors.Is(err, context.Canceled) {
		if toStdout(output) {
			return inputError{errors.New("interrupted")}
		}
		return inputError{keep(w, output)}
	} else if err != nil {
		return inputError{err}
	}
	if err := w.Commit(); err != nil {
		return outputError(err)
	}
	if !toStdout(output) {
		return e.print(log.Sums)
	}
	return nil
}

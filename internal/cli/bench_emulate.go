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

// emulation selects the benchmarks for an emulator, their number, and the file for the trials.
type emulation struct {
	output, what string
	n            int
}

// emulated runs benchmarks under an emulator to check that they run and execute the intended instructions. It measures no times. run produces n trials.
func emulated(ctx context.Context, e *env, t *plan.Target, x emulation, run func(m *emulate.Emulator, one func(*emulate.Trial) error, progress func(done, failed int)) error) error {
	output, what, n := x.output, x.what, x.n
	m, err := emulate.New(ctx, t)
	if err != nil {
		return inputError{err}
	}
	w, err := e.create(output)
	if err != nil {
		return err
	}
	defer w.Abort()
	fmt.Fprintf(w, "# Benchmarks of %s under %s, processor %s: whether they run, and what they execute.\n# An emulator tells no time: there are no cycles here, and this is no file of results.\n", t.ISA.Name, m.Version, m.CPU())
	if m.Uncounted != "" {
		fmt.Fprintf(w, "# instructions are not counted: %s\n", m.Uncounted)
	}
	fmt.Fprintf(w, "# %s\tplans\tran\tinstructions\treason\n", what)
	s := emulatedSums{what: what + "s", kinds: map[string]int{}}
	var last *emulate.Trial // not written yet: the next trial may belong to the same experiment
	write := func() error {
		r := last
		if r == nil {
			return nil
		}
		s.add(r)
		reason := r.Reason
		if missing := m.Missing(r.Form); r.Kind == "illegal" && len(missing) > 0 {
			reason += " (needs " + strings.Join(missing, " ") + ")"
		} else if needs := t.Needs(r.Form); r.Kind == "illegal" && len(needs) > 0 {
			reason += " (needs " + strings.Join(needs, " ") + ")"
		}
		_, err := fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", r.Name, r.Plans, r.Ran, r.Insts, reason)
		return err
	}
	err = run(m, func(r *emulate.Trial) error {
		if last != nil && last.Name == r.Name {
			last.Plans, last.Ran, last.Insts = last.Plans+r.Plans, last.Ran+r.Ran, last.Insts+r.Insts
			if last.Reason == "" {
				last.Reason, last.Kind, last.Form = r.Reason, r.Kind, r.Form
			}
			return nil
		}
		err := write()
		next := *r
		last = &next
		return err
	}, e.progress(n))
	if err == nil {
		err = write()
	}
	if errors.Is(err, context.Canceled) {
		if toStdout(output) {
			return inputError{errors.New("interrupted")}
		}
		return inputError{keep(w, output)}
	} else if err != nil {
		return inputError{err}
	}
	s.write(w)
	if err := w.Commit(); err != nil {
		return outputError(err)
	}
	if !toStdout(output) {
		s.write(e.stdout)
	}
	return nil
}

// emulatedSums counts the results of the trials.
type emulatedSums struct {
	what                   string // the subject of the trials
	all, whole, plans, ran int
	insts                  uint64
	kinds                  map[string]int // failed trials by the kind of their first reason
}

func (s *emulatedSums) add(r *emulate.Trial) {
	s.all++
	s.plans += r.Plans
	s.ran += r.Ran
	s.insts += r.Insts
	if r.Reason == "" {
		s.whole++
	} else {
		s.kinds[r.Kind]++
	}
}

func (s *emulatedSums) write(w io.Writer) {
	fmt.Fprintf(w, "# %d %s, %s: %d ran as planned, with %s; of %d %s all did.\n", s.all, s.what, counted(s.plans, "benchmark"), s.ran, counted(int(s.insts), "instruction"), s.whole, s.what)
	for _, k := range []struct{ kind, text string }{{"illegal", "are no instructions of the emulated processor"}, {"fault", "end in a fault"}, {"trap", "trap"},
		{"count", "execute other instructions than planned"}, {"lost", "end the emulator"}} {
		if n := s.kinds[k.kind]; n > 0 {
			fmt.Fprintf(w, "# %s that %s: %d\n", s.what, k.text, n)
		}
	}
}

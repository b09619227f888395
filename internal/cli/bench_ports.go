package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"incore/internal/bench"
	"incore/internal/bench/emulate"
	"incore/internal/bench/plan"
	"incore/internal/bench/ports"
	"incore/internal/bench/results"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// portsFlags are the options of incore bench ports.
type portsFlags struct {
	out                  benchOutput
	instr, base, emulate string
	checks               int
}

func newBenchPorts(e *env) *cobra.Command {
	var f portsFlags
	cmd := &cobra.Command{
		Use:   "ports",
		Short: "µops and ports of this machine's instruction forms, inferred from the time of mixes",
		Long: `Infers, without performance counters, which µops instruction forms have and on which ports they run: mixes of forms are timed,
and port sets sought that explain all times. Ports are named as those of the base model with which most forms agree. Every mix measured
is appended to the output at once, the rows of the model at the end; a run that was stopped goes on where it was.
Without --instr the forms are those commonest in compiled code that access no memory and no 512-bit vector. With --emulate nothing is measured: the mixes
of AArch64 or RISC-V that a core like the base model's would be asked for run under QEMU, which tells whether they run and what they execute.`,
		Example: `  incore bench ports -o here.results
  incore bench ports --instr '^(V?(ADD|MUL)(PD|PS)|VFMADD213P[DS]|VPSHUFD|IMUL64|LEA64|SHL64).*r' -o fp.results`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(e) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.instr, "instr", "", "the forms whose name (incore forms) matches a `REGEX`")
	f.out.register(cmd, (*ports.Report)(nil))
	fl.StringVar(&f.base, "base", "", "model whose names ports get and that results stand over; default: this machine's. With --emulate the model that plays the machine; default: the instruction set's")
	emulateFlag(fl, &f.emulate)
	count(fl, &f.checks, 100, option{"checks", "", 0, noLimit, "`N` random mixes to hold the result against"})
	return cmd
}

func (f *portsFlags) run(e *env) error {
	if err := f.out.check(); err != nil {
		return err
	}
	t, err := benchTarget(f.emulate)
	if err != nil {
		return err
	}
	m, err := baseModel(f.base, t.ISA)
	if err != nil {
		return err
	}
	ids, err := portForms(t, f.instr)
	if err != nil {
		return err
	}
	s, skipped, err := ports.Prepare(t, ids)
	if err != nil {
		return inputError{err}
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	if f.emulate != "" {
		return f.emulated(ctx, e, s, m)
	}
	b := bench.NewBench(t)
	w, old, err := f.out.recorded(ctx, e, b, m.Name)
	if err != nil {
		return err
	}
	defer w.Close()
	var failed error
	opt := s.Options()
	opt.Known, opt.Note, opt.Checks = ports.Recorded(old), e.portsProgress(), f.checks
	if f.out.rows() && !toStdout(f.out.file) {
		opt.Record = func(m ports.Measurement, key string) { failed = errors.Join(failed, ports.Record(w, m, key)) }
	}
	inf, err := ports.Infer(ctx, s.Forms, 0, s.Oracle(b.Time), opt)
	if opt.Note != nil {
		fmt.Fprintln(e.stderr)
	}
	if err == nil {
		err = failed
	}
	if err != nil && (f.out.rows() || !errors.Is(err, context.Canceled)) {
		return stopped(err)
	} else if err != nil { // half an inference tells nothing
		return err
	}
	named := ports.Name(inf, s, m)
	if err := named.Write(w); err != nil {
		return inputError{fmt.Errorf("writing results: %w", err)}
	}
	found := named.Report(skipped)
	if f.out.rows() && !toStdout(f.out.file) {
		return e.result("", found, "text", report.TextOptions{})
	}
	return f.out.end(e, found, nil)
}

// emulated runs the mixes of each stage under an emulator; a machine model takes the place of the measured machine.
func (f *portsFlags) emulated(ctx context.Context, e *env, s *ports.Subjects, m *machine.Model) error {
	play, err := bench.Played(s.Target.ISA, m, false)
	if err != nil {
		return inputError{fmt.Errorf("--base %s: %w", m.Name, err)}
	}
	return emulated(ctx, e, s.Target, emulation{&f.out, "stage", 0}, func(q *emulate.Emulator, one func(*emulate.Trial) error, progress func(done, failed int)) error {
		var failed error
		err := q.Groups(ctx, func(yield func(emulate.Group) bool) {
			stage := ""
			opt := s.Options()
			opt.Checks, opt.Note = f.checks, func(p ports.Progress) { stage = p.Stage }
			_, failed = ports.Infer(ctx, s.Forms, 0, s.Oracle(func(_ context.Context, p *plan.Plan) (float64, float64, error) {
				if !yield(emulate.Group{Name: stage, Form: p.Form, Plans: []*plan.Plan{p}}) {
					return 0, 0, context.Canceled
				}
				v, err := play(p.Insts)
				return v, 0, err
			}), opt)
		}, one, nil)
		return cmp.Or(err, failed)
	})
}

// baseModel returns the model on which results are based: the named one, this machine's, or the default of the instruction set.
func baseModel(name string, set *isa.ISA) (*machine.Model, error) {
	if name != "" {
		m, err := machine.Get(name)
		if err != nil {
			return nil, fmt.Errorf("--base: %w", err)
		}
		if m.ISA != set.Name {
			return nil, fmt.Errorf("--base %s: it is a model for %s, not for %s", name, m.ISA, set.Name)
		}
		return m, nil
	}
	if name, _, ok := machine.Host(); ok {
		if m, err := machine.Get(name); err == nil && m.ISA == set.Name {
			return m, nil
		}
	}
	name, _ = machine.Default(set.Name)
	return machine.Get(name)
}

// widestByDefault is the greatest vector width, in bits, of the forms that are measured by default. On some cores wider
// operations block a port for all others, so that mixes with them carry little information.
const widestByDefault = 256

// portForms returns the forms whose ports are inferred: the matching ones, or the most frequent ones without memory operands.
func portForms(t *plan.Target, instr string) ([]isa.FormID, error) {
	match, err := formPattern(instr)
	if err != nil {
		return nil, err
	}
	forms := t.Select(match, nil)
	if match == nil {
		forms = among(t, forms, strings.Fields(quickForms(t)))
	}
	out := slices.DeleteFunc(t.Registers(forms), func(f isa.FormID) bool { return match == nil && t.Widest(f) > widestByDefault })
	if len(out) == 0 {
		return nil, inputError{errors.New("no form without memory operands to measure: --instr is a regular expression for names of forms ('incore forms' prints them)")}
	}
	return out, nil
}

// recorded opens a file of results to continue it, and returns its content.
func (o *benchOutput) recorded(ctx context.Context, e *env, b *bench.Bench, base string) (w io.WriteCloser, old string, err error) {
	w, err = o.open(e, func(r io.Reader) (int64, error) {
		all, err := io.ReadAll(r)
		if err != nil {
			return 0, err
		}
		_, whole, err := results.Measured(bytes.NewReader(all), results.Here(Version).CPU)
		old = string(all[:whole])
		return whole, err
	}, func(w io.Writer) error {
		if err := b.Calibrate(ctx); err != nil {
			return err
		}
		return b.WriteHeader(w, results.Here(Version), base)
	})
	return w, old, err
}

// portsProgress returns a function that shows the progress of an inference; nil if standard error is not a terminal.
func (e *env) portsProgress() func(ports.Progress) {
	t, ok := e.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(t.Fd())) {
		return nil
	}
	var last, began time.Time // began: the stage that counts forms
	first := 0                // forms done when it began
	return func(p ports.Progress) {
		if p.Done == 0 {
			began = time.Time{}
		} else if began.IsZero() {
			began, first = time.Now(), p.Done
		}
		if time.Since(last) < 100*time.Millisecond {
			return
		}
		last = time.Now()
		if p.Done > 0 {
			fmt.Fprintf(e.stderr, "\r%s: %d of %d, %s measured%s   ", p.Stage, p.Done, p.Total, counted(p.Mixes, "mix"), describe.Remaining(time.Since(began), p.Done-first, p.Total-p.Done))
		} else {
			fmt.Fprintf(e.stderr, "\r%s: %s measured   ", p.Stage, counted(p.Mixes, "mix"))
		}
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/bench"
	"incore/internal/bench/emulate"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
	"incore/internal/report"
)

// benchFlags are the options of incore bench.
type benchFlags struct {
	out              benchOutput
	instr, base      string
	exts             []string
	emulate          string
	jobs             int
	quick, registers bool
	list             bool
}

var benchKinds = map[string]int{"latency": plan.Latency, "throughput": plan.Throughput, "all": plan.Latency | plan.Throughput, "memory": 0}

func newBench(e *env) *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench latency|throughput|memory|all",
		Short: "latency and throughput of this machine's instruction forms, measured",
		Long: `Measures instruction forms on this machine: instances are made from the form tables, independent ones for the
throughput, chains for the latency of each pair of operands. 'memory' measures plain loads and stores (of each width, register file and way to
form an address, or --instr): load-to-use latency by addressing mode, addresses that are written back, forwarding from stores to loads of the same and of other
sizes, accesses and read-modify-writes per cycle, and accesses across lines and pages. The results are rows of a machine model, those of 'memory' comments beside them; they are
appended to the output as they come, and a run that was stopped goes on where it was; another --format is written at the end. With --emulate nothing is measured: the same benchmarks of
AArch64 or RISC-V run under QEMU, which tells whether they run and what they execute.`,
		Example: `  incore bench all --instr '^VFMADD213PD' -o fma.results
  incore bench all --quick -o here.results
  incore bench memory --emulate aarch64 --instr '^LD[RP]X'
  incore model build here.results -o here.model && incore analyze --model here.model triad.s`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("one of %s is needed", strings.Join(cmd.ValidArgs, ", "))
			}
			return cobra.OnlyValidArgs(cmd, args)
		},
		ValidArgs: []string{"latency", "throughput", "memory", "all"},
		RunE:      func(_ *cobra.Command, args []string) error { return f.run(e, benchKinds[args[0]]) },
	}
	cmd.AddCommand(newBenchPorts(e), newBenchCore(e), newBenchEverything(e))
	fl := cmd.Flags()
	fl.StringVar(&f.instr, "instr", "", "only forms whose name (incore forms) matches a `REGEX`")
	fl.StringSliceVar(&f.exts, "isa-ext", nil, "only forms of these families (base, bmi, mmx, sse, avx, avx512, mask) or CPU features (avx512_fp16, gfni …)")
	fl.BoolVar(&f.quick, "quick", false, "only the forms commonest in compiled code")
	fl.BoolVar(&f.registers, "registers", false, "only forms that do not access memory")
	fl.BoolVar(&f.list, "list", false, "measure nothing: list the forms, one a line, with why one is not measured on this machine")
	jobsFlag(fl, &f.jobs, "forms or tests")
	f.out.register(cmd, (*results.Forms)(nil))
	fl.StringVar(&f.base, "base", "", "model that results stand over (ports, µops); default: this machine's")
	emulateFlag(fl, &f.emulate)
	return cmd
}

func (f *benchFlags) run(e *env, what int) error {
	if err := f.out.check(); err != nil {
		return err
	}
	match, err := formPattern(f.instr)
	if err != nil {
		return err
	}
	t, err := benchTarget(f.emulate)
	if err != nil {
		return err
	}
	exts, err := f.extensions(t)
	if err != nil {
		return err
	}
	if f.list {
		return e.result("", listed(t, match), f.listFormat(), report.TextOptions{})
	}
	m, err := baseModel(f.base, t.ISA)
	if err != nil {
		return err
	}
	forms, err := f.forms(t, match, exts)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	if f.emulate != "" {
		return f.emulated(ctx, e, t, forms, what)
	}
	b := bench.NewBench(t)
	if b.CPUs, err = divide(f.jobs); err != nil {
		return err
	}
	b.Guess = bench.Expected(t.ISA, m)
	if err := b.Calibrate(ctx); err != nil {
		return inputError{err}
	}
	if what == benchKinds["memory"] {
		return f.memory(ctx, e, b, match, m.Name)
	}
	w, done, err := f.results(e, b, m.Name)
	if err != nil {
		return err
	}
	defer w.Close()
	forms = slices.DeleteFunc(forms, func(x isa.FormID) bool { return done[t.ISA.Forms.Name(x)] })
	found := &results.Forms{Machine: results.Here(Version), ISA: t.ISA.Name}
	progress := e.counting(len(forms))
	return f.out.end(e, found, b.Forms(ctx, forms, what, func(r *results.Form) error {
		found.Add(r, t.ISA.Forms)
		progress(r.Reason != "")
		return r.Write(w, t.ISA.Forms)
	}))
}

// listFormat is the format of --list.
func (f *benchFlags) listFormat() string {
	if f.out.rows() {
		return "text"
	}
	return f.out.format
}

// stopped reports the end of a measurement that the same call can resume.
func stopped(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return inputError{errors.New("interrupted; the same command goes on from there")}
	case err != nil:
		return inputError{err}
	}
	return nil
}

// formPattern returns the regular expression for names of forms (--instr); nil: all names match.
func formPattern(instr string) (*regexp.Regexp, error) {
	if instr == "" {
		return nil, nil
	}
	match, err := regexp.Compile(instr)
	if err != nil {
		return nil, fmt.Errorf("--instr: %w", err)
	}
	return match, nil
}

// extensions returns the families and features that --isa-ext names.
func (f *benchFlags) extensions(t *plan.Target) (map[string]bool, error) {
	exts := map[string]bool{}
	for _, x := range f.exts {
		if known := t.Extensions(); !slices.Contains(known, x) {
			return nil, fmt.Errorf("--isa-ext %s: known are %s", x, strings.Join(known, ", "))
		}
		exts[x] = true
	}
	return exts, nil
}

// forms returns the instruction forms that the options select.
func (f *benchFlags) forms(t *plan.Target, match *regexp.Regexp, exts map[string]bool) ([]isa.FormID, error) {
	forms := slices.Concat(t.Select(match, exts), t.SelectStack(match, exts), t.SelectBranches(match, exts))
	if f.quick {
		forms = among(t, forms, strings.Fields(quickForms(t)))
	}
	if f.registers {
		forms = t.Registers(forms)
	}
	if len(forms) == 0 {
		return nil, inputError{errors.New("no form to measure: --instr is a regular expression for names of forms ('incore forms' prints them)")}
	}
	return forms, nil
}

// emulated runs the benchmarks of forms, or those of memory, under an emulator.
func (f *benchFlags) emulated(ctx context.Context, e *env, t *plan.Target, forms []isa.FormID, what int) error {
	if what != benchKinds["memory"] {
		return emulated(ctx, e, t, emulation{&f.out, "form", len(forms)}, func(m *emulate.Emulator, one func(*emulate.Trial) error, progress func(done, failed int)) error {
			return m.Forms(ctx, forms, what, one, progress)
		})
	}
	match, err := formPattern(f.instr)
	if err != nil {
		return err
	}
	tests, err := memoryTests(t, match)
	if err != nil {
		return err
	}
	return emulated(ctx, e, t, emulation{&f.out, "test", len(tests)}, func(m *emulate.Emulator, one func(*emulate.Trial) error, progress func(done, failed int)) error {
		return m.Memory(ctx, tests, one, progress)
	})
}

// listed lists all forms whose names match, with the reason for a missing figure.
func listed(t *plan.Target, match *regexp.Regexp) *results.Listing {
	out := &results.Listing{ISA: t.ISA.Name}
	for i := isa.FormID(1); int(i) < t.ISA.Forms.Len(); i++ {
		if name := t.ISA.Forms.Name(i); match == nil || match.MatchString(name) {
			out.Forms = append(out.Forms, results.Listed{Form: name, Reason: t.Unmeasured(i)})
		}
	}
	return out
}

// memoryTests returns the memory tests of the matching forms, or the target's own list of tests.
func memoryTests(t *plan.Target, match *regexp.Regexp) ([]plan.MemoryTest, error) {
	if match == nil {
		match = t.Memory
	}
	tests := t.MemoryTests(match)
	if len(tests) == 0 {
		return nil, inputError{errors.New("no load or store to measure: --instr must match forms that do nothing but load, store, or both at one address")}
	}
	return tests, nil
}

// memory measures loads and stores.
func (f *benchFlags) memory(ctx context.Context, e *env, b *bench.Bench, match *regexp.Regexp, base string) error {
	tests, err := memoryTests(b.Target, match)
	if err != nil {
		return err
	}
	w, done, err := f.results(e, b, base)
	if err != nil {
		return err
	}
	defer w.Close()
	tests = slices.DeleteFunc(tests, func(t plan.MemoryTest) bool { return done[t.Name] })
	found := &results.Memory{Machine: results.Here(Version), ISA: b.Target.ISA.Name}
	progress := e.counting(len(tests))
	return f.out.end(e, found, b.Memory(ctx, tests, func(x results.MemoryFigure) error {
		found.Tests = append(found.Tests, x)
		progress(x.Reason != "")
		return x.Write(w)
	}))
}

// among returns the forms whose names are in a list.
func among(t *plan.Target, forms []isa.FormID, names []string) (out []isa.FormID) {
	in := map[string]bool{}
	for _, n := range names {
		in[n] = true
	}
	for _, f := range forms {
		if in[t.ISA.Forms.Name(f)] {
			out = append(out, f)
		}
	}
	return out
}

// results opens a file of results to continue it, and reports the results that it already has.
func (f *benchFlags) results(e *env, b *bench.Bench, base string) (w io.WriteCloser, done map[string]bool, err error) {
	w, err = f.out.open(e, func(r io.Reader) (whole int64, err error) {
		done, whole, err = results.Measured(r, results.Here(Version).CPU)
		return whole, err
	}, func(w io.Writer) error { return b.WriteHeader(w, results.Here(Version), base) })
	return w, done, err
}

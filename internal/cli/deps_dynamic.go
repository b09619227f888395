package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/dyndeps"
	"incore/internal/report"
)

// dynamicFlags are the options of incore deps that run the program.
type dynamicFlags struct {
	out               outputFlags
	dynamic, coverage bool
	ranges            []string
	lifetime          uint64
	top               int
	memory            uint64 // MiB
	qemu, cpu, root   string
	resume            string
	limit             time.Duration
	functions         *repeated
}

// repeated is an option that takes one value here and several values in another mode of the command.
type repeated struct {
	pflag.Value
	all []string
}

func (r *repeated) Set(s string) error {
	r.all = append(r.all, s)
	return r.Value.Set(s)
}

// coverageLimit is the default time limit of a program in the coverage experiment.
const coverageLimit = 10 * time.Minute

// addDynamic adds the options --dynamic and --coverage to the command deps: with them it
// runs and observes the program.
func addDynamic(e *env, cmd *cobra.Command) {
	fl := cmd.Flags()
	function := fl.Lookup("function")
	f := &dynamicFlags{functions: &repeated{Value: function.Value}}
	function.Value = f.functions
	function.Usage += " (dynamic: several times)"
	fl.BoolVar(&f.dynamic, "dynamic", false, "run a program and report the dependences through memory that occur: incore deps --dynamic -- PROGRAM ARGUMENTS")
	fl.BoolVar(&f.coverage, "coverage", false, "run programs and report how much of what occurs the static analysis finds: incore deps --coverage PROGRAM... [-- ARGUMENTS]")
	fl.StringArrayVar(&f.ranges, "range", nil, "dynamic: loads at addresses `A-B` of the file only (hexadecimal; several times)")
	fl.Uint64Var(&f.lifetime, "lifetime", 0, "dynamic, coverage: only dependences of fewer than `N` instructions between store and load; 0: all")
	count(fl, &f.top, 40, option{"top", "", 0, noLimit, "dynamic: dependences that the text shows; 0: all"})
	fl.Uint64Var(&f.memory, "shadow-memory", dyndeps.DefaultMemory>>20, "dynamic: limit of the shadow memory, in `MiB`; it takes twice what the program writes")
	fl.StringVar(&f.qemu, "qemu", "", "dynamic: the emulator (default: qemu-x86_64, qemu-aarch64 or qemu-riscv64)")
	fl.StringVar(&f.cpu, "cpu", "", "dynamic: the CPU that is emulated, as QEMU's option -cpu has it (\"max,sve256=on,sve-default-vector-length=-1\")")
	fl.StringVar(&f.root, "sysroot", "", "dynamic: where the dynamic linker and libraries for a foreign program are (default: Debian's, /usr/aarch64-linux-gnu …)")
	fl.StringVar(&f.resume, "resume", "", "coverage: keep the figures of each program in a `FILE` (CSV); programs that have theirs there are not run again")
	fl.DurationVar(&f.limit, "time-limit", 0, "dynamic, coverage: end a program after so long (\"90s\", \"5m\"), which --coverage then leaves out; 0: never (default with --coverage: 10m)")
	cmd.Long += `

With --dynamic it runs a program under QEMU instead and reports the dependences through memory that occur: which store wrote what
a load reads, how often, how many iterations and instructions before. --coverage compares that with what is found in the code.
Chosen by --function, --loop or --range are the loads. docs/dynamic-deps.md tells what is needed and what is not seen.`
	cmd.Example += `
  incore deps --dynamic --function relax --lifetime 512 -- ./solver input.txt
  incore deps --coverage --resume kept.csv build/*`
	static, args := cmd.RunE, cmd.Args
	cmd.Args = func(cmd *cobra.Command, a []string) error {
		if f.dynamic || f.coverage || args == nil {
			return nil
		}
		return args(cmd, a)
	}
	cmd.RunE = func(cmd *cobra.Command, a []string) error {
		switch {
		case f.dynamic && f.coverage:
			return errors.New("--dynamic and --coverage: one of them is needed")
		}
		if err := f.fits(cmd); err != nil {
			return err
		}
		switch {
		case f.dynamic:
			return f.observe(e, cmd, a)
		case f.coverage:
			return f.cover(e, cmd, a)
		}
		return static(cmd, a)
	}
}

// dynamicOptions lists the options that apply when a program is run: with --dynamic, with --coverage, or with both.
var dynamicOptions = map[string]string{
	"format": "either", "output": "either", "verbose": "either", "color": "either", "width": "either", "help": "either",
	"lifetime": "either", "top": "either", "shadow-memory": "either", "qemu": "either", "cpu": "either", "sysroot": "either", "time-limit": "either",
	"dynamic": "--dynamic", "function": "--dynamic", "loop": "--dynamic", "range": "--dynamic",
	"coverage": "--coverage", "arch": "--coverage", "resume": "--coverage",
}

// fits returns an error for options that do not apply in the mode of this call.
func (f *dynamicFlags) fits(cmd *cobra.Command) (err error) {
	static := []string{"format", "output", "verbose", "color", "width", "help", "function", "loop", "arch"}
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		use := dynamicOptions[fl.Name]
		mode := map[bool]string{true: "--dynamic", false: "--coverage"}[f.dynamic]
		switch {
		case !f.dynamic && !f.coverage:
			if use == "either" {
				use = "--dynamic and --coverage"
			}
			if use != "" && !slices.Contains(static, fl.Name) {
				err = fmt.Errorf("--%s is for %s, where the program runs", fl.Name, use)
			}
		case use == "":
			err = fmt.Errorf("--%s has no meaning with %s, which looks at what occurs, not at the code", fl.Name, mode)
		case use != "either" && use != mode:
			err = fmt.Errorf("--%s has no meaning with %s, only with %s", fl.Name, mode, use)
		}
	})
	switch {
	case err != nil:
	case len(f.functions.all) > 1 && !f.dynamic:
		err = errors.New("several --function are for --dynamic; the code of one is analysed")
	case f.memory == 0:
		err = errors.New("--shadow-memory 0: at least 1 MiB is needed")
	case f.limit < 0:
		err = fmt.Errorf("--time-limit %v: it is negative", f.limit)
	case f.coverage && !cmd.Flags().Changed("time-limit"):
		f.limit = coverageLimit
	}
	return err
}

// given returns the value of an option that the static mode of the command also has.
func given(cmd *cobra.Command, name string) string {
	if fl := cmd.Flags().Lookup(name); fl != nil {
		return fl.Value.String()
	}
	return ""
}

// output copies the output options that the command has registered.
func (f *dynamicFlags) output(cmd *cobra.Command, r report.Result) error {
	f.out = outputFlags{formats: report.Formats(r), format: given(cmd, "format"), file: given(cmd, "output"), color: "never", width: 0, verbose: given(cmd, "verbose") == "true"}
	return f.out.check()
}

// openProgram opens an executable; it searches PATH as a shell does, and then the working directory, as for files of other commands.
func openProgram(name string) (*dyndeps.Program, error) {
	path, err := object.LookProgram(name)
	if err != nil {
		if _, serr := os.Stat(name); serr != nil || strings.ContainsRune(name, os.PathSeparator) {
			return nil, err
		}
		path = name
	}
	obj, err := object.Open(path, catalog.ISAs()...)
	if errors.Is(err, object.ErrFormat) {
		return nil, fmt.Errorf("%s is no executable; for a script, give the program that runs it", path)
	} else if err != nil {
		return nil, err
	}
	return dyndeps.Open(obj)
}

// observe runs incore deps --dynamic.
func (f *dynamicFlags) observe(e *env, cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("a program is needed: incore deps --dynamic -- PROGRAM ARGUMENTS")
	}
	if err := f.output(cmd, (*dyndeps.Report)(nil)); err != nil {
		return err
	}
	p, err := openProgram(args[0])
	if err != nil {
		return inputError{err}
	}
	o := f.options(e)
	o.Args, o.Stdin = args[1:], e.stdin
	if !toStdout(f.out.file) {
		o.Stdout = e.stdout // the report goes to a file
	}
	chosen, err := f.pick(cmd, p, &o)
	if err != nil {
		return err
	}
	o.Progress = e.instructions()
	ctx, stop := untilSignal(context.Background())
	t, err := p.Observe(ctx, o)
	stop()
	if o.Progress != nil {
		fmt.Fprint(e.stderr, "\r\x1b[K")
	}
	if err != nil {
		return inputError{err}
	}
	r := t.Describe(chosen)
	r.Copies(p, f.functions.all)
	if f.out.format == "csv" {
		for _, n := range r.Notes { // CSV rows cannot hold notes
			e.complain("note", "", "%s", n)
		}
	}
	if err := f.out.write(e, r, report.TextOptions{Most: f.top}); err != nil {
		return err
	}
	if t.Rewritten != 0 {
		return inputError{fmt.Errorf("%s: %w; what was seen until then is reported", args[0], dyndeps.ErrRewritten)}
	}
	if t.Crashed {
		return endedBy(args[0], t.Signal)
	}
	return nil
}

// endedBy returns the error for a program that a signal ended, nil without a signal.
func endedBy(program, signal string) error {
	if signal == "" {
		return nil
	}
	return inputError{fmt.Errorf("%s: ended by %s; what was seen until then is reported", program, signal)}
}

// options returns the options of the run. The program's output goes to standard error, separate from the report.
func (f *dynamicFlags) options(e *env) dyndeps.Options {
	return dyndeps.Options{Emulator: f.qemu, CPU: f.cpu, Sysroot: f.root, Lifetime: f.lifetime, Memory: f.memory << 20, Limit: f.limit, Stdout: e.stderr, Stderr: e.stderr}
}

// pick selects the code whose loads are observed, and returns its name.
func (f *dynamicFlags) pick(cmd *cobra.Command, p *dyndeps.Program, o *dyndeps.Options) (chosen string, err error) {
	var parts []string
	loop, _ := strconv.Atoi(given(cmd, "loop"))
	if loop != 0 && len(f.functions.all) != 1 {
		return "", errors.New("--loop needs one --function")
	}
	for _, name := range f.functions.all {
		fn, err := functionOf(p.File, name)
		if err != nil {
			return "", inputError{err}
		}
		r, text := []dyndeps.Range{{Lo: fn.Addr, Hi: fn.End()}}, fn.Name
		if loop != 0 {
			if r, text, err = loopRanges(p.File, fn, loop); err != nil {
				return "", inputError{err}
			}
		}
		o.Pick, parts = append(o.Pick, r...), append(parts, text)
	}
	for _, text := range f.ranges {
		lo, hi, ok := strings.Cut(text, "-")
		a, err := strconv.ParseUint(strings.TrimPrefix(lo, "0x"), 16, 64)
		b, err2 := strconv.ParseUint(strings.TrimPrefix(hi, "0x"), 16, 64)
		if !ok || err != nil || err2 != nil || a >= b {
			return "", fmt.Errorf("--range %s: two hexadecimal addresses are needed, A-B", text)
		}
		o.Pick, parts = append(o.Pick, dyndeps.Range{Lo: a, Hi: b}), append(parts, text)
	}
	return strings.Join(parts, ", "), nil
}

// loopRanges returns the addresses of the blocks of a function's loop, by number from 1.
func loopRanges(obj *object.File, fn *object.Function, n int) (out []dyndeps.Range, text string, err error) {
	loops := obj.Loops(fn)
	if n < 1 || n > len(loops) {
		return nil, "", fmt.Errorf("%s has %s, not a loop %d", fn.Name, counted(len(loops), "loop"), n)
	}
	l := loops[n-1]
	for _, b := range l.Blocks {
		out = append(out, dyndeps.Range{Lo: l.Graph.Blocks[b].Addr, Hi: l.Graph.Blocks[b].End})
	}
	return out, fmt.Sprintf("loop %d of %s", n, fn.Name), nil
}

// instructions shows the progress of a run, if standard error is a terminal.
func (e *env) instructions() func(dyndeps.Progress) {
	t, ok := e.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(t.Fd())) {
		return nil
	}
	return func(p dyndeps.Progress) {
		fmt.Fprintf(e.stderr, "\r%.1f M instructions, %s, %.0f s", float64(p.Instructions)/1e6, counted(int(p.Dependences), "dependence"), p.Elapsed.Round(time.Second).Seconds())
	}
}

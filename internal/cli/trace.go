package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/program/cachesim"
	"incore/internal/program/trace"
	"incore/internal/report"
)

// traceFlags are the options of incore trace.
type traceFlags struct {
	outputFlags
	machineFlags
	trace.Options
	ranges       []string
	caches       string
	cacheLatency []int
	noSensitive  bool
}

// newTrace returns the command incore trace, which simulates the recorded execution of programs.
func newTrace(e *env) *cobra.Command {
	var f traceFlags
	cmd := &cobra.Command{
		Use:   "trace [--function F | --loop F+0x1c | --range LO-HI] -- PROGRAM [ARGUMENTS]",
		Short: "run a program and simulate the core on what it executed: its path, its addresses, its branches",
		Long: `Runs a program, records which code it executes and which addresses that accesses, and simulates a core on it: on the path
that was taken, with the dependences through memory that occurred and the branches that a predictor would not have foreseen.
It tells the cycles of the whole and of each loop, where they went, and what each limit of the core costs.

x86-64 programs run natively on Linux, those for AArch64 and RISC-V under QEMU. Equal parts of a run are simulated once, and of very many
that are alike a sample is: the report says which share, and gives an error bar. All data are taken to be in the first-level cache, unless
--caches says what caches there are. docs/trace.md tells more.`,
		Example: `  incore trace -- ./solver input.txt
  incore trace --function relax --arch zen4,skx -- ./a.out
  incore trace --loop spmv+0x40 --caches host -- ./a.out matrix.mtx
  incore trace --arch neoverse-n1 -- ./a.out.aarch64`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at > 0 || at < 0 && len(args) > 0 && strings.HasPrefix(args[0], "-") {
				return fmt.Errorf("put the program and its arguments after --: incore trace -- %s", strings.Join(args, " "))
			}
			if len(args) == 0 {
				return errors.New("a program is needed: incore trace -- PROGRAM [ARGUMENTS]")
			}
			return f.run(e, args)
		},
	}
	f.machineFlags.register(cmd)
	f.results(cmd, trace.Results{})
	fl := cmd.Flags()
	fl.StringVarP(&f.Function, "function", "f", "", "trace while this `FUNCTION` runs, with all that it calls")
	fl.StringVar(&f.Loop, "loop", "", "trace this `LOOP` (function+0x1c, as incore loops names it; of a function alone the largest), with all that it calls")
	fl.StringArrayVar(&f.ranges, "range", nil, "trace code at these addresses of the program's file: `LO-HI`, hexadecimal (several times), with all that it calls")
	fl.DurationVar(&f.Limit, "time-limit", 0, "end the program after this `TIME` (30s): what it did until then is the result; default: none")
	count(fl, &f.Sample, 40, option{"sample", "", 0, noLimit, "of parts of a run that execute the same but differ, simulate so many, and of further ones ever fewer; 0: all"})
	fl.StringVar(&f.caches, "caches", "", "model caches: host for those of this machine, or those of a roofline `MACHINE` or file; default: all data are in the first level")
	fl.IntSliceVar(&f.cacheLatency, "cache-latency", []int{10, 40, 250}, "cycles more than from the first level that a load takes from the second, the third … and memory")
	fl.BoolVar(&f.noSensitive, "no-sensitivity", false, "do not simulate again without one limit after another")
	fl.BoolVar(&f.QEMU, "qemu", false, "run x86-64 programs under QEMU, too, as a check")
	fl.StringVar(&f.CPU, "cpu", "", "the `CPU` that QEMU emulates (max,sve512=on,sve-default-vector-length=-1)")
	fl.StringVar(&f.Sysroot, "sysroot", "", "where the libraries of a program for another machine are, a `DIRECTORY`")
	return cmd
}

func (f *traceFlags) run(e *env, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	f.Args, f.Stdin, f.Stdout, f.Stderr = args, os.Stdin, os.Stdout, os.Stderr
	if f.Limit < 0 {
		return fmt.Errorf("--time-limit %v: it is negative", f.Limit)
	}
	if _, ok := e.stdout.(*os.File); !ok { // in a test the program's output is dropped
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer null.Close()
		f.Stdin, f.Stdout, f.Stderr = null, null, null
	} else if toStdout(f.file) && f.format != "text" {
		f.Stdout = f.Stderr // only the result goes to standard output
	}
	if err := f.choose(e); err != nil {
		return err
	}
	var o analyze.Options
	if err := f.apply(&o); err != nil {
		return err
	}
	f.Sensitivity = !f.noSensitive
	var targets []analyze.Target
	f.Models = func(a *isa.ISA) (out []*machine.Model, err error) {
		if targets, _, err = analyze.Targets(&o, a); err != nil {
			return nil, err
		}
		for _, t := range targets {
			if t.Model.ISA != a.Name {
				return nil, fmt.Errorf("%s is a machine for %s, the program is %s", t.Model.Name, t.Model.ISA, a.Name)
			}
			out = append(out, t.Model)
		}
		return out, nil
	}
	f.Progress = func(p trace.Progress) {
		e.note("%s", p)
	}
	ctx, stop := interruptible()
	defer stop()
	results, err := trace.Run(ctx, f.Options)
	e.note("")
	if err != nil {
		return inputError{err}
	}
	err = f.write(e, trace.Results(results), report.TextOptions{})
	if len(results) > 0 && results[0].Partial != "" {
		e.complain("warning", "", "the trace is partial: %s", results[0].Partial)
	}
	if err == nil && len(results) > 0 {
		err = endedBy(f.Args[0], results[0].Signal)
	}
	return err
}

// addressRange reads a value of --range: 401000-401080.
func addressRange(text string) (lo, hi uint64, err error) {
	low, high, ok := strings.Cut(text, "-")
	lo, err1 := strconv.ParseUint(strings.TrimPrefix(low, "0x"), 16, 64)
	hi, err2 := strconv.ParseUint(strings.TrimPrefix(high, "0x"), 16, 64)
	if !ok || err1 != nil || err2 != nil || lo >= hi {
		return 0, 0, fmt.Errorf("--range %s: two addresses are needed, the lower first: 401000-401080", text)
	}
	return lo, hi, nil
}

// choose reads the options that select the traced code and the caches.
func (f *traceFlags) choose(e *env) error {
	for _, r := range f.ranges {
		lo, hi, err := addressRange(r)
		if err != nil {
			return err
		}
		f.Ranges = append(f.Ranges, trace.Range{Lo: lo, Hi: hi})
	}
	for _, n := range f.cacheLatency {
		if n < 0 || n > 100000 {
			return fmt.Errorf("--cache-latency %d: 0 to 100000 cycles are needed", n)
		}
	}
	switch f.caches {
	case "":
		return nil
	case "host":
		levels, err := cachesim.Host()
		if err != nil {
			return inputError{err}
		}
		f.Caches, f.CachesFrom = levels, "this machine"
	default:
		var err error
		if f.Caches, f.CachesFrom, err = readCaches(e, f.caches); err != nil {
			return err
		}
	}
	f.CacheLatency = f.cacheLatency
	return nil
}

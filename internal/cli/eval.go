package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/base/platform"
	"incore/internal/bench/measure"
	"incore/internal/eval/suite"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// newEval returns the command incore eval, which compares predictors with measurements of whole benchmarks.
func newEval(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "judge predictors by benchmarks that are made here and measured whole",
		Long: `Makes benchmarks of loop nests by the compilers and loop-nest optimisers that are installed, runs and measures each as it was built, counts its basic
blocks, and holds predictors against that (the method of CesASMe: Bastian et al., 2024).

  incore eval make -o DIR --limit 100
  incore eval run DIR
  incore eval report DIR

'make' needs a C compiler; each other compiler adds variants. 'run' needs nothing but a machine that is quiet while it measures. Both may be
interrupted at any time: the same command goes on.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvalMake(e), newEvalRun(e), newEvalReport(e), newEvalExport(e), newEvalHunt(e), newEvalSlurm(e), newEvalKernels(e))
	return cmd
}

// interruptible returns a context that ends with the first interrupt.
func interruptible() (context.Context, func()) {
	return untilSignal(context.Background())
}

// crossTarget returns the target that a value of --cross names; ok is false if there is none.
func crossTarget(name string) (t suite.Target, ok bool) {
	p := platform.Of(name)
	if p == nil || p.CPU == "" {
		return t, false
	}
	return suite.Target{ISA: name, Triple: p.Triple, Emu: []string{p.Emulator, "-L", p.Sysroot(), "-cpu", p.CPU}}, true
}

func newEvalMake(e *env) *cobra.Command {
	var o suite.MakeOptions
	var kernels, cross string
	var program programFlags
	var out outputFlags
	cmd := &cobra.Command{
		Use:   "make -o DIR [--executable PROGRAM {--function NAME | --range LO-HI} [-- ARGUMENTS]]",
		Short: "make benchmarks of kernels by compilers and loop-nest optimisers",
		Long: `Compiles kernels in all ways that the installed compilers offer, in an order that the seed decides, until there are enough benchmarks whose machine
code differs. A variant whose check returns another number than plain code is dropped and counted, as is one that crashes or does not end.

A file for --source has 'void init(void)', 'void kernel(void)' and 'double check(void)' on its own static data (in Fortran with bind(c)); given alone
it is the only kernel. It may include "nest.h", whose marks in front of loops say where transformations apply; 'incore eval kernels' shows where to look.

With --executable the benchmark is a region of a program as it runs: a function with all that it calls, or the code from one address to another. The program stays as it is; it runs
several times, each execution of the region counts as the fastest of these times, and all of them together. It is ended behind the last execution that counts.`,
		Example: `  incore eval make -o suite --limit 100
  incore eval make -o mine --source stencil.c
  incore eval make -o stencils --kernels 'jacobi|heat'
  incore eval make -o mine --executable ./solver --function relax -- input.txt
  incore eval make -o mine --executable ./solver --range 4011d0-401240 --calls 3 -- input.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Dir == "" {
				return errors.New("-o DIR is needed: where the benchmarks go")
			}
			if err := out.check(); err != nil {
				return err
			}
			if at := cmd.ArgsLenAtDash(); len(args) > 0 && (program.Path == "" || at != 0) {
				return fmt.Errorf("unexpected argument %s; arguments of --executable's program stand behind --", args[0])
			}
			if t := o.Tolerance; cmd.Flags().Changed("tolerance") && !(t > 0 && t < 1) {
				return fmt.Errorf("--tolerance %g: a number above 0 and below 1 is needed", t)
			}
			for _, name := range []string{"function", "range", "calls", "stdin"} {
				if program.Path == "" && cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s needs --executable PROGRAM", name)
				}
			}
			if program.Path != "" {
				return program.run(e, cmd, o.Dir, args, &out)
			}
			if cmd.Flags().Changed("kernels") {
				if o.Kernels, err = regexp.Compile(kernels); err != nil {
					return fmt.Errorf("--kernels: %w", err)
				}
			}
			if o.Target, err = evalTarget(cross); err != nil {
				return err
			}
			return makeSuite(e, o, &out)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&o.Dir, "output", "o", "", "directory of the benchmarks")
	fl.StringVar(&kernels, "kernels", "", "only kernels whose names match this regular `expression`")
	fl.StringArrayVar(&o.Sources, "source", nil, "a `FILE` with init, kernel and check; may be repeated")
	count(fl, &o.Limit, 4000, option{"limit", "", 1, 1000000, "so many benchmarks in the directory"})
	fl.Float64Var(&o.Tolerance, "tolerance", 0, "largest relative difference of check's `number` from that of plain code; default:\n1e-7, or 2e-3 if the kernel has numbers of single precision")
	fl.Uint64Var(&o.Seed, "seed", 1, "of the order in which variants are tried")
	fl.StringVar(&cross, "cross", "", "aarch64 or riscv64: compile for it, count under QEMU and predict; nothing is measured")
	program.register(cmd)
	out.formatOnly(cmd, (*suite.Made)(nil))
	return cmd
}

// evalTarget returns this machine as target, or the one that --cross names.
func evalTarget(cross string) (suite.Target, error) {
	if cross == "" {
		return suite.Target{ISA: measure.Here().ISA.Name}, nil
	}
	t, ok := crossTarget(cross)
	if !ok {
		return t, fmt.Errorf("--cross %s: aarch64 or riscv64 is needed", cross)
	}
	return t, nil
}

func makeSuite(e *env, o suite.MakeOptions, out *outputFlags) error {
	ctx, stop := interruptible()
	defer stop()
	begun := time.Now()
	o.Progress = func(benchmarks, dropped, tried, of int) {
		e.note("%d of %d benchmarks, %s dropped%s", benchmarks, o.Limit, counted(dropped, "variant"), describe.Remaining(time.Since(begun), benchmarks, min(o.Limit, of)-benchmarks))
	}
	o.Warn = func(text string) { e.complain("warning", "", "%s", text) }
	made, err := suite.Make(ctx, o)
	e.note("")
	if ctx.Err() != nil {
		return inputError{fmt.Errorf("interrupted at %s; the same command goes on from there", counted(made.Benchmarks, "benchmark"))}
	} else if err != nil {
		return inputError{err}
	} else if made.Benchmarks == 0 {
		return inputError{fmt.Errorf("no benchmark was made; variants dropped: %s", suite.Reasons(made.Dropped))}
	}
	return out.write(e, made, report.TextOptions{})
}

func newEvalRun(e *env) *cobra.Command {
	var shard, arch string
	var names, commands []string
	var noMeasure, again bool
	var out outputFlags
	cmd := &cobra.Command{
		Use:   "run DIR",
		Short: "measure the benchmarks of a directory and ask predictors",
		Long: `Runs each benchmark of the directory: counts its blocks, measures it whole, and asks predictors. What is there already is not done again, so that an
interrupted run goes on. Shards of a directory may run at the same time on machines of one kind; 'report' takes all together.

Predictors: ` + strings.Join(predictorNames(), ", ") + `. Beside these, coverage observes under QEMU which dependences through memory occur in a sample,
and how many the static analysis finds.`,
		Args: evalDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			o := suite.RunOptions{Dir: args[0], Shard: 1, Of: 1, NoMeasure: noMeasure, Again: again}
			err := out.check()
			if err != nil {
				return err
			}
			if shard != "" {
				if o.Shard, o.Of, err = parseShard(shard); err != nil {
					return err
				}
			}
			if o.Predictors, err = suite.Choose(names); err != nil {
				return err
			}
			for _, c := range commands {
				p, err := suite.ParseCommand(c)
				if err != nil {
					return fmt.Errorf("--command: %w", err)
				}
				o.Predictors = append(o.Predictors, p)
			}
			o.Coverage = len(names) == 0 || slices.Contains(names, suite.CoverageName)
			return runSuite(e, o, arch, &out)
		},
	}
	fl := cmd.Flags()
	out.formatOnly(cmd, (*suite.Summary)(nil))
	fl.StringVar(&shard, "shard", "", "only part `i/n` of the benchmarks")
	fl.StringSliceVar(&names, "predictors", nil, "only these, or none; default: all that are installed")
	fl.StringArrayVar(&commands, "command", nil, "another predictor, `NAME=COMMAND`: run for each block, of which {code} is a file of the machine code and\n{asm} one of the text; the last line it prints has the cycles; may be repeated")
	fl.StringVar(&arch, "arch", "", "the model that predicts; default: this machine's")
	fl.BoolVar(&again, "again", false, "ask predictors again of what another build of incore asked, as after a change of a model")
	fl.BoolVar(&noMeasure, "no-measure", false, "measure nothing; ask predictors of what was measured before")
	return cmd
}

func predictorNames() (out []string) {
	for _, p := range suite.Predictors() {
		out = append(out, p.Name)
	}
	return out
}

func evalDir(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("one directory is needed, as 'incore eval make -o DIR' makes it")
	}
	return nil
}

func parseShard(text string) (i, n int, err error) {
	a, b, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || i < 1 || i > n {
		return 0, 0, fmt.Errorf("--shard %s: i/n is needed, i from 1 to n", text)
	}
	return i, n, nil
}

func runSuite(e *env, o suite.RunOptions, arch string, out *outputFlags) error {
	ctx, stop := interruptible()
	defer stop()
	o.Warn = func(text string) { e.complain("warning", "", "%s", text) }
	target, err := suite.TargetOf(o.Dir)
	if err != nil {
		return inputError{err}
	}
	if host, _, ok := machine.Host(); arch == "" && ok && target == measure.Here().ISA.Name {
		arch = host
	} else if arch == "" && target != measure.Here().ISA.Name {
		arch, _ = machine.Default(target)
	}
	if arch != "" {
		m, err := machine.Get(arch)
		if err != nil {
			return inputError{err}
		}
		if m.ISA != target {
			return fmt.Errorf("--arch %s is a %s core; the benchmarks are for %s", arch, m.ISA, target)
		}
		o.Model = m
	}
	var what string
	var begun time.Time
	first := 0
	o.Progress = func(step string, done, of int) {
		if step != what {
			what, begun, first = step, time.Now(), done
		}
		e.note("%s: %d of %d%s", step, done, of, describe.Remaining(time.Since(begun), done-first, of-done))
	}
	sum, err := suite.Run(ctx, o)
	e.note("")
	if ctx.Err() != nil {
		return inputError{fmt.Errorf("interrupted; %d measured, %s made in this run and kept; the same command goes on from there", sum.Measured, counted(sum.Predicted, "prediction"))}
	} else if err != nil {
		return inputError{err}
	}
	return out.write(e, sum, report.TextOptions{})
}

func newEvalKernels(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "kernels [NAME]",
		Short:   "the kernels that benchmarks are made of, or the source of one",
		Example: "  incore eval kernels\n  incore eval kernels accumulate",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var b strings.Builder
			for _, k := range suite.Kernels() {
				if len(args) == 0 {
					fmt.Fprintf(&b, "%-18s %-7s %s\n", k.Name, k.Language(), k.Family)
				} else if k.Name == args[0] {
					b.WriteString(k.Text)
				}
			}
			if b.Len() == 0 {
				return inputError{fmt.Errorf("there is no kernel %s; 'incore eval kernels' lists them", args[0])}
			}
			return e.output("", text(b.String()))
		},
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/program/cachesim"
	"incore/internal/report"
	"incore/internal/roofline"
	"incore/internal/roofline/profile"
)

// profileFlags are the options of incore roofline profile.
type profileFlags struct {
	outputFlags
	profile.Options
	machine string
	ranges  []string

	again      bool
	static     bool
	trips      []string
	registers  []string
	vectorBits int
}

func newRooflineProfile(e *env) *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "profile -o FILE [--machine MACHINE] -- PROGRAM [ARGUMENTS]",
		Short: "count what a program does: floating-point operations, instructions, bytes by level of memory",
		Long: `Runs a program and counts its floating-point operations and instructions, the bytes that it loads and stores, and
which level of memory serves them, by a model of the caches: this machine's, or those of --machine. Masked elements
do not count, a fused multiply-add counts two. Libraries count as the program's own code does.

x86-64 programs run natively as a translation of their own code, and again as they are to measure their time (--repeat).
Programs for AArch64 and RISC-V, and with --qemu x86-64 ones, run under QEMU with a plugin.

With --static nothing runs: the code of a function (default: main) is followed with what it calls, as far as its
integer arithmetic tells where branches go and how often loops go round. What the code does not tell is to be given
(--trips, --register), or the profile is partial and says where. It takes executables and object files of any machine.

The profile is JSON; with -o, a table of it is printed behind the program's own output.`,
		Example: `  incore roofline profile -o here.json -- ./lulesh 30
  incore roofline profile -o k.json --function kernel --machine here.machine -- ./a.out
  incore roofline profile -o sve.json --cpu max,sve512=on,sve-default-vector-length=-1 -- ./a.out.aarch64
  incore roofline profile --static --function kernel --trips 1000 -o s.json kernel.o
  incore roofline profile --static --function daxpy --register x0=4096 --vector-bits 512 -o s.json daxpy.aarch64.o`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at > 0 || at < 0 && len(args) > 0 && strings.HasPrefix(args[0], "-") {
				return fmt.Errorf("put the program and its arguments after --: incore roofline profile -o FILE -- %s", strings.Join(args, " "))
			}
			if f.again {
				return f.runAgain(e, args)
			}
			if len(args) == 0 {
				return errors.New("a program is needed: incore roofline profile -o FILE -- PROGRAM [ARGUMENTS]")
			}
			if f.static {
				return f.runStatic(e, cmd, args)
			}
			for _, name := range []string{"trips", "register", "vector-bits"} {
				if cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s is for --static: a program that runs knows it, or has it by --cpu", name)
				}
			}
			return f.run(e, args)
		},
	}
	f.outputFlags.register(cmd, "json", "text")
	fl := cmd.Flags()
	fl.StringVar(&f.machine, "machine", "", "the machine whose caches are modelled: a `FILE` or a name; default: this one")
	fl.StringVar(&f.Function, "function", "", "count while this `FUNCTION` runs, with all that it calls")
	fl.StringArrayVar(&f.ranges, "range", nil, "count the instructions at these addresses of the program's file only: `LO-HI`, hexadecimal (several times)")
	fl.BoolVar(&f.NoCaches, "no-caches", false, "no model of caches: all bytes are the first level's; faster")
	fl.DurationVar(&f.Limit, "time-limit", 0, "end the program after this `TIME` (10m): what was seen until then is the profile; default: none")
	count(fl, &f.Repeat, 3, option{"repeat", "", 0, maxRepeat,
		"measure the time as the least of this many runs, of programs that take seconds of fewer; 0: do not"})
	fl.Var(&f.Counters, "counters", "bytes by level by the kernel's counters: `auto|on|off`; auto: where it gives any; on: an error where it does not; the model of caches stands beside them")
	fl.BoolVar(&f.again, "again", false, "measure the time of the profile at -o once more, and keep the lesser: for machines that others use")
	fl.BoolVar(&f.QEMU, "qemu", false, "run x86-64 programs under QEMU, too, as a check")
	fl.StringVar(&f.CPU, "cpu", "", "the `CPU` that QEMU emulates (max,sve512=on,sve-default-vector-length=-1)")
	fl.BoolVar(&f.static, "static", false, "count from the code alone, without running it")
	fl.StringArrayVar(&f.trips, "trips", nil, "how often loops go round whose end the code does not tell: `[LOOP=]N`; LOOP as the table names it, a function, or a source line (several times)")
	fl.StringArrayVar(&f.registers, "register", nil, "what a register holds when the function is called: `NAME=VALUE` (several times)")
	fl.IntVar(&f.vectorBits, "vector-bits", 0, "the length of scalable vectors (SVE, RISC-V's V), in `BITS`")
	fl.StringVar(&f.Sysroot, "sysroot", "", "where the libraries of a program for another machine are, a `DIRECTORY`")
	return cmd
}

// maxRepeat is the number of runs that measure the time at most.
const maxRepeat = 1000

func (f *profileFlags) run(e *env, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	f.Args, f.Stdin, f.Stdout, f.Stderr = args, os.Stdin, os.Stdout, os.Stderr
	if f.Limit < 0 {
		return fmt.Errorf("--time-limit %v: it is negative", f.Limit)
	}
	if out, ok := e.stdout.(*os.File); ok {
		f.Stdout = out
	} else { // in a test the program's output is dropped
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer null.Close()
		f.Stdin, f.Stdout, f.Stderr = null, null, null
	}
	if toStdout(f.file) {
		f.Stdout = f.Stderr // the profile alone goes to standard output
	}
	if err := f.parseRanges(); err != nil {
		return err
	}
	if f.machine != "" {
		var err error
		if f.Caches, f.CachesFrom, err = readCaches(e, f.machine); err != nil {
			return err
		}
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	start := time.Now()
	p, err := profile.Run(ctx, f.Options)
	if err != nil {
		return inputError{err}
	}
	if f.verbose {
		fmt.Fprintf(e.stderr, "profiled in %v\n", time.Since(start).Round(time.Millisecond))
	}
	return f.write(e, p)
}

// write writes a profile, and a table of it where the profile goes to a file.
func (f *profileFlags) write(e *env, p *roofline.Profile) error {
	err := f.render(e, func(w io.Writer, o report.TextOptions) error {
		if f.format == "text" {
			return roofline.ProfileText(w, p, o.Verbose)
		}
		return report.JSON(w, p)
	})
	if err == nil && !toStdout(f.file) && f.format == "json" {
		err = e.print(func(w io.Writer) error { return roofline.ProfileText(w, p, f.verbose) })
	}
	if p.Partial != "" {
		e.complain("warning", "", "the profile is partial: %s", p.Partial)
	}
	if err == nil && len(p.Program) > 0 {
		err = endedBy(p.Program[0], p.Signal)
	}
	return err
}

// parseRanges reads --range.
func (f *profileFlags) parseRanges() error {
	for _, r := range f.ranges {
		lo, hi, err := addressRange(r)
		if err != nil {
			return err
		}
		f.Ranges = append(f.Ranges, profile.Range{Lo: lo, Hi: hi})
	}
	return nil
}

// runAgain measures the run time for a profile again.
func (f *profileFlags) runAgain(e *env, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if toStdout(f.file) || len(args) > 0 {
		return errors.New("--again takes a profile, and its program from it: incore roofline profile --again -o FILE")
	}
	p, err := readWork(e, f.file)
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	ctx, stop := untilSignal(context.Background())
	defer stop()
	f.Stdin, f.Stdout, f.Stderr = null, null, null
	if err := profile.Again(ctx, p, f.Options); err != nil {
		return inputError{err}
	}
	return f.write(e, p)
}

// runStatic makes a profile without running the program.
func (f *profileFlags) runStatic(e *env, cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	for _, name := range []string{"cpu", "qemu", "sysroot", "repeat", "time-limit", "machine"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s does not go with --static, which runs nothing and knows no addresses", name)
		}
	}
	if len(args) > 1 {
		return fmt.Errorf("--static takes a file without arguments, not %s: what depends on them is given by --trips and --register", strings.Join(args[1:], " "))
	}
	if v := f.vectorBits; v != 0 && (v < 64 || v > 65536 || v&(v-1) != 0) {
		return fmt.Errorf("--vector-bits %d: a power of two from 64 on is needed", v)
	}
	if err := f.parseRanges(); err != nil {
		return err
	}
	o := profile.StaticOptions{File: args[0], Function: f.Function, Ranges: f.Ranges, Vector: f.vectorBits, Registers: map[string]uint64{}}
	for _, s := range f.trips {
		t, err := profile.ParseTrips(s)
		if err != nil {
			return fmt.Errorf("--%w", err)
		}
		o.Trips = append(o.Trips, t)
	}
	for _, s := range f.registers {
		name, value, ok := strings.Cut(s, "=")
		v, err := strconv.ParseUint(value, 0, 64)
		if n, signed := strconv.ParseInt(value, 0, 64); err != nil && signed == nil {
			v, err = uint64(n), nil
		}
		if !ok || err != nil {
			return fmt.Errorf("--register %s: a name and an integer are needed: rdi=1000", s)
		}
		o.Registers[strings.TrimPrefix(name, "%")] = v
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	p, err := profile.Static(ctx, o)
	if err != nil {
		return inputError{err}
	}
	return f.write(e, p)
}

// readCaches reads the caches of a machine file, and the machine's name.
func readCaches(e *env, file string) (caches []cachesim.Level, from string, err error) {
	m, err := readMachine(e, file)
	if err != nil {
		return nil, "", err
	}
	levels, err := m.Caches()
	if err != nil {
		return nil, "", inputError{err}
	}
	for _, l := range levels {
		caches = append(caches, cachesim.Level{Name: l.Name, Size: int(l.Size), Ways: l.Ways, Line: l.Line, Spill: l.Victim})
	}
	return caches, m.Name, nil
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/tracee"
	"incore/internal/report"
)

// defaultPerf is the name of perf.
const defaultPerf = "perf"

// topFlags are the options of incore top.
type topFlags struct {
	machine machineFlags
	out     outputFlags
	loops   int
	perf    string // the program perf
	own     bool   // sample by incore's own sampler
}

// newTop returns the command that profiles a program and reports on its hottest loops.
func newTop(e *env) *cobra.Command {
	var f topFlags
	cmd := &cobra.Command{
		Use:   "top -- PROGRAM [ARGUMENT...]",
		Short: "run a program, find the loops in which it spends its time, and say what limits each",
		Long: `Runs a program under 'perf record', with branch records where the CPU has them, else under a sampler of its own (Linux: it
stops the program 250 times a second and looks where each thread is), and reports on the hottest loops: their share of the time,
predicted (and measured) cycles per iteration, what limits them, and what would make them faster. Shared libraries of the
program count as well. The program's output goes where it would go without incore; the report follows on standard output.
Ctrl-C ends the program, and the report is of the time until then. How the program ended is said, but is not the exit status.`,
		Example: `  incore top -- ./a.out 1000
  incore top --loops 5 -- ./a.out`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("which program? As in incore top -- ./a.out")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return f.run(e, args) },
	}
	f.machine.register(cmd)
	f.out.results(cmd, (*report.Hottest)(nil))
	fl := cmd.Flags()
	count(fl, &f.loops, 3, option{"loops", "", 1, 100, "number of loops to report on"})
	fl.StringVar(&f.perf, "perf", defaultPerf, "the `PROGRAM` perf")
	fl.BoolVar(&f.own, "own-sampler", false, "do not use perf")
	fl.SetInterspersed(false)
	return cmd
}

func (f *topFlags) run(e *env, args []string) error {
	if err := f.out.check(); err != nil {
		return err
	}
	var o analyze.LoopOptions
	if err := f.machine.apply(&o.Options); err != nil {
		return err
	}
	if len(o.Archs)+len(o.Models) > 1 {
		return fmt.Errorf("one machine at a time")
	}
	program, err := object.LookProgram(args[0])
	if err != nil {
		return inputError{err}
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	profile, how, err := f.profile(ctx, e, append([]string{program}, args[1:]...))
	if err != nil {
		return inputError{err}
	}
	o.Profile = profile
	return f.report(e, o, how)
}

// profile runs the program and returns where its time went.
func (f *topFlags) profile(ctx context.Context, e *env, args []string) (p *analyze.Profile, how string, err error) {
	if !f.own {
		if perf, err := exec.LookPath(f.perf); err == nil {
			p, how, err := f.record(ctx, e, perf, args)
			var not notRecorded
			if !errors.As(err, &not) {
				return p, how, err
			}
			e.complain("note", "", "%v: incore samples by itself", err)
		} else if f.perf != defaultPerf {
			e.complain("note", "", "%v: incore samples by itself", err)
		}
	}
	return sampled(ctx, e, args)
}

// notRecorded says why perf cannot record here; the program did not run.
type notRecorded struct{ error }

// record runs the program under perf, with the best event that works here.
func (f *topFlags) record(ctx context.Context, e *env, perf string, args []string) (*analyze.Profile, string, error) {
	dir, err := os.MkdirTemp("", "incore-top-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	data := filepath.Join(dir, "perf.data")
	why := ""
	for _, event := range [][]string{{"-e", "cycles:u", "-b"}, {"-e", "cycles:u"}, {"-e", "cpu-clock:u"}} {
		try := exec.CommandContext(ctx, perf, append(append([]string{"record", "-q", "-o", data}, event...), "--", "true")...)
		if out, err := try.CombinedOutput(); err != nil {
			why, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
			continue
		}
		cmd := exec.CommandContext(ctx, perf, append(append([]string{"record", "-q", "-o", data}, event...), append([]string{"--"}, args...)...)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = e.stdin, e.stdout, e.stderr
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // perf writes what it has
		cmd.WaitDelay = 10 * time.Second
		ended := cmd.Run()
		p, err := e.readProfile(data)
		if err != nil {
			return nil, "", errors.Join(fmt.Errorf("perf record: %w", err), ended)
		}
		if ctx.Err() != nil {
			e.cutShort()
		} else if ended != nil {
			e.complain("warning", "", "the program ended with %v", ended)
		}
		return p, "perf record " + strings.Join(event, " "), nil
	}
	return nil, "", notRecorded{fmt.Errorf("perf cannot record here (%s)", why)}
}

// cutShort says that a profile is not of a whole run.
func (e *env) cutShort() {
	e.complain("note", "", "interrupted: the report is of the time until then")
}

// report writes the reports of the hottest loops.
func (f *topFlags) report(e *env, o analyze.LoopOptions, how string) error {
	type hot struct {
		file *object.File
		list *report.Loops
		loop *report.LoopInfo
	}
	var found []hot
	var said []report.Diagnostic
	for _, name := range o.Profile.Files() {
		obj, err := object.Open(name, catalog.ISAs()...)
		if err != nil {
			continue // the kernel, memory without a file, a file that is gone
		}
		here := o
		here.Simulate = f.loops
		list, err := analyze.Loops(obj, here)
		if err != nil {
			e.complain("warning", "", "%s: %v", name, err)
			continue
		}
		for _, d := range list.Diagnostics { // what is said of the whole profile comes with every file; that a file has no samples needs no word
			switch d.Kind {
			case report.ProfileNotInLoops, report.ProfileElsewhere, report.ProfileOfOthers:
				continue
			}
			if !slices.ContainsFunc(said, func(s report.Diagnostic) bool { return s.Message == d.Message }) {
				said = append(said, d)
			}
		}
		for i := range list.Loops {
			if x := &list.Loops[i]; x.Share > 0 {
				found = append(found, hot{obj, list, x})
			}
		}
	}
	report.Complaints(e.stderr, said, e.colour("auto", e.stderr))
	slices.SortStableFunc(found, func(a, b hot) int { return cmp.Compare(b.loop.Share, a.loop.Share) })
	if len(found) == 0 {
		return inputError{errors.New("no sample lies in a loop of a file that can be read: did the program run long enough?")}
	}
	out := &report.Hottest{Schema: report.HottestSchema, Profile: how}
	for _, h := range found[:min(len(found), f.loops)] {
		one := o.Options
		one.Archs = []string{h.list.Arch}
		if len(o.Models) > 0 {
			one.Archs = nil
		}
		one.Listing = &source.Listing{Read: source.ReadFrom(filepath.Dir(h.file.Path), ".")}
		x := report.HotLoop{File: h.file.Path, Loop: *h.loop}
		doc, err := analyze.RunBinary(h.file, one, analyze.CodeSelect{Function: h.loop.Function, Loop: h.loop.Number})
		if err != nil {
			x.Error = err.Error()
		} else {
			x.Report = doc
		}
		out.Loops = append(out.Loops, x)
	}
	return f.out.write(e, out, report.TextOptions{})
}

// every is the time between two samples of incore's own sampler.
const every = 4 * time.Millisecond

// sampled runs the program under incore's own sampler.
func sampled(ctx context.Context, e *env, args []string) (*analyze.Profile, string, error) {
	p := analyze.NewProfile("incore's sampler")
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.stdin, e.stdout, e.stderr
	ending, err := tracee.Sample(ctx, cmd, every, p.Sample)
	if err != nil && (ctx.Err() == nil || p.Total() == 0) {
		return nil, "", err
	}
	if err != nil {
		e.cutShort()
	}
	if ending != "" {
		e.complain("warning", "", "%s", ending)
	}
	if p.Total() == 0 {
		return nil, "", errors.New("the program ended before a sample was taken")
	}
	return p, p.Samples(), nil
}

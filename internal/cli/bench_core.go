package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/bench"
	"incore/internal/bench/core"
	"incore/internal/bench/emulate"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// coreFlags are the options of incore bench core.
type coreFlags struct {
	out           benchOutput
	base, emulate string
	only          []string
	over          *machine.Model // what the fetch probe completes; nil: the base
}

func newBenchCore(e *env) *cobra.Command {
	var f coreFlags
	cmd := &cobra.Command{
		Use:   "core",
		Short: "parameters of this machine's core, measured: width, sizes of buffers, what rename eliminates",
		Long: `Measures core parameters: sizes of buffers by how many instructions hide a second chain of long latency behind a first,
what renaming eliminates, which pairs fuse, latencies through memory, capacity of the µop cache, and how the front end delivers loops (of NOPs,
in place). What is found is appended to the output as
'param' lines, with the curves that it rests on as comments; a probe without a clear change point says "not found". A run that was
stopped goes on where it was. With --emulate nothing is measured: the programs that the probes of AArch64 or RISC-V would run on a core like the
base model's run under QEMU, which tells whether they run and what they execute.`,
		Example: "  incore bench core -o here.results\n  incore bench core --probe rob,load-queue\n  incore bench core --emulate riscv64 --base sifive-p670",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return f.run(e) },
	}
	fl := cmd.Flags()
	f.out.register(cmd, core.Findings(nil))
	fl.StringSliceVar(&f.only, "probe", nil, "only these")
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) { // only this help needs the vocabularies, which hold the names
		fl.Lookup("probe").Usage = "only these: " + strings.Join(core.Names(), ", ") + " (not all instruction sets have all)"
		c.Parent().HelpFunc()(c, args)
	})
	fl.StringVar(&f.base, "base", "", "model that results stand over; default: this machine's. With --emulate the model that plays the machine; default: the instruction set's")
	emulateFlag(fl, &f.emulate)
	return cmd
}

// probeNames returns the names of a target's probes.
func probeNames(t *core.Target) (names []string) {
	for _, p := range core.Probes(t) {
		names = append(names, p.Name)
	}
	return names
}

func (f *coreFlags) run(e *env) error {
	if err := f.out.check(); err != nil {
		return err
	}
	b, err := benchTarget(f.emulate)
	if err != nil {
		return err
	}
	t := core.For(b.ISA)
	for _, n := range f.only {
		if names := probeNames(t); !slices.Contains(names, n) {
			return fmt.Errorf("--probe %s: known are %s", n, strings.Join(names, ", "))
		}
	}
	m, err := baseModel(f.base, b.ISA)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	if f.emulate != "" {
		return f.emulated(ctx, e, b, t, m)
	}
	w, old, err := f.out.recorded(ctx, e, bench.NewBench(b), m.Name)
	if err != nil {
		return err
	}
	defer w.Close()
	done := core.Done(old)
	probes := slices.DeleteFunc(f.probes(t), func(p core.Probe) bool { return done[p.Name] })
	shown := f.out.rows() && !toStdout(f.out.file) // as they come: a probe takes minutes
	source := results.Here(Version).Source("bench core")
	progress := e.counting(len(probes))
	var found core.Findings
	err = core.Run(ctx, t, core.Here(t, cmp.Or(f.over, m)), probes, func(p core.Probe, fs []core.Finding) error {
		progress(slices.ContainsFunc(fs, func(x core.Finding) bool { return x.Value == "" }))
		found = append(found, fs...)
		if err := core.Write(w, p, fs, source); err != nil {
			return fmt.Errorf("writing results: %w", err)
		}
		if shown {
			return e.result("", core.Findings(fs), "text", report.TextOptions{})
		}
		return nil
	})
	return f.out.end(e, found, err)
}

// probes returns the probes that the options select.
func (f *coreFlags) probes(t *core.Target) []core.Probe {
	return slices.DeleteFunc(core.Probes(t), func(p core.Probe) bool { return len(f.only) > 0 && !slices.Contains(f.only, p.Name) })
}

// emulated runs the probes' programs under an emulator; a machine model takes the place of the measured machine.
func (f *coreFlags) emulated(ctx context.Context, e *env, b *plan.Target, t *core.Target, m *machine.Model) error {
	play, err := core.Played(t, m, m)
	if err != nil {
		return inputError{fmt.Errorf("--base %s: %w", m.Name, err)}
	}
	probes := f.probes(t)
	return emulated(ctx, e, b, emulation{&f.out, "probe", len(probes) + 1}, func(q *emulate.Emulator, one func(*emulate.Trial) error, progress func(done, failed int)) error {
		var failed error
		err := q.Groups(ctx, func(yield func(emulate.Group) bool) {
			failed = core.Programs(ctx, t, play, probes, func(probe string, insts []isa.Inst) error {
				p, err := b.Straight(insts, t.Values)
				if err == nil && !yield(emulate.Group{Name: probe, Form: insts[0].Form, Plans: []*plan.Plan{p}}) {
					err = context.Canceled
				}
				return err
			})
		}, one, nil)
		return cmp.Or(err, failed)
	})
}

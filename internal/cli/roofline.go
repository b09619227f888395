package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/base/finite"
	"incore/internal/base/source"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/roofline"
)

func newRoofline(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "roofline",
		Short: "project a program's performance from one machine to another",
		Long: `Projects what a program does on one machine to another by their rooflines: bandwidth of the levels of
memory, and the peak weighted by the program's mix of instructions (Gavoille et al., Euro-Par 2022).

A machine is a file (YAML) or the name of one that incore ships; a profile is JSON that says how many
floating-point operations and instructions a binary executes, and how many bytes each level served.
docs/roofline.md describes both.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRooflineMeasure(e), newRooflineProfile(e), newRooflineProject(e), newRooflineExplore(e), newRooflineMachines(e))
	return cmd
}

// rooflineFlags are the common options of projection and exploration.
type rooflineFlags struct {
	outputFlags
	from, to, profile string
	perf              float64
}

func (f *rooflineFlags) register(cmd *cobra.Command, r report.Result) {
	fl := cmd.Flags()
	fl.StringVar(&f.from, "from", "", "the machine that the program was measured on: a `FILE` or a name")
	fl.Var(&joined{&f.to}, "to", "the machine to project to: a `FILE` or a name; explore takes several, separated by commas or in several --to")
	fl.StringVar(&f.profile, "profile", "", "profile of the source's binary, a `FILE`")
	amount(fl, &f.perf, 0, option{"perf", "", 0, finite.Most,
		"what the program reaches on the source, in `GFLOP/s`; default: by the time in the profile"})
	f.results(cmd, r)
	for _, name := range []string{"from", "to"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(roofline.Names(), cobra.ShellCompDirectiveDefault))
	}
}

// joined is a string option that may be given several times; its values are joined by commas.
type joined struct{ to *string }

func (j *joined) String() string { return *j.to }
func (j *joined) Type() string   { return "string" }
func (j *joined) Set(v string) error {
	if *j.to != "" {
		v = *j.to + "," + v
	}
	*j.to = v
	return nil
}

// needed returns the error for a missing option.
func needed(flags ...[2]string) error {
	for _, f := range flags {
		if f[1] == "" {
			return fmt.Errorf("--%s is needed", f[0])
		}
	}
	return nil
}

// read reads machines and the source's profile.
func (f *rooflineFlags) read(e *env) (from, to *roofline.Machine, p *roofline.Profile, err error) {
	if from, err = readMachine(e, f.from); err == nil {
		to, err = readMachine(e, f.to)
	}
	if err == nil {
		p, err = readWork(e, f.profile)
	}
	return from, to, p, err
}

// readMachine reads a machine's file, or returns a shipped machine by its name or another name of its core.
func readMachine(_ *env, name string) (*roofline.Machine, error) {
	text, err := source.ReadBytes(name)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, "/\\.") {
		m, err := roofline.Shipped(name)
		if err == nil {
			return m, nil
		}
		if core, unknown := machine.Get(name); unknown == nil {
			if m, err := roofline.Shipped(core.Name); err == nil {
				return m, nil
			}
		}
		return nil, inputError{err}
	}
	if err != nil {
		return nil, inputError{err}
	}
	m, err := roofline.ReadMachine(name, text)
	if err != nil {
		return nil, inputError{err}
	}
	return m, nil
}

func readWork(_ *env, name string) (*roofline.Profile, error) {
	text, err := source.ReadBytes(name)
	if err != nil {
		return nil, inputError{err}
	}
	p, err := roofline.ReadProfile(name, text)
	if err != nil {
		return nil, inputError{err}
	}
	return p, nil
}

func newRooflineProject(e *env) *cobra.Command {
	var f rooflineFlags
	var target string
	var refine refineFlags
	cmd := &cobra.Command{
		Use:   "project --from MACHINE --to MACHINE --profile FILE --target-profile FILE [--perf GFLOP/s]",
		Short: "the interval of a program's performance on another machine",
		Long: `Projects a program's performance from one machine to another: for each operational intensity (a level's:
the bytes of that level and all farther ones) and each level's roofline, the share of the roof that the
program reaches on the source is taken to be that on the target. The interval holds all of these values.`,
		Example: `  incore roofline project --from thunderx2 --to neoverse-n1 --profile tx2.json --target-profile n1.json --perf 1.04
  incore roofline project --from here.machine --to a64fx --profile here.json --target-profile sve.json --format json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := needed([2]string{"from", f.from}, [2]string{"to", f.to}, [2]string{"profile", f.profile}); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			if strings.Contains(f.to, ",") {
				return fmt.Errorf("--to %s: project takes one machine; 'incore roofline explore' takes several", f.to)
			}
			from, to, a, err := f.read(e)
			if err != nil {
				return err
			}
			b := a
			if target != "" {
				if b, err = readWork(e, target); err != nil {
					return err
				}
			}
			r, err := roofline.Project(from, to, a, b, f.perf)
			if err != nil {
				return inputError{err}
			}
			if target == "" {
				r.SameBinary()
			}
			if err := refine.refine(r, roofline.Side{Machine: from, Profile: a}, roofline.Side{Machine: to, Profile: b}, f.perf); err != nil {
				return err
			}
			return f.write(e, r, report.TextOptions{})
		},
	}
	f.register(cmd, (*roofline.Projection)(nil))
	fl := cmd.Flags()
	fl.StringVar(&target, "target-profile", "", "profile of the target's binary, a `FILE`; default: the source's")
	fl.StringSliceVar(&refine.list, "refine", []string{"all"}, "refinements beyond the paper, a `LIST`: by-loop, in-core, latency, ecm; all; none")
	fl.StringArrayVar(&refine.whatIf, "what-if", nil, "the target's core differs: a `QUESTION` as incore analyze --what-if has it (several times)")
	return cmd
}

func newRooflineMachines(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "machines",
		Short: "the machines that incore ships roofs of",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return e.print(func(w io.Writer) error {
				for _, name := range roofline.Names() {
					m, err := roofline.Shipped(name)
					if err != nil {
						return err
					}
					if err := roofline.MachineText(w, m); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// newModelCheck returns the command that checks a model and lists the sources of its figures.
func newModelCheck(e *env) *cobra.Command {
	rows, other := 20, ""
	cmd := &cobra.Command{
		Use:   "check [MODEL…]",
		Short: "validate machine models, and show what their figures rest on",
		Long: `Checks models, each a name or a file: that they parse, that forms, ports and parameters exist. Shows for how many
instruction forms µops and latency are measured, from uops.info, from the vendor or papers, from LLVM, another core's, or unknown; the
parameters with their sources; and rows that contradict themselves. Without a model: one line for each that is built in.

--against FILE compares a model with what others measured: results of llvm-exegesis (YAML), ibench or asmbench, a table of
InstLatX64. It lists the figures that differ, the worst first, and the instructions without a counterpart.`,
		Example: "  incore model check skylake\n  incore model check mycore.model\n  incore model check --against GenuineIntel00B06F2_InstLatX64.txt alderlake-p",
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case other != "" && len(args) != 1:
				return errors.New("--against compares one model")
			case other != "":
				var bad error
				err := e.print(func(w io.Writer) error { bad = against(w, args[0], other, rows); return nil })
				if bad != nil {
					return inputError{bad}
				}
				return err
			case len(args) == 0:
				return e.print(func(w io.Writer) error { return checkAll(w) })
			}
			var bad error
			err := e.print(func(w io.Writer) error {
				for i, a := range args {
					if i > 0 {
						fmt.Fprintln(w)
					}
					bad = errors.Join(bad, checkModel(w, a, rows))
				}
				return nil
			})
			if err != nil {
				return err
			}
			if bad != nil {
				return inputError{bad}
			}
			return nil
		},
	}
	count(cmd.Flags(), &rows, rows, option{"rows", "", 0, noLimit, "show at most so many suspicious rows, or differences, 0 for all"})
	cmd.Flags().StringVar(&other, "against", "", "compare with measurements of llvm-exegesis, ibench, asmbench or InstLatX64 in a `FILE`")
	return cmd
}

// openModel opens a file, or a built-in model by name.
func openModel(name string) (*machine.Model, error) {
	if _, err := os.Stat(name); err == nil {
		return loadModel(name)
	}
	return machine.Get(name)
}

// checked opens and validates a model.
func checked(name string) (*machine.Model, *machine.Checked, error) {
	m, err := openModel(name)
	if err != nil {
		return nil, nil, err
	}
	a := catalog.ISA(m.ISA)
	if a == nil {
		return m, nil, fmt.Errorf("%s: unknown instruction set '%s'", name, m.ISA)
	}
	if err := m.Validate(a); err != nil {
		return m, nil, err
	}
	return m, m.Check(a), nil
}

func checkModel(w io.Writer, name string, rows int) error {
	m, c, err := checked(name)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s  %s (%s)\n\n", m.Name, m.Title, m.ISA)
	fmt.Fprintf(w, "%-16s %7s %7s   of %d forms\n", "source", "µops", "latency", c.Forms)
	for o := range machine.NumOrigins {
		if c.Uops[o]+c.Latencies[o] > 0 {
			fmt.Fprintf(w, "%-16s %7d %7d\n", o, c.Uops[o], c.Latencies[o])
		}
	}
	fmt.Fprintf(w, "\nparameters and features\n")
	for _, f := range c.Params {
		fmt.Fprintf(w, "  %s: %s  # %s\n", f.Name, f.Value, f.Source)
	}
	for _, f := range c.Unread {
		fmt.Fprintf(w, "nothing reads the parameter '%s' (%s)\n", f.Name, machine.ParamHint(f.Name))
	}
	if len(c.Suspicious) == 0 {
		fmt.Fprintln(w, "\nno suspicious rows")
		return nil
	}
	fmt.Fprintf(w, "\n%s\n", counted(len(c.Suspicious), "suspicious row"))
	for i := range c.Suspicious {
		if rows > 0 && i == rows {
			fmt.Fprintf(w, "  %d more; --rows 0 shows all\n", len(c.Suspicious)-rows)
			break
		}
		fmt.Fprintf(w, "  %s\n", &c.Suspicious[i])
	}
	return nil
}

// checkAll prints for each built-in model the share of forms by the source of their latency.
func checkAll(w io.Writer) error {
	fmt.Fprintf(w, "latency by source, %% of forms\n%-20s", "model")
	for o := range machine.NumOrigins {
		fmt.Fprintf(w, " %14s", o)
	}
	fmt.Fprintf(w, " %10s\n", "suspicious")
	var bad error
	for _, n := range machine.Names() {
		_, c, err := checked(n)
		if err != nil {
			bad = errors.Join(bad, err)
			continue
		}
		fmt.Fprintf(w, "%-20s", n)
		for _, k := range c.Latencies {
			fmt.Fprintf(w, " %14.1f", 100*float64(k)/float64(max(1, c.Forms)))
		}
		fmt.Fprintf(w, " %10d\n", len(c.Suspicious))
	}
	return bad
}

package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"incore/internal/base/source"
	"incore/internal/bench/results"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/report"
)

// newModelCheck returns the command that checks a model and lists the sources of its figures.
func newModelCheck(e *env) *cobra.Command {
	rows, other := 20, ""
	var f outputFlags
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
			if err := f.check(); err != nil {
				return err
			}
			if other == "" {
				return checkModels(e, &f, args, report.TextOptions{Most: rows})
			}
			if len(args) != 1 {
				return errors.New("--against compares one model")
			}
			r, err := against(args[0], other)
			if err != nil {
				return inputError{err}
			}
			return f.write(e, r, report.TextOptions{Most: rows})
		},
	}
	f.results(cmd, results.Checks{})
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

// checkModels writes the checks of the models that are valid, of all that are built in without names, and returns the mistakes of the others.
func checkModels(e *env, f *outputFlags, names []string, o report.TextOptions) error {
	all := len(names) == 0
	if all {
		names = machine.Names()
	}
	var bad error
	var list results.Checks
	for _, n := range names {
		m, c, err := checked(n)
		if err != nil {
			bad = errors.Join(bad, err)
			continue
		}
		list = append(list, results.CheckOf(m, c))
	}
	var r report.Result = list
	if all {
		r = results.Overview{Checks: list}
	}
	if err := f.write(e, r, o); err != nil {
		return err
	}
	if bad != nil {
		return inputError{bad}
	}
	return nil
}

// against compares a model with the measurements in a file.
func against(name, file string) (*results.Agreement, error) {
	m, err := openModel(name)
	if err != nil {
		return nil, err
	}
	data, err := source.ReadBytes(file)
	if err != nil {
		return nil, err
	}
	return results.Against(m, catalog.ISA(m.ISA), file, data)
}

package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/foreign/osaca"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// newModelExport returns the command that writes a model in another tool's format.
func newModelExport(e *env) *cobra.Command {
	var format, arch, file, out string
	cmd := &cobra.Command{
		Use:   "export --format osaca",
		Short: "write a machine model in another tool's format",
		Long: `Writes a model as a machine model file of OSACA: ports, what each instruction form occupies, its latency and
throughput. What the format cannot say is a comment at the file's beginning. OSACA takes the file under the name
of a core that it knows, from ~/.osaca/data.`,
		Example: "  incore model export --format osaca --arch zen5 -o ~/.osaca/data/zen4.yml && osaca --arch zen4 triad.s",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if format != "osaca" {
				return fmt.Errorf("--format %s: known is osaca", format)
			}
			if arch != "" && file != "" {
				return errors.New("--arch and --model exclude each other")
			}
			m, err := exportModel(arch, file)
			if err != nil {
				return err
			}
			a := catalog.ISA(m.ISA)
			if err := m.Validate(a); err != nil {
				return inputError{err}
			}
			var b strings.Builder
			if err := osaca.Export(&b, a, m); err != nil {
				return inputError{fmt.Errorf("%s: %w", m.Name, err)}
			}
			return e.output(out, text(b.String()))
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&format, "format", "", "format to write: osaca")
	fl.StringVarP(&arch, "arch", "a", "", "machine ('incore archs' lists them); default: the one incore runs on")
	fl.StringVar(&file, "model", "", "a machine model of your own, from a `FILE`")
	fl.StringVarP(&out, "output", "o", "", "write to a `FILE`")
	_ = cmd.MarkFlagRequired("format")
	_ = cmd.RegisterFlagCompletionFunc("arch", completeArchs)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"osaca"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// exportModel returns the model of a file, a built-in model by name, or this machine's model.
func exportModel(arch, file string) (*machine.Model, error) {
	if file != "" {
		return loadModel(file)
	}
	if arch == "" {
		var ok bool
		if arch, _, ok = machine.Host(); !ok {
			return nil, errors.New("no model of this machine; --arch names one")
		}
	}
	m, err := machine.Get(arch)
	if err != nil {
		return nil, inputError{fmt.Errorf("--arch: %w", err)}
	}
	return m, nil
}

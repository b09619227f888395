package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/report"
)

// newExplain returns the command that describes an instruction and its costs.
func newExplain(e *env) *cobra.Command {
	var m machineFlags
	var f outputFlags
	cmd := &cobra.Command{
		Use:     "explain 'INSTRUCTION'|FORM",
		Short:   "what is known of an instruction on one or more machines, and from where",
		Example: "  incore explain 'vfmadd213pd %ymm1,%ymm2,%ymm3' --arch zen4,skx\n  incore explain VFMADD213PDYr --arch spr",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("which instruction? As in incore explain 'add %rax,%rbx'")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var o analyze.Options
			if err := m.apply(&o); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			x, err := analyze.Explain(strings.Join(args, " "), o)
			if err != nil {
				return inputError{err}
			}
			return f.write(e, x, report.TextOptions{})
		},
	}
	m.register(cmd)
	f.results(cmd, (*report.Explanation)(nil))
	return cmd
}

package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/report"
)

// newArchs returns the command that lists machines.
func newArchs(e *env) *cobra.Command {
	var f outputFlags
	cmd := &cobra.Command{
		Use:     "archs [NAME]",
		Short:   "the machines known, or one of them in detail",
		Example: "  incore archs\n  incore archs zen4",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("one machine at a time, not %d (%s)", len(args), strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if len(args) == 1 {
				m, err := analyze.Machine(args[0])
				if err != nil {
					return err
				}
				return f.write(e, m, report.TextOptions{})
			}
			return f.write(e, report.MachineList(analyze.Machines()), report.TextOptions{})
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completeArchs(c, args, word)
		},
	}
	f.results(cmd, report.MachineList{})
	return cmd
}

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/eval/tables"
)

func newEvalReport(e *env) *cobra.Command {
	var format, file, machine, part string
	formats := []string{"text", "json", "csv", "html", "tsv"}
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "how far each predictor is from what was measured",
		Long: `Sums up the results in a directory, of all shards. Errors are |predicted − measured| / measured. A benchmark for which a predictor fails on one block
counts as a failure of the predictor. csv has a line for each benchmark, tsv one for each predictor, as internal/machine/accuracy/accuracy.tsv
has them; html is one page that needs nothing else, in which benchmarks are filtered and opened.`,
		Args: evalDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(formats, format) {
				return fmt.Errorf("unknown format %q; known are %s", format, strings.Join(formats, ", "))
			}
			if parts := []string{tables.Both, tables.Open, tables.HeldOut}; !slices.Contains(parts, part) {
				return fmt.Errorf("unknown half %q; known are %s", part, strings.Join(parts, ", "))
			}
			r, err := tables.Read(args[0], machine, part)
			if err != nil {
				return inputError{err}
			}
			return e.output(file, func(w io.Writer) error {
				switch format {
				case "json":
					return r.JSON(w)
				case "csv":
					return r.CSV(w)
				case "tsv":
					return r.TSV(w)
				case "html":
					return r.HTML(w, args[0])
				}
				return r.Text(w)
			})
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&format, "format", "text", "output format: "+strings.Join(formats, ", "))
	fl.StringVarP(&file, "output", "o", "", "write to a `FILE`")
	fl.StringVar(&part, "half", tables.Both, "both; open: only the kernels that models may be fitted to; held-out: only the others")
	fl.StringVar(&machine, "machine", "", "of results of several machines, those whose name contains this `TEXT`")
	return cmd
}

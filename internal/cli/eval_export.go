package cli

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/eval/suite"
	"incore/internal/eval/tables"
	"incore/internal/report"
)

func newEvalExport(e *env) *cobra.Command {
	var file, machine, part string
	var limit, longest int
	var out outputFlags
	cmd := &cobra.Command{
		Use:   "export DIR -o FILE",
		Short: "write measured benchmarks as a corpus that needs no executables",
		Long: `Writes a line of JSON for each measured benchmark of one half of the kernels: the blocks and paths that ran, how often, and the cycles measured. Other
machines and later versions predict them again ('go run ./tools/accuracy -suite FILE'). A FILE that ends in .gz is compressed.`,
		Example: `  incore eval export suite --half held-out --limit 100 -o heldout-zen3-suite.jsonl.gz`,
		Args:    evalDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if part != tables.Open && part != tables.HeldOut {
				return fmt.Errorf("unknown half %q; known are %s, %s", part, tables.Open, tables.HeldOut)
			}
			if file == "" {
				return errors.New("-o FILE is needed: where the benchmarks go")
			}
			ctx, stop := interruptible()
			defer stop()
			o := suite.ExportOptions{Machine: machine, HeldOut: part == tables.HeldOut, Limit: limit, Longest: longest << 10, Progress: func(done, of int) { e.note("%d of %d benchmarks", done, of) }}
			var written *suite.Exports
			err := e.output(file, func(w io.Writer) (err error) {
				if !strings.HasSuffix(file, ".gz") {
					written, err = suite.Export(ctx, args[0], o, w)
					return err
				}
				z := gzip.NewWriter(w)
				if written, err = suite.Export(ctx, args[0], o, z); err != nil {
					return err
				}
				return z.Close()
			})
			e.note("")
			if err != nil {
				return err
			}
			written.File = file
			return out.write(e, written, report.TextOptions{})
		},
	}
	fl := cmd.Flags()
	out.formatOnly(cmd, (*suite.Exports)(nil))
	fl.StringVarP(&file, "output", "o", "", "write to a `FILE`")
	fl.StringVar(&part, "half", tables.HeldOut, "held-out or open: the half of the kernels")
	fl.StringVar(&machine, "machine", "", "of results of several machines, those whose name contains this `TEXT`")
	count(fl, &limit, 100, option{"limit", "", 1, 1000000, "so many benchmarks, drawn by their names"})
	count(fl, &longest, suite.MostExported>>10, option{"longest", "", 1, 1 << 20, "leave out benchmarks whose lines are longer than so many KiB"})
	return cmd
}

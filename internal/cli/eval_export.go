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
)

func newEvalExport(e *env) *cobra.Command {
	var file, machine, part string
	var limit, longest int
	cmd := &cobra.Command{
		Use:   "export DIR -o FILE",
		Short: "write measured benchmarks as a corpus that needs no executables",
		Long: `Writes a line of JSON for each measured benchmark of one half of the kernels: the blocks and paths that ran, how often, and the cycles measured. Other
machines and later versions predict them again ('go run ./tools/accuracy -suite FILE'). A FILE that ends in .gz is compressed.`,
		Example: `  incore eval export suite --half held-out --limit 100 -o heldout-zen3-suite.jsonl.gz`,
		Args:    evalDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			if part != tables.Open && part != tables.HeldOut {
				return fmt.Errorf("unknown half %q; known are %s, %s", part, tables.Open, tables.HeldOut)
			}
			if file == "" {
				return errors.New("-o FILE is needed: where the benchmarks go")
			}
			ctx, stop := interruptible()
			defer stop()
			o := suite.ExportOptions{Machine: machine, HeldOut: part == tables.HeldOut, Limit: limit, Longest: longest << 10, Progress: func(done, of int) { e.note("%d of %d benchmarks", done, of) }}
			n, long := 0, 0
			err := e.output(file, func(w io.Writer) (err error) {
				if !strings.HasSuffix(file, ".gz") {
					n, long, err = suite.Export(ctx, args[0], o, w)
					return err
				}
				z := gzip.NewWriter(w)
				if n, long, err = suite.Export(ctx, args[0], o, z); err != nil {
					return err
				}
				return z.Close()
			})
			e.note("")
			if err != nil {
				return err
			}
			left := ""
			if long > 0 {
				left = fmt.Sprintf("; %d were left out, whose lines are longer than --longest %d KiB", long, longest)
			}
			return e.output("", text(fmt.Sprintf("%s written to %s%s\n", counted(n, "benchmark"), file, left)))
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&file, "output", "o", "", "write to a `FILE`")
	fl.StringVar(&part, "half", tables.HeldOut, "held-out or open: the half of the kernels")
	fl.StringVar(&machine, "machine", "", "of results of several machines, those whose name contains this `TEXT`")
	count(fl, &limit, 100, option{"limit", "", 1, 1000000, "so many benchmarks, drawn by their names"})
	count(fl, &longest, suite.MostExported>>10, option{"longest", "", 1, 1 << 20, "leave out benchmarks whose lines are longer than so many KiB"})
	return cmd
}

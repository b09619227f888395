package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/report"
	"incore/internal/report/page"
)

// newAnnotate returns the command that shows a function's instructions with their source, samples and costs.
func newAnnotate(e *env) *cobra.Command {
	var m machineFlags
	var f outputFlags
	var function, perf string
	cmd := &cobra.Command{
		Use:   "annotate FILE --function NAME",
		Short: "a function's source, instructions, samples and costs side by side",
		Long: `Lists the instructions of a function of an executable or object file between its source lines (with -g): their share of
the samples of a profile (--perf), latency, reciprocal throughput and, within innermost loops, the cycles on the
slowest loop-carried chain and the busiest port that they use. HTML has source and code side by side, the
instructions of a line in its colour.`,
		Example: `  incore annotate --function dot a.out
  perf record ./a.out; incore annotate --perf perf.data --function dot --format html -o dot.html a.out`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			o := analyze.LoopOptions{Function: function}
			if function == "" {
				return errors.New("which function? --function NAME; 'incore loops' lists those that have loops")
			}
			if err := m.apply(&o.Options); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			if len(o.Archs)+len(o.Models) > 1 {
				return fmt.Errorf("one machine at a time")
			}
			o.Listing = &source.Listing{Read: source.ReadFrom(filepath.Dir(args[0]), ".")}
			a, err := annotation(e, args[0], m.isa, perf, o)
			if err != nil {
				return inputError{err}
			}
			return f.render(e, func(w io.Writer, t report.TextOptions) error {
				switch f.format {
				case "json":
					return report.JSON(w, a)
				case "html":
					return page.Annotate(w, a)
				}
				return report.AnnotateText(w, a, t)
			})
		},
	}
	m.register(cmd)
	f.register(cmd, "text", "json", "html")
	cmd.Flags().StringVarP(&function, "function", "f", "", "the function, by name or by an address within it")
	cmd.Flags().StringVar(&perf, "perf", "", "a profile in a `FILE`, or -: of perf record, perf script, pprof, or callgrind's with --dump-instr=yes")
	return cmd
}

// annotation annotates a function of a file.
func annotation(e *env, name, isaName, perf string, o analyze.LoopOptions) (*report.Annotation, error) {
	if perf != "" {
		p, err := e.readProfile(perf)
		if err != nil {
			return nil, err
		}
		o.Profile = p
	}
	obj, err := openCode(e, name, isaName, 0)
	if err != nil {
		return nil, err
	}
	if err := decodable(obj); err != nil {
		return nil, err
	}
	return analyze.Annotate(obj, o)
}

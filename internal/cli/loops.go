package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/report"
)

// newLoops is the command that lists the loops of a binary.
func newLoops(e *env) *cobra.Command {
	var m machineFlags
	var f outputFlags
	var function, perf string
	var top int
	cmd := &cobra.Command{
		Use:   "loops FILE",
		Short: "the loops of an executable or object file, the likely hottest first",
		Long: `Lists all loops of a file with function, source lines, depth of nesting, size, vector instructions by width, predicted
cycles per iteration and what bounds them. The order is a guess from the code alone, or that of a profile (--perf): the
output of 'perf script', or a file of callgrind's (with --dump-instr=yes best).

Text shows the first loops, simulated; JSON and CSV hold all, those beyond the first predicted by bounds.`,
		Example: `  incore loops a.out
  perf record ./a.out; perf script > samples.txt; incore loops --perf samples.txt a.out
  incore loops --format csv --arch zen4 libm.so.6`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			o := analyze.LoopOptions{Function: function, Simulate: max(top, 0)}
			if err := m.apply(&o.Options); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			if len(o.Archs)+len(o.Models) > 1 {
				return fmt.Errorf("one machine at a time")
			}
			obj, err := openCode(e, args[0], m.isa, 0)
			if err != nil {
				return inputError{err}
			}
			if perf != "" {
				if o.Profile, err = readProfile(perf); err != nil {
					return inputError{err}
				}
			}
			list, err := analyze.Loops(obj, o)
			if err != nil {
				return inputError{err}
			}
			if obj.Bare() && len(list.Loops) == 0 {
				return inputError{fmt.Errorf("%s: no loops found, and no ELF, Mach-O or PE file: it was taken for bare machine code", list.File)}
			}
			return f.render(e, func(w io.Writer, t report.TextOptions) error { return report.LoopsOut(w, list, f.format, top, t) })
		},
	}
	m.register(cmd)
	f.register(cmd, "text", "json", "csv")
	fl := cmd.Flags()
	fl.StringVarP(&function, "function", "f", "", "only the loops of this function")
	fl.StringVar(&perf, "perf", "", "sort by a profile in a `FILE`: output of perf script, or callgrind's")
	count(fl, &top, "top", "", 40, 0, noLimit, "loops that the text shows and that are simulated; 0 shows all, predicted by bounds")
	return cmd
}

func readProfile(name string) (*analyze.Profile, error) {
	r, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading profile: %w", err)
	}
	defer r.Close()
	p, err := analyze.ReadProfile(r)
	if err != nil {
		return nil, fmt.Errorf("reading profile: %s %w", name, err)
	}
	return p, nil
}

package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"incore/internal/isa/catalog"
	"incore/internal/roofline"
	"incore/internal/roofline/roofs"
)

func newRooflineMeasure(e *env) *cobra.Command {
	var output, name, cores string
	cmd := &cobra.Command{
		Use:   "measure -o FILE [--cores LIST]",
		Short: "measure the roofs of this machine: bandwidth by level of memory, floating-point rates, clock",
		Long: `Measures this machine and writes a machine file: the size of each level of memory, found by the latency of loads;
its bandwidth (STREAM triad; copy, load, store and non-temporal stores besides) and floating-point rates by precision
and vector width, with their spread. It takes less than a minute. Nothing else should run meanwhile.`,
		Example: `  incore roofline measure -o here.machine
  incore roofline measure -o node.machine --cores 0,1,2,3`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := roofs.Supported(); err != nil {
				return inputError{err}
			}
			o := roofs.Options{Name: name}
			for _, s := range strings.FieldsFunc(cores, func(r rune) bool { return r == ',' }) {
				n, err := strconv.Atoi(strings.TrimSpace(s))
				if err != nil || n < 0 || n > 1023 {
					return fmt.Errorf("--cores %s: numbers of CPUs are needed: 0,1,2", cores)
				}
				o.CPUs = append(o.CPUs, n)
			}
			if f, ok := e.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
				o.Progress = func(what string) { fmt.Fprintf(f, "\r\x1b[K%s", what) }
			}
			ctx, stop := untilSignal(context.Background())
			defer stop()
			m, err := roofs.Measure(ctx, catalog.ISA("x86-64"), o)
			if err != nil {
				return inputError{err}
			}
			if err := e.output(output, func(w io.Writer) error { return roofline.WriteMachine(w, m) }); err != nil || toStdout(output) {
				return err
			}
			return e.print(func(w io.Writer) error { return roofline.MachineText(w, m) })
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&output, "output", "o", "", "write the machine to a `FILE`")
	fl.StringVar(&name, "name", "here", "what the machine is called")
	fl.StringVar(&cores, "cores", "", "CPUs that run at the same time, a `LIST` of numbers (0,1,2); default: one, wherever the system puts it")
	return cmd
}

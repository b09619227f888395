package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/bench"
	"incore/internal/bench/core"
)

// coreFlags are the options of incore bench core.
type coreFlags struct {
	output, base string
	only         []string
}

func newBenchCore(e *env) *cobra.Command {
	var f coreFlags
	var names []string
	for _, p := range core.Probes(core.X86()) {
		names = append(names, p.Name)
	}
	cmd := &cobra.Command{
		Use:   "core",
		Short: "parameters of this machine's core, measured: width, sizes of buffers, what rename eliminates",
		Long: `Measures core parameters: sizes of buffers by how many instructions hide a second chain of long latency behind a first,
what renaming eliminates, which pairs fuse, latencies through memory, capacity of the µop cache. What is found is appended to the output as
'param' lines, with the curves that it rests on as comments; a probe without a clear change point says "not found". A run that was
stopped goes on where it was.`,
		Example: "  incore bench core -o here.results\n  incore bench core --probe rob,load-queue",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return f.run(e, names) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.output, "output", "o", "", "append results to a `FILE`")
	fl.StringSliceVar(&f.only, "probe", nil, "only these: "+strings.Join(names, ", "))
	fl.StringVar(&f.base, "base", "", "model that results stand over; default: this machine's")
	return cmd
}

func (f *coreFlags) run(e *env, names []string) error {
	for _, n := range f.only {
		if !slices.Contains(names, n) {
			return fmt.Errorf("--probe %s: known are %s", n, strings.Join(names, ", "))
		}
	}
	if err := onX86("bench core"); err != nil {
		return err
	}
	m, err := baseModel(f.base)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	w, old, err := e.recorded(ctx, f.output, bench.NewBench(bench.X86()), m.Name)
	if err != nil {
		return err
	}
	defer w.Close()
	t := core.X86()
	done := core.Done(old)
	probes := slices.DeleteFunc(core.Probes(t), func(p core.Probe) bool {
		return done[p.Name] || len(f.only) > 0 && !slices.Contains(f.only, p.Name)
	})
	toFile := !toStdout(f.output)
	id := bench.Here(Version)
	source := fmt.Sprintf("measured %s, incore bench core %s", id.Date, id.Version)
	progress := e.progress(len(probes))
	seen, missing := 0, 0
	err = core.Run(ctx, t, core.Here(t), probes, func(p core.Probe, fs []core.Finding) error {
		seen++
		for _, x := range fs {
			if x.Value == "" {
				missing++
			}
		}
		if progress != nil {
			progress(seen, missing)
		}
		if err := core.Write(w, p, fs, source); err != nil {
			return fmt.Errorf("writing results: %w", err)
		}
		if toFile {
			return e.print(func(w io.Writer) error { return coreReport(w, fs) })
		}
		return nil
	})
	if errors.Is(err, context.Canceled) {
		return inputError{errors.New("interrupted; the same command goes on from there")}
	} else if err != nil {
		return inputError{err}
	}
	return nil
}

// coreReport lists findings, one a line.
func coreReport(w io.Writer, fs []core.Finding) error {
	for _, f := range fs {
		value := f.Value
		switch {
		case value == "":
			value = "not found"
		case f.Doubt >= 1:
			value += fmt.Sprintf(" ± %g", math.Ceil(f.Doubt))
		}
		fmt.Fprintf(w, "%-18s %-16s %s\n", f.Name, value, f.How)
	}
	return nil
}

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/bench/core"
	"incore/internal/bench/results"
	"incore/internal/machine"
	"incore/internal/report"
)

// everythingFlags are the options of incore bench everything.
type everythingFlags struct {
	output, base, name string
	all                bool
	jobs               int
}

func newBenchEverything(e *env) *cobra.Command {
	var f everythingFlags
	cmd := &cobra.Command{
		Use:   "everything",
		Short: "a machine model of this machine in one sitting: core, memory, forms, ports, front end, dispatch",
		Long: `Measures what incore can find out about this machine and makes a machine model of it: parameters of the core ('bench core'), loads, stores and
forwarding ('bench memory'), latency and throughput of forms ('bench all'), their µops and ports ('bench ports'), and, over the model so far, how the front end delivers loops
('bench core --probe fetch'), how operations on integers are distributed among their ports ('--probe steering') and how many of vectors are dispatched in a cycle ('--probe vectors'). All results are in a file beside the model, FILE.results, from which 'incore model build' makes it again. A run that was
stopped goes on where it was. The model says what no measurement gave as the base does: on a core that incore does not know, choose the nearest model as base.`,
		Example: `  incore bench everything -o here.model
  incore bench everything --base znver4 -o here.model && incore predict --model here.model blocks.csv`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(e) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.output, "output", "o", "here.model", "write the model to a `FILE`")
	fl.StringVar(&f.base, "base", "", "model that results stand over; default: this machine's")
	fl.StringVar(&f.name, "name", "measured", "the model's name")
	fl.BoolVar(&f.all, "all-forms", false, "measure all forms, not only those commonest in compiled code")
	jobsFlag(fl, &f.jobs, "forms or tests")
	return cmd
}

// These probes stand over the model of all measurements before.
const (
	fetchProbe    = "fetch"
	steeringProbe = "steering"
	vectorsProbe  = "vectors"
)

// stage is a part of the measurement.
type stage struct {
	name string
	run  func() error
}

func (f *everythingFlags) run(e *env) error {
	if toStdout(f.output) {
		return errors.New("--output: a model and its results need files")
	}
	if x, err := os.Stat(f.output); err == nil && x.IsDir() {
		return fmt.Errorf("--output %s: a directory; name a model in it (%s)", f.output, filepath.Join(f.output, "here.model"))
	}
	t, err := benchTarget("")
	if err != nil {
		return err
	}
	file := strings.TrimSuffix(f.output, filepath.Ext(f.output)) + ".results"
	if file == f.output {
		return fmt.Errorf("--output %s: the results go there; name a model (here.model)", f.output)
	}
	var probes []string
	for _, p := range core.Probes(core.For(t.ISA)) {
		if p.Name != fetchProbe && p.Name != steeringProbe && p.Name != vectorsProbe {
			probes = append(probes, p.Name)
		}
	}
	forms := benchFlags{out: benchOutput{file: file}, base: f.base, jobs: f.jobs, quick: !f.all}
	memory := benchFlags{out: benchOutput{file: file}, base: f.base, jobs: f.jobs}
	began := time.Now()
	stages := []stage{
		{"core", func() error { return (&coreFlags{out: benchOutput{file: file}, base: f.base, only: probes}).run(e) }},
		{"memory", func() error { return memory.run(e, benchKinds["memory"]) }},
		{"forms", func() error { return forms.run(e, benchKinds["all"]) }},
		{"ports", func() error { return (&portsFlags{out: benchOutput{file: file}, base: f.base, checks: 100}).run(e) }},
		{"front end", func() error { return f.over(e, file, fetchProbe) }},
		{"steering", func() error { return f.over(e, file, steeringProbe) }},
		{"vectors", func() error { return f.over(e, file, vectorsProbe) }},
	}
	for i, s := range stages {
		done, err := stageDone(file, s.name)
		if err != nil {
			return inputError{err}
		}
		if done {
			if _, err := f.model(file); err != nil { // before more is measured
				return err
			}
			continue
		}
		fmt.Fprintf(e.stderr, "%d of %d: %s (%s so far)\n", i+1, len(stages), s.name, time.Since(began).Round(time.Second))
		if err := s.run(); errors.Is(err, context.Canceled) {
			return inputError{errors.New("interrupted; the same command goes on from there")}
		} else if err != nil {
			return err
		}
		if err := endStage(file, s.name); err != nil {
			return inputError{fmt.Errorf("writing results: %w", err)}
		}
	}
	made, err := builtModel(file, f.name, results.MeasuredTitle)
	if err != nil {
		return inputError{err}
	}
	if err := e.output(f.output, text(made)); err != nil {
		return err
	}
	return e.result("", &results.Built{Model: f.output, Results: file}, "text", report.TextOptions{})
}

// over runs a probe over the model of the results so far.
func (f *everythingFlags) over(e *env, file, probe string) error {
	m, err := f.model(file)
	if err != nil {
		return err
	}
	return (&coreFlags{out: benchOutput{file: file}, base: f.base, over: m, only: []string{probe}}).run(e)
}

// model makes the model of the results so far.
func (f *everythingFlags) model(file string) (*machine.Model, error) {
	made, err := builtModel(file, f.name, results.MeasuredTitle)
	if err != nil {
		return nil, inputError{err}
	}
	return machine.Load(strings.NewReader(made), file)
}

// stageEnd is the comment in a file of results that says that a stage is done.
func stageEnd(name string) string { return "# stage " + name + " is done" }

// stageDone reports whether a file of results contains a whole stage; a file that does not exist contains none.
func stageDone(file, name string) (bool, error) {
	r, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	defer r.Close()
	s := bufio.NewScanner(r)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		if s.Text() == stageEnd(name) {
			return true, nil
		}
	}
	return false, s.Err()
}

// endStage notes in a file of results that a stage is done. A last line that was cut short stays a line of its own.
func endStage(file, name string) error {
	w, err := os.OpenFile(file, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	line := stageEnd(name) + "\n"
	last := make([]byte, 1)
	if x, err := w.Stat(); err == nil && x.Size() > 0 {
		if _, err := w.ReadAt(last, x.Size()-1); err == nil && last[0] != '\n' {
			line = "\n" + line
		}
	}
	_, err = w.WriteString(line)
	return errors.Join(err, w.Close())
}

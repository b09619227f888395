package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"incore/internal/analysis/engine"
	"incore/internal/analyze"
	"incore/internal/analyze/corpus"
	"incore/internal/analyze/predict"
	"incore/internal/bench/block"
	"incore/internal/eval"
	"incore/internal/report"
)

// predictFlags are the options of incore predict.
type predictFlags struct {
	machineFlags
	block, compare       string
	notion, regs, engine string
	pages                int
	flags, noFlags       bool
	memory               memoryFlags
	output, format       string
	jobs                 int
	both                 bool
}

func newPredict(e *env) *cobra.Command {
	var f predictFlags
	cmd := &cobra.Command{
		Use:   "predict FILE|-",
		Short: "cycles of every block of a corpus",
		Long: `Reads a block of code a line and writes a row of CSV for each, in the order of the input, as soon
as it is known. A block is machine code in hexadecimal or assembly with ';' between statements: a field of
a line of CSV or of tab-separated values, the one whose header says so, else the first. The input may be compressed by gzip. Of an
object file or executable, and of a file of bare machine code, it takes the code between IACA's markers, else the
innermost loops, else (bare code) all of it. Of assembly text as
compilers write it, with directives or labels, it takes the loops that 'incore analyze' finds.

tp_loop is the cycles per iteration of the block as the body of a loop, tp_unrolled those of the block laid out again and
again, without the branch at its end; cycles is tp_unrolled with --notion unrolled or bhive, else tp_loop. The other one is empty
without --both, which takes about twice the time. --notion, --pages and --regs
say how the blocks were measured, if they were: then tp_loop has what the measuring loop adds. The column unknown counts the
instructions without cost data or of which the figure is a lower bound; it says why a block has no figures.`,
		Example: `  incore predict --arch skl blocks.csv
  incore predict --arch skl --notion bhive --regs same --compare cycles blocks.tsv.gz > predicted.csv
  incore measure --format csv --pages 7 -o m.csv blocks.csv
  incore predict --notion net --pages 7 --compare cycles m.csv
  echo 'add %rax,%rbx; imul %rbx,%rcx' | incore predict --arch zen4,skx -`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(e, args[0]) },
	}
	f.machineFlags.register(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.block, "block", "", "the `COLUMN` of the blocks, by name or number from 1 (default: the one called block, hex, asm or the like, else the first)")
	fl.StringVar(&f.compare, "compare", "", "compare with the measured cycles in a `COLUMN`, by name or number from 1; the summary goes to standard error")
	fl.StringVar(&f.notion, "notion", "", "how the blocks were measured: loop (straight code was repeated to 100 instructions in a loop that counts in memory), net (the same, less what that loop takes, as 'incore measure' does), unrolled, bhive (unrolled, with what BHive's profiler reads beside the block's cycles); default: they were not")
	fl.IntVar(&f.pages, "pages", 0, "physical pages that were behind all addresses when the blocks were measured ('incore measure --pages'); default with --notion: 1")
	fl.StringVar(&f.regs, "regs", "distinct", "values of different registers at entry: distinct, aligned (and multiples of 64, as where blocks are measured), same (any two bases are one address), measured or suited (those that 'incore measure --regs distinct' or '--regs suited' enters code with, and the word that all memory holds then)")
	fl.BoolVar(&f.both, "both", false, "predict blocks as loops and unrolled, not only as the column cycles needs")
	fl.StringVar(&f.engine, "engine", "auto", "auto (the simulator, bounds for machines that it doesn't know), sim, bounds")
	fl.BoolVar(&f.flags, "flags", true, "count dependences through condition flags")
	fl.BoolVar(&f.noFlags, "no-flags", false, "the same as --flags=false")
	f.memory.register(cmd)
	fl.StringVar(&f.format, "format", "csv", "output format: csv, text, json, jsonl (an object of JSON a line), html (a page with a table and, with --compare, plots of the errors), and for CI "+strings.Join(report.CIFormats, ", "))
	fl.StringVarP(&f.output, "output", "o", "", "write to a `FILE`")
	count(fl, &f.jobs, 0, option{"jobs", "j", 0, 1024, "blocks predicted at a time (default: one a core)"})
	for name, values := range map[string][]string{"notion": predict.Notions, "regs": {"distinct", "aligned", "same", "measured", "suited"}, "format": report.Formats(new(eval.Predictions)), "engine": engine.Choices} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

// conditions checks the options and converts them to the conditions of the predictions.
func (f *predictFlags) conditions() (c predict.Conditions, choice engine.Choice, err error) {
	switch f.regs {
	case "distinct":
	case "aligned":
		c.Aligned = true
	case "same":
		c.EqualRegs = true
	case "measured", "suited":
		c.Aligned, c.Start = true, block.Starts[f.regs]
	default:
		return c, "", fmt.Errorf("--regs %s: distinct, aligned, same, measured or suited is needed", f.regs)
	}
	switch registers := strings.Replace(f.regs, "aligned", "distinct", 1); { // those of measurements are aligned
	case f.pages != 0 && f.notion == "":
		return c, "", errors.New("--pages says how blocks were measured; --notion is needed beside it")
	case f.notion != "":
		if f.pages == 0 {
			f.pages = 1
		}
		if err := c.Measure(f.notion, registers, f.pages); err != nil {
			return c, "", fmt.Errorf("--%w", err)
		}
	}
	if choice, err = engine.Parse(f.engine); err != nil {
		return c, "", err
	}
	c.NoFlags = f.noFlags || !f.flags
	c.NoMemdep, c.Seed = f.memory.off, f.memory.seed
	return c, choice, nil
}

func (f *predictFlags) run(e *env, name string) error {
	c, choice, err := f.conditions()
	if err != nil {
		return err
	}
	if formats := report.Formats(new(eval.Predictions)); !slices.Contains(formats, f.format) {
		return fmt.Errorf("unknown format %q; known are %s", f.format, strings.Join(formats, ", "))
	}
	var o analyze.Options
	if err := f.apply(&o); err != nil {
		return err
	}
	in, err := corpus.Open(name, e.stdin)
	if err != nil {
		return inputError{err}
	}
	defer in.Close()
	job, err := in.Job(f.block, f.jobs, &o)
	if err != nil {
		return inputError{err}
	}
	f.memory.apply(&o.Memory)
	if c.Alias, err = o.Memory.Aliases(job.ISA); err != nil {
		return err
	}
	for i := range job.Targets {
		job.Targets[i].Engine, job.Targets[i].Conditions = choice, c
		job.Targets[i].Both = f.both || f.format == "html"
		if err := choice.Available(job.Targets[i].Model); err != nil {
			return err
		}
	}
	var scores *eval.Scores
	if f.compare != "" {
		if scores, err = eval.NewScores(job, f.compare); err != nil {
			return err
		}
	}
	return f.predict(e, job, scores, in.Name)
}

// errNoFigures is the error for a corpus without a single usable block, for example a file that is not a corpus.
var errNoFigures = errors.New("no block has a figure; a block is machine code in hexadecimal, or assembly with ';' between statements")

// errInterrupted reports that the user stopped a long run.
var errInterrupted = errors.New("interrupted; the rows written are whole")

func (f *predictFlags) predict(e *env, j *predict.Job, scores *eval.Scores, name string) error {
	out, err := e.create(f.output)
	if err != nil {
		return err
	}
	defer out.Abort()
	ctx, stop := untilSignal(context.Background())
	defer stop()
	p := eval.NewPredictions(ctx, name, j, scores, e.rate())
	err = report.Write(out, p, f.format, report.TextOptions{})
	switch {
	case errors.Is(err, syscall.EPIPE):
		return errBrokenPipe
	case errors.Is(err, context.Canceled):
		if err = errInterrupted; !toStdout(f.output) {
			err = keep(out, f.output)
		}
	case err != nil:
		return inputError{err}
	default:
		if err = out.Commit(); err != nil {
			return outputError(err)
		}
	}
	if err == nil {
		err = unusable(p, scores)
	}
	warnOf(e, p, scores, len(j.Targets))
	if err != nil {
		return inputError{err}
	}
	return nil
}

// unusable returns an error if no row has a figure, or none was compared although that was asked.
func unusable(p *eval.Predictions, scores *eval.Scores) error {
	switch {
	case p.Rows > 0 && p.Foreign == p.Rows:
		return errForeign
	case p.Rows > 0 && p.Failed == p.Rows:
		return errNoFigures
	case scores != nil && p.Rows == 0:
		return errors.New("no row was compared: there is none")
	case scores != nil && !scores.Compared():
		return fmt.Errorf("no row was compared: %w", scores.Why)
	}
	return nil
}

// warnOf warns of rows without figures, with doubtful ones, and without measured ones, and prints the errors of the predictions.
func warnOf(e *env, p *eval.Predictions, scores *eval.Scores, machines int) {
	if p.Failed > 0 {
		e.complain("warning", "the column unknown, or the error of a row, says why", "%d of %d blocks have no figures", (p.Failed+machines-1)/machines, p.Rows/machines)
	}
	if p.Unknown > 0 {
		e.complain("warning", "", "%d of %d rows hold instructions without cost data, or that take at least what they are counted with", p.Unknown, p.Rows)
	}
	if scores == nil {
		return
	}
	scores.Text(e.stderr, p.Failed/machines)
	if scores.Left > 0 {
		e.complain("warning", "", "%s not compared: %v", counted(scores.Left/machines, "row"), scores.Why)
	}
}

// keep stores the output of an interrupted run in a file next to the intended one.
func keep(out sink, name string) error {
	kept, err := out.Keep()
	switch {
	case err != nil:
		return fmt.Errorf("interrupted: %w", err)
	case kept == "":
		return errInterrupted
	}
	return fmt.Errorf("interrupted; the rows written are whole, in %s; %s is as it was", kept, name)
}

// rate returns a function that shows the progress of a long run, if standard error is a terminal; the argument -1 ends it.
func (e *env) rate() func(rows int) {
	t, ok := e.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(t.Fd())) {
		return func(int) {}
	}
	start := time.Now()
	last := start
	return func(rows int) {
		now := time.Now()
		switch {
		case rows < 0:
			fmt.Fprintf(t, "\r%s\r", strings.Repeat(" ", 40))
		case now.Sub(last) > 200*time.Millisecond:
			last = now
			fmt.Fprintf(t, "\r%s, %.0f/s", counted(rows, "row"), float64(rows)/now.Sub(start).Seconds())
		}
	}
}

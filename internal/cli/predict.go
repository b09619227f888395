package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"incore/internal/analysis/engine"
	"incore/internal/analyze"
	"incore/internal/analyze/predict"
	"incore/internal/base/regex"
	"incore/internal/base/source"
	"incore/internal/bench/block"
	"incore/internal/eval"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/report/findings"
	"incore/internal/report/page"
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

// predictFormats are the output formats of predict.
var predictFormats = append([]string{"csv", "jsonl", "html"}, findings.Formats...)

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
	fl.StringVar(&f.format, "format", "csv", "output format: csv, jsonl (an object of JSON a line), html (a page with a table and, with --compare, plots of the errors), and for CI "+strings.Join(findings.Formats, ", "))
	fl.StringVarP(&f.output, "output", "o", "", "write to a `FILE`")
	count(fl, &f.jobs, 0, option{"jobs", "j", 0, 1024, "blocks predicted at a time (default: one a core)"})
	for name, values := range map[string][]string{"notion": predict.Notions, "regs": {"distinct", "aligned", "same", "measured", "suited"}, "format": predictFormats, "engine": engine.Choices} {
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
	if formats := predictFormats; !slices.Contains(formats, f.format) {
		return fmt.Errorf("unknown format %q; known are %s", f.format, strings.Join(formats, ", "))
	}
	var o analyze.Options
	if err := f.apply(&o); err != nil {
		return err
	}
	in, err := openCorpus(e, name)
	if err != nil {
		return inputError{err}
	}
	defer in.Close()
	job, err := f.job(in, &o)
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
	cmp, err := f.comparison(job)
	if err != nil {
		return err
	}
	return f.predict(e, job, cmp, in.name)
}

// corpusInput is an opened input and its name.
type corpusInput struct {
	*bufio.Reader
	name  string
	close func() error
}

func (c *corpusInput) Close() { _ = c.close() }

// corpusBuffer is the size in bytes of the input buffer.
const corpusBuffer = 1 << 16

// openCorpus opens a file or standard input and decompresses it.
func openCorpus(e *env, name string) (*corpusInput, error) {
	in := &corpusInput{name: name, close: func() error { return nil }}
	r := e.stdin
	if name == "-" {
		in.name = "<stdin>"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return nil, source.Unreadable(err)
		}
		r, in.close = file, file.Close
		if info, err := file.Stat(); err == nil && (info.IsDir() || info.Mode()&fs.ModeDevice != 0) { // a device may never end
			file.Close()
			data, err := source.ReadBytes(name)
			if err != nil {
				return nil, err
			}
			r, in.close = bytes.NewReader(data), func() error { return nil }
		}
	}
	in.Reader = bufio.NewReaderSize(r, corpusBuffer)
	if head, _ := in.Peek(2); bytes.Equal(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in.Reader)
		if err != nil {
			in.Close()
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		in.Reader = bufio.NewReaderSize(&unzipped{z, in.Reader, in.name}, corpusBuffer)
	}
	return in, nil
}

// wrong names the input in an error, unless it is one of its decompression, which names it.
func (in *corpusInput) wrong(doing string, err error) error {
	if strings.HasPrefix(err.Error(), in.name+": ") {
		return err
	}
	return fmt.Errorf("%s%s: %w", doing, in.name, err)
}

// all reads the whole input.
func (in *corpusInput) all() ([]byte, error) {
	data, err := source.Stream(in.name, in)
	if cause := errors.Unwrap(err); cause != nil {
		err = in.wrong("reading ", cause)
	}
	return data, err
}

// isBinary reports whether the beginning of a file is not text.
func isBinary(head []byte) bool {
	if !isText(head) {
		return true
	}
	if bytes.IndexByte(head, 0) < 0 {
		return false
	}
	lines, printable := 0, 0 // a text may have a damaged line
	for l := range bytes.Lines(head) {
		lines++
		if bytes.IndexFunc(l, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }) < 0 {
			printable++
		}
	}
	return 2*printable <= lines
}

// isText reports whether almost all bytes are printable or white space.
func isText(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0x7f || c >= 0xf5 {
			odd++
		}
	}
	return odd*20 <= len(b)
}

// job detects the kind of the input and makes the job for it.
func (f *predictFlags) job(in *corpusInput, o *analyze.Options) (*predict.Job, error) {
	head, err := in.Peek(1)
	if err == nil {
		head, err = in.Peek(in.Buffered())
	}
	if err != nil && err != io.EOF {
		return nil, in.wrong("reading ", err)
	}
	head = head[:min(len(head), 4096)]
	if object.IsObject(head) || isBinary(head) {
		return f.binary(in, o)
	}
	if source.Spans(head) {
		in.Reader = bufio.NewReaderSize(source.JoinQuoted(in.Reader), corpusBuffer)
	} else if isAssembly(head) {
		return f.assembly(in, o)
	}
	targets, a, err := analyze.Targets(o, nil)
	if err != nil {
		return nil, err
	}
	j := &predict.Job{ISA: a, Syntax: o.Syntax, Workers: f.jobs, Targets: predictors(targets)}
	if j.Format, err = predict.Detect(in.Reader, a, f.block); err != nil {
		return nil, in.wrong("", err)
	}
	j.Source = predict.NewLines(in.Reader, &j.Format)
	return j, nil
}

func predictors(targets []analyze.Target) []predict.Predictor {
	out := make([]predict.Predictor, len(targets))
	for i, t := range targets {
		out[i].Model = t.Model
	}
	return out
}

// isAssembly reports whether the beginning of a file is assembly text as compilers write it, not a corpus of blocks: some line is a directive or only
// a label.
func isAssembly(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if directive().Match(line) || listing().Match(line) || len(line) > 1 && line[len(line)-1] == ':' && !bytes.ContainsAny(line, " \t,;") {
			return true
		}
	}
	return false
}

var directive = regex.Lazy(`^\.(text|file|globa?l|section|type|p2align|intel_syntax|att_syntax|arch|cpu|attribute|option|build_version)\b`)

// listing matches a line that only disassemblers write.
var listing = regex.Lazy(`^Disassembly of section |:\s+file format |^TEXT .*\(SB\)`)

// assembly predicts the kernels of assembly text that 'incore analyze' finds: marked regions, otherwise innermost loops.
func (f *predictFlags) assembly(in *corpusInput, o *analyze.Options) (*predict.Job, error) {
	data, err := in.all()
	if err != nil {
		return nil, err
	}
	src, err := source.New(in.name, data)
	if err != nil {
		return nil, err
	}
	kernels, targets, err := analyze.Kernels(src, o)
	if err != nil {
		return nil, err
	}
	var blocks predict.Blocks
	for _, k := range kernels {
		for i := range k.Lines {
			k.Lines[i].Err = nil // counted as an instruction without cost data
		}
		blocks = append(blocks, predict.Block{Name: k.Name, Code: k.Lines, Loop: k.Loop})
	}
	return &predict.Job{ISA: kernels[0].ISA, Workers: f.jobs, Targets: predictors(targets), Source: &blocks}, nil
}

// binary predicts the code of an object file, or bare machine code.
func (f *predictFlags) binary(in *corpusInput, o *analyze.Options) (*predict.Job, error) {
	data, err := in.all()
	if err != nil {
		return nil, err
	}
	obj, err := object.Read(data, catalog.ISAs()...)
	var known *isa.ISA
	if err == nil {
		known = obj.ISA
	} else if !errors.Is(err, object.ErrFormat) {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	if obj == nil {
		if err := source.NoCode(in.name, data); err != nil {
			return nil, err
		}
	}
	targets, a, err := analyze.Targets(o, known)
	if err != nil {
		return nil, err
	}
	if obj == nil {
		if obj, err = object.Raw(data, 0, a); err != nil {
			return nil, err
		}
	}
	blocks, err := codeOf(obj, known == nil, filepath.Base(in.name), data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return &predict.Job{ISA: a, Workers: f.jobs, Targets: predictors(targets), Source: &blocks}, nil
}

// comparison collects predicted and measured cycles.
type comparison struct {
	column    int
	predicted map[string][]float64 // by machine
	measured  map[string][]float64
	left      int   // number of rows without a measured figure
	why       error // the error of the first of these
}

// comparison prepares the comparison of --compare; nil without the option.
func (f *predictFlags) comparison(j *predict.Job) (*comparison, error) {
	if f.compare == "" {
		return nil, nil
	}
	if _, lines := j.Source.(*predict.Lines); !lines {
		return nil, errors.New("--compare needs a corpus of lines")
	}
	column, err := j.Format.Column(f.compare)
	if err != nil {
		return nil, fmt.Errorf("--compare: %w", err)
	}
	return &comparison{column: column, predicted: map[string][]float64{}, measured: map[string][]float64{}}, nil
}

func (c *comparison) add(r *predict.Row) {
	if r.Err != nil {
		return
	}
	m, err := r.Measured(c.column)
	if err != nil {
		if c.left++; c.why == nil {
			c.why = err
		}
		return
	}
	c.predicted[r.Arch] = append(c.predicted[r.Arch], r.Cycles)
	c.measured[r.Arch] = append(c.measured[r.Arch], m)
}

// tally counts the rows by their result.
type tally struct{ rows, failed, foreign, unknown int } // foreign of the failed: the machine cannot execute them

// errNoFigures is the error for a corpus without a single usable block, for example a file that is not a corpus.
var errNoFigures = errors.New("no block has a figure; a block is machine code in hexadecimal, or assembly with ';' between statements")

// errInterrupted reports that the user stopped a long run.
var errInterrupted = errors.New("interrupted; the rows written are whole")

func (f *predictFlags) predict(e *env, j *predict.Job, cmp *comparison, name string) error {
	out, err := e.create(f.output)
	if err != nil {
		return err
	}
	defer out.Abort()
	named := len(j.Targets) > 1
	header := predict.Header
	if named {
		header += ",arch"
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	var t tally
	show := e.rate()
	buf := append([]byte(header), '\n')
	var corpus *page.Corpus
	switch f.format {
	case "jsonl":
		buf = nil
	case "html":
		corpus, buf = &page.Corpus{File: name, Measured: cmp != nil}, nil
	}
	var found *findings.Report
	if findings.Is(f.format) {
		found, buf = predictions(), nil
	}
	err = j.Run(ctx, func(rows []predict.Row) error {
		for i := range rows {
			r := &rows[i]
			switch {
			case corpus != nil:
				corpus.Add(cmp.block(r, t.rows/len(j.Targets)+1))
			case found != nil:
				found.Findings = append(found.Findings, predicted(r, name, t.rows/len(j.Targets)+1))
			case f.format == "jsonl":
				buf = r.AppendJSON(buf)
			default:
				buf = r.Append(buf, named)
			}
			t.add(r)
			if cmp != nil {
				cmp.add(r)
			}
		}
		_, err := out.Write(buf)
		buf = buf[:0]
		show(t.rows)
		return err
	})
	show(-1)
	if corpus != nil && (err == nil || errors.Is(err, context.Canceled)) {
		cmp.sum(corpus, j)
		if e := corpus.Write(out); e != nil {
			err = e
		}
	}
	if found != nil && err == nil {
		err = findings.Write(out, f.format, found)
	}
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
	t.report(e, len(j.Targets))
	switch {
	case err == nil && t.rows > 0 && t.failed == t.rows:
		if err = errNoFigures; t.foreign == t.failed {
			err = errForeign
		}
	case err == nil && cmp != nil && t.rows == 0:
		err = errors.New("no row was compared: there is none")
	case err == nil && cmp != nil && len(cmp.measured) == 0:
		err = fmt.Errorf("no row was compared: %w", cmp.why)
	}
	if cmp != nil {
		cmp.report(e, j, t)
	}
	if err != nil {
		return inputError{err}
	}
	return nil
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

func (t *tally) add(r *predict.Row) {
	t.rows++
	switch {
	case r.Err != nil:
		t.failed++
		if why := (*predict.ForeignError)(nil); errors.As(r.Err, &why) {
			t.foreign++
		}
	case r.Unknown > 0:
		t.unknown++
	}
}

// report warns of rows without figures, or with doubtful ones.
func (t *tally) report(e *env, machines int) {
	if t.failed > 0 {
		e.complain("warning", "the column unknown says why", "%d of %d blocks have no figures", (t.failed+machines-1)/machines, t.rows/machines)
	}
	if t.unknown > 0 {
		e.complain("warning", "", "%d of %d rows hold instructions without cost data, or that take at least what they are counted with", t.unknown, t.rows)
	}
}

// report prints the errors of the predictions against the measured cycles, one line per machine.
func (c *comparison) report(e *env, j *predict.Job, t tally) {
	fmt.Fprintf(e.stderr, "%-14s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n", "arch", "blocks", "mean", "median", "lower", "upper", "≤10 %", "≤20 %", "tau-b", "failed")
	for _, p := range j.Targets {
		name := p.Model.Name
		s := eval.Summarise(c.predicted[name], c.measured[name])
		percent := func(v float64) string { return fmt.Sprintf("%.2f%%", 100*v) }
		tau := "-" // one block has no order
		if !math.IsNaN(s.Tau) {
			tau = fmt.Sprintf("%.4f", s.Tau)
		}
		fmt.Fprintf(e.stderr, "%-14s %7d %7s %7s %7s %7s %7s %7s %7s %7d\n", name, s.N, percent(s.Mean), percent(s.Median), percent(s.Lower), percent(s.Upper),
			percent(s.Within10), percent(s.Within20), tau, t.failed/len(j.Targets))
	}
	if c.left > 0 {
		e.complain("warning", "", "%s not compared: %v", counted(c.left/len(j.Targets), "row"), c.why)
	}
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

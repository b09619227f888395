package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"incore/internal/analyze"
	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/bench/measure"
	"incore/internal/isa/catalog"
	"incore/internal/report"
)

// measureFlags are the options of incore measure.
type measureFlags struct {
	hex, denormals, unrolled, copies, whole bool
	regs, syntax, format, output            string
	lines, label, function, kernel          string
	windows, pages, jobs                    int
	binaryFlags
	cflags, c string
}

func newMeasure(e *env) *cobra.Command {
	var f measureFlags
	cmd := &cobra.Command{
		Use:   "measure FILE|-",
		Short: "cycles per iteration of a block or loop, measured on this machine",
		Long: `Runs straight code or a loop body on this machine and times it in core cycles, without root and
without performance counters. The input is assembly (a kernel is chosen as by 'incore analyze'), machine code in
hexadecimal (--hex), or a corpus (--format csv): a block a line, hexadecimal or assembly with ';' (a loop with its label in place), or HEX@OFFSET, a loop with its own
closing branch that runs in place at this offset (hexadecimal) of a page; or a loop of an executable, an object file or a source file that is compiled (--function, --loop, --path, --cc).

The code runs in a process of its own. Pages that it touches are mapped onto few physical ones (--pages), so that all data are in
the L1 cache; the branch that closes a loop is replaced by the driver's own, or left out with --unrolled.`,
		Example: `  incore measure triad.s
  echo 'imul %rax,%rax' | incore measure -
  echo 480fafc0 | incore measure --hex -
  incore measure --format csv -o cycles.csv blocks.csv
  incore measure a.out --function triad --loop 1
  incore measure --c daxpy.c --function daxpy --cc 'gcc -O3 -march=native'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.c != "" && len(args) > 0 {
				return errors.New("--c names the file to measure; give no other")
			} else if f.c != "" {
				return nil
			}
			return oneFile(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.c != "" {
				args = []string{f.c}
			}
			return f.run(e, args[0])
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.hex, "hex", false, "the input is machine code in hexadecimal")
	fl.BoolVar(&f.unrolled, "unrolled", false, "lay iterations out one after another, without a loop branch")
	fl.BoolVar(&f.copies, "copies", false, "of a loop, measure copies of the body with a closing branch of the driver's, as of straight code")
	fl.BoolVar(&f.denormals, "denormals", false, "keep denormal numbers (default: flush to zero, denormals are zero)")
	fl.StringVar(&f.regs, "regs", "suited", "initial registers: distinct (own page each), suited (distinct, but small strides and aligned bases where the code needs them), same (one value), or a FILE of register=value lines over suited ones")
	fl.StringVar(&f.syntax, "syntax", "", "assembly syntax: att, intel; default: detected")
	fl.StringVar(&f.format, "format", "text", "text, json, or csv for corpora")
	fl.StringVarP(&f.output, "output", "o", "", "write to a `FILE`; rows that it has already are not measured again (csv)")
	count(fl, &f.windows, 0, option{"windows", "", 0, host.MaxWindows, "time windows per measurement; 0: default"})
	jobsFlag(fl, &f.jobs, "blocks of a corpus")
	fl.StringVarP(&f.lines, "lines", "l", "", "measure the instructions on these lines")
	fl.StringVar(&f.label, "label", "", "measure the loop at a label")
	fl.StringVarP(&f.function, "function", "f", "", "measure the (likely hottest) loop of a function")
	fl.StringVar(&f.kernel, "kernel", "", "measure the kernel of this name")
	fl.BoolVar(&f.whole, "whole", false, "without markers, take the whole text")
	fl.IntVar(&f.pages, "pages", 0, "physical pages behind the addresses; code that needs more starts\nanew before it does; 0: what the L1 cache holds, and 1 for the blocks of corpora")
	fl.StringVar(&f.c, "c", "", "compile this source `FILE` and measure a loop of it")
	fl.StringVar(&f.cflags, "cflags", "", "further options of the compiler ('-O3 -march=native')")
	f.binaryFlags.register(cmd)
	oneOf(cmd, "lines", "label", "function", "whole")
	return cmd
}

func (f *measureFlags) setup() (s block.Setup, err error) {
	s = block.Setup{Denormal: f.denormals, Unrolled: f.unrolled, Windows: f.windows}
	switch f.regs {
	case "distinct", "suited":
	case "same":
		s.Regs = block.Same
	default:
		if s.Values, err = block.ReadRegs(f.regs, measure.Here()); err != nil {
			return s, inputError{fmt.Errorf("reading --regs: %w", err)}
		}
	}
	if s.Pages = f.pages; f.pages < 0 || f.pages > 64 {
		return s, fmt.Errorf("--pages %d: a number from 1 to 64 is needed, or 0 for the default", f.pages)
	}
	if known := measureFormats(); !slices.Contains(known, f.format) {
		return s, fmt.Errorf("unknown format %q; known are %s", f.format, strings.Join(known, ", "))
	}
	return s, nil
}

// measureFormats are those of a measurement, and csv, that of a corpus.
func measureFormats() []string { return append(report.Formats((*report.Measurement)(nil)), "csv") }

func (f *measureFlags) run(e *env, name string) error {
	s, err := f.setup()
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	measure.ExpectQuiet()
	if f.format == "csv" {
		return f.corpus(ctx, e, name, s)
	}
	m, err := f.read(e, name)
	if err == nil {
		err = f.one(ctx, m, &s)
	}
	if err != nil {
		return err
	}
	return e.result(f.output, m.Document(s.Unrolled), f.format, report.TextOptions{})
}

// one measures a block and predicts it.
func (f *measureFlags) one(ctx context.Context, m *measure.Block, s *block.Setup) error {
	err := m.Run(ctx, s, f.suits())
	var why *host.Reason
	if errors.As(err, &why) {
		return inputError{fmt.Errorf("cannot be measured: %w", why)}
	} else if err != nil {
		return inputError{err}
	}
	return nil
}

// suits tells whether registers get values that suit the code.
func (f *measureFlags) suits() bool { return f.regs != "distinct" && f.regs != "same" }

// measureText returns what measure --format json writes for a text.
func measureText(ctx context.Context, text, syntax string) (json.RawMessage, error) {
	f := measureFlags{regs: "suited", format: "json", syntax: syntax}
	s, err := f.setup()
	if err != nil {
		return nil, err
	}
	measure.ExpectQuiet()
	m, err := f.readText(&env{stdin: strings.NewReader(text)}, "-")
	if err != nil {
		return nil, err
	}
	if err := f.one(ctx, m, &s); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = report.Write(&b, m.Document(s.Unrolled), "json", report.TextOptions{})
	return b.Bytes(), err
}

// read reads one block from a file of any kind.
func (f *measureFlags) read(e *env, name string) (*measure.Block, error) {
	if !f.hex && (isSource(name) || f.cc != "" || name != "-" && isObjectFile(name)) {
		return f.readCode(e, name)
	}
	if f.loop != 0 || f.path != 0 {
		return nil, errors.New("--loop and --path are for executables, object files and sources; assembly text has --label and --lines")
	}
	m, err := f.readText(e, name)
	if err != nil {
		return nil, inputError{err}
	}
	return m, nil
}

// readText reads a block of assembly text or of machine code in hexadecimal.
func (f *measureFlags) readText(e *env, name string) (*measure.Block, error) {
	src, err := source.Read(name, e.stdin)
	if err != nil {
		return nil, err
	}
	if f.hex {
		m, err := measure.Hex(strings.Join(strings.Fields(src.Text), ""))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
		return m, nil
	}
	o := analyze.Options{ISA: measure.Here().ISA.Name, Syntax: strings.ToLower(f.syntax), Kernel: f.kernel}
	o.Select.Label, o.Select.Function, o.Select.Whole = f.label, f.function, f.whole
	if f.lines != "" {
		if o.Select.Lines, err = source.ParseRanges(f.lines); err != nil {
			return nil, err
		}
	}
	m, err := f.readKernel(src, &o)
	if err == nil {
		return m, nil
	}
	switch l, no := asm.NewInput(src).Detect(catalog.ISAs()); {
	case no != nil && strings.ContainsFunc(src.Text, notOfText):
		return nil, no
	case no == nil && l.ISA.Name != o.ISA:
		return nil, source.Diagnostic{Pos: source.Pos{File: src.Name},
			Msg: fmt.Sprintf("is %s code, and this machine runs %s: only what runs here can be measured", l.ISA.Name,
				o.ISA), Hint: "predictions take any"}
	}
	if at, ok := strings.CutPrefix(err.Error(), "line "); ok { // the error names a line of this file
		number, text, _ := strings.Cut(at, ": ")
		if line, e := strconv.Atoi(number); e == nil {
			err = source.Diagnostic{Pos: source.Pos{File: src.Name, Line: line}, Msg: text}
		}
	}
	return nil, err
}

// notOfText reports whether a character never occurs in text, so that the file is binary and its first statement is meaningless.
func notOfText(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r)
}

// readKernel makes a block of the kernel that the options select.
func (f *measureFlags) readKernel(src *source.File, o *analyze.Options) (*measure.Block, error) {
	p, _, err := analyze.Read(src, o)
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(o.Select)
	if err != nil {
		return nil, err
	}
	if f.kernel != "" {
		if found, err = analyze.Named(found, f.kernel); err != nil {
			return nil, err
		}
	}
	k := p.Build(&found[0])
	if f.unrolled || f.copies {
		return measure.New(k)
	}
	return measure.Loop(k)
}

// corpus measures one block per line.
func (f *measureFlags) corpus(ctx context.Context, e *env, name string, s block.Setup) error {
	jobs, err := divide(f.jobs)
	if err != nil {
		return err
	}
	src, err := source.Read(name, e.stdin)
	if err != nil {
		return inputError{err}
	}
	blocks, err := block.ReadCorpus(strings.NewReader(src.Text))
	if err != nil {
		return inputError{fmt.Errorf("reading blocks: %w", err)}
	}
	var done map[string]int
	w, err := e.resume(f.output, func(r io.Reader) (whole int64, err error) {
		done, whole, err = block.Done(r)
		return whole, err
	}, text(block.Header+"\n"))
	if err != nil {
		return err
	}
	defer w.Close()
	left := block.Left(blocks, done)
	read := measure.Corpus{Hex: f.hex, Copies: f.copies || f.unrolled, Syntax: f.syntax, Suits: f.suits()}
	var failed, unread atomic.Int64
	c := block.Corpus{Blocks: left, Jobs: jobs, Progress: e.progress(len(left)), One: func(ctx context.Context, text string, cpus []int) (*block.Figure, error) {
		s := s
		s.CPUs = cpus
		figure, err := read.One(ctx, text, s)
		if err != nil {
			failed.Add(1)
		}
		if why := (*host.Reason)(nil); errors.As(err, &why) && why.Kind == "input" {
			unread.Add(1)
		}
		return figure, err
	}}
	if err = c.Measure(ctx, w); errors.Is(err, context.Canceled) {
		return inputError{errors.New("interrupted; the rows written are whole, the same command goes on from there")}
	} else if err != nil {
		return inputError{err}
	}
	if n := failed.Load(); n > 0 {
		e.complain("warning", "the column reason says why", "%d of %d blocks have no figures", n, len(left))
	}
	if n := unread.Load(); n > 0 && int(n) == len(blocks) {
		return inputError{errNoFigures}
	}
	return nil
}

// jobsFlag adds --jobs, the number of things that are measured in parallel.
func jobsFlag(fl *pflag.FlagSet, jobs *int, things string) {
	count(fl, jobs, 0, option{"jobs", "", 0, 1024, "measure so many " + things + " at a time, each on a core of its own; 0: as many as there are cores, up to 4"})
}

// divide assigns CPUs to each of n parallel measurements.
func divide(n int) ([][]int, error) {
	jobs := host.Jobs(n)
	if len(jobs) < n {
		return nil, inputError{fmt.Errorf("--jobs %d: this process may use %s of one kind", n, counted(max(1, len(host.Cores())), "core"))}
	}
	return jobs, nil
}

// counting returns a function that is told of each part of a long measurement whether it failed, and shows the
// progress.
func (e *env) counting(total int) func(failed bool) {
	show, done, bad := e.progress(total), 0, 0
	return func(failed bool) {
		if done++; failed {
			bad++
		}
		if show != nil {
			show(done, bad)
		}
	}
}

// progress shows the progress of a long measurement, if standard error is a terminal.
func (e *env) progress(total int) func(done, failed int) {
	t, ok := e.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(t.Fd())) {
		return nil
	}
	return func(done, failed int) {
		fmt.Fprintf(e.stderr, "\r%d of %d, %d without a figure", done, total, failed)
		if done == total {
			fmt.Fprintln(e.stderr)
		}
	}
}

package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
	"incore/internal/isa"
	"incore/internal/isa/catalog"
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

// here returns the instruction set of this machine. If nothing can be measured on it, it returns x86-64, so that errors of the input are
// reported first.
func here() *block.Arch {
	a, err := block.Native()
	if err != nil {
		a = block.AMD64()
	}
	return a
}

func (f *measureFlags) setup() (s block.Setup, err error) {
	s = block.Setup{Denormal: f.denormals, Unrolled: f.unrolled, Windows: f.windows}
	switch f.regs {
	case "distinct", "suited":
	case "same":
		s.Regs = block.Same
	default:
		if s.Values, err = block.ReadRegs(f.regs, here()); err != nil {
			return s, inputError{fmt.Errorf("reading --regs: %w", err)}
		}
	}
	if s.Pages = f.pages; f.pages < 0 || f.pages > 64 {
		return s, fmt.Errorf("--pages %d: a number from 1 to 64 is needed, or 0 for the default", f.pages)
	}
	switch f.format {
	case "text", "json", "csv":
	default:
		return s, fmt.Errorf("unknown format %q; known are text, json, csv", f.format)
	}
	return s, nil
}

func (f *measureFlags) run(e *env, name string) error {
	s, err := f.setup()
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	expectQuiet()
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
	w, err := e.create(f.output)
	if err != nil {
		return err
	}
	defer w.Abort()
	if f.format == "json" {
		err = m.json(w, s.Unrolled)
	} else {
		err = m.text(w, s.Unrolled)
	}
	if err == nil {
		err = w.Commit()
	}
	if err != nil {
		return outputError(err)
	}
	return nil
}

// one measures a block and predicts it.
func (f *measureFlags) one(ctx context.Context, m *measured, s *block.Setup) error {
	if f.pages == 0 {
		s.Pages = cachePages()
	}
	if f.suits() {
		m.chosen = s.Suit(m.kernel)
	}
	err := m.measure(ctx, s)
	var why *host.Reason
	if errors.As(err, &why) {
		return inputError{fmt.Errorf("cannot be measured: %w", why)}
	} else if err != nil {
		return inputError{err}
	}
	m.predict(s)
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
	expectQuiet()
	m, err := f.readText(&env{stdin: strings.NewReader(text)}, "-")
	if err != nil {
		return nil, err
	}
	if err := f.one(ctx, m, &s); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = m.json(&b, s.Unrolled)
	return b.Bytes(), err
}

// measured is one block: its code and kernel, its measurement and its prediction.
type measured struct {
	kernel *isa.Kernel
	code   []byte
	n      int
	// assembled is the assembler's result for the kernel, nil if the input is machine code.
	assembled  *block.Assembled
	figure     *block.Figure
	prediction *prediction // nil: no model of this machine
	others     int         // number of the file's loops that are not measured
	// place is the loop with its own closing branch, as in its file or as assembled; nil if the loop cannot run in place, for the reason notPlaced. ended describes how the
	// measurement in place ends the loop.
	place     *block.Placed
	chosen    []string // initial values that the code needs, in words
	notPlaced error
	ended     *block.Ended
}

// read reads one block from a file of any kind.
func (f *measureFlags) read(e *env, name string) (*measured, error) {
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
func (f *measureFlags) readText(e *env, name string) (*measured, error) {
	src, err := source.Read(name, e.stdin)
	if err != nil {
		return nil, err
	}
	if f.hex {
		m, err := hexBlock(strings.Join(strings.Fields(src.Text), ""))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
		return m, nil
	}
	o := analyze.Options{ISA: here().ISA.Name, Syntax: strings.ToLower(f.syntax), Kernel: f.kernel}
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
func (f *measureFlags) readKernel(src *source.File, o *analyze.Options) (*measured, error) {
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
	return f.placeable(p.Build(&found[0]))
}

// placeable makes a block of a kernel, which runs in place if it is a loop that can and the options ask for no copies.
func (f *measureFlags) placeable(k *isa.Kernel) (*measured, error) {
	m, err := textBlock(k)
	if err == nil && k.Loop && !f.unrolled && !f.copies {
		m.place, m.notPlaced = here().PlaceText(k, m.assembled)
	}
	return m, err
}

func textBlock(k *isa.Kernel) (*measured, error) {
	a, err := block.Assemble(k)
	if err != nil {
		return nil, err
	}
	return &measured{kernel: k, code: a.Code, n: a.N, assembled: a}, nil
}

// hexBlock decodes machine code in hexadecimal.
func hexBlock(text string) (*measured, error) {
	code, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("is not machine code in hexadecimal: %w", err)
	}
	a := here().ISA
	m := &measured{kernel: &isa.Kernel{ISA: a, Syntax: a.Syntaxes[0], Loop: true}}
	if m.code, m.n, err = block.Body(a, code); err != nil {
		return nil, err
	}
	for at := 0; at < len(m.code); {
		var l isa.Line
		n, err := a.Decode(m.code[at:], uint64(at), &l.Inst)
		if err != nil {
			return nil, err
		}
		at += n
		l.Text = string(a.Print(nil, &l.Inst, a.Syntaxes[0]))
		m.kernel.Lines = append(m.kernel.Lines, l)
	}
	return m, nil
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
	var failed, unread atomic.Int64
	c := block.Corpus{Blocks: left, Jobs: jobs, Progress: e.progress(len(left)), One: func(ctx context.Context, text string, cpus []int) (*block.Figure, error) {
		s := s
		s.CPUs = cpus
		figure, err := f.oneBlock(ctx, text, s)
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

// oneBlock measures a block of a corpus.
func (f *measureFlags) oneBlock(ctx context.Context, text string, s block.Setup) (*block.Figure, error) {
	if p, ok, err := here().PlaceHex(text); ok {
		var chosen []string
		if err == nil && f.suits() {
			chosen = p.Suit(&s)
		}
		figure, err := inPlace(ctx, p, err, s)
		return withChosen(figure, chosen), err
	}
	m, err := f.block(text)
	if err != nil {
		return nil, &host.Reason{Kind: "input", Msg: err.Error()}
	}
	if m.place != nil {
		if f.suits() {
			m.chosen = m.place.Suit(&s)
		}
		figure, err := inPlace(ctx, m.place, nil, s)
		return withChosen(figure, m.chosen), err
	}
	if f.suits() {
		m.chosen = s.Suit(m.kernel)
	}
	figure, err := block.Measure(ctx, m.code, m.n, s)
	return withChosen(figure, m.chosen), err
}

// withChosen adds to a figure, if there is one, the initial values that the code needed.
func withChosen(f *block.Figure, chosen []string) *block.Figure {
	if f != nil {
		f.Chosen = chosen
	}
	return f
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

// inPlace measures a loop of a corpus in place, if it could be placed.
func inPlace(ctx context.Context, p *block.Placed, err error, s block.Setup) (*block.Figure, error) {
	if err != nil {
		return nil, &host.Reason{Kind: "input", Msg: err.Error()}
	}
	if s.Pages == 0 {
		s.Pages = cachePages()
	}
	f, _, err := p.Loop(ctx, s)
	var why *host.Reason
	if err != nil && !errors.As(err, &why) {
		err = &host.Reason{Kind: "input", Msg: "cannot run in place: " + err.Error()}
	}
	return f, err
}

// cachePages returns the number of pages that fit into the L1 data cache, minus one for the driver's own data.
func cachePages() int { return max(2, host.DataCache()/os.Getpagesize()-1) }

// block reads a block of a corpus.
func (f *measureFlags) block(text string) (*measured, error) {
	if f.hex || block.IsHex(text) {
		return hexBlock(text)
	}
	src, err := source.New("block", []byte(strings.ReplaceAll(text, ";", "\n")+"\n"))
	if err != nil {
		return nil, err
	}
	p, _, err := analyze.Read(src, &analyze.Options{ISA: here().ISA.Name, Syntax: strings.ToLower(f.syntax)})
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(asm.Select{Whole: true})
	if err != nil {
		return nil, err
	}
	whole := p.Build(&found[0])
	if loops, _, err := p.Kernels(asm.Select{}); err == nil { // a loop with its label runs in place, as it does from a file
		if k := p.Build(&loops[0]); k.Latch && len(k.Lines) == len(whole.Lines) {
			return f.placeable(k)
		}
	}
	return textBlock(whole)
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

package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"incore/internal/analyze"
	"incore/internal/asm"
	"incore/internal/bench"
	"incore/internal/bench/host"
	"incore/internal/catalog"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/source"
)

// measureFlags are the options of incore measure.
type measureFlags struct {
	hex, denormals, unrolled, whole bool
	regs, syntax, format, output    string
	lines, label, function, kernel  string
	windows                         int
}

func newMeasure(e *env) *cobra.Command {
	var f measureFlags
	cmd := &cobra.Command{
		Use:   "measure FILE|-",
		Short: "cycles per iteration of a block or loop, measured on this machine",
		Long: `Runs straight code or a loop body on this machine and times it in core cycles, without root and
without performance counters. The input is assembly (a kernel is chosen as by 'incore analyze'), machine code in
hexadecimal (--hex), or a corpus (--format csv): a block a line, hexadecimal or assembly with ';'.

The code runs in a process of its own. Pages that it touches are mapped onto one physical page, so that all data are in
the L1 cache; the branch that closes a loop is replaced by the driver's own, or left out with --unrolled.`,
		Example: `  incore measure triad.s
  echo 'imul %rax,%rax' | incore measure -
  echo 480fafc0 | incore measure --hex -
  incore measure --format csv -o cycles.csv blocks.csv`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(e, args[0]) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.hex, "hex", false, "the input is machine code in hexadecimal")
	fl.BoolVar(&f.unrolled, "unrolled", false, "lay iterations out one after another, without a loop branch")
	fl.BoolVar(&f.denormals, "denormals", false, "keep denormal numbers (default: flush to zero, denormals are zero)")
	fl.StringVar(&f.regs, "regs", "distinct", "initial registers: distinct (own page each), same (one value), or a FILE of register=value lines over distinct ones")
	fl.StringVar(&f.syntax, "syntax", "", "assembly syntax: att, intel; default: detected")
	fl.StringVar(&f.format, "format", "text", "text, json, or csv for corpora")
	fl.StringVarP(&f.output, "output", "o", "", "write to a `FILE`; rows that it has already are not measured again (csv)")
	fl.IntVar(&f.windows, "windows", 0, "time windows per measurement; 0: default")
	fl.StringVarP(&f.lines, "lines", "l", "", "measure the instructions on these lines")
	fl.StringVar(&f.label, "label", "", "measure the loop at a label")
	fl.StringVarP(&f.function, "function", "f", "", "measure the (likely hottest) loop of a function")
	fl.StringVar(&f.kernel, "kernel", "", "measure the kernel of this name")
	fl.BoolVar(&f.whole, "whole", false, "without markers, take the whole text")
	cmd.MarkFlagsMutuallyExclusive("lines", "label", "function", "whole")
	return cmd
}

// hardwareNames are the general-purpose registers by their numbers in encodings.
var hardwareNames = []string{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"}

// hardwareNumber is the number of a general-purpose register in an encoding, -1 if it is none.
func hardwareNumber(name string) int { return slices.Index(hardwareNames, name) }

func (f *measureFlags) setup() (s bench.Setup, err error) {
	s = bench.Setup{Denormal: f.denormals, Unrolled: f.unrolled, Windows: f.windows}
	switch f.regs {
	case "distinct":
	case "same":
		s.Regs = bench.Same
	default:
		if s.Values, err = bench.ReadRegs(f.regs, hardwareNumber); err != nil {
			return s, inputError{fmt.Errorf("reading --regs: %w", err)}
		}
	}
	if f.windows < 0 {
		return s, fmt.Errorf("--windows %d: a number above 0 is needed", f.windows)
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if f.format == "csv" {
		return f.corpus(ctx, e, name, s)
	}
	m, err := f.read(e, name)
	if err != nil {
		return inputError{err}
	}
	m.figure, err = bench.Block(ctx, m.code, m.n, s)
	var why *host.Reason
	if errors.As(err, &why) {
		return inputError{fmt.Errorf("cannot be measured: %w", why)}
	} else if err != nil {
		return inputError{err}
	}
	m.predict(&s)
	w := e.stdout
	if f.output != "" && f.output != "-" {
		file, err := os.Create(f.output)
		if err != nil {
			return inputError{err}
		}
		defer file.Close()
		w = file
	}
	if f.format == "json" {
		return m.json(w)
	}
	return m.text(w, f.unrolled)
}

// measured is one block: its code, what it is made from, what was measured and what is predicted.
type measured struct {
	kernel  *isa.Kernel
	code    []byte
	n       int
	symbols []string
	figure  *bench.Figure
	arch    string
	cycles  float64 // predicted
	bound   string
}

// read reads one block from a file.
func (f *measureFlags) read(e *env, name string) (*measured, error) {
	src, err := source.Read(name, e.stdin)
	if err != nil {
		return nil, err
	}
	if f.hex {
		return hexBlock(strings.Join(strings.Fields(src.Text), ""))
	}
	o := analyze.Options{ISA: "x86-64", Syntax: strings.ToLower(f.syntax), Kernel: f.kernel}
	o.Select.Label, o.Select.Function, o.Select.Whole = f.label, f.function, f.whole
	if f.lines != "" {
		if o.Select.Lines, err = source.ParseRanges(f.lines); err != nil {
			return nil, err
		}
	}
	p, _, err := analyze.Read(src, &o)
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(o.Select)
	if err != nil {
		return nil, err
	}
	at := 0
	for f.kernel != "" && found[at].Name != f.kernel {
		if at++; at == len(found) {
			return nil, fmt.Errorf("no kernel %q", f.kernel)
		}
	}
	return textBlock(p.Build(&found[at]))
}

func textBlock(k *isa.Kernel) (m *measured, err error) {
	m = &measured{kernel: k}
	m.code, m.n, m.symbols, err = bench.Assemble(k)
	return m, err
}

// hexBlock decodes machine code in hexadecimal.
func hexBlock(text string) (*measured, error) {
	code, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("is not machine code in hexadecimal: %w", err)
	}
	a := catalog.ISA("x86-64")
	m := &measured{kernel: &isa.Kernel{ISA: a, Syntax: "att", Loop: true}}
	if m.code, m.n, err = bench.BlockOf(a, code); err != nil {
		return nil, err
	}
	for at := 0; at < len(m.code); {
		var l isa.Line
		n, err := a.Decode(m.code[at:], uint64(at), &l.Inst)
		if err != nil {
			return nil, err
		}
		at += n
		l.Text = string(a.Print(nil, &l.Inst, "att"))
		m.kernel.Lines = append(m.kernel.Lines, l)
	}
	return m, nil
}

// predict adds what the model of this machine says of the code, entered with the registers that it was measured with.
func (m *measured) predict(s *bench.Setup) {
	name, _, ok := machine.Host()
	if !ok {
		return
	}
	model, err := machine.Get(name)
	if err != nil || model.ISA != m.kernel.ISA.Name {
		return
	}
	k := *m.kernel
	k.Lines = k.Lines[:m.n]
	m.arch = name
	o := analyze.Options{Memory: analyze.MemoryOptions{Equal: s.Regs == bench.Same && len(s.Values) == 0}}
	if !o.Memory.Equal {
		for i, v := range s.Registers() {
			o.Memory.Alias = append(o.Memory.Alias, fmt.Sprintf("%s=%d", hardwareNames[i], int64(v)))
		}
	}
	m.cycles, m.bound = analyze.Kernel(&k, model, &o).Cycles()
}

func (m *measured) difference() float64 { return 100 * (m.cycles - m.figure.Cycles) / m.figure.Cycles }

func (m *measured) text(w io.Writer, unrolled bool) error {
	f := m.figure
	form := "in a loop"
	if unrolled {
		form = "unrolled"
	}
	fmt.Fprintf(w, "%.2f ± %.2f cycles per iteration, %d instructions, %s (%d copies), at %.2f GHz\n", f.Cycles, f.Uncertainty, m.n, form, f.Copies, f.GHz)
	if len(f.Pages) == 0 {
		fmt.Fprintf(w, "memory: none touched\n")
	} else {
		fmt.Fprintf(w, "memory: %d pages mapped, all onto one physical page", len(f.Pages))
		for i, p := range f.Pages {
			if i == 4 {
				fmt.Fprint(w, " …")
				break
			}
			fmt.Fprintf(w, " %#x", p)
		}
		fmt.Fprintln(w)
	}
	if len(m.symbols) > 0 {
		fmt.Fprintf(w, "symbols placed in memory of their own: %s\n", strings.Join(m.symbols, " "))
	}
	if m.arch != "" {
		_, err := fmt.Fprintf(w, "prediction (%s): %.2f cycles, bound by %s; %+.1f %% against the measurement\n", m.arch, m.cycles, m.bound, m.difference())
		return err
	}
	return nil
}

func (m *measured) json(w io.Writer) error {
	type prediction struct {
		Arch       string  `json:"arch"`
		Cycles     float64 `json:"cycles"`
		Bound      string  `json:"bound"`
		Difference float64 `json:"difference_percent"`
	}
	out := struct {
		Cycles       float64     `json:"cycles"`
		Uncertainty  float64     `json:"uncertainty"`
		GHz          float64     `json:"ghz"`
		Instructions int         `json:"instructions"`
		Pages        []uint64    `json:"pages"`
		Symbols      []string    `json:"symbols,omitempty"`
		Prediction   *prediction `json:"prediction,omitempty"`
	}{Cycles: m.figure.Cycles, Uncertainty: m.figure.Uncertainty, GHz: m.figure.GHz, Instructions: m.n, Pages: m.figure.Pages, Symbols: m.symbols}
	if m.arch != "" {
		out.Prediction = &prediction{m.arch, m.cycles, m.bound, m.difference()}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// corpus measures a block a line.
func (f *measureFlags) corpus(ctx context.Context, e *env, name string, s bench.Setup) error {
	src, err := source.Read(name, e.stdin)
	if err != nil {
		return inputError{err}
	}
	blocks, err := bench.Blocks(strings.NewReader(src.Text))
	if err != nil {
		return inputError{fmt.Errorf("reading blocks: %w", err)}
	}
	w, left, err := f.resume(e, blocks)
	if err != nil {
		return inputError{err}
	}
	if c, ok := w.(io.Closer); ok {
		defer c.Close()
	}
	err = bench.Measure(ctx, left, w, func(ctx context.Context, text string) (*bench.Figure, error) {
		m, err := f.block(text)
		if err != nil {
			return nil, &host.Reason{Kind: "input", Msg: err.Error()}
		}
		return bench.Block(ctx, m.code, m.n, s)
	}, e.progress(len(left)))
	if errors.Is(err, context.Canceled) {
		return inputError{errors.New("interrupted; the rows written are whole, the same command goes on from there")}
	} else if err != nil {
		return inputError{err}
	}
	return nil
}

// block reads a block of a corpus.
func (f *measureFlags) block(text string) (*measured, error) {
	if f.hex || bench.IsHex(text) {
		return hexBlock(text)
	}
	src, err := source.New("block", []byte(strings.ReplaceAll(text, ";", "\n")+"\n"))
	if err != nil {
		return nil, err
	}
	p, _, err := analyze.Read(src, &analyze.Options{ISA: "x86-64", Syntax: strings.ToLower(f.syntax)})
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(asm.Select{Whole: true})
	if err != nil {
		return nil, err
	}
	return textBlock(p.Build(&found[0]))
}

// resume opens the output and returns the blocks that it has no row of.
func (f *measureFlags) resume(e *env, blocks []string) (io.Writer, []string, error) {
	if f.output == "" || f.output == "-" {
		_, err := fmt.Fprintln(e.stdout, bench.Header)
		return e.stdout, blocks, err
	}
	file, err := os.OpenFile(f.output, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	done, valid, err := bench.Done(file)
	if err == nil {
		err = file.Truncate(valid)
	}
	if err == nil {
		_, err = file.Seek(valid, io.SeekStart)
	}
	if err == nil && valid == 0 {
		_, err = fmt.Fprintln(file, bench.Header)
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", f.output, err)
	}
	var left []string
	for _, b := range blocks {
		if !done[b] {
			left = append(left, b)
		}
	}
	return file, left, nil
}

// progress shows how far a long measurement is, if standard error is a terminal.
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

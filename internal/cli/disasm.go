package cli

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// disasmFlags are the options of incore disasm.
type disasmFlags struct {
	function, format, syntax, isa, base string
	exact                               bool
}

func newDisasm(e *env) *cobra.Command {
	var f disasmFlags
	cmd := &cobra.Command{
		Use:   "disasm FILE|-",
		Short: "the instructions of an executable, an object file or bare machine code",
		Long: `Disassembles ELF, Mach-O and PE files, files of bare machine code, and text that is machine code in hexadecimal.

--format tsv prints a line for each instruction without a header: address, bytes, text and form, separated by tabs. The form is
the one that the text resolves to ('incore forms'); with --exact-form it is the encoding's own, where a text has several
encodings. Bytes that are no instruction have the text (bad) and the form ?.`,
		Example: `  incore disasm --function main a.out
  incore disasm --format tsv a.out
  echo 480fafc0 | incore disasm -
  incore disasm --isa aarch64 --base 0x400000 code.bin`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(e, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.function, "function", "f", "", "only this function, by name or by an address within it")
	fl.StringVar(&f.format, "format", "text", "output format: text, tsv")
	fl.StringVar(&f.syntax, "syntax", "", "assembly syntax of x86: att, intel")
	fl.StringVar(&f.isa, "isa", "", "instruction set of bare machine code: "+strings.Join(catalog.ISANames(), ", ")+" (default: the first)")
	fl.StringVar(&f.base, "base", "0", "address of bare machine code")
	fl.BoolVar(&f.exact, "exact-form", false, "name the form of the encoding itself")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"text", "tsv"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("syntax", cobra.FixedCompletions([]string{"att", "intel"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("isa", cobra.FixedCompletions(catalog.ISANames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *disasmFlags) run(e *env, name string) error {
	if f.format != "text" && f.format != "tsv" {
		return fmt.Errorf("unknown format %q; known are text, tsv", f.format)
	}
	base, err := strconv.ParseUint(f.base, 0, 64)
	if err != nil {
		return fmt.Errorf("--base %s: an address is needed", f.base)
	}
	obj, err := openCode(e, name, f.isa, base)
	if err != nil {
		var usage analyze.UsageError
		if errors.As(err, &usage) {
			return err
		}
		return inputError{err}
	}
	if f.syntax = strings.ToLower(f.syntax); f.syntax == "" {
		f.syntax = obj.ISA.Syntaxes[0]
	} else if !slices.Contains(obj.ISA.Syntaxes, f.syntax) {
		return fmt.Errorf("unknown syntax %q of %s; known are %s", f.syntax, obj.ISA.Name, strings.Join(obj.ISA.Syntaxes, " "))
	}
	lo, hi := uint64(0), uint64(math.MaxUint64)
	if f.function != "" {
		fn, err := functionOf(obj, f.function)
		if err != nil {
			return inputError{err}
		}
		lo, hi = fn.Addr, fn.End()
	}
	l := lister{file: obj, disasmFlags: f}
	err = e.print(func(w io.Writer) error {
		return obj.Disassemble(lo, hi, func(x *object.Line) error {
			if f.format == "tsv" {
				l.tsv(x)
			} else {
				l.text(x)
			}
			_, err := w.Write(l.buf)
			return err
		})
	})
	for _, s := range obj.Warnings() {
		e.complain("warning", "", "%s", s)
	}
	if l.bad > 0 && err == nil {
		e.complain("warning", "", "%s without an instruction", counted(l.bad, "byte"))
	}
	return err
}

// openCode opens an object file, bare machine code or machine code in hexadecimal.
func openCode(e *env, name, isaName string, base uint64) (*object.File, error) {
	var data []byte
	var err error
	if name == "-" {
		name = "<stdin>"
		data, err = source.Stream(name, e.stdin)
	} else {
		data, err = source.ReadBytes(name)
	}
	if err != nil {
		return nil, err
	}
	collectFor(len(data))
	f, err := object.Read(data, catalog.ISAs()...)
	if err == nil {
		f.Path = name
		f.FollowDebug(name)
		if a := catalog.ISA(isaName); isaName != "" && a != nil && a != f.ISA {
			return nil, fmt.Errorf("%s is for %s, not %s", name, f.ISA.Name, a.Name)
		}
		return f, nil
	} else if !errors.Is(err, object.ErrFormat) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := source.NoCode(name, data); err != nil {
		return nil, err
	}
	a := catalog.ISAs()[0]
	if isaName != "" {
		if a = catalog.ISA(isaName); a == nil {
			return nil, analyze.UsageError{Err: fmt.Errorf("unknown instruction set %q; known are %s", isaName, strings.Join(catalog.ISANames(), ", "))}
		}
	}
	code, err := bareCode(data)
	if err != nil {
		return nil, notCode{fmt.Errorf("%s %w", name, err), data}
	}
	if f, err = object.Raw(code, base, a); err != nil {
		return nil, err
	}
	f.Path = name
	return f, nil
}

// notCode returns the error for data that is text and not machine code.
type notCode struct {
	error
	data []byte
}

func (e notCode) Unwrap() error { return e.error }

// bareCode decodes hexadecimal text, and returns other bytes unchanged as machine code.
func bareCode(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, errors.New("is empty")
	}
	if isBinary(data[:min(len(data), 4096)]) {
		return data, nil
	}
	digits := bytes.Join(bytes.Fields(data), nil)
	digits = bytes.TrimPrefix(digits, []byte("0x"))
	code := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(code, digits); err != nil {
		return nil, fmt.Errorf("is text, but not machine code in hexadecimal: %w; assembly text is for 'incore analyze'", err)
	}
	return code, nil
}

// maxSimilar is the number of names that an error suggests.
const maxSimilar = 5

// functionOf finds a function; the error suggests similar names.
func functionOf(f *object.File, name string) (*object.Function, error) {
	if fn := f.Function(name); fn != nil {
		return fn, nil
	}
	if like := f.Similar(name, maxSimilar); len(like) > 0 {
		return nil, fmt.Errorf("no function %q; similar are %s", name, strings.Join(like, ", "))
	}
	return nil, fmt.Errorf("no function %q among the %d of the file", name, len(f.Functions()))
}

// lister prints a disassembly.
type lister struct {
	*disasmFlags
	file  *object.File
	buf   []byte
	bad   int
	lines bool // a function's name has been printed
}

// bytesShown is the width of the column of bytes: seven bytes, as in GNU objdump for x86.
const bytesShown = 21

// text appends a line of the human-readable listing.
func (l *lister) text(x *object.Line) {
	l.buf = l.buf[:0]
	if x.Func != "" {
		if l.lines {
			l.buf = append(l.buf, '\n')
		}
		l.buf = fmt.Appendf(l.buf, "%016x <%s>:\n", x.Addr, x.Func)
	}
	l.lines = true
	l.buf = fmt.Appendf(l.buf, "%8x:\t", x.Addr)
	at := len(l.buf)
	l.buf = fmt.Appendf(l.buf, "% x ", x.Bytes)
	for len(l.buf)-at < bytesShown {
		l.buf = append(l.buf, ' ')
	}
	l.buf = append(l.buf, '\t')
	l.inst(x)
	if name := l.target(x); name != "" {
		l.buf = append(append(append(l.buf, " <"...), name...), '>')
	}
	l.buf = append(l.buf, '\n')
}

// inst appends the text of an instruction.
func (l *lister) inst(x *object.Line) {
	if x.Err != nil {
		l.bad += len(x.Bytes)
		l.buf = append(l.buf, "(bad)"...)
		return
	}
	at := len(l.buf)
	l.buf = l.file.ISA.Print(l.buf, &x.Inst, l.syntax)
	for i := at; i < len(l.buf); i++ {
		if l.buf[i] == '\t' {
			l.buf[i] = ' '
		}
	}
}

// target names the target of a branch or call.
func (l *lister) target(x *object.Line) string {
	if x.Err != nil {
		return ""
	}
	if t := l.file.ISA.Flow(&x.Inst).Target; t.Kind == isa.OpImm {
		return l.file.Name(uint64(t.Imm))
	}
	return ""
}

// tsv appends a line of the machine-readable listing.
func (l *lister) tsv(x *object.Line) {
	l.buf = append(strconv.AppendUint(append(l.buf[:0], "0x"...), x.Addr, 16), '\t')
	l.buf = append(hex.AppendEncode(l.buf, x.Bytes), '\t')
	l.inst(x)
	in := x.Inst
	if c := l.file.ISA.Canonical; c != nil && !l.exact {
		in.Form = c(in.Form)
	}
	if x.Err != nil {
		in.Form = isa.NoForm
	}
	l.buf = append(append(append(l.buf, '\t'), l.file.ISA.FormName(&in)...), '\n')
}

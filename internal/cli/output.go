package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"incore/internal/base/filelock"
	"incore/internal/base/output"
	"incore/internal/report"
)

// outputFlags are the options for the destination and format of the output.
type outputFlags struct {
	formats []string // the known formats
	format  string
	file    string
	color   string
	width   int
	verbose bool
}

func (f *outputFlags) register(cmd *cobra.Command, formats ...string) {
	f.formats = formats
	fl := cmd.Flags()
	fl.StringVar(&f.format, "format", formats[0], "output format: "+strings.Join(formats, ", "))
	fl.StringVarP(&f.file, "output", "o", "", "write to a `FILE`")
	fl.StringVar(&f.color, "color", "auto", "colour: auto, always, never (auto: on terminals, unless NO_COLOR is set)")
	count(fl, &f.width, -1, option{"width", "", 0, noLimit, "columns of the text report, 0: as many as needed; default: those of the terminal, 120 where there is none"})
	fl.Lookup("width").DefValue = "0" // the help text names no default; -1 is not a width
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "list everything in the text report")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
}

// check validates the options before any work is done.
func (f *outputFlags) check() error {
	if !slices.Contains(f.formats, f.format) {
		return fmt.Errorf("unknown format %q; known are %s", f.format, strings.Join(f.formats, ", "))
	}
	if !slices.Contains([]string{"auto", "always", "never"}, f.color) {
		return fmt.Errorf("--color %s: auto, always or never is needed", f.color)
	}
	return nil
}

// results registers the options for results of a type. The default format is the text, or first.
func (f *outputFlags) results(cmd *cobra.Command, r report.Result, first ...string) {
	others := slices.DeleteFunc(report.Formats(r), func(name string) bool { return slices.Contains(first, name) })
	f.register(cmd, append(first, others...)...)
}

// formatOnly registers --format alone, for results that go to standard output as they are.
func (f *outputFlags) formatOnly(cmd *cobra.Command, r report.Result) {
	f.formats, f.color, f.width = report.Formats(r), "auto", -1
	cmd.Flags().StringVar(&f.format, "format", f.formats[0], "output format: "+strings.Join(f.formats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(f.formats, cobra.ShellCompDirectiveNoFileComp))
}

// write writes a result in the chosen format to the chosen file or stream; o has the options that only some commands have.
func (f *outputFlags) write(e *env, r report.Result, o report.TextOptions) error {
	o.Width, o.Color, o.Verbose = f.columns(e), f.file == "" && e.colour(f.color, e.stdout) || f.color == "always", f.verbose
	return e.result(f.file, r, f.format, o)
}

// result writes a result in a format to the FILE of --output, completely or not at all, or to standard output.
func (e *env) result(file string, r report.Result, format string, o report.TextOptions) error {
	if x, ok := r.(interface {
		Drawing(all bool) (drawn report.Result, left, hint string)
	}); ok && (format == "dot" || format == "svg") {
		drawn, left, hint := x.Drawing(o.All)
		if r = drawn; left != "" {
			e.complain("note", hint, "%s", left)
		}
	}
	return e.output(file, func(w io.Writer) error { return report.Write(w, r, format, o) })
}

// toStdout reports whether the FILE of --output means standard output.
func toStdout(name string) bool { return name == "" || name == "-" }

// output writes the output of a function to the FILE of --output, completely or not at all, or to standard output.
func (e *env) output(name string, do func(io.Writer) error) error {
	if toStdout(name) {
		return e.print(do)
	}
	f, err := output.Create(name, e.inputs...)
	if err != nil {
		return inputError{fmt.Errorf("writing output: %w", err)}
	}
	defer f.Abort()
	if err := do(f); err != nil {
		return outputError(err)
	}
	if err := f.Commit(); err != nil {
		return outputError(err)
	}
	return nil
}

// outputError marks an error of writing: it is not a wrong call, so that the exit code is the same for files and standard output.
// It returns other errors, those of the function that made the output, unchanged.
func outputError(err error) error {
	var path *fs.PathError
	var number syscall.Errno
	switch {
	case errors.Is(err, syscall.EPIPE):
		return errBrokenPipe
	case errors.As(err, &path) && path.Path == os.Stdout.Name():
		err = path.Err
	case errors.As(err, &path):
		return inputError{fmt.Errorf("writing %s: %w", path.Path, path.Err)}
	case !errors.As(err, &number) && !errors.Is(err, output.ErrInput) && !errors.Is(err, fs.ErrPermission):
		return err
	}
	return inputError{fmt.Errorf("writing output: %w", err)}
}

// counted puts a number before the right form of its noun.
func counted(n int, noun string) string { return report.Counted(n, noun) }

// text returns a function that writes a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// sink receives output piece by piece. Commit moves the complete output to its file. Keep stores the output of an interrupted run in a file next to it and
// returns that file's name, "" if the output is already written. Abort discards the output and keeps the old file; it does nothing after Commit or Keep.
type sink interface {
	io.Writer
	Commit() error
	Keep() (string, error)
	Abort()
}

// create begins the FILE of --output, or writes to standard output.
func (e *env) create(name string) (sink, error) {
	if toStdout(name) {
		return standard{e.stdout}, nil
	}
	f, err := output.Create(name, e.inputs...)
	if err != nil {
		return nil, inputError{fmt.Errorf("writing output: %w", err)}
	}
	return f, nil
}

// standard makes standard output a sink.
type standard struct{ io.Writer }

func (standard) Commit() error         { return nil }
func (standard) Keep() (string, error) { return "", nil }
func (standard) Abort()                {}

// resume opens the output like create, but appends to an existing file: keep reads its content and returns the length of the complete part. header
// writes the first lines of a new file and of standard output.
func (e *env) resume(name string, keep func(io.Reader) (whole int64, err error), header func(io.Writer) error) (io.WriteCloser, error) {
	if toStdout(name) {
		if err := header(e.stdout); err != nil {
			return nil, inputError{err}
		}
		return nopCloser{e.stdout}, nil
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, inputError{fmt.Errorf("writing output: %w", err)}
	}
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() { // a device or pipe has no content to resume from
		if err := header(file); err != nil {
			file.Close()
			return nil, inputError{fmt.Errorf("%s: %w", name, err)}
		}
		return file, nil
	}
	if filelock.Held(file) {
		file.Close()
		return nil, inputError{fmt.Errorf("%s: another run is writing it", name)}
	}
	whole, err := keep(file)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err == nil && whole == 0 {
		err = header(file)
	}
	if err != nil {
		file.Close()
		return nil, inputError{fmt.Errorf("%s: %w", name, err)}
	}
	return file, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

var errBrokenPipe = errors.New("reader went away")

// print buffers the output of a function to standard output.
func (e *env) print(do func(io.Writer) error) error {
	w := bufio.NewWriterSize(e.stdout, 1<<16)
	err := do(w)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return outputError(err)
	}
	return nil
}

// pageColumns is the width of text that goes to no terminal.
const pageColumns = 120

// columns returns the width of the text report: the option's, otherwise the terminal's, otherwise that of a page.
func (f *outputFlags) columns(e *env) int {
	if f.width >= 0 {
		return f.width
	}
	if f.file == "" {
		if n := e.columns(); n > 0 {
			return n
		}
	}
	return pageColumns
}

// columns returns the width of the terminal at standard output, otherwise the width in the environment; 0: not known.
func (e *env) columns() int {
	if t, ok := e.stdout.(*os.File); ok {
		if w, _, err := term.GetSize(int(t.Fd())); err == nil {
			return w
		}
	}
	n, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	return n
}

// colour reports whether output to a stream is coloured.
func (e *env) colour(mode string, w io.Writer) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

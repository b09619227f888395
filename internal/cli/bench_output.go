package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/report"
)

// rowsFormat is what the commands of bench write unless a format of their results is chosen: rows of a machine
// model, written as they come. A later call goes on with a file of them.
const rowsFormat = "rows"

// benchOutput are the options for what the commands of bench find.
type benchOutput struct {
	file, format string
	formats      []string
}

// register adds the options of a command with results of a type.
func (o *benchOutput) register(cmd *cobra.Command, r report.Result) {
	o.formats = append([]string{rowsFormat}, report.Formats(r)...)
	fl := cmd.Flags()
	fl.StringVarP(&o.file, "output", "o", "", "append rows to a `FILE`; another format is written to it at the end")
	fl.StringVar(&o.format, "format", rowsFormat,
		"output format: rows (of a machine model), "+strings.Join(o.formats[1:], ", "))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(o.formats, cobra.ShellCompDirectiveNoFileComp))
}

// rows reports whether rows are written, not a result.
func (o *benchOutput) rows() bool { return o.format == "" || o.format == rowsFormat }

// check validates the options.
func (o *benchOutput) check() error {
	if !o.rows() && !slices.Contains(o.formats, o.format) {
		return fmt.Errorf("unknown format %q; known are %s", o.format, strings.Join(o.formats, ", "))
	}
	return nil
}

// open opens the rows as resume does. In another format there are none, and nothing was measured before.
func (o *benchOutput) open(e *env, keep func(io.Reader) (whole int64, err error),
	header func(io.Writer) error) (io.WriteCloser, error) {
	if o.rows() {
		return e.resume(o.file, keep, header)
	}
	return nopCloser{io.Discard}, header(io.Discard)
}

// end ends a measurement: it writes what a command found, if not as rows. ended is the error of the measurement.
func (o *benchOutput) end(e *env, r report.Result, ended error) error {
	if o.rows() {
		return stopped(ended)
	}
	if ended != nil && !errors.Is(ended, context.Canceled) {
		return inputError{ended}
	}
	if err := e.result(o.file, r, o.format, report.TextOptions{}); err != nil {
		return err
	}
	if ended != nil {
		return inputError{errors.New("interrupted; written is what was measured until then")}
	}
	return nil
}

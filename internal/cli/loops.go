package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/page"
)

// newLoops returns the command that lists the loops of a binary.
func newLoops(e *env) *cobra.Command {
	var m machineFlags
	var f outputFlags
	var function, perf string
	var top int
	cmd := &cobra.Command{
		Use:   "loops FILE",
		Short: "the loops of an executable, object file, library or assembly text, the likely hottest first",
		Long: `Lists all loops of a file with function, source lines, depth of nesting, size, vector instructions by width, predicted
cycles per iteration and what bounds them. The order is a guess from the code alone, or that of a profile (--perf): a
file of 'perf record', the output of 'perf script', a CPU profile of pprof, or a file of callgrind's (with
--dump-instr=yes best). Branch records with cycles (perf record -b on Intel, BRBE on Arm) give measured cycles per
iteration beside the prediction.

A static library (.a) is read as one file, all of its members; of assembly text the innermost loops are listed. A
program's own code comes before Go's packages, and in a static program before the libraries: what lies behind the first
function that their entries reach.

Text shows the first loops, simulated; JSON, CSV and HTML hold all, those beyond the first predicted by bounds.`,
		Example: `  incore loops a.out
  perf record -b ./a.out; incore loops --perf perf.data a.out
  incore loops --format csv --arch zen4 libm.so.6`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			o := analyze.LoopOptions{Function: function, Simulate: max(top, 0)}
			if err := m.apply(&o.Options); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			if len(o.Archs)+len(o.Models) > 1 {
				return fmt.Errorf("one machine at a time")
			}
			if o.Progress = e.searched(); f.file == "" && f.format != "text" {
				o.Progress = nil
			}
			o.Listing = &source.Listing{Read: source.ReadFrom(filepath.Dir(args[0]), ".")}
			list, err := loopsOf(e, args[0], m.isa, perf, o)
			if err != nil {
				return inputError{err}
			}
			return f.render(e, func(w io.Writer, t report.TextOptions) error {
				if f.format == "html" {
					return page.Loops(w, list)
				}
				return report.LoopsOut(w, list, f.format, top, t)
			})
		},
	}
	m.register(cmd)
	f.register(cmd, "text", "json", "csv", "html")
	fl := cmd.Flags()
	fl.StringVarP(&function, "function", "f", "", "only the loops of this function")
	fl.StringVar(&perf, "perf", "", "sort by a profile in a `FILE`, or -: of perf record, perf script, pprof, or callgrind's")
	count(fl, &top, 40, option{"top", "", 0, noLimit, "loops that the text shows and that are simulated; 0 shows all, predicted by bounds"})
	return cmd
}

// loopsOf lists the loops of a file of any kind.
func loopsOf(e *env, name, isaName, perf string, o analyze.LoopOptions) (list *report.Loops, err error) {
	if perf != "" {
		if o.Profile, err = e.readProfile(perf); err != nil {
			return nil, err
		}
	}
	obj, err := openCode(e, name, isaName, 0)
	var text notCode
	if errors.As(err, &text) {
		src, err := source.New(name, text.data)
		if err != nil {
			return nil, err
		}
		if perf != "" {
			return nil, errors.New("--perf is for executables: a profile knows addresses, and assembly text has none")
		}
		return analyze.LoopsText(src, o)
	} else if err != nil {
		return nil, err
	}
	if err := decodable(obj); err != nil {
		return nil, err
	}
	if list, err = analyze.Loops(obj, o); err == nil && obj.Bare() && len(list.Loops) == 0 {
		return nil, fmt.Errorf("%s: no loops found, and no ELF, Mach-O or PE file: it was taken for bare machine code", list.File)
	}
	return list, err
}

// decodable returns an error for bare machine code that is hardly any: too many places decode to no instruction.
func decodable(obj *object.File) error {
	const tolerated, few = 0.05, 3
	if !obj.Bare() {
		return nil
	}
	if none, all := obj.Undecoded(); none > few && float64(none) > tolerated*float64(all) {
		return fmt.Errorf("%s: is no ELF, Mach-O or PE file, and hardly bare machine code of %s: %d of %d places hold no instruction", obj.Path, obj.ISA.Name, none, all)
	}
	return nil
}

// searched shows the number of searched functions after the first second, if standard error is a terminal.
func (e *env) searched() func(done, total int) {
	t, ok := e.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(t.Fd())) {
		return nil
	}
	var shown atomic.Int64 // in tenths of a second since the start
	start := time.Now()
	return func(done, total int) {
		now := time.Since(start).Milliseconds() / 100
		was := shown.Load()
		switch {
		case done == total && was > 0:
			fmt.Fprint(e.stderr, "\r\x1b[K")
		case now > 10 && now > was && shown.CompareAndSwap(was, now):
			fmt.Fprintf(e.stderr, "\r%d of %d functions searched", done, total)
		}
	}
}

// readProfile reads a profile; "-" is the standard input.
func (e *env) readProfile(name string) (*analyze.Profile, error) {
	r := e.stdin
	if name == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("reading profile: %w", err)
		}
		defer f.Close()
		r = f
	}
	p, err := analyze.ReadProfile(r)
	if err != nil {
		return nil, fmt.Errorf("reading profile: %w", inFile(name, err))
	}
	return p, nil
}

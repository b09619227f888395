package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/analysis/engine"
	"incore/internal/report"
	"incore/internal/report/compare"
	"incore/internal/report/findings"
	"incore/internal/report/page"
)

// compareFlags are the options of incore compare.
type compareFlags struct {
	analyzeFlags
	limit string
}

// errSlower reports that a loop became slower than --fail-if-slower allows; the comparison itself is complete.
var errSlower = errors.New("a loop became slower")

// errNotCompared reports that no loop of the versions was matched and compared, so that the comparison says nothing.
var errNotCompared = errors.New("no loop of the versions was compared")

func newCompare(e *env) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare A B...",
		Short: "what later versions of code gain or lose, loop by loop",
		Long: `Compares the loops of two or more versions of code, the first with each of the others: assembly text,
sources, object files or executables, of which FILE:FUNCTION takes one function. Loops are matched by
function, label and shape. Where an iteration does more work than before, by unrolling or wider
vectors, cycles are those of the work of an iteration of the first version. The work is judged by
flops, bytes and address advance; where these contradict each other, the loop cannot be compared.

-v adds a table of each loop: its bounds and its instruction mix in every version.

With one file and several machines, the first machine is compared with each of the others.

The exit status is 3 if --fail-if-slower is given and a loop takes more cycles by more than that, and
4 if no loop was compared: none has a counterpart, or their iterations do different work.`,
		Example: `  incore compare before.s after.s
  incore compare --arch skx,zen4 --fail-if-slower 2% before.o after.o
  incore compare kernels.s:dot kernels.s:dot_unrolled
  incore compare --arch skx,zen4 triad.s
  incore compare --format junit -o result.xml --fail-if-slower 5% old/lib.so new/lib.so`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("which files? Give two versions of code, or one and two machines (--arch)")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return f.run(e, args) },
	}
	f.machineFlags.register(cmd)
	f.outputFlags.register(cmd, append([]string{"text", "json", "markdown", "html"}, findings.Formats...)...)
	fl := cmd.Flags()
	fl.StringVarP(&f.function, "function", "f", "", "compare the loops of a function")
	fl.StringVar(&f.cc, "cc", "", "of source files: the compiler and its options ('gcc -O3 -march=native')")
	fl.StringVar(&f.engine, "engine", "auto", "auto (the simulator, bounds for machines that it doesn't know), sim, bounds")
	fl.StringVar(&f.limit, "fail-if-slower", "", "exit with status 3 if a loop takes more cycles by more than `P%`")
	f.policy = "optimal"
	f.unroll = 1
	_ = cmd.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions(engine.Choices, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// maxCompared is the number of loops of a version that are compared, the likely hottest.
const maxCompared = 1000

// percentage reads the value of an option, a percentage like "2%".
func percentage(option, s string) (float64, error) {
	var v float64
	text := strings.TrimSpace(strings.TrimSuffix(s, "%"))
	if n, err := fmt.Sscanf(text, "%g", &v); n != 1 || err != nil || !(v >= 0 && v <= 1e6) || strings.Trim(text, "0123456789.eE+-") != "" {
		return 0, fmt.Errorf("--%s %s: a percentage is needed, as 2%%", option, s)
	}
	return v, nil
}

func (f *compareFlags) run(e *env, names []string) error {
	limit := -1.0
	if f.limit != "" {
		var err error
		if limit, err = percentage("fail-if-slower", f.limit); err != nil {
			return err
		}
	}
	if err := f.check(); err != nil {
		return err
	}
	var docs []*report.Document
	for _, name := range names {
		d, err := f.version(e, name)
		if err != nil {
			return err
		}
		docs = append(docs, d)
	}
	if len(docs) == 1 {
		if names, docs = machines(docs[0]); len(docs) < 2 {
			return fmt.Errorf("with %s alone there is nothing to compare: give another version, or two machines (--arch skx,zen4)", names[0])
		}
	}
	for _, d := range docs[1:] {
		if a, b := docs[0].Input.ISA, d.Input.ISA; a != b {
			return inputError{fmt.Errorf("%s is %s code and %s is %s: their loops cannot be matched on one machine", docs[0].Input.File, a, d.Input.File, b)}
		}
	}
	c := compare.Of(names, docs, limit)
	err := f.render(e, func(w io.Writer, _ report.TextOptions) error {
		switch f.format {
		case "json":
			return report.JSON(w, c)
		case "markdown":
			return compare.Markdown(w, c)
		case "junit":
			return compare.JUnit(w, c)
		case "html":
			return page.Compare(w, c, docs)
		case "sarif", "gitlab", "metrics", "benchmark":
			return findings.Write(w, f.format, compared(c, docs))
		}
		return compare.Text(w, c, f.verbose)
	})
	if err == nil && c.Slower {
		return errSlower
	}
	if err == nil && !c.Compared() {
		return errNotCompared
	}
	return err
}

// version analyses one version: a file, or FILE:FUNCTION.
func (f *compareFlags) version(e *env, name string) (*report.Document, error) {
	one := *f
	if _, err := os.Stat(name); err != nil && name != "-" {
		if at := strings.LastIndexByte(name, ':'); at > 0 {
			if _, err := os.Stat(name[:at]); err == nil {
				name, one.function = name[:at], name[at+1:]
			}
		}
	}
	o, err := one.options()
	if err != nil {
		return nil, err
	}
	o.Full, o.NoAdvice = maxCompared, true
	d, err := one.document(e, name, o)
	if err == nil && cut(d) != nil {
		return nil, inputError{fmt.Errorf("%s: %s", name, strings.Join(d.Cut(), "; "))}
	}
	return d, err
}

// machines splits a document into one version per machine.
func machines(d *report.Document) (names []string, docs []*report.Document) {
	if len(d.Kernels) == 0 {
		return []string{d.Input.File}, nil
	}
	for t := range d.Kernels[0].Targets {
		one := *d
		one.Kernels = nil
		for _, k := range d.Kernels {
			target := k.Targets[t]
			names = append(names[:min(t, len(names))], target.Arch)
			target.Arch = "all machines"
			k.Targets = []report.Target{target}
			one.Kernels = append(one.Kernels, k)
		}
		docs = append(docs, &one)
	}
	return names, docs
}

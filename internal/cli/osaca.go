package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/analysis/throughput"
	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/report"
)

// osacaFlags are the options of OSACA's command line, as its documentation lists them.
type osacaFlags struct {
	arch, syntax, lines          string
	fixed, ignoreUnknown, flags  bool
	version                      bool
	graph, out, yaml             string
	verbose                      int
	timeout                      int
	imports                      string
	dbCheck, online, insertMarks bool
}

// newOSACA returns the command that accepts OSACA's options, for scripts written for OSACA.
func newOSACA(e *env) *cobra.Command {
	var f osacaFlags
	cmd := &cobra.Command{
		Use:   "osaca [OPTIONS] FILE|-",
		Short: "analyse with the options of OSACA's command line",
		Long: `Takes the options that OSACA documents and prints a report under the same headings, so
that tools made for OSACA can call incore instead. A link named osaca to incore does the same.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.version {
				return e.print(func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "osaca (incore %s)\n", Version)
					return err
				})
			}
			if err := oneFile(cmd, args); err != nil {
				return err
			}
			return f.run(e, args[0])
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.arch, "arch", "", "machine (SNB, IVB, HSW, BDW, SKX, CSX, ICL, ICX, SPR, ZEN1 … ZEN4, TX2, N1, A64FX, A72, M1, V2 and all of 'incore archs')")
	fl.StringVar(&f.syntax, "syntax", "", "syntax of x86: ATT, Intel")
	fl.BoolVar(&f.fixed, "fixed", false, "spread µops over their ports with fixed probabilities")
	fl.StringVar(&f.lines, "lines", "", "analyse these lines (1,2,8-18,20:24)")
	fl.BoolVar(&f.ignoreUnknown, "ignore-unknown", false, "no messages about unknown instructions")
	fl.BoolVarP(&f.flags, "consider-flag-deps", "f", false, "count dependences through condition flags")
	fl.StringVar(&f.graph, "export-graph", "", "write the dependence graph in Graphviz' language to a `FILE` (. for osaca_dg.dot)")
	fl.StringVarP(&f.out, "out", "o", "", "write the report to a `FILE`")
	fl.StringVar(&f.yaml, "yaml-out", "", "write the analysis as YAML to a `FILE`")
	fl.IntVar(&f.timeout, "lcd-timeout", 10, "accepted; the search for loop-carried dependences needs no limit")
	fl.CountVarP(&f.verbose, "verbose", "v", "list more")
	fl.BoolVarP(&f.version, "version", "V", false, "print the version")
	fl.StringVar(&f.imports, "import", "", "")
	fl.BoolVar(&f.dbCheck, "db-check", false, "")
	fl.BoolVar(&f.online, "online", false, "")
	fl.BoolVar(&f.insertMarks, "insert-marker", false, "")
	for _, name := range []string{"import", "db-check", "online", "insert-marker"} {
		_ = fl.MarkHidden(name)
	}
	return cmd
}

func (f *osacaFlags) options() (o analyze.Options, err error) {
	switch {
	case f.dbCheck, f.online:
		return o, fmt.Errorf("there is no data base to check; 'incore archs NAME' tells where a machine's figures come from")
	case f.imports != "":
		return o, fmt.Errorf("--import is not known here; a machine model of your own goes with 'incore analyze --model FILE'")
	case f.insertMarks:
		return o, fmt.Errorf("--insert-marker is not needed: loops are found without markers")
	}
	o = analyze.Options{Syntax: strings.ToLower(f.syntax), NoFlags: !f.flags, Version: Version}
	if f.arch != "" {
		o.Archs = []string{f.arch}
	}
	if f.fixed {
		o.Policy = throughput.Uniform
	}
	if f.lines != "" {
		o.Select.Lines, err = source.ParseRanges(f.lines)
	}
	return o, err
}

func (f *osacaFlags) run(e *env, name string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	src, err := readText(e, name)
	if err != nil {
		return inputError{err}
	}
	doc, err := analyze.Run(src, o)
	if err != nil && f.lines == "" { // like OSACA, analyse the whole text without markers
		o.Select.Whole = true
		if whole, err2 := analyze.Run(src, o); err2 == nil {
			doc, err = whole, nil
		}
	}
	if err != nil {
		return inputError{err}
	}
	if f.graph == "." {
		f.graph = "osaca_dg.dot"
	}
	if f.graph != "" {
		if filepath.Ext(f.graph) == "" {
			f.graph += ".dot"
		}
		if err := e.output(f.graph, func(w io.Writer) error {
			x, _, _ := doc.Drawing(false)
			return x.(*report.Document).DOT(w)
		}); err != nil {
			return err
		}
	}
	now := time.Now()
	if f.yaml != "" {
		if err := e.output(f.yaml, func(w io.Writer) error { return report.OSACAYAML(w, doc, now) }); err != nil {
			return err
		}
	}
	return e.output(f.out, func(w io.Writer) error {
		return report.OSACAText(w, doc, report.OSACAOptions{Time: now, Quiet: f.ignoreUnknown, Verbose: f.verbose > 0, Arch: strings.ToUpper(f.arch)})
	})
}

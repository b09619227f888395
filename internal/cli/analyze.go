package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/throughput"
	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/report"
	"incore/internal/report/page"
)

// analyzeFlags are the options of incore analyze.
type analyzeFlags struct {
	machineFlags
	outputFlags
	lines, label, function string
	kernel                 string
	all                    bool
	unroll                 float64
	policy                 string
	noFlags                bool
	columns                []string
	whole                  bool
	graph                  string
	engine                 string
	whatIf                 []string
	sensitivity            bool
	timeline, timelineFrom int
	iterations             int
	binaryFlags
	memory memoryFlags
	advice bool
}

func newAnalyze(e *env) *cobra.Command {
	var f analyzeFlags
	cmd := &cobra.Command{
		Use:   "analyze FILE|-",
		Short: "cycles per iteration of a loop, and what bounds them",
		Long: `Analyses assembly text: a marked region (IACA bytes, OSACA-BEGIN/END or LLVM-MCA-BEGIN/END
comments), the code that an option chooses, or the innermost loops, the likely hottest first. Of code that none
of the machines can execute the figures are as if they could, and the exit status is 1.

--what-if takes changes of the core and its costs:
  ports.GROUP+N, -N          ports more or fewer; GROUP: one of the model's, a port,
                             or load, sta, std, branch
  PARAMETER=N, =Nx, =inf     rob, scheduler, dispatch-width …: 'incore archs NAME'
                             shows those of a model
  latency(FORMS)+N, -N, =N   FORMS by LLVM's names, VFMADD*; (load): the load's
    or =Nx                   part of all
  uops(FORMS)=USES           as model files write them: '2*0156 23/load'
  feature.NAME=on, =off      a named behaviour of the model
  NAME=free                  ports, frontend, dispatch, window, dependences, memory
  line=N:latency=CYCLES      the load on line N, or load(ADDRESS) as it is written;
                             L3=50,line=N:latency=L3 by level; a comment beside it:
                             # incore: L3=50
  list                       all of these that the machine has`,
		Example: `  incore analyze triad.s
  gcc -O3 -march=native -S -o - triad.c | incore analyze -
  incore analyze --arch skx,zen4 --function triad triad.s
  incore analyze --lines 20-35 --unroll 4 --graph triad.svg triad.s
  incore analyze --arch skx --timeline=3 --sensitivity triad.s
  incore analyze --iterations 12 filter.s
  incore analyze --what-if ports.load+1 --what-if 'latency(VFMADD*)-1,rob=2x' triad.s`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(e, args[0]) },
	}
	f.machineFlags.register(cmd)
	f.results(cmd, page.Document{})
	f.selection(cmd)
	fl := cmd.Flags()
	amount(fl, &f.unroll, 1, option{"unroll", "u", 1e-3, 1e6, "high-level iterations in one pass of the loop; adds figures per high-level iteration"})
	fl.StringVar(&f.policy, "policy", "optimal", "how µops spread over ports: optimal, uniform (fixed probabilities)")
	fl.StringSliceVar(&f.columns, "columns", nil, "more columns of the text report's table: latency, throughput (reciprocal, of each instruction)")
	_ = cmd.RegisterFlagCompletionFunc("columns", cobra.FixedCompletions(report.ExtraColumns, cobra.ShellCompDirectiveNoFileComp))
	fl.BoolVar(&f.noFlags, "no-flags", false, "leave out dependences through condition flags")
	fl.StringVar(&f.graph, "graph", "", "write the dependence graph to a `FILE` ending in .dot or .svg")
	fl.StringVar(&f.engine, "engine", "auto", "auto (the simulator, bounds for machines that it doesn't know), sim, bounds")
	fl.StringArrayVar(&f.whatIf, "what-if", nil, "predict with a `CHANGE` as well, or several separated by commas; may be repeated (see above)")
	fl.BoolVar(&f.advice, "advice", false, "show all changes of the code that would make it faster, with the changed code")
	fl.BoolVar(&f.sensitivity, "sensitivity", false, "predict with each resource doubled, and free; divide the cycles among the limits")
	count(fl, &f.timeline, 0, option{"timeline", "", 1, noLimit, "follow the µops of so many `ITERATIONS` [2] through the core, with the reason of every wait"})
	count(fl, &f.timelineFrom, -1, option{"timeline-from", "", 0, noLimit, "the first `ITERATION` of the timeline, from 0 at the start; default: in the steady state"})
	count(fl, &f.iterations, 0, option{"iterations", "", 1, analyze.MaxIterations, "predict as well what the loop takes that is entered anew each time for so many `ITERATIONS`, passes of the loop"})
	fl.Lookup("timeline").NoOptDefVal = "2"
	fl.Lookup("timeline-from").DefValue = "0" // the help text names no default; -1 is not an iteration
	_ = cmd.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions(engine.Choices, cobra.ShellCompDirectiveNoFileComp))
	f.memory.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions([]string{"optimal", "uniform"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// selection registers the options that choose code.
func (f *analyzeFlags) selection(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.lines, "lines", "l", "", "analyse the instructions on these lines (1,2,8-18,20:24)")
	fl.StringVar(&f.label, "label", "", "analyse the loop at a label")
	fl.StringVarP(&f.function, "function", "f", "", "analyse the loops of a function")
	fl.StringVar(&f.kernel, "kernel", "", "analyse the kernel of this name only")
	fl.BoolVar(&f.all, "all-kernels", false, "show every kernel in full, not just the likely hottest")
	fl.BoolVar(&f.whole, "whole", false, "without markers, take the whole text as one iteration of a loop")
	f.binaryFlags.register(cmd)
	oneOf(cmd, "lines", "label", "function", "whole")
}

// oneFile returns an error unless there is exactly one input.
func oneFile(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("which file? Give one, or - for standard input")
	case len(args) > 1:
		return fmt.Errorf("one file at a time, not %d (%s)", len(args), strings.Join(args, " "))
	}
	return nil
}

// options makes the options of the pipeline.
func (f *analyzeFlags) options() (o analyze.Options, err error) {
	o = analyze.Options{Kernel: f.kernel, Unroll: f.unroll, NoFlags: f.noFlags, Version: Version}
	f.memory.apply(&o.Memory)
	o.Select.Label, o.Select.Function, o.Select.Whole = f.label, f.function, f.whole
	if f.lines != "" {
		if o.Select.Lines, err = source.ParseRanges(f.lines); err != nil {
			return o, err
		}
	}
	if o.Engine, err = engine.Parse(f.engine); err != nil {
		return o, err
	}
	o.Questions = analyze.Questions{WhatIf: f.whatIf, Sensitivity: f.sensitivity, Timeline: f.timeline, TimelineFrom: f.timelineFrom, Iterations: f.iterations}
	if f.timeline > 0 && f.format == "csv" {
		return o, fmt.Errorf("a timeline has no CSV form; --format json has it")
	}
	if f.format == "text" && !f.all && f.kernel == "" {
		o.Asked = 1 // the other kernels are listed in brief
	}
	for _, c := range f.columns {
		if !slices.Contains(report.ExtraColumns, c) {
			return o, fmt.Errorf("--columns %s: known are %s", c, strings.Join(report.ExtraColumns, ", "))
		}
	}
	switch f.policy {
	case "optimal":
	case "uniform":
		o.Policy = throughput.Uniform
	default:
		return o, fmt.Errorf("unknown policy %q; known are optimal and uniform", f.policy)
	}
	if f.graph != "" && graphFormat(f.graph) == "" {
		return o, fmt.Errorf("--graph %s: the name must end in .dot or .svg", f.graph)
	}
	return o, f.machineFlags.apply(&o)
}

// graphFormat returns the format of the dependence graph that a file's name ends in, "" if it ends in none.
func graphFormat(file string) string {
	switch name := strings.TrimPrefix(filepath.Ext(file), "."); name {
	case "gv":
		return "dot"
	case "dot", "svg":
		return name
	}
	return ""
}

func (f *analyzeFlags) run(e *env, name string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	doc, err := f.document(e, name, o)
	if list := analyze.Listing(""); errors.As(err, &list) {
		return e.print(text(string(list) + "\n"))
	}
	if err != nil {
		return err
	}
	style := report.TextOptions{All: f.all || f.kernel != "", Advice: f.advice, Columns: f.columns}
	if f.graph != "" {
		if err := e.result(f.graph, doc, graphFormat(f.graph), style); err != nil {
			return err
		}
	}
	if err := f.write(e, page.Document{Document: doc}, style); err != nil {
		return err
	}
	if err := cut(doc); err != nil {
		return err
	}
	return unexecutable(doc)
}

// errForeign reports that a report is written, but of code that none of its machines can execute: it says why.
var errForeign = errors.New("no machine can execute the code")

// unexecutable returns an error if no machine of a document can execute any of its kernels.
func unexecutable(d *report.Document) error {
	for i := range d.Kernels {
		for k := range d.Kernels[i].Targets {
			if t := &d.Kernels[i].Targets[k]; len(t.Lacks) == 0 && t.Reserved == "" {
				return nil
			}
		}
	}
	if len(d.Kernels) == 0 {
		return nil
	}
	return errForeign
}

// errCut reports that a report is written, but not of the whole input: it says why.
var errCut = errors.New("not of the whole input")

// cut returns an error for a document that is not of the whole input.
func cut(d *report.Document) error {
	if len(d.Cut()) > 0 {
		return errCut
	}
	return nil
}

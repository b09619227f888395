package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"incore/internal/analyze"
	"incore/internal/asm"
	"incore/internal/base/regex"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/mca"
)

// mcaFlags are the options of llvm-mca's command line.
type mcaFlags struct {
	mcpu, march, triple, mattr string
	iterations, timelineMost   int
	timeline, bottlenecks      bool
	stats, views, json         bool
	summary, info, pressure    bool
	dispatch, version          bool
	asmSyntax, tables          string
	out                        string
	noalias                    bool
}

// mcaTime is the time after which an analysis stops: Compiler Explorer ends its tools after 7.5 s.
const mcaTime = 7 * time.Second

// newMCA returns the command that accepts llvm-mca's options, for scripts and sites that call it.
func newMCA(e *env) *cobra.Command {
	var f mcaFlags
	cmd := &cobra.Command{
		Use:   "mca [OPTIONS] [FILE|-]",
		Short: "analyse with the options of llvm-mca's command line",
		Long: `Takes the options of llvm-mca that people use, with one dash or two, and compilers' assembly as it is: the innermost
loops are found without markers; LLVM-MCA-BEGIN and END are honoured. A summary and the costs of instructions under
llvm-mca's headings come first, incore's report follows. --json has llvm-mca's names for both and for the pressure
on ports, and the document of 'incore analyze' as "Incore". A link named llvm-mca to incore does the same.

Without --mcpu the machine is that of this computer; generic and names of no machine that is known, such as
x86-64-v3, stand for one fixed machine of the instruction set. An analysis that takes longer than 7 s is given up.`,
		Example: `  gcc -O3 -S -o - triad.c | incore mca -mcpu=znver4
  incore mca -mtriple=aarch64-linux-gnu -mcpu=neoverse-v1 -timeline -bottleneck-analysis triad.s`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.version:
				return e.print(text("incore " + Version + "\n"))
			case f.mcpu == "help":
				return f.machines(e)
			}
			if len(args) == 0 {
				args = []string{"-"}
			}
			if err := f.absent(cmd.Flags()); err != nil {
				return err
			}
			for _, option := range f.ignored(cmd.Flags()) {
				hint := "'incore analyze --what-if' changes a core"
				if option == "-noalias=false" {
					hint = "dependences through memory are found in the code"
				}
				e.complain("warning", hint, "%s has no effect on incore's model", option)
			}
			return f.run(e, args[0])
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *mcaFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.mcpu, "mcpu", "native", "machine, as LLVM names it, or one of 'incore archs'; help lists them")
	fl.StringVar(&f.march, "march", "", "instruction set: x86-64, aarch64, riscv64")
	fl.StringVar(&f.triple, "mtriple", "", "target triple")
	fl.BoolVar(&f.version, "version", false, "print the version")
	fl.StringVar(&f.mattr, "mattr", "", "accepted; all instructions are known anyway")
	fl.IntVar(&f.iterations, "iterations", 100, "iterations that the summary counts")
	fl.BoolVar(&f.timeline, "timeline", false, "follow µops through the core")
	count(fl, &f.timelineMost, 3, option{"timeline-max-iterations", "", 0, noLimit,
		fmt.Sprintf("iterations of the timeline; 0: %d, and never more", mcaTimeline)})
	fl.BoolVar(&f.bottlenecks, "bottleneck-analysis", false, "what more of each resource would gain, all chains and the critical path")
	fl.BoolVar(&f.stats, "all-stats", false, "details")
	fl.BoolVar(&f.views, "all-views", false, "details and a timeline")
	fl.BoolVar(&f.json, "json", false, "write JSON")
	fl.StringVar(&f.asmSyntax, "x86-asm-syntax", "", "syntax of x86: att, intel; default: detected")
	fl.StringVarP(&f.out, "output", "o", "", "write to a `FILE`")
	fl.BoolVar(&f.noalias, "noalias", true, "accepted; dependences through memory are found in the code")
	fl.BoolVar(&f.summary, "summary-view", true, "the summary")
	fl.BoolVar(&f.info, "instruction-info", true, "the costs of each instruction")
	fl.BoolVar(&f.pressure, "resource-pressure", true, "incore's report; false: only for the other views that are in it")
	fl.BoolVar(&f.dispatch, "dispatch-stats", false, "the cycles in which dispatch stalls, by reason")
	fl.StringVar(&f.tables, "instruction-tables", "none", "`HOW` is none, or normal: without the summary")
	fl.Lookup("instruction-tables").NoOptDefVal = "normal"
	for _, name := range append([]string{"print-imm-hex", "disable-cb", "disable-im"}, mcaAbsent...) {
		fl.Bool(name, false, "")
		_ = fl.MarkHidden(name)
	}
	for _, name := range append([]string{"output-asm-variant", "timeline-max-cycles"}, mcaSizes...) {
		count(fl, new(int), 0, option{name, "", 0, noLimit, ""})
		_ = fl.MarkHidden(name)
	}
	fl.String("skip-unsupported-instructions", "", "")
	_ = fl.MarkHidden("skip-unsupported-instructions")
	fl.Lookup("skip-unsupported-instructions").NoOptDefVal = "all"
}

// mcaSizes are the options of llvm-mca that change its model of the core. incore's model stays as it is.
var mcaSizes = []string{"dispatch", "lqueue", "squeue", "register-file-size", "micro-op-queue", "decoder-throughput", "call-latency"}

// mcaAbsent are views of llvm-mca that incore has not.
var mcaAbsent = []string{"scheduler-stats", "retire-stats", "register-file-stats", "show-encoding", "show-barriers"}

// absent is the error about a view that is asked for and that incore has not.
func (f *mcaFlags) absent(fl *pflag.FlagSet) error {
	for _, name := range mcaAbsent {
		if fl.Lookup(name).Value.String() == "true" {
			return fmt.Errorf("there is no view -%s; there are -summary-view, -instruction-info, -resource-pressure, "+
				"-bottleneck-analysis, -dispatch-stats, -timeline", name)
		}
	}
	switch f.tables {
	case "none", "normal", "true", "false":
	default:
		return fmt.Errorf("-instruction-tables=%s: there are none and normal", f.tables)
	}
	if f.mattr == "help" {
		return errors.New("there is no list of features: every instruction is known, whatever -mattr says")
	}
	return nil
}

// machines lists the machines of the instruction set, as LLVM's tools do.
func (f *mcaFlags) machines(e *env) error {
	name, err := f.isa()
	if err != nil {
		return err
	}
	a := cmp.Or(catalog.ISA(cmp.Or(name, runtime.GOARCH)), catalog.ISAs()[0])
	var rows []string
	for _, m := range machine.All() {
		for _, alias := range append([]string{m.Name}, m.Aliases...) {
			if m.ISA == a.Name {
				rows = append(rows, mca.CPU(alias, m.Title))
			}
		}
	}
	slices.Sort(rows)
	return e.print(func(w io.Writer) error { return mca.CPUs(w, rows) })
}

// isa returns the instruction set that -march, else -mtriple names; "" for none.
func (f *mcaFlags) isa() (string, error) {
	name := cmp.Or(f.march, f.triple)
	switch {
	case name == "":
		return "", nil
	case is32().MatchString(name):
		return "", inputError{source.Diagnostic{Msg: name + " is 32-bit x86, of which there is no model", Hint: "compile without -m32; -mtriple=x86_64 has the code read as that of x86-64"}}
	case catalog.ISA(name) != nil:
		return name, nil
	}
	hint := ""
	if _, err := machine.Get(name); err == nil {
		hint = "-mcpu names the machine"
	}
	return "", inputError{source.Diagnostic{Msg: name + " is of no instruction set known (" + strings.Join(catalog.ISANames(), ", ") + ")", Hint: hint}}
}

// ignored names the options that are given and would change llvm-mca's figures, but change none here.
func (f *mcaFlags) ignored(fl *pflag.FlagSet) (out []string) {
	for _, name := range mcaSizes {
		if x := fl.Lookup(name); x.Changed && x.Value.String() != x.DefValue {
			out = append(out, fmt.Sprintf("-%s=%s", name, x.Value))
		}
	}
	if !f.noalias {
		out = append(out, "-noalias=false")
	}
	return out
}

// mcaArgs rewrites options with one dash, as LLVM's tools take them, to two dashes.
func mcaArgs(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "--" {
			copy(out[i:], args[i:])
			return out
		}
		short := strings.HasPrefix(a, "-o") && !strings.HasPrefix(a, "-output")
		if len(a) > 2 && a[0] == '-' && a[1] != '-' && !short {
			out[i] = "-" + a
		}
	}
	return out
}

// is32 finds the names of 32-bit x86, as Compiler Explorer gives with -m32.
var is32 = regex.Lazy(`(?i)^(x86|i[3-6]86)(-[^6]|-?$)`)

// options makes the options of the pipeline.
func (f *mcaFlags) options(e *env) (o analyze.Options, err error) {
	if f.iterations <= 0 || f.iterations > mcaIterations {
		return o, fmt.Errorf("--iterations %d: a number above 0, up to %d, is needed", f.iterations, mcaIterations)
	}
	o = analyze.Options{Syntax: strings.ToLower(f.asmSyntax), Version: Version, Asked: 1, Full: mcaFull}
	o.Questions = analyze.Questions{Sensitivity: f.bottlenecks, TimelineFrom: -1}
	if f.timeline || f.views {
		if o.Questions.Timeline = f.timelineMost; f.timelineMost == 0 || f.timelineMost > mcaTimeline {
			o.Questions.Timeline = mcaTimeline
		}
	}
	if o.ISA, err = f.isa(); err != nil {
		return o, err
	}
	if f.mcpu == "native" {
		return o, nil
	}
	if f.mcpu != "" && f.mcpu != "generic" && analyze.CompilerName(&o, f.mcpu) != nil {
		e.complain("warning", "'incore archs' lists the machines", "machine %q is not known: a machine of the instruction set is taken", f.mcpu)
	}
	return o, nil
}

// Bounds of the work.
const (
	mcaFull     = 8  // loops that are described in full
	mcaTimeline = 10 // iterations of a timeline

	mcaIterations = 1_000_000_000 // that the summary counts
)

func (f *mcaFlags) run(e *env, name string) error {
	o, err := f.options(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), mcaTime, errMCATime)
	defer cancel()
	o.Context = ctx
	src, err := readText(e, name)
	if err != nil {
		return inputError{err}
	}
	if len(o.Archs) == 0 && f.mcpu != "native" {
		o.Archs = fixed(&o, src)
	}
	doc, err := analyze.Run(src, o)
	if err != nil {
		return inputError{err}
	}
	return e.output(f.out, func(w io.Writer) error {
		static := f.tables == "normal" || f.tables == "true"
		v := mca.Views{Iterations: f.iterations, Triple: f.triple, Summary: f.summary && !static, Info: f.info, Stalls: (f.dispatch || f.stats || f.views) && !static}
		if f.json {
			return report.JSON(w, v.Document(doc))
		}
		v.Text(w, doc)
		if !f.pressure && !f.timeline && !f.views && !f.stats && !f.bottlenecks {
			return nil
		}
		return doc.Text(w, report.TextOptions{Width: mcaColumns, Color: toStdout(f.out) && e.colour("auto", e.stdout), Verbose: f.stats || f.views || f.bottlenecks})
	})
}

var errMCATime = errors.New("the analysis takes longer than 7 s; 'incore analyze' has no such limit")

// mcaColumns is the width of the report: sites show it in a pane, not on a terminal.
const mcaColumns = 120

// fixed returns the machine that stands for no particular one: always the same for an instruction set, whatever computer incore runs on.
func fixed(o *analyze.Options, src *source.File) []string {
	a := catalog.ISA(o.ISA)
	if o.ISA == "" {
		l, err := asm.NewInput(src).Detect(catalog.ISAs())
		if err != nil {
			return nil // the analysis says so
		}
		a = l.ISA
	}
	if a == nil {
		return nil
	}
	if name, _ := machine.Default(a.Name); name != "" {
		return []string{name}
	}
	return nil
}

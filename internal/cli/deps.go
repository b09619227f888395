package cli

import (
	"io"

	"github.com/spf13/cobra"

	"incore/internal/analysis/engine"
	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/object"
	"incore/internal/report"
)

// depsFlags are the options of incore deps that find dependences in the code.
type depsFlags struct {
	analyzeFlags
	which analyze.DepsOptions
}

func newDeps(e *env) *cobra.Command {
	var f depsFlags
	cmd := &cobra.Command{
		Use:   "deps FILE|-",
		Short: "which instruction depends on which: through registers, flags and memory",
		Long: `Lists the dependences of a loop: for each instruction, whose results it waits for, through which register, flag or
memory, how many iterations later, and with what latency. Of a dependence through memory it shows the evidence: how
many of the bytes read the store wrote, and in how many of the iterations executed on random values it was seen.

Code is chosen as 'incore analyze' does it, of assembly text, object files, executables and programs.`,
		Example: `  incore deps stencil.s
  incore deps a.out --function seidel --format json
  incore deps --may --alias rdi=rsi+8 update.s
  incore deps --format svg -o update.svg update.s`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(e, args[0]) },
	}
	f.machineFlags.register(cmd)
	f.outputFlags.register(cmd, "text", "json", "dot", "svg")
	f.selection(cmd)
	f.memory.register(cmd)
	fl := cmd.Flags()
	fl.BoolVar(&f.which.WAR, "war", false, "list writes after reads, too: a register or memory is overwritten that another instruction reads")
	fl.BoolVar(&f.which.WAW, "waw", false, "list writes after writes, too")
	fl.BoolVar(&f.which.May, "may", false, "list dependences through memory that are possible but not certain, too")
	fl.BoolVar(&f.noFlags, "no-flags", false, "leave out dependences through condition flags")
	addDynamic(e, cmd)
	fl.Lookup("format").Usage += "; with --dynamic and --coverage text, json, csv"
	return cmd
}

func (f *depsFlags) run(e *env, name string) error {
	f.unroll, f.policy, f.engine = 1, "optimal", string(engine.Bounds) // these have no effect here
	o, err := f.options()
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	var doc *report.Deps
	err = f.input(e, name, o, func(s *source.File) (err error) {
		doc, err = analyze.Deps(s, o, f.which)
		return err
	}, func(obj *object.File, sel analyze.CodeSelect) (err error) {
		doc, err = analyze.DepsBinary(obj, o, sel, f.which)
		return err
	})
	if err != nil {
		return err
	}
	return f.render(e, func(w io.Writer, o report.TextOptions) error {
		switch f.format {
		case "json":
			return report.JSON(w, doc)
		case "dot":
			return report.DepsDOT(w, doc)
		case "svg":
			return report.DepsSVG(w, doc)
		}
		o.All = f.all || f.kernel != ""
		return report.DepsText(w, doc, o)
	})
}

// memoryFlags are the options for dependences through memory.
type memoryFlags struct {
	off     bool
	seed    uint64
	alias   []string
	noAlias bool
}

func (f *memoryFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.BoolVar(&f.off, "no-memdep", false, "leave out dependences through memory")
	fl.Uint64Var(&f.seed, "seed", 0, "of the random values that code is executed with to find dependences through memory; the same `N` gives the same result")
	fl.StringArrayVar(&f.alias, "alias", nil, "a `RELATION` of registers when the code is entered: rdi=rsi+8, r10=rax, rcx=0 (several times)")
	fl.BoolVar(&f.noAlias, "noalias", false, "different pointers do not meet: say nothing of what would be if they did")
}

func (f *memoryFlags) apply(o *analyze.MemoryOptions) {
	o.Off, o.Seed, o.Alias, o.NoAlias = f.off, f.seed, f.alias, f.noAlias
}

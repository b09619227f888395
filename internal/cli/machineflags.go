package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// machineFlags are the options that select machines, instruction set and syntax: our own options and those of compilers.
type machineFlags struct {
	archs               []string
	models              []string
	isa, syntax         string
	mcpu, march, triple string
	mtune, mattr        string

	stderr func() io.Writer
}

func (f *machineFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	f.stderr = cmd.ErrOrStderr
	fl.StringSliceVarP(&f.archs, "arch", "a", nil, "machines, separated by commas ('incore archs' lists them); default: the one incore runs on")
	fl.StringArrayVar(&f.models, "model", nil, "a machine model of your own, from a `FILE`")
	fl.StringVar(&f.isa, "isa", "", "instruction set: "+strings.Join(catalog.ISANames(), ", ")+"; default: detected")
	fl.StringVar(&f.syntax, "syntax", "", "assembly syntax of x86: att, intel; default: detected")
	fl.StringVar(&f.mcpu, "mcpu", "", "machine, as compilers name it (-mcpu=skylake-avx512)")
	fl.StringVar(&f.march, "march", "", "machine or architecture, as compilers name it (-march=znver4, -march=rv64gcv)")
	fl.StringVar(&f.triple, "mtriple", "", "target triple (-mtriple=aarch64-linux-gnu)")
	fl.StringVar(&f.mtune, "mtune", "", "like --mcpu, if neither that nor --march names a machine")
	fl.StringVar(&f.mattr, "mattr", "", "accepted for compatibility; all instructions are known anyway")
	_ = cmd.RegisterFlagCompletionFunc("arch", completeArchs)
	_ = cmd.RegisterFlagCompletionFunc("isa", cobra.FixedCompletions(catalog.ISANames(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("syntax", cobra.FixedCompletions([]string{"att", "intel"}, cobra.ShellCompDirectiveNoFileComp))
}

// completeArchs completes the last of a comma-separated list of machines.
func completeArchs(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	head := ""
	if i := strings.LastIndexByte(word, ','); i >= 0 {
		head, word = word[:i+1], word[i+1:]
	}
	var out []string
	for _, name := range machine.Names() {
		if strings.HasPrefix(name, strings.ToLower(word)) {
			out = append(out, head+name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// apply sets the options of an analysis.
func (f *machineFlags) apply(o *analyze.Options) error {
	o.Archs, o.ISA, o.Syntax = f.archs, f.isa, strings.ToLower(f.syntax)
	if o.ISA == "" && f.triple != "" {
		if catalog.ISA(f.triple) == nil {
			return fmt.Errorf("target triple %q is of no instruction set known (%s)", f.triple, strings.Join(catalog.ISANames(), ", "))
		}
		o.ISA = f.triple
	}
	for _, name := range []string{f.mcpu, f.march, f.mtune} {
		if name != "" {
			if err := analyze.CompilerName(o, name); err != nil {
				return err
			}
		}
	}
	for _, file := range f.models {
		m, err := loadModel(file)
		if err != nil {
			return err
		}
		if a := catalog.ISA(m.ISA); a != nil {
			for _, what := range m.Misspelt(a) {
				(&env{stderr: f.stderr()}).complain("warning", "", "%s", what)
			}
		}
		o.Models = append(o.Models, m)
	}
	return nil
}

// loadModel reads a user's model.
func loadModel(file string) (*machine.Model, error) {
	r, err := os.Open(file)
	if err != nil {
		return nil, inputError{fmt.Errorf("opening machine model: %w", err)}
	}
	defer r.Close()
	m, err := machine.Load(r, file)
	if err != nil {
		return nil, inputError{err}
	}
	return m, nil
}

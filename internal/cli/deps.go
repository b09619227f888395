package cli

import (
	"github.com/spf13/cobra"

	"incore/internal/analyze"
)

// memoryFlags say which dependences through memory count.
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

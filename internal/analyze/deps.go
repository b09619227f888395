package analyze

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/memdep"
	"incore/internal/isa"
	"incore/internal/machine"
)

// MemoryOptions say which dependences through memory count. The zero value is the default.
type MemoryOptions struct {
	Off     bool     // none
	Seed    uint64   // of the random values that memdep executes kernels with
	Alias   []string // what is known of registers at the loop's entry: "rdi=rsi+8" (memdep.ParseAlias)
	NoAlias bool     // different base pointers do not meet
}

// memdep makes the options of the analysis. What is wrong with an alias shows before, in check.
func (o *MemoryOptions) memdep(a *isa.ISA) memdep.Options {
	out := memdep.Options{Seed: o.Seed, NoAlias: o.NoAlias}
	for _, text := range o.Alias {
		if x, err := memdep.ParseAlias(a, text); err == nil {
			out.Alias = append(out.Alias, x)
		}
	}
	return out
}

// Aliases reads what is known of the registers of an instruction set.
func (o *MemoryOptions) Aliases(a *isa.ISA) (out []memdep.Alias, err error) {
	for _, text := range o.Alias {
		x, err := memdep.ParseAlias(a, text)
		if err != nil {
			return nil, UsageError{err}
		}
		out = append(out, x)
	}
	return out, nil
}

// graph finds a kernel's dependences.
func graph(b *machine.Bound, o *Options) (*depgraph.Graph, *memdep.Result) {
	opt := depgraph.Options{NoFlags: o.NoFlags, NoMemory: o.Memory.Off}
	var found *memdep.Result
	if !o.Memory.Off {
		opt.Memory, found = memdep.Find(b, o.Memory.memdep(b.Kernel.ISA))
	}
	return depgraph.Build(b, opt), found
}

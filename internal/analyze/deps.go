package analyze

import (
	"slices"

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
	NoAlias bool     // different base pointers do not meet: nothing is said of what would be if they did
	Word    uint64   // what every word of memory holds when the code starts (memdep.Options.Word); 0: not known
	Equal   bool     // all registers and all words of memory hold one value when the code starts (memdep.Options.Equal)

	with, without []depgraph.MemoryEdge // what a report tries: dependences to add and to leave out
}

// memdep makes the options of the analysis. What is wrong with an alias shows before, in Aliases.
func (o *MemoryOptions) memdep(a *isa.ISA) memdep.Options {
	out := memdep.Options{Seed: o.Seed, NoAlias: o.NoAlias, Equal: o.Equal, Word: o.Word}
	for _, text := range o.Alias {
		if x, err := memdep.ParseAlias(a, text); err == nil {
			out.Alias = append(out.Alias, x)
		}
	}
	return out
}

// Aliases reads what is known of the registers of an instruction set. Errors are of type UsageError.
func (o *MemoryOptions) Aliases(a *isa.ISA) (out []memdep.Alias, err error) {
	for _, text := range o.Alias {
		x, err := memdep.ParseAlias(a, text)
		if err != nil {
			return nil, UsageError{err}
		}
		out = append(out, x)
	}
	if err := memdep.CheckAliases(a, out); err != nil {
		return nil, UsageError{err}
	}
	return out, nil
}

// graph finds a kernel's dependences.
func graph(b *machine.Bound, o *Options) *depgraph.Graph {
	opt := depgraph.Options{NoFlags: o.NoFlags, NoMemory: o.Memory.Off, EqualRegisters: o.Memory.Equal}
	if !o.Memory.Off {
		edges, found := memdep.Find(b, o.Memory.memdep(b.Kernel.ISA))
		if found != nil {
			opt.Period, opt.Places = found.Period, found.Places
		}
		opt.Memory = append(edges, o.Memory.with...)
		if without := o.Memory.without; len(without) > 0 {
			opt.Memory = slices.DeleteFunc(opt.Memory, func(e depgraph.MemoryEdge) bool { return slices.Contains(without, e) })
		}
	}
	return depgraph.Build(b, opt)
}

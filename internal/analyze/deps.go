package analyze

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/memdep"
	"incore/internal/isa"
	"incore/internal/machine"
)

// MemoryOptions selects the dependences through memory that an analysis includes. The zero value is the default.
type MemoryOptions struct {
	Off     bool     // include no dependences through memory
	Seed    uint64   // seed of the random values with which memdep executes kernels
	Alias   []string // relations of registers at the loop's entry: "rdi=rsi+8" (memdep.ParseAlias)
	NoAlias bool     // pointers in different base registers never overlap; reports then list no possible dependences between them
	Word    uint64   // the value of every word of memory when the code starts (memdep.Options.Word); 0: not known
	Equal   bool     // all registers and all words of memory hold the same value when the code starts (memdep.Options.Equal)

	with, without []depgraph.MemoryEdge // dependences that a report adds or leaves out for a trial
}

// memdep returns the options of package memdep. Aliases has already reported wrong aliases.
func (o *MemoryOptions) memdep(a *isa.ISA) memdep.Options {
	out := memdep.Options{Seed: o.Seed, NoAlias: o.NoAlias, Equal: o.Equal, Word: o.Word}
	for _, text := range o.Alias {
		if x, err := memdep.ParseAlias(a, text); err == nil {
			out.Alias = append(out.Alias, x)
		}
	}
	return out
}

// Aliases parses the relations of registers at the loop's entry. Errors are of type UsageError.
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
			opt.Memory = slices.DeleteFunc(opt.Memory, func(e depgraph.MemoryEdge) bool {
				return slices.ContainsFunc(without, func(o depgraph.MemoryEdge) bool { return o.Joins(&e) })
			})
		}
	}
	return depgraph.Build(b, opt)
}

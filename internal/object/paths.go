package object

import (
	"fmt"
	"slices"

	"incore/internal/asm/paths"
	"incore/internal/isa"
)

// Paths lists the paths through a loop that pass no block twice, the most likely first, as estimated from the code alone (package paths).
// Their blocks are indices into the graph's Blocks.
func (l *Loop) Paths() []paths.Path {
	all := paths.All(len(l.Blocks), l.place(l.Header), l.edges)
	for i := range all {
		l.placed(&all[i])
	}
	return all
}

// likeliest returns the first of Paths, and their number.
func (l *Loop) likeliest() (paths.Path, int) {
	p, n := paths.Likeliest(len(l.Blocks), l.place(l.Header), l.edges)
	l.placed(&p)
	return p, n
}

// place returns the index of a block of the graph in the loop's Blocks, -1 if it is not in the loop.
func (l *Loop) place(b int) int {
	if at, ok := slices.BinarySearch(l.Blocks, b); ok {
		return at
	}
	return -1
}

// placed replaces the indices into the loop's Blocks in a path by the graph's blocks.
func (l *Loop) placed(p *paths.Path) {
	for i, at := range p.Blocks {
		p.Blocks[i] = l.Blocks[at]
	}
}

// edges returns the edges within the loop that leave the block Blocks[at].
func (l *Loop) edges(at int) (out []paths.Edge) {
	b := &l.Graph.Blocks[l.Blocks[at]]
	for i, n := range b.Succ {
		if to := l.place(n); to >= 0 {
			next := &l.Graph.Blocks[n]
			k := paths.Kind{Falls: b.falls && i == 0, Back: n == l.Header, Calls: next.hasCall, Cold: next.Flow == isa.FlowTrap}
			out = append(out, paths.Edge{To: to, Share: k.Weight()})
		}
	}
	return out
}

// KernelOptions choose the path and the syntax of a loop's kernel.
type KernelOptions struct {
	Path   int    // index into Paths, 0 for the likeliest
	Syntax string // of the printed text, "" for the instruction set's default
}

// Kernel makes a kernel of a loop's body, or of one path through it. The code that is always executed
// before the loop becomes the kernel's Entry.
func (l *Loop) Kernel(opt KernelOptions) (*isa.Kernel, error) {
	ways := l.Paths()
	if opt.Path < 0 || opt.Path >= len(ways) {
		return nil, fmt.Errorf("loop at %#x of %s has %s, not %d", l.Addr(), l.Func.Name, counted(len(ways)), opt.Path+1)
	}
	f := l.Func.file
	p := ways[opt.Path]
	k := &isa.Kernel{ISA: f.ISA, Name: l.Name(), Syntax: opt.Syntax, Loop: true, Why: l.why(p, len(ways), opt.Path)}
	if k.Syntax == "" && len(f.ISA.Syntaxes) > 0 {
		k.Syntax = f.ISA.Syntaxes[0]
	}
	for _, b := range p.Blocks {
		k.Lines = append(k.Lines, f.lined(l.Graph, b, k.Syntax)...)
	}
	k.Movable = f.movable(l.Addr())
	l.lead(k)
	return k, nil
}

// movable returns the alignment that a linker gives to the code at an address, 0 if the address is final.
func (f *File) movable(addr uint64) int {
	for i := range f.sections {
		if s := &f.sections[i]; s.addr <= addr && addr < s.end() {
			return int(min(s.align, 1<<16))
		}
	}
	return 0
}

// counted describes the number of paths of a loop.
func counted(paths int) string {
	if paths == 1 {
		return "one path"
	}
	return fmt.Sprintf("paths 1 to %d", paths)
}

func (l *Loop) why(p paths.Path, ways, chosen int) string {
	kind := "loop"
	if l.Innermost {
		kind = "innermost loop"
	}
	s := fmt.Sprintf("%s of %s at %#x", kind, l.Func.Name, l.Addr())
	if ways > 1 {
		s += fmt.Sprintf(", path %d of %d through it (guessed share %.0f %%)", chosen+1, ways, 100*p.Weight)
	}
	return s
}

// lined decodes a block into the forms that a parser chooses for its text, and adds source lines.
func (f *File) lined(g *Graph, b int, syntax string) []isa.Line {
	lines := g.Insts(b)
	for i := range lines {
		l := &lines[i]
		if l.Err == nil && f.ISA.Print != nil {
			l.Text = string(f.ISA.Print(nil, &l.Inst, syntax))
		}
		if f.ISA.Canonical != nil {
			l.Inst.Form = f.ISA.Canonical(l.Inst.Form)
		}
		l.File, l.No = f.SourceLine(l.Addr)
	}
	return lines
}

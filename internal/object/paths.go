package object

import (
	"fmt"
	"slices"

	"incore/internal/isa"
	"incore/internal/paths"
)

// Paths lists the ways through a loop that pass no block twice, the likeliest first, as it is guessed from the code alone (package paths).
// Their blocks are the graph's.
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

// place is where a block of the graph stands in Blocks, -1 if it is not in the loop.
func (l *Loop) place(b int) int {
	if at, ok := slices.BinarySearch(l.Blocks, b); ok {
		return at
	}
	return -1
}

// placed gives a path the graph's blocks for their places in the loop.
func (l *Loop) placed(p *paths.Path) {
	for i, at := range p.Blocks {
		p.Blocks[i] = l.Blocks[at]
	}
}

// edges returns how a block of the loop, by its place, may be left within the loop.
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

// KernelOptions choose what of a loop becomes a kernel.
type KernelOptions struct {
	Path   int    // index into Paths, 0 for the likeliest
	Syntax string // of the printed text, "" for the instruction set's default
}

// Kernel makes a loop's body, or one path through it, a kernel. The code before the
// loop that is always executed on the way to it becomes the kernel's Entry.
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
	l.lead(k)
	return k, nil
}

// counted says how many paths a loop has, as they are counted where one is chosen.
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

// lined decodes a block into forms as text has them, and adds source lines.
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

package object

import (
	"cmp"
	"slices"
	"sort"

	"incore/internal/isa"
)

// Data returns the bounds of the variable that contains an address, by the symbol table; hi is 0 if
// no variable does. Overlapping symbols count as one variable.
func (f *File) Data(addr uint64) (lo, hi uint64) {
	i := sort.Search(len(f.data), func(i int) bool { return f.data[i].hi > addr })
	if i < len(f.data) && f.data[i].lo <= addr {
		return f.data[i].lo, f.data[i].hi
	}
	return 0, 0
}

// joinData sorts the variables and joins those that overlap.
func (f *File) joinData() {
	slices.SortFunc(f.data, func(a, b bounds) int { return cmp.Compare(a.lo, b.lo) })
	kept := f.data[:0]
	for _, d := range f.data {
		if n := len(kept); n > 0 && d.lo < kept[n-1].hi {
			kept[n-1].hi = max(kept[n-1].hi, d.hi)
			continue
		}
		kept = append(kept, d)
	}
	f.data = kept
}

// BlockKernel makes a kernel of a basic block, treated as a loop's body, with the code before it as its Entry.
func (fn *Function) BlockKernel(g *Graph, block int) *isa.Kernel {
	f := fn.file
	k := &isa.Kernel{ISA: f.ISA, Name: f.Name(g.Blocks[block].Addr), Syntax: f.ISA.Syntaxes[0], Loop: true}
	k.Lines = f.lined(g, block, k.Syntax)
	l := &Loop{Func: fn, Graph: g, Header: block, Blocks: []int{block}}
	l.lead(k)
	return k
}

// PathKernel makes a kernel of blocks that were executed in sequence, treated as a loop's body. A block may occur several times.
func (fn *Function) PathKernel(g *Graph, path []int) *isa.Kernel {
	f := fn.file
	k := &isa.Kernel{ISA: f.ISA, Name: f.Name(g.Blocks[path[0]].Addr), Syntax: f.ISA.Syntaxes[0], Loop: true}
	for _, b := range path {
		k.Lines = append(k.Lines, f.lined(g, b, k.Syntax)...)
	}
	blocks := append(g.natural(path[0]), path...)
	slices.Sort(blocks)
	l := &Loop{Func: fn, Graph: g, Header: path[0], Blocks: slices.Compact(blocks)}
	l.lead(k)
	return k
}

// natural returns the blocks of the natural loop of a header: those that lead back to it. Other ways through it than a path's
// are not code before the path.
func (g *Graph) natural(header int) (blocks []int) {
	seen := map[int]bool{header: true}
	add := func(from []int) {
		for _, b := range from {
			if !seen[b] && g.Dominates(header, b) {
				seen[b] = true
				blocks = append(blocks, b)
			}
		}
	}
	add(g.Blocks[header].Pred)
	for i := 0; i < len(blocks); i++ {
		add(g.Blocks[blocks[i]].Pred)
	}
	return blocks
}

// lead adds the known state at a kernel's start.
func (l *Loop) lead(k *isa.Kernel) {
	l.enter(k)
	k.Latch = l.latch(k)
	k.Data = l.Func.file.Data
	first := &k.Lines[0]
	if len(k.Entry) > 0 {
		first = &k.Entry[0]
	}
	if first.Addr == l.Func.Addr {
		k.Restrict = l.Func.restricted()
	}
	k.SetContext(l.configured)
}

// configured returns the vector configuration at the entry of a loop.
func (l *Loop) configured() isa.VType {
	g := l.Graph
	before := func(b int) (from []int) {
		if b == 0 { // from a caller
			return nil
		}
		for _, p := range g.Blocks[b].Pred {
			if g.region[p] == g.region[b] { // padding has a region of its own
				from = append(from, p)
			}
		}
		return from
	}
	code := func(dst []isa.Inst, b int) []isa.Inst {
		for _, x := range g.Insts(b) {
			dst = append(dst, x.Inst)
		}
		return dst
	}
	return l.Func.file.ISA.Configured(before(l.Header), before, code)
}

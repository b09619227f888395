package object

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"incore/internal/isa"
)

// Path is one way through a loop: blocks from the header to one that jumps back to it.
type Path struct {
	Blocks []int
	Weight float64 // guessed share of the iterations that take it
	Insts  int
}

const (
	maxPaths = 64      // of a loop that are listed
	maxSteps = 1 << 14 // of the search for them
)

// Paths lists the ways through a loop that pass no block twice, the likeliest first.
// Inner loops are passed once. Branch probabilities are guessed as compilers do
// without a profile (Ball and Larus: Branch Prediction for Free): code stays in
// the loop, avoids calls and traps, and falls through.
func (l *Loop) Paths() []Path {
	s := newPathSearch(l)
	s.walk(l.Header, 1, 0)
	if len(s.paths) == 0 { // too many dead ends: take the shortest
		s.paths = append(s.paths, l.shortest())
	}
	slices.SortStableFunc(s.paths, func(a, b Path) int { return cmp.Compare(b.Weight, a.Weight) })
	if len(s.paths) > maxPaths {
		s.paths = s.paths[:maxPaths]
	}
	return s.paths
}

// shortest returns the path with the fewest blocks.
func (l *Loop) shortest() Path {
	from := map[int]int{l.Header: -1}
	for queue := []int{l.Header}; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		for _, n := range l.Graph.Blocks[b].Succ {
			if n == l.Header {
				p := Path{}
				for ; b >= 0; b = from[b] {
					p.Blocks = append(p.Blocks, b)
					p.Insts += l.Graph.Blocks[b].Insts
				}
				slices.Reverse(p.Blocks)
				return p
			}
			if _, seen := from[n]; !seen && l.contains(n) {
				from[n] = b
				queue = append(queue, n)
			}
		}
	}
	return Path{Blocks: []int{l.Header}, Insts: l.Graph.Blocks[l.Header].Insts}
}

// likeliest returns the first of Paths, and their number.
func (l *Loop) likeliest() (Path, int) {
	s := newPathSearch(l)
	s.first = true
	s.walk(l.Header, 1, 0)
	if len(s.paths) == 0 {
		return l.shortest(), 1
	}
	return s.paths[0], min(s.found, maxPaths)
}

type pathSearch struct {
	l     *Loop
	on    []bool // by place in Loop.Blocks
	ways  []ways // likewise, made when first needed
	stack []int
	paths []Path
	found int
	steps int
	first bool // keep the likeliest path only
}

// ways are the blocks that may follow one, the likeliest first.
type ways struct {
	next  []int
	share []float64
}

func newPathSearch(l *Loop) *pathSearch {
	n := len(l.Blocks)
	return &pathSearch{l: l, on: make([]bool, n), ways: make([]ways, n)}
}

// add notes the path on the stack.
func (s *pathSearch) add(weight float64, insts int) {
	s.found++
	if s.first && len(s.paths) > 0 {
		if weight > s.paths[0].Weight {
			s.paths[0] = Path{append(s.paths[0].Blocks[:0], s.stack...), weight, insts}
		}
		return
	}
	s.paths = append(s.paths, Path{slices.Clone(s.stack), weight, insts})
}

func (s *pathSearch) walk(b int, weight float64, insts int) {
	if s.steps++; s.steps > maxSteps {
		return
	}
	at, _ := slices.BinarySearch(s.l.Blocks, b)
	s.stack = append(s.stack, b)
	s.on[at] = true
	insts += s.l.Graph.Blocks[b].Insts
	w := &s.ways[at]
	if w.next == nil {
		w.next, w.share = s.successors(b)
	}
	for i, n := range w.next {
		if n == s.l.Header {
			s.add(weight*w.share[i], insts)
		} else if k, _ := slices.BinarySearch(s.l.Blocks, n); !s.on[k] {
			s.walk(n, weight*w.share[i], insts)
		}
	}
	s.on[at] = false
	s.stack = s.stack[:len(s.stack)-1]
}

// successors returns the blocks of the loop that may follow b, the likeliest first, with their shares.
func (s *pathSearch) successors(b int) (next []int, share []float64) {
	g := s.l.Graph
	total := 0.0
	for i, n := range g.Blocks[b].Succ {
		if !s.l.contains(n) {
			continue
		}
		p := 1.0
		if n == s.l.Header {
			p *= 4 // back edges are taken
		}
		if g.Blocks[b].falls && i == 0 {
			p *= 1.2 // the compiler's layout
		}
		if g.unlikely(n) {
			p *= 0.1
		}
		next, share = append(next, n), append(share, p)
		total += p
	}
	for i := range share {
		share[i] /= total
	}
	sort.Stable(byShare{next, share})
	return next, share
}

type byShare struct {
	next  []int
	share []float64
}

func (b byShare) Len() int           { return len(b.next) }
func (b byShare) Less(i, j int) bool { return b.share[i] > b.share[j] }
func (b byShare) Swap(i, j int) {
	b.next[i], b.next[j] = b.next[j], b.next[i]
	b.share[i], b.share[j] = b.share[j], b.share[i]
}

// unlikely reports whether a block ends in a trap or holds a call.
func (g *Graph) unlikely(b int) bool {
	return g.Blocks[b].Flow == isa.FlowTrap || g.Blocks[b].hasCall
}

// KernelOptions choose what of a loop becomes a kernel.
type KernelOptions struct {
	Path   int    // index into Paths, 0 for the likeliest
	Syntax string // of the printed text, "" for the instruction set's default
}

// Kernel makes a loop's body, or one path through it, a kernel. The code before the
// loop that is always executed on the way to it becomes the kernel's Entry.
func (l *Loop) Kernel(opt KernelOptions) (*isa.Kernel, error) {
	paths := l.Paths()
	if len(paths) == 0 {
		return nil, fmt.Errorf("loop at %#x of %s: no path through it found", l.Addr(), l.Func.Name)
	}
	if opt.Path < 0 || opt.Path >= len(paths) {
		return nil, fmt.Errorf("loop at %#x of %s has %s, not %d", l.Addr(), l.Func.Name, counted(len(paths)), opt.Path+1)
	}
	f := l.Func.file
	p := paths[opt.Path]
	k := &isa.Kernel{ISA: f.ISA, Name: fmt.Sprintf("%s+%#x", l.Func.Name, l.Addr()-l.Func.Addr), Syntax: opt.Syntax, Loop: true, Why: l.why(p, len(paths), opt.Path)}
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

func (l *Loop) why(p Path, paths, chosen int) string {
	kind := "loop"
	if l.Innermost {
		kind = "innermost loop"
	}
	s := fmt.Sprintf("%s of %s at %#x", kind, l.Func.Name, l.Addr())
	if paths > 1 {
		s += fmt.Sprintf(", path %d of %d through it (guessed share %.0f %%)", chosen+1, paths, 100*p.Weight)
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

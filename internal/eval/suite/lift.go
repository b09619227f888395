package suite

import (
	"cmp"
	"encoding/binary"
	"slices"

	"incore/internal/clone"
	"incore/internal/isa"
	"incore/internal/object"
)

// Piece is code that is predicted as the body of a loop, and how often it ran.
type Piece struct {
	Kernel *isa.Kernel
	Count  uint64
	Addr   uint64
	End    uint64 // of a block, 0 of a path
	Insts  int
}

// blocks are the basic blocks that were executed (CesASMe, section 2.2).
func (r *run) blocks() (out []Piece) {
	for i, n := range r.counts {
		if n == 0 {
			continue
		}
		b := &r.image.Blocks[i]
		g := &b.Graph.Blocks[b.Index]
		out = append(out, Piece{b.Func.BlockKernel(b.Graph, b.Index), n, g.Addr, g.End, g.Insts})
	}
	return out
}

// instructions is how many a run executes.
func (r *run) instructions() (n uint64) {
	for i, c := range r.counts {
		b := &r.image.Blocks[i]
		n += c * uint64(b.Graph.Blocks[b.Index].Insts)
	}
	return n
}

// nearby is how many instructions a loop may execute from its entry to its end to be no loop of its own but a part of the path around it: about what a
// reorder buffer of today's cores holds, within which what is before and behind the loop overlaps with it.
const nearby = 600

// paths are the ways that the run took through its loops, each as often as it did. The iterations of a short loop belong to the path of the loop
// around it; a long loop's own iterations are paths, and what is around it has a path without it. Calls have paths of their own.
func (r *run) paths() []Piece {
	f := newFolder(r.file, r.trace.Image)
	f.measure(r.trace.Blocks())
	f.choose()
	for _, seq := range f.split(r.trace.Blocks()) {
		f.fold(seq)
	}
	return f.pieces()
}

// folder finds the paths of a run.
type folder struct {
	image *clone.Image
	loops []*object.Loop
	outer []int  // loop → the one around it, -1
	in    []int  // block of the image → innermost loop, -1
	heads []int  // block of the image → loop that it is the header of, -1
	kept  []bool // loops whose iterations are paths
	own   []int  // block → innermost loop that is kept, -1
	insts []int
	total []uint64 // loop → instructions executed within
	entry []uint64 // loop → how often it was entered
	found map[string]*way
}

type way struct {
	blocks []int32
	count  uint64
}

func newFolder(file *object.File, im *clone.Image) *folder {
	f := &folder{image: im, found: map[string]*way{}}
	base := map[*object.Function]int{} // function → its first block in the image
	f.in, f.heads, f.own, f.insts = make([]int, len(im.Blocks)), make([]int, len(im.Blocks)), make([]int, len(im.Blocks)), make([]int, len(im.Blocks))
	var functions []*object.Function
	for i, b := range im.Blocks {
		f.in[i], f.heads[i], f.own[i] = -1, -1, -1
		f.insts[i] = b.Graph.Blocks[b.Index].Insts
		if b.Index == 0 {
			base[b.Func] = i
			functions = append(functions, b.Func)
		}
	}
	for _, fn := range functions {
		first := len(f.loops)
		list := file.Loops(fn)
		f.loops = append(f.loops, list...)
		size := make([]int, len(list))
		for k, l := range list {
			size[k] = len(l.Blocks)
			p := -1
			if l.Parent >= 0 {
				p = first + l.Parent
			}
			f.outer = append(f.outer, p)
			f.heads[base[fn]+l.Header] = first + k
			for _, b := range l.Blocks {
				if at := base[fn] + b; f.in[at] < 0 || len(l.Blocks) < len(f.loops[f.in[at]].Blocks) {
					f.in[at] = first + k
				}
			}
		}
	}
	n := len(f.loops)
	f.kept, f.total, f.entry = make([]bool, n), make([]uint64, n), make([]uint64, n)
	return f
}

// within reports whether a loop is another, or lies in it.
func (f *folder) within(l, around int) bool {
	for ; l >= 0; l = f.outer[l] {
		if l == around {
			return true
		}
	}
	return false
}

// measure counts how often loops are entered, and how much they execute.
func (f *folder) measure(seq []int32) {
	before := map[*object.Function]int{}
	for _, b := range seq {
		fn := f.image.Blocks[b].Func
		last, seen := before[fn]
		if !seen {
			last = -1
		}
		for l := f.in[b]; l >= 0; l = f.outer[l] {
			f.total[l] += uint64(f.insts[b])
			if !f.within(last, l) {
				f.entry[l]++
			}
		}
		before[fn] = f.in[b]
	}
}

// choose says which loops' iterations are paths.
func (f *folder) choose() {
	for l := range f.loops {
		f.kept[l] = f.outer[l] < 0 || f.entry[l] > 0 && f.total[l]/f.entry[l] > nearby
	}
	for b, l := range f.in {
		for l >= 0 && !f.kept[l] {
			l = f.outer[l]
		}
		f.own[b] = l
	}
}

// split separates the blocks of different functions.
func (f *folder) split(seq []int32) [][]int32 {
	place := map[*object.Function]int{}
	var out [][]int32
	for _, b := range seq {
		fn := f.image.Blocks[b].Func
		i, ok := place[fn]
		if !ok {
			i = len(out)
			place[fn] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], b)
	}
	return out
}

// fold cuts the blocks of a function into paths.
func (f *folder) fold(seq []int32) {
	type level struct {
		loop   int
		blocks []int32
	}
	stack := []level{{loop: -1}}
	end := func() {
		top := &stack[len(stack)-1]
		f.add(top.blocks)
		top.blocks = top.blocks[:0]
	}
	for _, b := range seq {
		own := f.own[b]
		for top := stack[len(stack)-1].loop; top >= 0 && !f.within(own, top); top = stack[len(stack)-1].loop {
			end()
			stack = stack[:len(stack)-1]
		}
		top := stack[len(stack)-1].loop
		switch {
		case own >= 0 && own != top:
			var enter []int
			for l := own; l >= 0 && l != top; l = f.outer[l] {
				if f.kept[l] {
					enter = append(enter, l)
				}
			}
			for _, l := range slices.Backward(enter) {
				stack = append(stack, level{loop: l})
			}
		case own >= 0 && f.heads[b] == own: // the next iteration
			end()
		case own < 0 && f.image.Blocks[b].Index == 0: // the next call
			end()
		}
		t := &stack[len(stack)-1]
		t.blocks = append(t.blocks, b)
	}
	for len(stack) > 0 {
		end()
		stack = stack[:len(stack)-1]
	}
}

// add counts a path.
func (f *folder) add(blocks []int32) {
	if len(blocks) == 0 {
		return
	}
	key := make([]byte, 0, 4*len(blocks))
	for _, b := range blocks {
		key = binary.LittleEndian.AppendUint32(key, uint32(b))
	}
	p := f.found[string(key)]
	if p == nil {
		p = &way{blocks: slices.Clone(blocks)}
		f.found[string(key)] = p
	}
	p.count++
}

// pieces makes kernels of the paths, those that execute most first.
func (f *folder) pieces() (out []Piece) {
	all := make([]*way, 0, len(f.found))
	for _, p := range f.found {
		all = append(all, p)
	}
	weight := func(p *way) (n uint64) {
		for _, b := range p.blocks {
			n += uint64(f.insts[b])
		}
		return n * p.count
	}
	slices.SortFunc(all, func(a, b *way) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), slices.Compare(a.blocks, b.blocks))
	})
	for _, p := range all {
		first := &f.image.Blocks[p.blocks[0]]
		list := make([]int, len(p.blocks))
		insts := 0
		for i, b := range p.blocks {
			list[i] = f.image.Blocks[b].Index
			insts += f.insts[b]
		}
		out = append(out, Piece{Count: p.count, Addr: first.Addr(), Insts: insts, Kernel: first.Func.PathKernel(first.Graph, list)})
	}
	return out
}

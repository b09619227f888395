package suite

import (
	"cmp"
	"encoding/binary"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/program/clone"
)

// Piece is code that is predicted as the body of a loop, with the number of its executions.
type Piece struct {
	Kernel *isa.Kernel
	Count  uint64
	Addr   uint64
	End    uint64 // of a block, 0 of a path
	Insts  int
	// Memory holds the recorded dependences through memory of a path's iterations; nil for blocks.
	Memory []depgraph.MemoryEdge
	// Places holds the recorded addresses of the accesses in some iterations of a path; nil for blocks.
	Places []depgraph.Place
	way    *way // of a path
}

// blocks returns the executed basic blocks (CesASMe, section 2.2).
func (r *run) blocks() (out []Piece) {
	for i, n := range r.counts {
		if n == 0 {
			continue
		}
		b := &r.image.Blocks[i]
		g := &b.Graph.Blocks[b.Index]
		out = append(out, Piece{Kernel: b.Func.BlockKernel(b.Graph, b.Index), Count: n, Addr: g.Addr, End: g.End, Insts: g.Insts})
	}
	return out
}

// hot returns the executed blocks.
func (r *run) hot() (out []Hot) {
	for i, n := range r.counts {
		if n == 0 {
			continue
		}
		b := &r.image.Blocks[i]
		h := Hot{Addr: b.Addr(), End: b.Graph.Blocks[b.Index].End, Count: n}
		if f := r.modules[b.Func]; f != nil && f != r.file && f.Path != r.file.Path {
			h.File = f.Path
		}
		out = append(out, h)
	}
	return out
}

// instructions returns the number of instructions that a run executes.
func (r *run) instructions() (n uint64) {
	for i, c := range r.counts {
		b := &r.image.Blocks[i]
		n += c * uint64(b.Graph.Blocks[b.Index].Insts)
	}
	return n
}

// nearby is the greatest number of instructions that a loop may execute, from entry to exit, to count as a part of the path around it. It is about the size of
// a reorder buffer of current cores, within which the code before and after the loop overlaps with it.
const nearby = 600

// paths returns the executed paths of the run through its loops, with their counts. The iterations of a short loop belong to the path of the loop
// around it; each iteration of a long loop is a path, and the code around that loop has a path without it. Calls have their own paths.
func (r *run) paths() []Piece {
	_, list := r.folded()
	return list
}

// fileOf returns the file that contains a function.
func (r *run) fileOf(fn *object.Function) *object.File {
	if f := r.modules[fn]; f != nil {
		return f
	}
	return r.file
}

// folded returns the paths of a run.
func (r *run) folded() (*folder, []Piece) {
	f := newFolder(r.fileOf, r.trace)
	f.measure()
	f.choose()
	for _, seq := range f.split() {
		f.fold(seq)
	}
	f.depend()
	return f, f.pieces()
}

// visit is one execution of a block, with the addresses that it accessed.
type visit struct {
	block     int32
	addresses []int64
}

// folder finds the paths of a run.
type folder struct {
	image  *clone.Image
	visits []visit
	at     []place       // place of each visit
	turns  map[int]int32 // loop → iterations so far
	loops  []*object.Loop
	outer  []int  // loop → the loop around it, -1 if none
	in     []int  // block of the image → innermost loop, -1
	heads  []int  // block of the image → loop that it is the header of, -1
	kept   []bool // loops whose iterations are paths
	own    []int  // block → innermost loop that is kept, -1
	insts  []int
	total  []uint64 // loop → instructions executed within
	entry  []uint64 // loop → number of entries
	found  map[string]*way
}

// way is a path and the number of its executions.
type way struct {
	blocks []int32
	count  uint64
	deps   map[dependence]uint64 // number of occurrences of each
	turns  [][]int32             // the visits of the first iterations
}

// place is the position of a visit: the loop, the iteration and the position on the path.
type place struct {
	way  *way
	loop int
	turn int32
	pos  int32
}

func newFolder(fileOf func(*object.Function) *object.File, t *clone.Trace) *folder {
	im := t.Image
	f := &folder{image: im, found: map[string]*way{}, turns: map[int]int32{}}
	t.Walk(func(block int, addresses []int64) { f.visits = append(f.visits, visit{int32(block), addresses}) })
	f.at = make([]place, len(f.visits))
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
		list := fileOf(fn).Loops(fn)
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

// within reports whether loop l is the loop around or is inside it.
func (f *folder) within(l, around int) bool {
	for ; l >= 0; l = f.outer[l] {
		if l == around {
			return true
		}
	}
	return false
}

// measure counts the entries of loops and the instructions that they execute.
func (f *folder) measure() {
	before := map[*object.Function]int{}
	for i := range f.visits {
		b := f.visits[i].block
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

// choose selects the loops whose iterations are paths.
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

// split separates the visits of different functions.
func (f *folder) split() [][]int32 {
	place := map[*object.Function]int{}
	var out [][]int32
	for v := range f.visits {
		fn := f.image.Blocks[f.visits[v].block].Func
		i, ok := place[fn]
		if !ok {
			i = len(out)
			place[fn] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], int32(v))
	}
	return out
}

// fold cuts the visits of a function into paths.
func (f *folder) fold(seq []int32) {
	type level struct {
		loop   int
		visits []int32
	}
	stack := []level{{loop: -1}}
	end := func() {
		top := &stack[len(stack)-1]
		f.add(top.loop, top.visits)
		top.visits = top.visits[:0]
	}
	for _, v := range seq {
		b := f.visits[v].block
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
		t.visits = append(t.visits, v)
	}
	for len(stack) > 0 {
		end()
		stack = stack[:len(stack)-1]
	}
}

// add counts a path.
func (f *folder) add(loop int, visits []int32) {
	if len(visits) == 0 {
		return
	}
	key := make([]byte, 0, 4*len(visits))
	for _, v := range visits {
		key = binary.LittleEndian.AppendUint32(key, uint32(f.visits[v].block))
	}
	w := f.found[string(key)]
	if w == nil {
		w = &way{deps: map[dependence]uint64{}}
		for _, v := range visits {
			w.blocks = append(w.blocks, f.visits[v].block)
		}
		f.found[string(key)] = w
	}
	if w.count++; len(w.turns) < placedTurns {
		w.turns = append(w.turns, slices.Clone(visits))
	}
	f.turns[loop]++
	for pos, v := range visits {
		f.at[v] = place{w, loop, f.turns[loop], int32(pos)}
	}
}

// pieces makes kernels from the paths, those with the most executed instructions first.
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
		x := Piece{Count: p.count, Addr: first.Addr(), Insts: insts, Kernel: first.Func.PathKernel(first.Graph, list), Memory: f.edges(p)}
		x.Places, x.way = f.places(p, x.Kernel), p
		out = append(out, x)
	}
	return out
}

package trace

import (
	"path/filepath"

	"incore/internal/isa"
	"incore/internal/object"
)

// module is a file with code, as it lies in memory.
type module struct {
	path   string
	lo, hi uint64
	bias   uint64 // difference of its addresses in memory to those in the file
}

// place is a unit to which cycles are attributed: a loop, or a function outside its loops.
type place struct {
	module string
	fn     *object.Function
	loop   *object.Loop
	file   *object.File
	turns  uint64 // executions of the loop's header or the function's entry
	insts  uint64
	addr   uint64 // in the file
}

// places finds the places of instructions.
type places struct {
	isa   *isa.ISA
	list  []*place
	files map[string]*object.File
	known map[placeKey]int32
	inner map[*object.Function]map[uint64]*object.Loop // address of an instruction → innermost loop
}

type placeKey struct {
	module string
	fn     *object.Function
	loop   uint64 // address of its header, 0 outside
}

func newPlaces(a *isa.ISA) *places {
	return &places{isa: a, files: map[string]*object.File{}, known: map[placeKey]int32{}, inner: map[*object.Function]map[uint64]*object.Loop{}}
}

// of returns the place of each instruction of a block, as an index into list. The addresses of its lines in memory
// exceed those in the code's file by the module's bias.
func (p *places) of(b *Block, m *module) []int32 {
	out := make([]int32, len(b.Lines))
	if m != nil {
		b.bias = m.bias
	}
	for i := range b.Lines {
		out[i] = p.at(b.Lines[i].Addr, m)
	}
	return out
}

// at returns the place of an instruction, as an index into list.
func (p *places) at(addr uint64, m *module) int32 {
	key := placeKey{module: "?"}
	var x place
	if m != nil {
		x.module = filepath.Base(m.path)
		key.module = m.path
		f, ok := p.files[m.path]
		if !ok {
			f, _ = object.Open(m.path, p.isa)
			p.files[m.path] = f
		}
		if x.file = f; f != nil {
			addr -= m.bias
			if x.fn = f.At(addr); x.fn != nil {
				x.loop = p.loops(f, x.fn)[addr]
				x.addr = x.fn.Addr
			}
		}
	}
	if key.fn = x.fn; x.loop != nil {
		x.addr = x.loop.Addr()
		key.loop = x.addr
	}
	g, ok := p.known[key]
	if !ok {
		g = int32(len(p.list))
		p.list = append(p.list, &x)
		p.known[key] = g
	}
	return g
}

// loops maps each address of a function's loops to the innermost loop around it.
func (p *places) loops(f *object.File, fn *object.Function) map[uint64]*object.Loop {
	m, ok := p.inner[fn]
	if !ok {
		m = map[uint64]*object.Loop{}
		p.inner[fn] = m
		for _, l := range f.Loops(fn) {
			for _, b := range l.Blocks {
				for _, in := range l.Graph.Insts(b) {
					if old := m[in.Addr]; old == nil || l.Depth > old.Depth {
						m[in.Addr] = l
					}
				}
			}
		}
	}
	return m
}

// count sums the executions of the blocks by place.
func (p *places) count(blocks []*Block) {
	for _, x := range p.list {
		x.insts, x.turns = 0, 0
	}
	for _, b := range blocks {
		for i := range b.groups {
			x := p.list[b.groups[i]]
			x.insts += b.visited
			if x.addr != 0 && b.Lines[i].Addr-b.bias == x.addr {
				x.turns += b.visited
			}
		}
	}
}

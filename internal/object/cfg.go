package object

import (
	"cmp"
	"slices"
	"sort"

	"incore/internal/isa"
)

// maxFunction is the largest number of instructions of a function that are decoded.
const maxFunction = 4 << 20

// Block is a basic block: instructions that are executed in sequence.
type Block struct {
	Addr, End uint64
	Insts     int
	Succ      []int // indices of the successor blocks; the fall-through block is the first
	Pred      []int
	Flow      isa.FlowKind // of the last instruction
	falls     bool         // Succ[0] is the next block
	hasCall   bool
	last      int // the last instruction, among the steps
}

// Graph is the control-flow graph of a function. Block 0 is its entry.
type Graph struct {
	Blocks  []Block
	Bad     int // bytes that are no instruction
	Tables  int // indirect jumps whose targets were found
	Unknown int // indirect jumps whose targets were not found
	idom    []int
	order   []int   // reverse postorder
	rank    []int   // block → index in order
	region  []int   // block → number of its region: the blocks reached from the same entry
	found   []int   // preorder
	pre     []int32 // block → index in found, from 1
	parent  []int32 // block → index of its parent in the depth-first tree, 0 for entries
	first   []int32 // block → its number in the dominator tree
	last    []int32 // block → the last number of the blocks that it dominates
	file    *File
}

// step is an instruction of a sweep through a function.
type step struct {
	addr   uint64
	target uint64 // noTarget if none
	size   uint8
	flow   isa.FlowKind
	bad    bool
	leads  bool // it begins a block
}

// noTarget is the target of an instruction without a jump to a known address.
const noTarget = ^uint64(0)

// Graph builds the control-flow graph of a function.
func (fn *Function) Graph() *Graph {
	g := &Graph{file: fn.file}
	g.build(fn, g.sweep(fn, nil))
	return g
}

// build makes the blocks and edges from the steps of a sweep, and computes the dominators.
func (g *Graph) build(fn *Function, steps []step) {
	if len(steps) == 0 {
		return
	}
	tables := g.jumpTables(fn, steps)
	g.split(steps, leaders(steps, tables))
	g.connect(steps, tables)
	g.dominators()
}

// leaders marks the steps that begin blocks, and counts them. A target within an instruction begins no block.
func leaders(steps []step, tables map[uint64][]uint64) (n int) {
	lead := func(i int) {
		if !steps[i].leads {
			steps[i].leads = true
			n++
		}
	}
	to := func(addr uint64) {
		if i, ok := slices.BinarySearchFunc(steps, addr, func(s step, addr uint64) int { return cmp.Compare(s.addr, addr) }); ok {
			lead(i)
		}
	}
	lead(0)
	for i := range steps {
		s := &steps[i]
		switch s.flow {
		case isa.FlowJump, isa.FlowCond:
			to(s.target)
		case isa.FlowIndirect:
			for _, t := range tables[s.addr] {
				to(t)
			}
		}
		if endsBlock(s) && i+1 < len(steps) {
			lead(i + 1)
		}
	}
	return n
}

func endsBlock(s *step) bool { return s.flow != isa.FlowNext && s.flow != isa.FlowCall || s.bad }

// sweep decodes a function from its start to its end, into the memory of steps.
func (g *Graph) sweep(fn *Function, steps []step) []step {
	code := g.file.bytesAt(fn.Addr, int(min(fn.Size, 1<<31)))
	decode, flow := g.file.ISA.Decode, g.file.ISA.Flow
	steps = slices.Grow(steps[:0], min(len(code)/4+1, maxFunction))
	var in isa.Inst
	for pos := 0; pos < len(code) && len(steps) < maxFunction; {
		addr := fn.Addr + uint64(pos)
		n, err := decode(code[pos:], addr, &in)
		if err != nil {
			n = max(1, n)
			g.Bad += n
			pos += n
			if k := len(steps); k == 0 || !steps[k-1].bad {
				steps = append(steps, step{addr: addr, target: noTarget, bad: true})
			}
			continue
		}
		s := step{addr: addr, target: noTarget, size: uint8(n)}
		if f := flow(&in); f.Kind != isa.FlowNext {
			s.flow = f.Kind
			if f.Target.Kind == isa.OpImm {
				s.target = uint64(f.Target.Imm)
			}
			if s.flow == isa.FlowCall {
				if to, ok := g.file.calls[addr]; ok {
					s.target = to
				}
				if g.file.noReturn(s.target) {
					s.flow = isa.FlowTrap
				}
			}
		}
		steps = append(steps, s)
		pos += n
	}
	return steps
}

// split makes the n blocks; a block ends before the next leader.
func (g *Graph) split(steps []step, n int) {
	g.Blocks = make([]Block, 0, n)
	for i := range steps {
		s := &steps[i]
		if s.leads {
			g.Blocks = append(g.Blocks, Block{Addr: s.addr})
		}
		b := &g.Blocks[len(g.Blocks)-1]
		b.End, b.Flow, b.last = s.addr+uint64(s.size), s.flow, i
		b.hasCall = b.hasCall || s.flow == isa.FlowCall
		if s.bad {
			b.Flow = isa.FlowTrap
		} else {
			b.Insts++
		}
	}
}

// blockAt returns the block that starts at an address, -1 if no block does.
func (g *Graph) blockAt(addr uint64) int {
	i := sort.Search(len(g.Blocks), func(i int) bool { return g.Blocks[i].Addr >= addr })
	if i < len(g.Blocks) && g.Blocks[i].Addr == addr {
		return i
	}
	return -1
}

func (g *Graph) connect(steps []step, tables map[uint64][]uint64) {
	for i := range g.Blocks {
		b := &g.Blocks[i]
		switch b.Flow {
		case isa.FlowNext, isa.FlowCall, isa.FlowCond:
			if i+1 < len(g.Blocks) && g.Blocks[i+1].Addr == b.End {
				b.falls = true
				g.edge(i, i+1)
			}
		}
		switch last := &steps[b.last]; last.flow {
		case isa.FlowJump, isa.FlowCond:
			if last.target != noTarget {
				g.edge(i, g.blockAt(last.target))
			}
		case isa.FlowIndirect:
			for _, t := range tables[last.addr] {
				g.edge(i, g.blockAt(t))
			}
		}
	}
}

func (g *Graph) edge(from, to int) {
	if to < 0 || slices.Contains(g.Blocks[from].Succ, to) {
		return
	}
	g.Blocks[from].Succ = append(g.Blocks[from].Succ, to)
	g.Blocks[to].Pred = append(g.Blocks[to].Pred, from)
}

// Insts decodes the instructions of a block.
func (g *Graph) Insts(b int) []isa.Line {
	blk := &g.Blocks[b]
	return g.file.decodeRange(blk.Addr, blk.End)
}

// decodeRange decodes from lo to hi; bytes that are no instruction become lines with an error.
func (f *File) decodeRange(lo, hi uint64) []isa.Line {
	var lines []isa.Line
	code := f.bytesAt(lo, int(min(hi-lo, 1<<31)))
	for pos := 0; pos < len(code); {
		l := isa.Line{Addr: lo + uint64(pos)}
		n, err := f.ISA.Decode(code[pos:], l.Addr, &l.Inst)
		if err != nil {
			n, l.Err = max(1, n), err
			l.Text = "(bad)"
		} else if f.ISA.Print != nil {
			syntax := ""
			if len(f.ISA.Syntaxes) > 0 {
				syntax = f.ISA.Syntaxes[0]
			}
			l.Text = string(f.ISA.Print(nil, &l.Inst, syntax))
		}
		lines = append(lines, l)
		pos += n
	}
	return lines
}

package trace

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Core is the core that executes the segments in the simulation.
type Core struct {
	Model   *machine.Model
	Penalty int      // cycles from the execution of a mispredicted branch to the dispatch of the next instruction
	Late    [8]int32 // for each cache level the additional latency of a load, against the first level
	Free    sim.Free // the limits that are removed
}

// leave reports whether stores of the core leave the store queue together.
func (c *Core) leave() bool {
	commit := &c.Model.Core().StoreCommit
	return commit.Lines || commit.Merge > 0
}

// Simulator simulates segments on a core, in sequence.
type Simulator struct {
	core   *Core
	isa    *isa.ISA
	s      *sim.Streamer
	bound  map[*Block]*machine.Bound
	insts  []machine.Inst
	memory []depgraph.Executed
	runs   depgraph.Runs
	start  []int32 // visit → its first instruction
	turn   []int32 // visit → number of earlier visits of its block
	times  map[*Block]int32
	region sim.Region
}

// NewSimulator returns a simulator, or an error if the model does not describe the core completely.
func NewSimulator(c *Core, a *isa.ISA) (*Simulator, error) {
	s, err := sim.NewStreamer(c.Model, c.Penalty, c.Free)
	if err != nil {
		return nil, err
	}
	return &Simulator{core: c, isa: a, s: s, bound: map[*Block]*machine.Bound{}, times: map[*Block]int32{}}, nil
}

// bind returns a block's costs.
func (s *Simulator) bind(b *Block) *machine.Bound {
	x := s.bound[b]
	if x == nil {
		x = uops.Bind(s.core.Model, &isa.Kernel{ISA: s.isa, Lines: b.Lines, Loop: true})
		s.bound[b] = x
	}
	return x
}

// Run simulates a segment of some blocks; groups is the number of groups to which the instructions of the blocks belong.
func (s *Simulator) Run(x *Segment, blocks []*Block, groups int) (*sim.Account, error) {
	s.lay(x, blocks, groups)
	s.depend(x, blocks)
	s.late(x, blocks)
	b := &machine.Bound{Kernel: &isa.Kernel{ISA: s.isa, Loop: true, Lines: make([]isa.Line, 1)}, Model: s.core.Model, Insts: s.insts}
	s.region.Graph = s.runs.Graph(b, s.region.Numbers, s.memory)
	return s.s.Run(&s.region)
}

// lay writes the segment's instructions in the order of execution.
func (s *Simulator) lay(x *Segment, blocks []*Block, groups int) {
	s.insts, s.start, s.turn = s.insts[:0], s.start[:0], s.turn[:0]
	clear(s.times)
	r := &s.region
	r.Numbers, r.Group, r.Groups, r.Wrong = r.Numbers[:0], r.Group[:0], groups, r.Wrong[:0]
	for v, id := range x.blocks {
		b := blocks[id]
		if v == x.from {
			r.From = len(s.insts)
		}
		if v == x.to {
			r.To = len(s.insts)
		}
		s.start = append(s.start, int32(len(s.insts)))
		s.turn = append(s.turn, s.times[b])
		s.times[b]++
		cost := s.bind(b)
		s.insts = append(s.insts, cost.Insts...)
		for k := range cost.Insts {
			r.Numbers = append(r.Numbers, b.first+int32(k))
		}
		r.Group = append(r.Group, b.groups...)
		for range b.insts {
			r.Wrong = append(r.Wrong, false)
		}
		r.Wrong[len(r.Wrong)-1] = x.wrong[v/64]>>(v%64)&1 != 0
	}
	if x.to >= len(x.blocks) {
		r.To = len(s.insts)
	}
}

// depend lists the dependences through memory between the segment's instructions.
func (s *Simulator) depend(x *Segment, blocks []*Block) {
	s.memory = s.memory[:0]
	if s.core.Free.Memory {
		return
	}
	clear(s.times)
	seen := 0
	for i := range x.deps {
		d := &x.deps[i]
		for ; seen <= int(d.to); seen++ {
			s.times[blocks[x.blocks[seen]]]++
		}
		from, to := blocks[x.blocks[d.from]], blocks[x.blocks[d.to]]
		st, ld := &from.Accesses[d.stored], &to.Accesses[d.access]
		e := depgraph.Executed{From: s.start[d.from] + int32(st.Line), To: s.start[d.to] + int32(ld.Line), FromMem: int16(st.Mem), ToMem: int16(ld.Mem),
			Offset: int64(d.offset), Short: d.short, Several: d.several}
		if e.From >= e.To {
			continue
		}
		e.Stores = s.times[from] - 1 - s.turn[d.from]
		if from == to && st.Line >= ld.Line {
			e.Stores--
		}
		e.Loads = e.Stores
		if from == to {
			if e.Loads = s.turn[d.to] - s.turn[d.from]; ld.Line <= st.Line {
				e.Loads--
			}
		}
		if e.Stores < 0 {
			e.Stores = 0
		}
		s.memory = s.insert(e)
	}
}

// insert appends a dependence and keeps the list sorted by load; an instruction may have several, in any
// order.
func (s *Simulator) insert(e depgraph.Executed) []depgraph.Executed {
	m := append(s.memory, e)
	for k := len(m) - 1; k > 0 && m[k-1].To > m[k].To; k-- {
		m[k-1], m[k] = m[k], m[k-1]
	}
	return m
}

// late collects the accesses that cross lines, or that a level beyond the first-level cache serves, and the stores that do not leave alone.
func (s *Simulator) late(x *Segment, blocks []*Block) {
	r := &s.region
	r.Late, r.Crosses, r.Leave = nil, nil, nil
	commit := &s.core.Model.Core().StoreCommit
	for i := range x.marks {
		m := &x.marks[i]
		a := &blocks[x.blocks[m.visit]].Accesses[m.access]
		at := s.start[m.visit] + int32(a.Line)
		if m.crosses {
			if r.Crosses == nil {
				r.Crosses = make([]bool, len(s.insts))
			}
			r.Crosses[at] = true
		}
		if m.level > 0 {
			if r.Late == nil {
				r.Late = make([]int32, len(s.insts))
			}
			r.Late[at] = max(r.Late[at], s.core.Late[min(int(m.level), len(s.core.Late)-1)])
		}
		if m.lies.spans > 0 && s.core.leave() {
			if r.Leave == nil {
				r.Leave = make([]int8, len(s.insts))
			}
			r.Leave[at] += int8(m.lies.takes(commit, a.Bytes) - 1)
		}
	}
}

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

// rewrites reports whether stores wait for words that were written just before.
func (c *Core) rewrites() bool {
	commit := &c.Model.Core().StoreCommit
	return commit.Merge > 0 && commit.Partial > 0
}

// Simulator simulates segments on a core, in sequence.
type Simulator struct {
	core   *Core
	isa    *isa.ISA
	s      *sim.Streamer
	code   []blockCode // of each block
	plan   segmentPlan
	known  map[uint64]*episode
	insts  []machine.Inst
	memory []depgraph.Executed
	runs   depgraph.Runs
	start  []int32 // visit → its first instruction
	region sim.Region
	whole  machine.Bound // of the region
	groups []int32       // of the episode: the group that each of its own numbers stands for
	number []int32       // group → its number in the episode that last had it
}

// blockCode is what the core makes of a block.
type blockCode struct {
	*machine.Bound
	leaps []int32 // depgraph.Leaps
}

// NewSimulator returns a simulator, or an error if the model does not describe the core completely.
func NewSimulator(c *Core, a *isa.ISA) (*Simulator, error) {
	s, err := sim.NewStreamer(c.Model, c.Penalty, c.Free)
	if err != nil {
		return nil, err
	}
	return &Simulator{core: c, isa: a, s: s, known: map[uint64]*episode{},
		whole: machine.Bound{Kernel: &isa.Kernel{ISA: a, Loop: true, Lines: make([]isa.Line, 1)}, Model: c.Model}}, nil
}

// bind returns a block's costs.
func (b *Block) bind(m *machine.Model, a *isa.ISA) *machine.Bound {
	return uops.Bind(m, &isa.Kernel{ISA: a, Lines: b.Lines, Loop: true})
}

// bind makes the code of blocks.
func (s *Simulator) bind(ids []int32, blocks []*Block) {
	if n := len(blocks); n > len(s.code) {
		s.code = append(s.code, make([]blockCode, n-len(s.code))...)
	}
	for _, id := range ids {
		if c := &s.code[id]; c.Bound == nil {
			c.Bound = blocks[id].bind(s.core.Model, s.isa)
			c.leaps = depgraph.Leaps(c.Bound)
		}
	}
}

// simulate simulates some visits of the planned segment, up to where nothing is in flight.
func (s *Simulator) simulate(from, to int, rest *sim.Rest) (*sim.Account, error) {
	s.lay(from, to)
	s.depend(from, to)
	s.late(from, to)
	s.region.Drains, s.region.Rest, s.region.Groups = true, *rest, len(s.groups)
	s.whole.Insts = s.insts
	s.region.Graph = s.runs.Within(&s.whole, s.region.Numbers, s.memory, s.plan.renaming)
	return s.s.Run(&s.region)
}

// lay writes the instructions of some visits in the order of execution, after the stores before them whose
// registers their loads get.
func (s *Simulator) lay(from, to int) {
	p, r := &s.plan, &s.region
	s.insts, s.start, s.groups = s.insts[:0], s.start[:0], s.groups[:0]
	r.Numbers, r.Group, r.Wrong = r.Numbers[:0], r.Group[:0], r.Wrong[:0]
	for i := p.firstDep[from]; i < p.firstDep[to]; i++ {
		if d := &p.deps[i]; int(d.from) < from && p.served(d) {
			st, _ := p.ends(d)
			s.append(int(d.from), st.Line, st.Line+1)
		}
	}
	r.Start = len(s.insts)
	r.From, r.To = r.Start, -1
	for v := from; v < to; v++ {
		if v == p.from {
			r.From = len(s.insts)
		}
		if v == p.to {
			r.To = len(s.insts)
		}
		s.start = append(s.start, int32(len(s.insts)))
		s.append(v, 0, p.visits[v].insts)
		r.Wrong[len(r.Wrong)-1] = s.wrong(v)
	}
	if r.To < 0 {
		r.To = len(s.insts)
	}
}

// append appends some instructions of a visit.
func (s *Simulator) append(v, lo, hi int) {
	b, r := s.plan.visits[v], &s.region
	s.insts = append(s.insts, s.code[s.plan.blocks[v]].Insts[lo:hi]...)
	for k := lo; k < hi; k++ {
		r.Group = append(r.Group, s.group(b.group(k)))
		r.Numbers, r.Wrong = append(r.Numbers, b.first+int32(k)), append(r.Wrong, false)
	}
}

// group returns the number of a group in the episode.
func (s *Simulator) group(g int32) int32 {
	if n := int(g) + 1; n > len(s.number) {
		s.number = append(s.number, make([]int32, n-len(s.number))...)
	}
	n := s.number[g]
	if int(n) >= len(s.groups) || s.groups[n] != g {
		n = int32(len(s.groups))
		s.groups, s.number[g] = append(s.groups, g), n
	}
	return n
}

// depend lists the dependences through memory between the instructions of some visits, and on the stores before them.
func (s *Simulator) depend(from, to int) {
	p, before := &s.plan, int32(0)
	s.memory = s.memory[:0]
	for i := p.firstDep[from]; i < p.firstDep[to]; i++ {
		d := &p.deps[i]
		st, ld := p.ends(d)
		m := d.executed(st, ld)
		m.To = s.start[int(d.to)-from] + int32(ld.Line)
		switch {
		case int(d.from) >= from:
			m.From = s.start[int(d.from)-from] + int32(st.Line)
		case p.served(d):
			m.From = before
			before++
		default:
			continue
		}
		if m.From < m.To {
			s.memory = s.insert(m)
		}
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

// late collects the slow accesses of some visits.
func (s *Simulator) late(from, to int) {
	r, p := &s.region, &s.plan
	r.Late, r.Crosses, r.Leave = nil, nil, nil
	for v := from; v < to; v++ {
		for i := p.firstMark[v]; i < p.firstMark[v+1]; i++ {
			m := &p.slow[i]
			at := s.start[v-from] + int32(p.visits[v].Accesses[m.access].Line)
			if m.crosses {
				if r.Crosses == nil {
					r.Crosses = make([]bool, len(s.insts))
				}
				r.Crosses[at] = true
			}
			if m.late > 0 {
				if r.Late == nil {
					r.Late = make([]int32, len(s.insts))
				}
				r.Late[at] = max(r.Late[at], m.late)
			}
			if m.leave != 0 {
				if r.Leave == nil {
					r.Leave = make([]int8, len(s.insts))
				}
				r.Leave[at] += m.leave
			}
		}
	}
}

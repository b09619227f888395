package trace

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/isa"
)

// This file prepares a segment for its simulation: what lies between the ends of its dependences through memory, the
// accesses that are slow on the core, and the keys of its episodes.

// segmentPlan is the segment in work, with what the simulation of each of its episodes needs.
type segmentPlan struct {
	*Segment
	visits    []*Block
	deps      []plannedDependence
	firstDep  []int32 // visit → its first one of deps
	slow      []slow
	firstMark []int32 // visit → its first one of slow
	renaming  depgraph.Renaming
	turn      []int32 // visit → earlier visits of its block
	leaps     []int32 // visit → leaps of the stack pointer before it
	times     []int32 // block → visits so far
}

// plannedDependence is a dependence through memory with what lies between its ends.
type plannedDependence struct {
	*segmentDependence
	stores, loads int32 // as of depgraph.Executed
	renamed       bool  // memory renaming serves the load, as far as these two decide it
	moved         bool  // the stack pointer has leapt in between
}

// slow is an access that takes longer on this core.
type slow struct {
	access  int16
	crosses bool
	late    int32 // sim.Region.Late
	leave   int8  // sim.Region.Leave
}

// key tells the slow accesses of a block apart.
func (s *slow) key() uint64 {
	k := uint64(uint32(s.late))<<32 | uint64(uint16(s.access))<<16 | uint64(uint8(s.leave))
	if s.crosses {
		k |= 1 << 8
	}
	return k
}

// slow returns what a mark means on this core.
func (s *Simulator) slow(m *mark, a *Access) slow {
	c := s.core.Model.Core()
	x := slow{access: m.access, crosses: m.crosses && c.LineCrossing}
	if m.level > 0 {
		x.late = s.core.Late[min(int(m.level), len(s.core.Late)-1)]
	}
	if m.lies.spans > 0 && s.core.leave() {
		x.leave = int8(m.lies.takes(&c.StoreCommit, a.Bytes) - 1)
	}
	return x
}

// ends returns the accesses of the store and of the load.
func (p *segmentPlan) ends(d *plannedDependence) (store, load *Access) {
	return &p.visits[d.from].Accesses[d.stored], &p.visits[d.to].Accesses[d.access]
}

// prepare plans the simulation of a segment.
func (s *Simulator) prepare(x *Segment, blocks []*Block) {
	p := &s.plan
	p.Segment, p.visits, p.deps, p.slow = x, p.visits[:0], p.deps[:0], p.slow[:0]
	p.firstDep, p.firstMark, p.turn, p.leaps = p.firstDep[:0], p.firstMark[:0], p.turn[:0], p.leaps[:0]
	p.times = slices.Grow(p.times[:0], len(blocks))[:len(blocks)]
	clear(p.times)
	s.bind(x.blocks, blocks)
	part := s.runs.Part(s.core.Model, s.isa)
	deps, marks, leaps, bytes := x.deps, x.marks, int32(0), 0
	if s.core.Free.Memory {
		deps = nil
	}
	for v, id := range x.blocks {
		b := blocks[id]
		p.visits = append(p.visits, b)
		p.firstDep, p.firstMark = append(p.firstDep, int32(len(p.deps))), append(p.firstMark, int32(len(p.slow)))
		p.turn, p.leaps = append(p.turn, p.times[id]), append(p.leaps, leaps)
		p.times[id]++
		for ; len(deps) > 0 && int(deps[0].to) == v; deps = deps[1:] {
			p.deps = append(p.deps, s.passes(&part, &deps[0]))
		}
		for ; len(marks) > 0 && int(marks[0].visit) == v; marks = marks[1:] {
			if m := s.slow(&marks[0].mark, &b.Accesses[marks[0].access]); m != (slow{access: m.access}) {
				p.slow = append(p.slow, m)
			}
		}
		leaps += s.code[id].leaps[b.insts]
		bytes += int(b.end - b.Addr())
	}
	p.firstDep, p.firstMark = append(p.firstDep, int32(len(p.deps))), append(p.firstMark, int32(len(p.slow)))
	p.renaming = part.Renaming(bytes)
}

// passes plans a dependence on an earlier visit.
func (s *Simulator) passes(part *depgraph.Part, x *segmentDependence) plannedDependence {
	p := &s.plan
	d := plannedDependence{segmentDependence: x}
	from, to := p.blocks[x.from], p.blocks[x.to]
	st, ld := p.ends(&d)
	d.stores = p.times[from] - 1 - p.turn[x.from]
	if from == to && st.Line >= ld.Line {
		d.stores--
	}
	d.loads = d.stores
	if from == to {
		if d.loads = p.turn[x.to] - p.turn[x.from]; ld.Line <= st.Line {
			d.loads--
		}
	}
	d.stores = max(0, d.stores)
	f, t := s.code[from], s.code[to]
	store, load := &f.Insts[st.Line], &t.Insts[ld.Line]
	if p.leaps[x.to]+t.leaps[ld.Line] > p.leaps[x.from]+f.leaps[st.Line+1] {
		d.moved = s.onStack(&store.Effects.Mem[st.Mem]) && s.onStack(&load.Effects.Mem[ld.Mem])
	}
	m := d.executed(st, ld)
	d.renamed = part.Add(&m, store, load)
	return d
}

// executed returns the dependence, but for its instructions.
func (d *plannedDependence) executed(st, ld *Access) depgraph.Executed {
	return depgraph.Executed{FromMem: int16(st.Mem), ToMem: int16(ld.Mem), Offset: int64(d.offset), Short: d.short,
		Several: d.several, Stores: d.stores, Loads: d.loads, Moved: d.moved}
}

// onStack reports whether an operand is addressed by the stack pointer.
func (s *Simulator) onStack(m *isa.MemRef) bool {
	return s.isa.StackPointer != nil && s.isa.StackPointer(m.Base)
}

// served reports whether the load of a dependence gets the stored register, even if the store has retired.
func (p *segmentPlan) served(d *plannedDependence) bool { return d.renamed && !p.renaming.Crowded }

// key begins the key of an episode, with what is left of the core from what was before.
func (p *segmentPlan) key(rest *sim.Rest) uint64 {
	h := rest.Key()
	if p.renaming.Others {
		h ^= 1 << 62
	}
	if p.renaming.Crowded {
		h ^= 1 << 61
	}
	return mix(h)
}

// Bits that tell the numbers of a key apart: of a block, of its dependences (two each) and of its slow accesses.
const (
	keyOfDependence = 1 << 41
	keyOfAccess     = 1 << 63
)

// visited adds a visit to the key of an episode that begins with the visit from.
func (p *segmentPlan) visited(h uint64, from, v int) uint64 {
	add := func(x uint64) { h = (h ^ x) * 0x9e3779b97f4a7c15; h ^= h >> 29 }
	add(uint64(p.blocks[v])<<1 | p.Segment.wrong[v/64]>>(v%64)&1)
	deps := p.deps[p.firstDep[v]:p.firstDep[v+1]]
	for i := range deps {
		d := &deps[i]
		k := uint64(v) - uint64(d.from)
		if int(d.from) < from {
			if !p.served(d) {
				continue
			}
			k = uint64(p.blocks[d.from])<<2 | 1<<40
			if d.stores == 0 {
				k |= 1
			}
			if d.moved {
				k |= 2
			}
		}
		add(k | keyOfDependence)
		k = uint64(uint32(d.offset))<<32 | uint64(uint16(d.access))<<16 | uint64(uint16(d.stored))<<2
		if d.short {
			k |= 1
		}
		if d.several {
			k |= 2
		}
		add(k)
	}
	for i := p.firstMark[v]; i < p.firstMark[v+1]; i++ {
		add(p.slow[i].key() | keyOfAccess)
	}
	return h
}

// measured returns what the key of an episode has of its visits that do not count.
func (p *segmentPlan) measured(from, end int) (h uint64) {
	if from < p.from && p.from < end {
		h = mix(uint64(p.from - from))
	}
	if end > p.to {
		h ^= mix(uint64(p.to-from) << 32)
	}
	return h
}

// wrong reports whether the branch of a visit is mispredicted.
func (s *Simulator) wrong(v int) bool {
	return !s.core.Free.Branches && s.plan.Segment.wrong[v/64]>>(v%64)&1 != 0
}

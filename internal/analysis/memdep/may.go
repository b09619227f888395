package memdep

import (
	"slices"

	"incore/internal/isa"
)

// possible lists the loads that possibly read stored data. The runs show which addresses are related: the distance of two accesses is known if it is
// the same for all random values, and so is a step from iteration to iteration.
func (m *machineState) possible(known *Result, runs int) []Edge {
	type pair struct{ from, to int32 }
	have := map[pair]bool{}
	index := func(inst int32, mem int16) int32 {
		for i := m.p.first; i < len(m.p.access); i++ {
			if m.p.access[i].inst == inst && m.p.access[i].mem == mem {
				return int32(i)
			}
		}
		return -1
	}
	for _, e := range known.Edges {
		if e.Kind == RAW {
			have[pair{index(e.From, e.FromMem), index(e.To, e.ToMem)}] = true
		}
	}
	for _, e := range known.Phases {
		have[pair{index(e.From, e.FromMem), index(e.To, e.ToMem)}] = true
	}
	var out []Edge
	based := m.based()
	for s := m.p.first; s < len(m.p.access); s++ {
		for l := m.p.first; l < len(m.p.access); l++ {
			if !m.p.access[s].store || !m.p.access[l].load || have[pair{int32(s), int32(l)}] {
				continue
			}
			why := m.relation(s, l, runs)
			if why == Certain || why == OtherBase && (m.o.NoAlias || m.apart(based, s, l)) {
				continue
			}
			r := record{from: int32(s), kind: RAW, least: 0}
			if m.p.access[s].inst >= m.p.access[l].inst {
				r.dist = 1
			}
			out = append(out, m.edge(&r, l, why))
		}
	}
	slices.SortFunc(out, order)
	return out
}

// farAway is an offset that moves a pointer away from everything else.
const farAway = 1 << 44

// based returns, for each restrict pointer, the accesses that move with it.
func (m *machineState) based() (out [][]bool) {
	if len(m.p.unique) == 0 || m.o.NoAlias {
		return nil
	}
	o := *m.o
	o.May = false
	where := func(moved isa.Slot) *machineState {
		n := newMachine(m.p, &o, 0)
		n.moved = moved
		n.run(0)
		n.mem.free()
		return n
	}
	still := where(isa.Imm)
	for _, r := range m.p.unique {
		n, moves := where(r), make([]bool, len(m.p.access))
		for i := range moves {
			moves[i] = n.known[i] && still.known[i] && n.addr[i] != still.addr[i]
		}
		out = append(out, moves)
	}
	return out
}

// apart reports whether a restrict pointer is the base of exactly one of two accesses.
func (m *machineState) apart(based [][]bool, s, l int) bool {
	return slices.ContainsFunc(based, func(moves []bool) bool { return moves[s] != moves[l] })
}

// relation tells why accesses s and l may meet; Certain: they do not. If the vector length is not known, distances and steps may be linear functions
// of it. Then they are known too, and the runs tell whether the two meet at some length.
func (m *machineState) relation(s, l, runs int) Reason {
	n := len(m.p.access)
	diff, stepS, stepL := make([]uint64, runs), make([]uint64, runs), make([]uint64, runs)
	for r := range runs {
		ts, tl := m.last[r*n+s], m.last[r*n+l]
		if !ts.ok || !tl.ok {
			return NotFollowed
		}
		diff[r], stepS[r], stepL[r] = ts.last-tl.last, ts.last-ts.before, tl.last-tl.before
	}
	switch {
	case !m.follows(stepS) || !m.follows(stepL):
		return FromData
	case !m.follows(diff):
		return OtherBase
	}
	scaled := !constant(diff) || !constant(stepS) || !constant(stepL)
	for _, r := range m.found[l] {
		switch {
		case int(r.from) != s || r.kind != RAW:
		case scaled:
			return FromLength
		case r.least > 0:
			return SomeTimes
		}
	}
	return Certain
}

func constant(v []uint64) bool {
	return !slices.ContainsFunc(v, func(x uint64) bool { return x != v[0] })
}

// follows reports whether a number is the same in all runs, or a linear function of their vector lengths.
func (m *machineState) follows(v []uint64) bool {
	if constant(v) {
		return true
	}
	if !m.p.scalable || m.o.VectorBytes > 0 || len(v) < 3 {
		return false
	}
	for r := 2; r < len(v); r++ {
		if (v[r]-v[0])*(m.length(1)-m.length(0)) != (v[1]-v[0])*(m.length(r)-m.length(0)) {
			return false
		}
	}
	return true
}

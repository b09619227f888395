package memdep

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file finds dependences that follow from how inner loops ended. An executed path (Options.Path) has the iterations
// of inner loops one after the other, and with random values nothing relates their number to registers of the outer
// loop: a triangular solver stores x[i], and the next outer iteration loads x[0] to x[i], of which only the end of the
// inner loop (j = i) tells that the last is that store. The branches of a path give this relation: iterations are executed
// until one takes each branch as the path does, from the values that the code before the path leaves. Where these are not
// known, registers are shifted so that branches go as they did because two values were equal. What the loads of that
// iteration then read from earlier ones are dependences.

// shift is a change of a register's value before the first iteration, or of the number of iterations of a loop around.
type shift struct {
	slot isa.Slot
	loop int // 1 the outermost; 0: the register changes
	by   uint64
}

// Limits of the search.
const (
	exitRuns       = 8       // with other random values, and other numbers of iterations of the loops around
	exitIterations = 4       // before the last one of shifted registers
	mostApart      = 64      // greatest distance of dependences, in iterations
	mostExitInsts  = 4000    // instructions of a path
	mostExitSteps  = 100_000 // instructions that a search executes: of 2,298 that found an iteration in whole benchmarks none needed more than 73,000
	steady         = 16      // iterations that go as the path does of which dependences and addresses are used, at most
	steadyInsts    = 20_000  // instructions of these, at most, where all iterations do
)

// way is what a branch of a path leaves if it goes as the path does.
type way uint8

const (
	zero    way = iota + 1 // 0, the difference of two values
	taken                  // not 0
	passing                // 0
)

// branch adds the way that a conditional branch, line i of a path, goes.
func (c *compiler) branch(k *isa.Kernel, i int) {
	l, next := &k.Lines[i], &k.Lines[(i+1)%len(k.Lines)]
	if c.sem.Branch == nil || c.isa.Flow == nil || l.Inst.Form == isa.NoForm || l.Inst.Size == 0 {
		return
	}
	f, w := c.isa.Flow(&l.Inst), passing
	goes, passes := uint64(f.Target.Imm) == next.Addr, l.Addr+uint64(l.Inst.Size) == next.Addr
	if goes {
		w = taken
	}
	first := len(c.steps)
	steps, ok := c.sem.Branch(&l.Inst, c.steps)
	if f.Kind != isa.FlowCond || f.Target.Kind != isa.OpImm || goes == passes || !ok {
		return
	}
	move := slices.IndexFunc(steps[first:], func(s isa.IntStep) bool { return moves(&s) }) + first
	if s := &steps[max(move, 0)]; move == len(steps)-1 && s.N != isa.Exactly && (s.Op == isa.StepMoveIfZero) == goes {
		*s, w = isa.IntStep{Op: isa.StepCopy, Width: 64, Dst: isa.T1, A: s.A}, zero
	}
	c.steps = steps
	c.ends = i == len(k.Lines)-1
	at := int32(len(c.access))
	c.body = append(c.body, inst{access: at, accessEnd: at, step: int32(first), stepEnd: int32(len(steps)), way: w})
}

// moves reports whether a step is a conditional move.
func moves(s *isa.IntStep) bool { return s.Op == isa.StepMoveIfZero || s.Op == isa.StepMoveIfNot }

// shown is a dependence on an earlier iteration, and in how many iterations that go as the path does it has shown.
type shown struct {
	edge  depgraph.MemoryEdge
	times int
}

// exits is what the iterations of a path show that go as the path does.
type exits struct {
	edges []depgraph.MemoryEdge // dependences on earlier iterations
	known []bool                // by access, whether its address is known in all runs
	at    [][]int64             // by access, its addresses in all of these iterations if the code determines them
	back  int32                 // earlier iterations, at least, that were executed: further dependences do not show
}

// atExits corrects the dependences of a path on earlier iterations by those that follow from its branches, and returns the
// addresses that follow from the code.
func atExits(b *machine.Bound, o Options, edges []depgraph.MemoryEdge) ([]depgraph.MemoryEdge, []depgraph.Place) {
	if b.Kernel.ISA.Semantics == nil || len(b.Insts) == 0 || len(b.Insts) > mostExitInsts {
		return edges, nil
	}
	if loads, stores := b.Accesses(); loads+stores == 0 { // nothing to find, and nothing may be left to execute
		return edges, nil
	}
	p := compile(b, &o)
	m := newMachine(p, &o, mostApart)
	defer m.free()
	var x exits
	iterations, related := mostExitSteps/len(b.Insts)+1, false
	for run := range exitRuns {
		m.iterations = iterations
		placed, ends := m.follow(run)
		if len(placed) == 0 || run > 0 && ends != related {
			return edges, nil
		}
		if related = ends; len(m.shifts) > 0 || !ends {
			iterations = 0 // no iteration is reached
		}
		x.add(m, run, placed)
	}
	if related {
		edges = slices.DeleteFunc(edges, func(e depgraph.MemoryEdge) bool {
			return e.Dist > 0 && (e.Dist <= x.back || x.enters(&e)) && p.knows(&e, x.known)
		})
		edges = add(edges, x.edges)
	}
	var places []depgraph.Place
	for i := p.first; i < len(p.access); i++ {
		if len(x.at[i]) > 0 {
			places = append(places, depgraph.Place{Inst: p.access[i].inst, Mem: p.access[i].mem, At: x.at[i]})
		}
	}
	return edges, places
}

// add adds what the iterations of a run show that go as the path does.
func (x *exits) add(m *machineState, run int, placed []int32) {
	var now []depgraph.MemoryEdge
	for i := range m.shown {
		if s := &m.shown[i]; 2*s.times >= len(m.agreeing) {
			now = append(now, s.edge)
		}
	}
	if run == 0 {
		x.edges, x.known, x.at, x.back = now, slices.Clone(m.known), make([][]int64, len(m.known)), m.agreeing[0]
	}
	x.back = min(x.back, m.agreeing[0])
	x.edges = slices.DeleteFunc(x.edges, func(e depgraph.MemoryEdge) bool {
		return !slices.ContainsFunc(now, func(f depgraph.MemoryEdge) bool { return f.Joins(&e) })
	})
	for i := range x.known {
		x.known[i] = x.known[i] && m.known[i]
		at := m.places[i]
		if len(at) != int(m.iter)+1 || run > 0 && x.at[i] == nil {
			x.at[i] = nil
			continue
		}
		for _, k := range placed {
			x.at[i] = append(x.at[i], at[k])
		}
	}
}

// enters reports whether a dependence has shown into the load of an edge.
func (x *exits) enters(e *depgraph.MemoryEdge) bool {
	return slices.ContainsFunc(x.edges, func(f depgraph.MemoryEdge) bool { return f.To == e.To && f.ToMem == e.ToMem })
}

// knows reports whether the address of an edge's load is known.
func (p *program) knows(e *depgraph.MemoryEdge, known []bool) bool {
	for i := p.first; i < len(p.access); i++ {
		if a := &p.access[i]; a.inst == e.To && a.mem == e.ToMem {
			return known[i]
		}
	}
	return false
}

// follow executes iterations of a run that go as the path does, and returns those whose addresses are the path's, none if that is impossible. The ends of
// inner loops relate registers if other iterations go other ways, or if registers had to be shifted.
func (m *machineState) follow(run int) (placed []int32, related bool) {
	m.shifts, m.agreeing, m.shown = m.shifts[:0], m.agreeing[:0], m.shown[:0]
	if m.iterations > 0 && m.reaches(run) {
		return m.agreeing, true
	}
	if m.iterations = exitIterations; !m.agree(run) {
		return nil, false
	}
	if len(m.shifts) == 0 {
		m.iterations = min(steady, max(exitIterations, steadyInsts/len(m.p.body)))
		m.walk(run)
	}
	m.show()
	for k := range m.iter + 1 {
		placed = append(placed, k)
	}
	return placed, len(m.shifts) > 0
}

// reaches executes iterations of a run until one agrees with the path's exits, behind one that does not, and as many again in search of others like it.
// It returns false if none agrees, as where the code that leads into the path does not say at which values registers start, and if the loop that the last
// branch closes ends before.
func (m *machineState) reaches(run int) bool {
	if m.p.ends && !slices.ContainsFunc(m.p.body[:len(m.p.body)-1], func(x inst) bool { return x.way != 0 }) {
		return false // the only branch that tells iterations apart ends the loop
	}
	m.begin(run)
	agreed := true
	for k, until := 0, m.iterations; k < until && len(m.agreeing) < steady; k++ {
		off := m.iteration(k)
		agrees := !slices.ContainsFunc(off, wrong)
		if agrees && !agreed {
			if len(m.agreeing) == 0 {
				until = min(until, 2*k+steady)
			}
			m.show()
		}
		if m.p.ends && len(off) > 0 && wrong(off[len(off)-1]) {
			break
		}
		agreed = agreed && agrees
	}
	return len(m.agreeing) > 0
}

// show adds the dependences of an iteration that goes as the path does.
func (m *machineState) show() {
	m.agreeing = append(m.agreeing, m.iter)
	for to := range m.found {
		for k := range m.found[to] {
			r := &m.found[to][k]
			if r.kind != RAW || r.dist == 0 {
				continue
			}
			e := m.edge(r, to, Certain).MemoryEdge
			if i := slices.IndexFunc(m.shown, func(s shown) bool { return s.edge.Joins(&e) }); i >= 0 {
				m.shown[i].times++
			} else {
				m.shown = append(m.shown, shown{e, 1})
			}
		}
	}
}

// iteration executes an iteration, of which alone it keeps the dependences. It returns how far each branch is from going
// as the path does, 0 where that is not known.
func (m *machineState) iteration(k int) (off []uint64) {
	m.iter = int32(k)
	clear(m.found)
	for i := range m.p.body {
		x := &m.p.body[i]
		if m.execute(x); x.way == 0 {
			continue
		}
		v, state := m.get(isa.T1)
		switch {
		case state == invalid:
			v = 0
		case x.way == zero:
		case (v != 0) == (x.way == taken):
			v = 0
		default:
			v = 1
		}
		off = append(off, v)
	}
	return off
}

// wrong reports whether a branch does not go as the path does.
func wrong(off uint64) bool { return off != 0 }

// walk executes the iterations of a run.
func (m *machineState) walk(run int) (off []uint64) {
	m.begin(run)
	for k := range m.iterations {
		off = m.iteration(k)
	}
	return off
}

// agree shifts registers until all branches of the last iteration go as the path does: those of equal values, the last
// ones first, because those of whole loops are behind those of their parts. It returns false if that is impossible.
func (m *machineState) agree(run int) bool {
	m.shifts = m.shifts[:0]
	off := m.walk(run)
	of, e := m.starts(run), len(off)
	for i := len(m.p.body) - 1; i >= 0; i-- {
		w := m.p.body[i].way
		if w == 0 {
			continue
		}
		if e--; w == zero && wrong(off[e]) {
			if !m.shifted(run, e, off, of) {
				return false
			}
			off = m.walk(run)
		}
	}
	return !slices.ContainsFunc(off, wrong)
}

// starts lists what a shift may change: the loops around the path, the innermost first, then the registers whose first
// values the code reads, those first that iterations change.
func (m *machineState) starts(run int) (out []shift) {
	var first []uint64
	m.begin(run)
	for l := len(m.turns); l > 0; l-- {
		out = append(out, shift{loop: l})
	}
	for s := isa.FirstReg; int(s) < m.p.slots; s++ {
		v, _ := m.get(s)
		first = append(first, v)
	}
	m.walk(run)
	var constant []shift
	for s := isa.FirstReg; int(s) < m.p.slots; s++ {
		switch v, state := m.value[s], m.state[s]; {
		case state == fresh || slices.Contains(m.p.sem.Flags, s):
		case v != first[s-isa.FirstReg]:
			out = append(out, shift{slot: s})
		default:
			constant = append(constant, shift{slot: s})
		}
	}
	return append(out, constant...)
}

// amounts lists the changes by which a shift may change a difference of two values.
func (m *machineState) amounts(s shift, off uint64) []uint64 {
	if s.loop == 0 {
		return []uint64{off, -off}
	}
	var out []uint64
	for _, x := range m.turns[s.loop-1] {
		if step := int64(x.step); step != 0 && int64(off)%step == 0 {
			if by := uint64(int64(off) / step); !slices.Contains(out, by) {
				out = append(out, by, -by)
			}
		}
	}
	return out
}

// shifted makes a shift so that a branch goes as the path does, as do the others behind it of equal values; it returns
// false if there is none.
func (m *machineState) shifted(run, branch int, off []uint64, of []shift) bool {
	n := len(m.shifts)
	for _, s := range of {
		for _, s.by = range m.amounts(s, off[branch]) {
			m.shifts = append(m.shifts[:n], s)
			now, good := m.walk(run), true
			for e := branch; e < len(now); e++ {
				good = good && (!wrong(now[e]) || e > branch && wrong(off[e]))
			}
			if good {
				return true
			}
		}
	}
	m.shifts = m.shifts[:n]
	return false
}

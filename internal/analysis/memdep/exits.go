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

// shift is a change of a register's value before the first iteration.
type shift struct {
	slot isa.Slot
	by   uint64
}

// Limits of the search.
const (
	exitIterations = 4       // within which dependences count, and before the last one of shifted registers
	mostExitInsts  = 4000    // instructions of a path
	mostExitSteps  = 200_000 // instructions that a search executes
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
	at := int32(len(c.access))
	c.body = append(c.body, inst{access: at, accessEnd: at, step: int32(first), stepEnd: int32(len(steps)), way: w})
}

// moves reports whether a step is a conditional move.
func moves(s *isa.IntStep) bool { return s.Op == isa.StepMoveIfZero || s.Op == isa.StepMoveIfNot }

// atExits returns the dependences of loads on stores of earlier iterations that follow from the ends of inner loops.
func atExits(b *machine.Bound, o Options) (out []depgraph.MemoryEdge) {
	if loads, stores := b.Accesses(); b.Kernel.ISA.Semantics == nil || loads == 0 || stores == 0 || len(b.Insts) > mostExitInsts {
		return nil
	}
	p := compile(b, &o)
	if !slices.ContainsFunc(p.body, func(x inst) bool { return x.way == zero }) {
		programs.Put(p)
		return nil
	}
	m := newMachine(p, &o, exitIterations)
	defer m.free()
	for run := range DefaultRuns {
		if m.iterations = mostExitSteps/len(b.Insts) + 1; !m.reaches(run) {
			if m.iterations = exitIterations; !m.agree(run) {
				return nil
			}
		}
		now := m.carried()
		if run == 0 {
			out = now
			continue
		}
		out = slices.DeleteFunc(out, func(e depgraph.MemoryEdge) bool {
			return !slices.ContainsFunc(now, func(f depgraph.MemoryEdge) bool { return f.Joins(&e) })
		})
	}
	return out
}

// reaches executes iterations of a run until one agrees with the path's exits, behind one that does not. It returns false
// if none does, as where the code that leads into the path does not say at which values registers start.
func (m *machineState) reaches(run int) bool {
	m.shifts = m.shifts[:0]
	m.begin(run)
	agreed := true
	for k := range m.iterations {
		agrees := !slices.ContainsFunc(m.iteration(k), wrong)
		if agrees && !agreed {
			return true
		}
		agreed = agreed && agrees
	}
	return false
}

// carried lists the dependences on earlier iterations that the last one has shown.
func (m *machineState) carried() (out []depgraph.MemoryEdge) {
	for to := range m.found {
		for k := range m.found[to] {
			if r := &m.found[to][k]; r.kind == RAW && r.dist > 0 {
				out = append(out, m.edge(r, to, Certain).MemoryEdge)
			}
		}
	}
	return out
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
	return len(m.shifts) > 0 && !slices.ContainsFunc(off, wrong)
}

// starts lists the registers whose first values the code reads: those first that iterations change.
func (m *machineState) starts(run int) (out []isa.Slot) {
	var first []uint64
	m.begin(run)
	for s := isa.FirstReg; int(s) < m.p.slots; s++ {
		v, _ := m.get(s)
		first = append(first, v)
	}
	m.walk(run)
	var constant []isa.Slot
	for s := isa.FirstReg; int(s) < m.p.slots; s++ {
		switch v, state := m.value[s], m.state[s]; {
		case state == fresh || slices.Contains(m.p.sem.Flags, s):
		case v != first[s-isa.FirstReg]:
			out = append(out, s)
		default:
			constant = append(constant, s)
		}
	}
	return append(out, constant...)
}

// shifted shifts one of some registers so that a branch goes as the path does, as do the others behind it of equal
// values; it returns false if there is none.
func (m *machineState) shifted(run, branch int, off []uint64, of []isa.Slot) bool {
	n := len(m.shifts)
	for _, s := range of {
		for _, by := range [...]uint64{off[branch], -off[branch]} {
			m.shifts = append(m.shifts[:n], shift{s, by})
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

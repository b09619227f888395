package memdep

import (
	"slices"

	"incore/internal/isa"
)

// This file relates the registers that a loop around an executed path (Options.Path) changes. The path begins behind an
// unknown number of that loop's iterations, so that what these leave in registers is unknown; but registers to which each
// iteration adds a constant once, as a row's number and a pointer to it, have all changed by that number of steps.

// induction is a register to which each iteration of a loop adds the same.
type induction struct {
	slot        isa.Slot
	first, step uint64
	state       uint8 // of both
}

// inductions lists those of a loop around the path, whose instructions are from to end-1 of the entry.
func (m *machineState) inductions(from, end int) (out []induction) {
	insts := m.p.entry[from:end]
	if !slices.ContainsFunc(insts, func(x inst) bool { return x.once }) {
		return nil
	}
	writes := map[isa.Slot][]*inst{}
	for k := range insts {
		x := &insts[k]
		for i := x.step; i < x.stepEnd; i++ {
			s := &m.p.steps[i]
			if n := len(writes[s.Dst]); s.Op != isa.StepStore && s.Dst >= isa.FirstReg && (n == 0 || writes[s.Dst][n-1] != x) {
				writes[s.Dst] = append(writes[s.Dst], x)
			}
		}
	}
	for slot := isa.FirstReg; int(slot) < m.p.slots; slot++ {
		if len(writes[slot]) == 0 || slices.Contains(m.p.sem.Flags, slot) {
			continue
		}
		v, state := m.get(slot)
		x := induction{slot: slot, first: v, state: max(state, counted)}
		adds := true
		for _, w := range writes[slot] {
			adds = adds && w.once && w.access == w.accessEnd && m.steps(w, &x, writes)
		}
		if adds {
			out = append(out, x)
		}
	}
	return out
}

// steps adds what an instruction adds to a register. It returns false if that depends on the register's value, or on
// another that the loop changes.
func (m *machineState) steps(w *inst, x *induction, writes map[isa.Slot][]*inst) bool {
	for i := w.step; i < w.stepEnd; i++ {
		for _, s := range [...]isa.Slot{m.p.steps[i].A, m.p.steps[i].B} {
			if s >= isa.FirstReg && s != x.slot && len(writes[s]) > 0 {
				return false
			}
		}
	}
	var by [3]uint64
	for k, v := range [...]uint64{x.first, x.first + 1<<6, mix(x.first)} {
		m.value[x.slot], m.state[x.slot] = v, counted
		for i := w.step; i < w.stepEnd; i++ {
			m.step(w, &m.p.steps[i])
		}
		got, state := m.get(x.slot)
		x.state = max(x.state, state)
		by[k] = got - v
	}
	small := by[0]+1<<31 < 1<<32 && x.first < 1<<31 // of 32 bits
	x.step += by[0]
	return x.state < invalid && by[0] == by[1] && (by[0] == by[2] || small)
}

// turn gives the registers of a loop's inductions the values that they have after an unknown number of iterations.
func (m *machineState) turn(moved []induction) {
	if len(moved) == 0 {
		return
	}
	m.turns = append(m.turns, moved)
	n := mix(m.seed^uint64(len(m.turns))<<32^0x7ac) >> 46
	for _, a := range m.shifts {
		if a.loop == len(m.turns) {
			n += a.by
		}
	}
	for _, x := range moved {
		m.value[x.slot], m.state[x.slot] = x.first+n*x.step, x.state
	}
}

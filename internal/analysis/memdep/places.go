package memdep

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
)

// placedIterations is the number of iterations in Result.Places.
const placedIterations = 33

// located reports whether the address of an access follows from the code and the stated contents of registers and memory alone.
func (m *machineState) located(a *access, x *inst) bool {
	known := func(s isa.Slot) bool { return s == isa.Imm || m.state[s] <= counted && m.state[s] != fresh }
	return !a.unknown && a.sym == nil && a.seg == isa.NoReg && a.element == 0 && (!a.pc || x.known) && known(a.base) && known(a.index)
}

// whereabouts returns the addresses of the accesses of the last run that were known in all iterations.
func (m *machineState) whereabouts() (out []depgraph.Place) {
	for i := m.p.first; i < len(m.p.access); i++ {
		if at := m.places[i]; len(at) == m.iterations {
			out = append(out, depgraph.Place{Inst: m.p.access[i].inst, Mem: m.p.access[i].mem, At: at[len(at)-placedIterations:]})
		}
	}
	return out
}

package uops

import (
	"slices"

	"incore/internal/machine"
)

// closePorts removes ports from the vector operations of a kernel that contains an operation on the widest vectors: the
// core closes the vector units of these ports while such operations wait in the scheduler (param "wide-closes").
func (n *neighbours) closePorts() {
	closed := n.core.WideCloses
	if closed == 0 || n.isa.VectorBits == nil {
		return
	}
	wide := func(in machine.Inst) bool {
		return n.isa.VectorBits(&in.Line.Inst) == widest && slices.ContainsFunc(in.Uops, executes)
	}
	if !slices.ContainsFunc(n.Insts, wide) {
		return
	}
	for i := range n.Insts {
		in := &n.Insts[i]
		loses := func(u machine.Uop) bool { return executes(u) && u.Ports&closed != 0 && u.Ports&^closed != 0 }
		if n.isa.VectorBits(&in.Line.Inst) == 0 || !slices.ContainsFunc(in.Uops, loses) {
			continue
		}
		in.Uops = slices.Clone(in.Uops)
		for k := range in.Uops {
			if u := &in.Uops[k]; loses(*u) {
				u.Ports &^= closed
			}
		}
	}
}

// widest is the size in bits of the vectors that close ports.
const widest = 512

// executes reports whether a µop is one, and neither load nor store.
func executes(u machine.Uop) bool { return u.Kind == machine.UopExec && !u.Resource }

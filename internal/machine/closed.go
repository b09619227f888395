package machine

import "slices"

// closes removes ports from the vector operations of a kernel that contains an operation on the widest vectors: the core closes the vector units of
// these ports while such operations wait in the scheduler (param "wide-closes").
func (b *Bound) closes() {
	a := b.Kernel.ISA
	if a == nil || a.VectorBits == nil {
		return
	}
	c := b.Model.Core()
	if c.WideCloses == 0 {
		return
	}
	wide := false
	for i := range b.Insts {
		wide = wide || a.VectorBits(&b.Insts[i].Line.Inst) == widest && executes(&b.Insts[i])
	}
	if !wide {
		return
	}
	for i := range b.Insts {
		in := &b.Insts[i]
		if a.VectorBits(&in.Line.Inst) == 0 {
			continue
		}
		cloned := false
		for k := range in.Uops {
			if u := &in.Uops[k]; u.Kind == UopExec && !u.Resource && u.Ports&c.WideCloses != 0 && u.Ports&^c.WideCloses != 0 {
				if !cloned {
					in.Uops, cloned = slices.Clone(in.Uops), true
				}
				in.Uops[k].Ports &^= c.WideCloses
			}
		}
	}
}

// widest is the size in bits of the vectors that close ports.
const widest = 512

// executes reports whether an instruction has µops other than loads and stores.
func executes(in *Inst) bool {
	return slices.ContainsFunc(in.Uops, func(u Uop) bool { return u.Kind == UopExec && !u.Resource })
}

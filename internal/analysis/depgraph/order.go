package depgraph

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// Order is a false dependence, through the name of a register: To must not write before From has read (WAR) or written (WAW). Cores that rename
// registers do not wait for it.
type Order struct {
	From, To   int32
	Dist       int32
	Reg        isa.Reg // as To writes it
	Role       isa.Role
	AfterWrite bool // WAW; else WAR
}

// Orders returns the false dependences of a kernel taken as a loop body, sorted by To. Several dependences through the parts of one register count as
// one.
func Orders(b *machine.Bound, war, waw bool) []Order {
	a := b.Kernel.ISA
	o := &orderer{b: b, units: make([]unitUse, a.Regs.NumUnits()), war: war, waw: waw}
	for i := range o.units {
		o.units[i].writer = -1
	}
	for o.dist = range int32(2) { // the second pass sees the readers and writers of the first
		for i := range b.Insts {
			o.inst(int32(i))
		}
	}
	return o.out
}

// unitUse holds the last users of a register unit: the number p·n + i is instruction i of pass p.
type unitUse struct {
	writer  int32   // -1: nobody
	readers []int32 // since the last write
}

type orderer struct {
	b        *machine.Bound
	units    []unitUse
	dist     int32
	war, waw bool
	out      []Order
}

func (o *orderer) inst(i int32) {
	e := &o.b.Insts[i].Effects
	n := int32(len(o.b.Insts))
	first := len(o.out)
	for k := range e.Writes {
		w := &e.Writes[k]
		if !o.counts(w) {
			continue
		}
		for u, units := 0, o.b.Kernel.ISA.Regs.Units(w.Reg); u < units.Len(); u++ {
			use := &o.units[units.At(u)]
			if o.war {
				for _, r := range use.readers {
					o.add(first, r, i, w, false)
				}
			}
			if o.waw && use.writer >= 0 {
				o.add(first, use.writer, i, w, true)
			}
		}
	}
	for k := range e.Reads {
		if r := &e.Reads[k]; o.counts(r) {
			for u, units := 0, o.b.Kernel.ISA.Regs.Units(r.Reg); u < units.Len(); u++ {
				use := &o.units[units.At(u)]
				use.readers = append(use.readers, o.dist*n+i)
			}
		}
	}
	for k := range e.Writes {
		if w := &e.Writes[k]; o.counts(w) {
			for u, units := 0, o.b.Kernel.ISA.Regs.Units(w.Reg); u < units.Len(); u++ {
				use := &o.units[units.At(u)]
				use.writer, use.readers = o.dist*n+i, use.readers[:0]
			}
		}
	}
}

func (o *orderer) counts(a *isa.Access) bool {
	constant := o.b.Kernel.ISA.Constant
	return a.Reg != isa.NoReg && a.Role != isa.RoleControl && (constant == nil || !constant(a.Reg))
}

// add appends a dependence on instruction from (numbered over the passes), in the second pass only.
func (o *orderer) add(first int, from, to int32, w *isa.Access, afterWrite bool) {
	if o.dist == 0 {
		return
	}
	n := int32(len(o.b.Insts))
	x := Order{From: from % n, To: to, Dist: o.dist - from/n, Reg: w.Reg, Role: w.Role, AfterWrite: afterWrite}
	for _, y := range o.out[first:] {
		if x == y {
			return
		}
	}
	o.out = append(o.out, x)
}

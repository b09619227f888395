package machine

import (
	"fmt"
	"math"

	"incore/internal/isa"
)

// moreIndexed is the largest plausible number of extra slots for an index in the address: the load, and the two µops of the store, no longer share
// slots. Rows measured on the core itself may exceed it.
const moreIndexed = 2

// suspectIndexed returns the row of a form with an index in the address if it contradicts the row without one, and the contradiction; "" if there is
// none. An index never saves slots: it splits µops that shared a slot, and it excludes the ports that only simple addresses can use.
func (m *Model) suspectIndexed(a *isa.ISA, c *compiled, f isa.FormID) (*row, string) {
	without, with, ok := addressed(a, f)
	if !ok {
		return nil, ""
	}
	r, x := c.lookup(&without), c.lookup(&with)
	if r.uops == nil || x.uops == nil || x.uops == r.uops {
		return nil, ""
	}
	slots, base := m.slots(x.uops), m.slots(r.uops)
	uops, baseUops := listed(x.uops), listed(r.uops)
	switch {
	case slots < base || slots > base+moreIndexed && x.stating().own() != Measured:
		return x.uops, fmt.Sprintf("%g slots with an index in the address, %g without", slots, base)
	case uops != baseUops:
		return x.uops, fmt.Sprintf("%d µops with an index in the address, %d without", uops, baseUops)
	}
	return nil, ""
}

// addressed returns two instructions of a form that differ only in the index of the address: without and with. ok is false if the form does not
// access memory.
func addressed(a *isa.ISA, f isa.FormID) (without, with isa.Inst, ok bool) {
	mem := a.Forms.MemOp(f)
	if mem < 0 || a.Forms.Flags(f)&(isa.MayLoad|isa.MayStore) == 0 {
		return without, with, false
	}
	without = isa.Inst{Form: f, NOps: uint8(a.Forms.NumOps(f))}
	without.Ops[mem+indexOperand] = isa.Operand{Kind: isa.OpReg}
	with = without
	with.Ops[mem+indexOperand].Reg = isa.Reg(a.Regs.Len() - 1) // a register in none of the classes that rows test
	return without, with, true
}

// indexOperand is the position of the index among the operands of an address (isa.FormTable.MemOp).
const indexOperand = 2

// listed counts the µops of a row that use ports.
func listed(r *row) (n int) {
	for _, u := range r.uops {
		if !u.Resource && u.Ports != 0 {
			n++
		}
	}
	return n
}

// stating returns the row that states how many slots there are.
func (x *found) stating() *row {
	for _, r := range x.counts {
		if !math.IsNaN(r.slots) {
			return r
		}
	}
	return x.from[0]
}

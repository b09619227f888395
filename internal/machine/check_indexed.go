package machine

import (
	"fmt"

	"incore/internal/isa"
)

// moreIndexed is by how many slots an instruction with an index in its address may exceed the same without: its load, and the two µops of
// its store, no longer share slots. What is measured on the core itself may be more.
const moreIndexed = 2

// suspectIndexed returns the row of a form with an index in its address that does not go with the one without, and how; "" if it does. An index takes
// nothing off: it parts µops that shared a slot, and leaves the ports that only simple addresses use.
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
	case slots < base || slots > base+moreIndexed && x.uops.origin() != Measured:
		return x.uops, fmt.Sprintf("%g slots with an index in the address, %g without", slots, base)
	case uops != baseUops:
		return x.uops, fmt.Sprintf("%d µops with an index in the address, %d without", uops, baseUops)
	}
	return nil, ""
}

// addressed are two instructions of a form, without an index in the address and with one, and nothing else; ok is false of forms that access no memory.
func addressed(a *isa.ISA, f isa.FormID) (without, with isa.Inst, ok bool) {
	mem := a.Forms.MemOp(f)
	if mem < 0 || a.Forms.Flags(f)&(isa.MayLoad|isa.MayStore) == 0 {
		return without, with, false
	}
	without = isa.Inst{Form: f, NOps: uint8(a.Forms.NumOps(f))}
	without.Ops[mem+indexOperand] = isa.Operand{Kind: isa.OpReg}
	with = without
	with.Ops[mem+indexOperand].Reg = isa.Reg(a.Regs.Len() - 1) // of no class that rows ask for
	return without, with, true
}

// indexOperand is the place of the index among the operands of an address (isa.FormTable.MemOp).
const indexOperand = 2

// listed counts the µops that a row sends to ports.
func listed(r *row) (n int) {
	for _, u := range r.uops {
		if !u.Resource && u.Ports != 0 {
			n++
		}
	}
	return n
}

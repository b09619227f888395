package riscv

import (
	"incore/internal/base/blob"
	"incore/internal/isa"
)

// context implements isa.ISA.Context: it follows vset*vli and records the current vtype
// of every instruction. A loop starts with the vtype of its end.
func (s *semantics) context(code []isa.Inst, loop bool) {
	var v isa.VType
	if loop {
		for i := range code {
			v = s.after(&code[i], v)
		}
	}
	for i := range code {
		v = s.after(&code[i], v)
		code[i].VType = v
	}
}

// configure implements isa.ISA.Configure.
func (s *semantics) configure(in *isa.Inst, before isa.VType) (after isa.VType, uses bool) {
	return s.after(in, before), s.facts.of(in.Form).vector
}

// after returns the vtype after an instruction.
func (s *semantics) after(in *isa.Inst, v isa.VType) isa.VType {
	switch in.Form {
	case s.names.vsetvli, s.names.vsetivli:
		if in.NOps <= 2 || in.Ops[2].Kind != isa.OpImm {
			return isa.VType{}
		}
		set := vtypeOf(in.Ops[2].Imm)
		switch asked := &in.Ops[1]; {
		case set.SEW == 0:
		case asked.Kind == isa.OpImm:
			set.AVL = uint8(asked.Imm)
		case s.regs.isX0(asked.Reg) && s.regs.isX0(in.Reg(0)): // vl stays
			set.AVL = v.AVL
		}
		return set
	case s.names.vsetvl:
		return isa.VType{} // a vtype in a register is unknown
	}
	if s.flow(in).Kind == isa.FlowCall {
		return isa.VType{} // calls do not preserve vl and vtype
	}
	return v
}

// vtypeOf decodes a vtype immediate; the zero value if it is reserved.
func vtypeOf(imm int64) isa.VType {
	sew, lmul := uint(imm>>3&7), uint8(imm&7)
	if sew > 3 || lmul == 4 || imm>>8 != 0 {
		return isa.VType{}
	}
	v := isa.VType{SEW: 8 << sew, LMUL: lmul}
	if imm&vtypeTA == 0 {
		v.Keep |= isa.KeepTail
	}
	if imm&vtypeMA == 0 {
		v.Keep |= isa.KeepMasked
	}
	return v
}

// schedClasses holds the scheduling classes of vector forms by LMUL and SEW.
type schedClasses struct {
	row   []uint16 // form → list + 1
	lists blob.Lists
}

func newSchedClasses(t *isa.FormTable) schedClasses {
	b := blob.MustOpen(tables)
	c := schedClasses{row: make([]uint16, t.Len()), lists: b.Lists("rvv.class")}
	for i, forms := 0, b.U16("rvv.form"); i < forms.Len(); i++ {
		c.row[forms.At(i)] = uint16(i + 1)
	}
	return c
}

// emulCode returns the encoding of EMUL = LMUL × EEW/SEW, -1 if it has none.
func emulCode(v isa.VType, eew uint8) int {
	n := lmulEighths[v.LMUL&7] * int(eew)
	for code, l := range lmulEighths {
		if code != 4 && l*int(v.SEW) == n {
			return code
		}
	}
	return -1
}

// accessType implements isa.ISA.AccessType. Indexed accesses move elements of the width in force.
func (s *semantics) accessType(in *isa.Inst) isa.VType {
	v, x := in.VType, s.facts.of(in.Form)
	if v.SEW == 0 || x.eew == 0 || x.mem != memUnit && x.mem != memStrided {
		return v
	}
	if emul := emulCode(v, x.eew); emul >= 0 {
		v.SEW, v.LMUL = x.eew, uint8(emul)
	}
	return v
}

// schedClass implements isa.ISA.SchedClass: the class for the current LMUL and SEW, for unit-stride
// and strided loads and stores for the EMUL and EEW of the access, else the form's own (worst) class.
func (s *semantics) schedClass(c *schedClasses, in *isa.Inst) int {
	v, row := s.accessType(in), c.row[in.Form]
	if row == 0 || v.SEW == 0 {
		return s.Forms.SchedClass(in.Form)
	}
	l, any := c.lists.At(int(row-1)), -1
	for i := 0; i+2 < l.Len(); i += 3 {
		if uint8(l.At(i)) != v.LMUL {
			continue
		}
		switch uint8(l.At(i + 1)) {
		case v.SEW:
			return int(l.At(i + 2))
		case 0:
			any = int(l.At(i + 2))
		}
	}
	if any >= 0 {
		return any
	}
	return s.Forms.SchedClass(in.Form)
}

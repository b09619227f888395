package riscv

import (
	"slices"

	"incore/internal/isa"
)

// semantics implements the functions of isa.ISA for effects and properties of single instructions.
type semantics struct {
	*isa.ISA
	regs  *registers
	facts factTable
	csr   map[int64][]isa.Reg
	csrOp []bool // form reads and writes the CSR that operand 1 names
	names semForms
}

func newSemantics(a *isa.ISA, regs *registers) *semantics {
	s := &semantics{ISA: a, regs: regs, facts: newFactTable(a.Forms, regs), csrOp: make([]bool, a.Forms.Len())}
	s.csr = map[int64][]isa.Reg{0x001: {regs.fflags}, 0x002: {regs.frm}, 0x003: {regs.fflags, regs.frm}, 0x009: {regs.vxsat},
		0x00a: {regs.vxrm}, 0x00f: {regs.vxsat, regs.vxrm}, 0xc20: {regs.vl}, 0xc21: {regs.vtype}}
	for _, n := range []string{"CSRRW", "CSRRS", "CSRRC", "CSRRWI", "CSRRSI", "CSRRCI"} {
		s.csrOp[a.Forms.Named(n)] = true
	}
	s.csrOp[isa.NoForm] = false
	s.names.resolve(a.Forms)
	return s
}

// refine implements isa.ISA.Refine: it drops x0, sets the roles of addresses and masks,
// extends vector operands to their register groups, and lists memory operands.
func (s *semantics) refine(in *isa.Inst, e *isa.Effects) {
	x := s.facts.of(in.Form)
	e.Reads = s.withoutZero(e.Reads)
	e.Writes = s.withoutZero(e.Writes)
	for i := range e.Reads {
		r := &e.Reads[i]
		switch {
		case r.Op >= 0 && x.mem != memNone && (r.Op == x.base || r.Op == x.index):
			r.Role = isa.RoleAddr
		case r.Op >= 0 && r.Op == x.maskOp:
			r.Role = isa.RoleMask
		case r.Op < 0 && s.control(r.Reg):
			r.Role = isa.RoleControl
		}
	}
	for i := range e.Writes {
		if r := e.Writes[i].Reg; s.control(r) && r != s.regs.vl { // csrr reads vl as data
			e.Writes[i].Role = isa.RoleControl
		}
	}
	if in.Form == s.names.vsetvli && s.regs.isX0(in.Reg(0)) && s.regs.isX0(in.Reg(1)) { // changes vtype, keeps vl
		e.Reads = append(e.Reads, isa.Access{Reg: s.regs.vl, Op: 1, Role: isa.RoleControl})
		e.Writes = slices.DeleteFunc(e.Writes, func(w isa.Access) bool { return w.Reg == s.regs.vl })
	}
	if s.csrOp[in.Form] {
		s.csrEffects(in, e)
	}
	if x.vector {
		s.vectorEffects(in, x, e)
	}
	if x.mem != memNone {
		s.memoryEffects(in, x, e)
	}
}

// withoutZero drops accesses to x0, in place.
func (s *semantics) withoutZero(l []isa.Access) []isa.Access {
	out := l[:0]
	for _, a := range l {
		if !s.constant(a.Reg) {
			out = append(out, a)
		}
	}
	return out
}

// constant implements isa.ISA.Constant.
func (s *semantics) constant(r isa.Reg) bool { return s.regs.isX0(r) || r == s.regs.pair[0] }

// control reports whether a register holds control state, which changes rarely.
func (s *semantics) control(r isa.Reg) bool {
	g := s.regs
	return r == g.vl || r == g.vtype || r == g.frm || r == g.fflags || r == g.vxrm || r == g.vxsat
}

// csrEffects adds the registers that a control and status register stands for.
func (s *semantics) csrEffects(in *isa.Inst, e *isa.Effects) {
	const op = 1
	regs := s.csr[in.Ops[op].Imm]
	src := &in.Ops[2] // register or immediate; with x0 or 0 csrrs and csrrc write nothing
	n := &s.names
	write := in.Form == n.csrrw || in.Form == n.csrrwi || src.Kind == isa.OpReg && !s.regs.isX0(src.Reg) || src.Kind == isa.OpImm && src.Imm != 0
	for _, r := range regs {
		if !(in.Form == n.csrrw || in.Form == n.csrrwi) || !s.regs.isX0(in.Ops[0].Reg) {
			role := isa.RoleControl
			if r == s.regs.vl {
				role = isa.RoleData
			}
			e.Reads = append(e.Reads, isa.Access{Reg: r, Op: op, Role: role})
		}
		if write {
			e.Writes = append(e.Writes, isa.Access{Reg: r, Op: op, Role: isa.RoleControl})
		}
	}
}

// vectorEffects widens vector operands to their register groups and adds the old
// destination as a source if the tail or mask policy keeps parts of it.
func (s *semantics) vectorEffects(in *isa.Inst, x *facts, e *isa.Effects) {
	if x.firstOnly && in.VType.SEW != 0 && in.VType.Keep&isa.KeepTail == 0 {
		e.Reads = slices.DeleteFunc(e.Reads, func(a isa.Access) bool { return a.Op == 1 }) // the tied old destination
	}
	e.Reads = s.widen(e.Reads, in, x)
	if !x.implicitVL {
		n := int8(s.Forms.ImplicitUses(in.Form).Len())
		e.Reads = append(e.Reads, isa.Access{Reg: s.regs.vtype, Op: ^n, Role: isa.RoleControl}, isa.Access{Reg: s.regs.vl, Op: ^(n + 1), Role: isa.RoleControl})
	}
	nw := len(e.Writes)
	e.Writes = s.widen(e.Writes, in, x)
	if x.writesVL {
		e.Writes = append(e.Writes, isa.Access{Reg: s.regs.vl, Op: ^int8(s.Forms.ImplicitDefs(in.Form).Len())})
	}
	if nw == 0 || !s.keepsOld(in, x) {
		return
	}
	for _, w := range e.Writes {
		if file, _ := s.regs.of(w.Reg); file == fileV && w.Op >= 0 {
			e.Reads = append(e.Reads, isa.Access{Reg: w.Reg, Op: w.Op})
		}
	}
}

// keepsOld reports whether the instruction needs the old value of its vector destination although no
// operand names it.
func (s *semantics) keepsOld(in *isa.Inst, x *facts) bool {
	for i, l := 0, s.Forms.Ties(in.Form); i < l.Len(); i += 2 {
		if l.At(i+1) == 0 {
			return false // read already
		}
	}
	if s.Forms.NumDefs(in.Form) == 0 {
		return false
	}
	masked := x.maskOp >= 0 && in.Reg(int(x.maskOp)) != isa.NoReg && s.Forms.OperandClass(in.Form, int(x.maskOp)).Name == "VMaskOp"
	return x.readsDest || in.VType.Keep&isa.KeepTail != 0 && !x.agnostic || masked && in.VType.Keep&isa.KeepMasked != 0
}

// widen replaces each vector register of a list by the group it stands for; groups
// of a segment access become one entry per field.
func (s *semantics) widen(l []isa.Access, in *isa.Inst, x *facts) []isa.Access {
	for i, n := 0, len(l); i < n; i++ {
		a := l[i]
		file, v := s.regs.of(a.Reg)
		if file != fileV || a.Op < 0 || int(a.Op) >= len(x.groups) || x.groups[a.Op] == gNamed {
			continue
		}
		regs := x.groups[a.Op].registers(in.VType, x.eew)
		fields := 1
		if a.Op == 0 && x.fields > 1 { // the data operand of a segment access
			fields = int(x.fields)
		}
		first := true
		for f := range fields {
			at := v + f*regs
			if k := log2[regs]; at < 32 && at%regs == 0 && s.regs.v[at][k] != isa.NoReg {
				l, first = put(l, i, first, a, s.regs.v[at][k])
				continue
			}
			for r := at; r < min(32, at+regs); r++ { // an unaligned group is illegal, which is not checked here
				l, first = put(l, i, first, a, s.regs.v[r][0])
			}
		}
	}
	return l
}

var log2 = [9]int{1: 0, 2: 1, 4: 2, 8: 3}

// put sets entry i of the list to a register, or appends another entry like it.
func put(l []isa.Access, i int, first bool, a isa.Access, r isa.Reg) ([]isa.Access, bool) {
	a.Reg = r
	if first {
		l[i] = a
		return l, false
	}
	return append(l, a), false
}

// memoryEffects lists the memory operands.
func (s *semantics) memoryEffects(in *isa.Inst, x *facts, e *isa.Effects) {
	if x.mem == memStack {
		s.stackEffects(in, x, e)
		return
	}
	m := isa.MemRef{Op: x.base, Base: in.Reg(int(x.base)), Scale: 1, Bits: x.bits, Elems: x.elems, Load: x.load, Store: x.store}
	if x.disp >= 0 {
		d := &in.Ops[x.disp]
		if m.Disp = d.Imm; d.Kind == isa.OpExpr {
			m.Sym = d.Expr
		}
	}
	if x.index >= 0 {
		m.Index = in.Reg(int(x.index))
	}
	after := func(op int8) uint { return uint(in.Ops[op+1].Imm & 63) }
	switch x.mem {
	case memShiftedU:
		m.Extend = 'u'
		m.Scale = 1 << (after(x.index) & 3)
	case memShifted:
		m.Scale = 1 << (after(x.index) & 3)
	case memPre, memPost:
		m.Update, m.Post = in.Ops[x.disp].Imm<<after(x.disp), x.mem == memPost
		if m.Disp = m.Update; m.Post {
			m.Disp = 0
		}
		for i := range e.Writes {
			if e.Writes[i].Reg == m.Base && s.Forms.TiedDef(in.Form, int(x.base)) == int(e.Writes[i].Op) {
				e.Writes[i].Role = isa.RoleUpdate
			}
		}
	case memPair:
		m.Disp <<= after(x.disp)
	case memStrided:
		m.Scale = 0 // element i is at base + i × index
	case memIndexed:
		m.Gather, m.Bits = true, uint16(in.VType.SEW)
	}
	e.Mem = append(e.Mem, m)
}

// stackEffects lists the accesses of cm.push and cm.pop*: the registers of the list (ra, s0 …)
// are below the caller's stack pointer; the last in the list has the highest address (Zcmp).
func (s *semantics) stackEffects(in *isa.Inst, x *facts, e *isa.Effects) {
	rlist := in.Ops[0].Imm
	n := int(rlist) - rlistRA + 1
	if rlist == rlistS0S11 {
		n++
	}
	adj := rlistStack(rlist) + in.Ops[1].Imm
	for i := range max(0, min(n, len(savedRegs))) {
		a := isa.Access{Reg: s.regs.x[savedRegs[i]], Op: 0}
		if x.store {
			e.Reads = append(e.Reads, a)
		} else {
			e.Writes = append(e.Writes, a)
		}
	}
	m := isa.MemRef{Op: ^0, Base: s.regs.x[2], Scale: 1, Bits: x.bits, Elems: uint16(n), Load: x.load, Store: x.store}
	m.Disp = -8 * int64(n)
	if x.load {
		m.Disp += adj
	}
	e.Mem = append(e.Mem, m)
	for i := range e.Reads {
		if e.Reads[i].Op < 0 && e.Reads[i].Reg == m.Base {
			e.Reads[i].Role = isa.RoleAddr
		}
	}
	for i := range e.Writes {
		if e.Writes[i].Op < 0 && e.Writes[i].Reg == m.Base {
			e.Writes[i].Role = isa.RoleUpdate
		}
	}
}

// savedRegs are the integer registers of Zcmp's lists in order.
var savedRegs = [13]uint8{1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27}

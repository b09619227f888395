package x86

import (
	"slices"

	"incore/internal/isa"
)

// refine completes the effects of an instruction: isa.ISA.Refine. It splits the
// flags into their parts, marks the reads of addresses, adds memory accesses and
// the reads and writes that LLVM's tables lack, and drops reads that no core waits for.
func refine(in *isa.Inst, e *isa.Effects) {
	t := traitsOf(in.Form)
	t.refineReads(in, e)
	t.refineWrites(in, e)
	t.addFlags(in, e)
	if t.mem >= 0 && t.str == stringNone && !t.lea && !t.nop && (t.load || t.store) {
		e.Mem = append(e.Mem, t.memRef(in))
	}
	switch {
	case t.str != stringNone:
		t.addString(in, e)
	case t.stack != 0:
		t.addStack(in, e)
	case t.x87.on:
		t.x87.add(in, e)
	case t.special != nil:
		t.special.add(in, e)
	}
}

// refineReads sets the roles of the reads and drops reads without a dependence.
func (t *traits) refineReads(in *isa.Inst, e *isa.Effects) {
	same := depBreaking(in)
	out := e.Reads[:0]
	for _, a := range e.Reads {
		switch i := a.Op; {
		case t.nop, t.x87.on && i >= 0 && t.mem < 0:
			continue
		case i >= 0 && t.str != stringNone:
			if isSegment(a.Reg) {
				continue
			}
			a.Role = isa.RoleAddr
		case i >= 0 && t.mem >= 0 && i >= t.mem && i < t.mem+t.memOps:
			if isAddressConstant(a.Reg) {
				continue
			}
			if !t.lea {
				a.Role = isa.RoleAddr
			}
		case i >= 0:
			if t.masks>>uint(i)&1 != 0 {
				a.Role = isa.RoleMask
			}
			a.SameValue = same && (i == t.src1 || i == t.src2)
		default:
			switch a.Reg {
			case EFLAGS, DF, SSP:
				continue
			case MXCSR, FPCW:
				a.Role = isa.RoleControl
			case FPSW:
				if !t.x87.status {
					continue
				}
			case RSP, ESP:
				if t.stack != 0 {
					if a.Reg = RSP; listedBefore(out, a) {
						continue
					}
					a.Role = isa.RoleAddr
				}
			case RSI, RDI, ESI, EDI:
				if t.str != stringNone {
					continue // the explicit operands name them too
				}
			}
		}
		out = append(out, a)
	}
	e.Reads = out
}

// isAddressConstant reports whether a register in an address carries no dependence:
// the instruction pointer, the zero index and segments.
func isAddressConstant(r isa.Reg) bool {
	return constant(r) || isSegment(r)
}

// refineWrites keeps the first of two writes of one register: xadd leaves the sum there, mulx the high half.
func (t *traits) refineWrites(in *isa.Inst, e *isa.Effects) {
	d := db()
	out := e.Writes[:0]
	for _, a := range e.Writes {
		if slices.ContainsFunc(out, func(w isa.Access) bool { return w.Reg == a.Reg }) {
			continue
		}
		if a.Op < 0 {
			if t.dropWrites {
				continue
			}
			switch a.Reg {
			case EFLAGS, SSP:
				continue
			case MXCSR, FPCW, DF:
				a.Role = isa.RoleControl
			case FPSW:
				if !t.x87.compares {
					continue
				}
			case RSP, ESP:
				if t.stack != 0 {
					if a.Reg = RSP; listedBefore(out, a) || writesStackPointer(out) {
						continue
					}
					a.Role = isa.RoleUpdate
				}
			case ESI, EDI, RSI, RDI:
				if t.str != stringNone {
					a.Reg, a.Role = wideIndex(a.Reg), isa.RoleUpdate
				}
			}
		}
		if a.Merge = isPartial(d, a.Reg); a.Merge {
			a.Whole = d.gr64[a.Reg]
		}
		out = append(out, a)
	}
	e.Writes = out
}

// wideIndex returns the 64-bit register of a string index.
func wideIndex(r isa.Reg) isa.Reg {
	switch r {
	case ESI:
		return RSI
	case EDI:
		return RDI
	}
	return r
}

// listedBefore reports whether an implicit register is in the list already; the
// tables list the stack pointer in two widths.
func listedBefore(list []isa.Access, a isa.Access) bool {
	for _, b := range list {
		if b.Op < 0 && b.Reg == a.Reg {
			return true
		}
	}
	return false
}

// writesStackPointer recognises pop %rsp: the loaded value overwrites the update of the stack pointer (Intel SDM, POP).
func writesStackPointer(writes []isa.Access) bool {
	return slices.ContainsFunc(writes, func(a isa.Access) bool { return a.Op >= 0 && (a.Reg == RSP || a.Reg == ESP) })
}

// isPartial reports whether a write to a register keeps the rest of the register that it is part of.
func isPartial(d *database, r isa.Reg) bool {
	return d.class[r]&(isGR8|isGR16) != 0
}

func (t *traits) addFlags(in *isa.Inst, e *isa.Effects) {
	if t.count != 0 {
		if o := &in.Ops[max(in.NOps, 1)-1]; o.Kind == isa.OpImm && o.Expr == nil && o.Imm&int64(t.count) == 0 {
			return // a shift by zero leaves the flags
		}
	}
	read := t.flags.read
	if t.cond >= 0 && in.Ops[t.cond].Kind == isa.OpImm {
		cc := in.Ops[t.cond].Imm & 15
		if isConditionalCompare := t.flags.write != 0; !isConditionalCompare || cc != 10 && cc != 11 { // there 10 and 11 are "always" and "never"
			read |= conditionReads[cc]
		}
	}
	if t.str != stringNone && in.Prefix&(isa.PfxRep|isa.PfxRepne) != 0 {
		read |= t.flags.write // a count of zero leaves them
	}
	for _, f := range flagRegs {
		if read&f.set != 0 {
			e.Reads = append(e.Reads, isa.Access{Reg: f.reg, Op: t.flagRead, Role: isa.RoleFlags})
		}
		if t.flags.write&f.set != 0 {
			e.Writes = append(e.Writes, isa.Access{Reg: f.reg, Op: t.flagWrite, Role: isa.RoleFlags})
		}
	}
}

// memRef describes the access at the explicit memory operand.
func (t *traits) memRef(in *isa.Inst) isa.MemRef {
	i := int(t.mem)
	m := isa.MemRef{Op: t.mem, Bits: t.bits, Elems: t.elems, Load: t.load, Store: t.store, Gather: t.gather, Scale: 1}
	disp, seg := &in.Ops[i], in.Reg(i+1)
	if t.memOps == 5 {
		m.Base, m.Index, m.Scale = in.Reg(i), in.Reg(i+2), uint8(in.Ops[i+1].Imm)
		disp, seg = &in.Ops[i+3], in.Reg(i+4)
		if m.Index == RIZ || m.Index == EIZ {
			m.Index = isa.NoReg
		}
	}
	m.Disp, m.Sym = disp.Imm, disp.Expr
	if m.Base == RSP && t.stack > 0 {
		m.Disp += int64(t.stack) // pop to memory: the address uses the updated stack pointer
	}
	if seg == FS || seg == GS {
		m.Seg = seg
	}
	return m
}

// addString adds the accesses of a string instruction. With a rep prefix the
// number of elements and the new values of the pointers are unknown.
func (t *traits) addString(in *isa.Inst, e *isa.Effects) {
	rep := in.Prefix&(isa.PfxRep|isa.PfxRepne) != 0
	ref := func(op int, load, store bool) {
		m := isa.MemRef{Op: int8(op), Base: in.Reg(op), Scale: 1, Bits: t.bits, Elems: 1, Load: load, Store: store, Update: int64(t.bits / 8), Post: true}
		if rep {
			m.Elems, m.Update = 0, 0
		}
		e.Mem = append(e.Mem, m)
	}
	switch t.str {
	case stringMovs:
		ref(1, true, false)
		ref(0, false, true)
	case stringCmps:
		ref(1, true, false)
		ref(0, true, false)
	case stringScas, stringLods, stringOuts:
		ref(0, true, false)
	case stringStos, stringIns:
		ref(0, false, true)
	}
	if rep {
		e.Reads = append(e.Reads, isa.Access{Reg: RCX, Op: extraOp})
		e.Writes = append(e.Writes, isa.Access{Reg: RCX, Op: extraOp})
	}
}

// addStack adds the implicit stack access of push, pop, call, ret and leave.
func (t *traits) addStack(in *isa.Inst, e *isa.Effects) {
	m := isa.MemRef{Op: extraOp, Base: RSP, Scale: 1, Elems: 1, Update: int64(t.stack)}
	if t.stack < 0 {
		m.Disp, m.Bits, m.Store = int64(t.stack), uint16(-int16(t.stack))*8, true
	} else {
		m.Bits, m.Load, m.Post = uint16(t.stack)*8, true, true
	}
	switch t.frame {
	case frameLeave: // rsp = rbp; pop rbp
		m.Base, m.Update, m.Post = RBP, 0, false
		e.Reads = e.Reads[:0] // the old stack pointer is not used
		e.Reads = append(e.Reads, isa.Access{Reg: RBP, Op: ^0, Role: isa.RoleAddr})
		m.Op = ^0
		e.Mem = append(e.Mem, m)
		return
	case frameReturn:
		m.Update += in.Ops[0].Imm & 0xffff
	case frameEnter:
		e.Reads = append(e.Reads, isa.Access{Reg: RBP, Op: extraOp})
		e.Writes = append(e.Writes, isa.Access{Reg: RBP, Op: extraOp})
		frames := in.Ops[1].Imm & 31 // pointers to outer frames that are copied, and one to this
		m.Disp -= 8 * frames
		m.Elems += uint16(frames)
		m.Update -= 8*frames + in.Ops[0].Imm&0xffff
		if frames > 1 {
			e.Mem = append(e.Mem, isa.MemRef{Op: extraOp, Base: RBP, Disp: -8 * (frames - 1), Scale: 1, Bits: 64, Elems: uint16(frames - 1), Load: true})
		}
	}
	for _, a := range e.Reads {
		if a.Op < 0 && a.Reg == RSP {
			m.Op = a.Op
		}
	}
	if m.Op == extraOp {
		e.Reads = append(e.Reads, isa.Access{Reg: RSP, Op: extraOp, Role: isa.RoleAddr})
	}
	switch {
	case writesStackPointer(e.Writes):
		m.Update = 0
	case !listedBefore(e.Writes, isa.Access{Reg: RSP}):
		e.Writes = append(e.Writes, isa.Access{Reg: RSP, Op: extraOp, Role: isa.RoleUpdate})
	}
	e.Mem = append(e.Mem, m)
}

// add adds the accesses that LLVM's tables lack for a form, and removes those that they have in excess.
func (s *special) add(in *isa.Inst, e *isa.Effects) {
	for _, r := range s.reads {
		e.Reads = append(e.Reads, isa.Access{Reg: r, Op: extraOp})
	}
	for _, r := range s.writes {
		e.Writes = append(e.Writes, isa.Access{Reg: r, Op: extraOp})
	}
	e.Writes = slices.DeleteFunc(e.Writes, func(a isa.Access) bool { return a.Op < 0 && slices.Contains(s.keeps, a.Reg) })
	if s.readsDst {
		e.Reads = append(e.Reads, isa.Access{Reg: in.Reg(0), Op: 0})
	}
	if m := s.mem; m.Base != 0 {
		for i := range e.Reads {
			if a := &e.Reads[i]; a.Op < 0 && (db().regs.Overlap(a.Reg, m.Base) || m.Index != 0 && a.Reg == m.Index) {
				a.Role, m.Op = isa.RoleAddr, a.Op
			}
		}
		e.Mem = append(e.Mem, m)
	}
}

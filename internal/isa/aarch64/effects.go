package aarch64

import (
	"incore/internal/isa"
)

// System registers that carry dependences.
const (
	sysNZCV   = 0xda10
	sysFPCR   = 0xda20
	sysFPSR   = 0xda21
	sysRNDR   = 0xd920
	sysRNDRRS = 0xd921
)

// refine completes the effects: it drops the zero registers, sets the roles of the condition flags,
// governing predicates and addresses, and adds memory operands.
// It also drops LLVM's pseudo-dependences of calls on SP, which only its register
// allocator needs.
func (a *arch) refine(in *isa.Inst, e *isa.Effects) {
	sp := a.spec(in.Form)
	call := a.class[in.Form] == fcCall || a.class[in.Form] == fcReturn
	n := 0
	for _, r := range e.Reads {
		if a.constant(r.Reg) || call && r.Op < 0 && r.Reg == a.r.sp {
			continue
		}
		r.Role = a.role(r, sp.masks, isa.RoleMask)
		if r.Op >= 0 && sp.addr>>r.Op&1 != 0 {
			r.Role = isa.RoleAddr
		}
		e.Reads[n] = r
		n++
	}
	e.Reads = e.Reads[:n]
	n = 0
	for _, w := range e.Writes {
		if a.constant(w.Reg) {
			continue
		}
		w.Role = a.role(w, sp.update, isa.RoleUpdate)
		e.Writes[n] = w
		n++
	}
	e.Writes = e.Writes[:n]
	for i := range sp.mem {
		m := &sp.mem[i]
		e.Mem = append(e.Mem, m.ref(a.r, in))
		for k := range e.Reads {
			if op := e.Reads[k].Op; op >= 0 && (op == m.base || op == m.index || op == m.postReg) {
				e.Reads[k].Role = isa.RoleAddr
			}
		}
	}
	if c := a.class[in.Form]; c == fcMrs || c == fcMsr {
		a.systemRegister(in, e)
	}
}

// role is the role of one access; ops are the MC operands of a special role.
func (a *arch) role(x isa.Access, ops uint16, special isa.Role) isa.Role {
	switch {
	case x.Reg == a.r.nzcv:
		return isa.RoleFlags
	case x.Reg == a.r.fpcr || x.Reg == a.r.fpsr || x.Reg == a.r.vg:
		return isa.RoleControl
	case x.Op >= 0 && ops>>x.Op&1 != 0:
		return special
	}
	return isa.RoleData
}

// systemRegister adds the accesses of MRS and MSR to the flags and to the floating-point
// control registers. LLVM lists NZCV as written by every MRS: only the random number registers do that.
func (a *arch) systemRegister(in *isa.Inst, e *isa.Effects) {
	num, write := in.Ops[1].Imm, a.class[in.Form] == fcMsr
	if write {
		num = in.Ops[0].Imm
	}
	n := 0
	for _, w := range e.Writes {
		if w.Op < 0 && w.Reg == a.r.nzcv && num != sysRNDR && num != sysRNDRRS {
			continue
		}
		e.Writes[n] = w
		n++
	}
	e.Writes = e.Writes[:n]
	x := isa.Access{Op: ^0}
	switch num {
	case sysNZCV:
		x.Reg, x.Role = a.r.nzcv, isa.RoleFlags
	case sysFPCR:
		x.Reg, x.Role = a.r.fpcr, isa.RoleControl
	case sysFPSR:
		x.Reg, x.Role = a.r.fpsr, isa.RoleControl
	default:
		return
	}
	if write {
		e.Writes = append(e.Writes, x)
	} else {
		e.Reads = append(e.Reads, x)
	}
}

// constant reports whether a register is a zero register.
func (a *arch) constant(r isa.Reg) bool { return r == a.r.xzr || r == a.r.wzr }

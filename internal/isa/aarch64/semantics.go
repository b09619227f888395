package aarch64

import "incore/internal/isa"

// formClass groups forms of the same meaning.
type formClass uint8

const (
	fcNone formClass = iota
	fcBranch
	fcCondBranch
	fcCompareBranch // CBZ, CBNZ
	fcTestBranch
	fcCall
	fcReturn
	fcIndirect
	fcTrap
	fcMoveZ
	fcMoveK
	fcMoveImmZero // MOVI: zero if the immediate is
	fcOrrReg
	fcOrrVec
	fcFMov
	fcFMovGPR
	fcMovprfx
	fcMovprfxZero
	fcMovprfxMerge
	fcSubsImm
	fcSubsReg
	fcAddsImm
	fcAddsReg
	fcAndsImm
	fcAndsReg
	fcBicsReg
	fcCsel
	fcCsinc
	fcAdrp
	fcAddImm
	fcAlu
	fcAESE
	fcAESMC
	fcAESD
	fcAESIMC
	fcLoadImm
	fcMrs
	fcMsr
	fcISB
	fcTSB
)

var formClasses = map[formClass][]string{
	fcBranch:        {"B"},
	fcCondBranch:    {"Bcc", "BCcc"},
	fcCompareBranch: {"CBZW", "CBZX", "CBNZW", "CBNZX"},
	fcTestBranch:    {"TBZW", "TBZX", "TBNZW", "TBNZX"},
	fcCall:          {"BL", "BLR", "BLRAA", "BLRAAZ", "BLRAB", "BLRABZ"},
	fcReturn:        {"RET", "RETAA", "RETAB", "RETAASPPCi", "RETABSPPCi", "RETAASPPCr", "RETABSPPCr", "ERET", "ERETAA", "ERETAB", "DRPS"},
	fcIndirect:      {"BR", "BRAA", "BRAAZ", "BRAB", "BRABZ"},
	fcTrap:          {"BRK", "HLT", "UDF"},
	fcMoveZ:         {"MOVZWi", "MOVZXi"},
	fcMoveK:         {"MOVKWi", "MOVKXi"},
	fcMoveImmZero:   {"MOVID", "MOVIv2d_ns", "MOVIv16b_ns", "MOVIv8b_ns", "MOVIv2i32", "MOVIv4i32", "MOVIv4i16", "MOVIv8i16"},
	fcOrrReg:        {"ORRWrs", "ORRXrs"},
	fcOrrVec:        {"ORRv8i8", "ORRv16i8", "ORR_ZZZ"},
	fcFMov:          {"FMOVHr", "FMOVSr", "FMOVDr"},
	fcFMovGPR:       {"FMOVWHr", "FMOVXHr", "FMOVWSr", "FMOVXDr"},
	fcMovprfx:       {"MOVPRFX_ZZ"},
	fcMovprfxZero:   {"MOVPRFX_ZPzZ_B", "MOVPRFX_ZPzZ_H", "MOVPRFX_ZPzZ_S", "MOVPRFX_ZPzZ_D"},
	fcMovprfxMerge:  {"MOVPRFX_ZPmZ_B", "MOVPRFX_ZPmZ_H", "MOVPRFX_ZPmZ_S", "MOVPRFX_ZPmZ_D"},
	fcSubsImm:       {"SUBSWri", "SUBSXri"}, fcSubsReg: {"SUBSWrs", "SUBSXrs"},
	fcAddsImm: {"ADDSWri", "ADDSXri"}, fcAddsReg: {"ADDSWrs", "ADDSXrs"},
	fcAndsImm: {"ANDSWri", "ANDSXri"}, fcAndsReg: {"ANDSWrs", "ANDSXrs"}, fcBicsReg: {"BICSWrs", "BICSXrs"},
	fcCsel: {"CSELWr", "CSELXr", "CSINVWr", "CSINVXr", "CSNEGWr", "CSNEGXr"}, fcCsinc: {"CSINCWr", "CSINCXr"},
	fcAdrp: {"ADRP"}, fcAddImm: {"ADDXri"}, fcLoadImm: {"LDRXui", "LDRWui", "LDRDui", "LDRSui", "LDRQui", "LDRBBui", "LDRHHui", "LDRSWui"},
	fcAlu: {"ADDWri", "ADDWrs", "ADDXrs", "SUBWri", "SUBXri", "SUBWrs", "SUBXrs", "ANDWri", "ANDXri", "ANDWrs", "ANDXrs",
		"ORRWri", "ORRXri", "EORWri", "EORXri", "EORWrs", "EORXrs", "BICWrs", "BICXrs"},
	fcAESE: {"AESErr"}, fcAESMC: {"AESMCrr"}, fcAESD: {"AESDrr"}, fcAESIMC: {"AESIMCrr"},
	fcMrs: {"MRS"}, fcMsr: {"MSR"}, fcISB: {"ISB"}, fcTSB: {"TSB"},
}

// classify fills the class of every form.
func (a *arch) classify() {
	a.class = make([]formClass, a.t.Forms.Len())
	for c, names := range formClasses {
		for _, n := range names {
			if f := a.t.Forms.Named(n); f != isa.NoForm {
				a.class[f] = c
			}
		}
	}
}

// System registers whose accesses are dependences of their own.
const (
	sysNZCV   = 0xda10
	sysFPCR   = 0xda20
	sysFPSR   = 0xda21
	sysRNDR   = 0xd920
	sysRNDRRS = 0xd921
)

// refine completes the effects: zero registers carry nothing, the condition flags,
// governing predicates and addresses get their roles, memory operands are added.
// LLVM's pseudo-dependences of calls on SP (an argument of its register
// allocator) are dropped.
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

// constant reports the zero registers.
func (a *arch) constant(r isa.Reg) bool { return r == a.r.xzr || r == a.r.wzr }

// flow classifies control transfers. Branch targets are operands as the parser and decoder leave them.
func (a *arch) flow(in *isa.Inst) isa.Flow {
	switch a.class[in.Form] {
	case fcBranch:
		return isa.Flow{Kind: isa.FlowJump, Target: in.Ops[0]}
	case fcCondBranch, fcCompareBranch:
		return isa.Flow{Kind: isa.FlowCond, Target: in.Ops[1]}
	case fcTestBranch:
		return isa.Flow{Kind: isa.FlowCond, Target: in.Ops[2]}
	case fcCall:
		if t := in.Ops[0]; t.Kind != isa.OpReg {
			return isa.Flow{Kind: isa.FlowCall, Target: t}
		}
		return isa.Flow{Kind: isa.FlowCall}
	case fcReturn:
		return isa.Flow{Kind: isa.FlowReturn}
	case fcIndirect:
		return isa.Flow{Kind: isa.FlowIndirect}
	case fcTrap:
		return isa.Flow{Kind: isa.FlowTrap}
	}
	return isa.Flow{}
}

// zeroIdiom reports the ways to make zero that Arm's optimization guides list as
// executed at rename (Neoverse V2 guide, "Zero latency MOVs": mov of #0 and of the zero
// register to general registers, fmov of it to vector registers, movi #0). EOR
// of a register with itself is none: it keeps the dependency, which the memory model needs.
func (a *arch) zeroIdiom(in *isa.Inst) bool {
	switch a.class[in.Form] {
	case fcMoveZ:
		return in.Ops[1].Kind == isa.OpImm && in.Ops[1].Imm == 0
	case fcMoveImmZero:
		return in.Ops[1].Imm == 0
	case fcOrrReg:
		return a.constant(in.Reg(1)) && a.constant(in.Reg(2))
	case fcFMovGPR:
		return a.constant(in.Reg(1))
	}
	return false
}

// regMove reports copies of a whole register: mov x0, x1; fmov d0, d1; mov
// v0.16b, v1.16b; mov z0.d, z1.d and MOVPRFX without predicate.
func (a *arch) regMove(in *isa.Inst) (dst, src isa.Reg, ok bool) {
	switch a.class[in.Form] {
	case fcOrrReg:
		if a.constant(in.Reg(1)) && in.Ops[3].Imm == 0 && !a.constant(in.Reg(2)) {
			return in.Reg(0), in.Reg(2), true
		}
	case fcOrrVec:
		if in.Reg(1) == in.Reg(2) {
			return in.Reg(0), in.Reg(1), true
		}
	case fcFMov, fcMovprfx:
		return in.Reg(0), in.Reg(1), true
	}
	return 0, 0, false
}

// fusesWith names the pairs that Arm's guides, and LLVM's subtarget features for
// other vendors' cores, list as fused. MOVPRFX fuses with the destructive instruction that it prepares.
func (a *arch) fusesWith(first, second *isa.Inst) string {
	f, s := a.class[first.Form], a.class[second.Form]
	switch f {
	case fcSubsImm, fcSubsReg, fcAddsImm, fcAddsReg, fcAndsImm, fcAndsReg, fcBicsReg:
		return a.flagPair(f, first, s, second)
	case fcAdrp:
		if second.Reg(1) != first.Reg(0) {
			return ""
		}
		if s == fcAddImm && second.Reg(0) == first.Reg(0) {
			return "adrp+add"
		}
		if s == fcLoadImm {
			return "adrp+ldr"
		}
	case fcMoveZ, fcMoveK:
		if s == fcMoveK && second.Reg(0) == first.Reg(0) {
			lo, hi := first.Ops[first.NOps-1].Imm, second.Ops[second.NOps-1].Imm
			if hi == lo+16 && (f == fcMoveZ || lo == 32) {
				return "mov+movk"
			}
		}
	case fcAESE, fcAESD:
		if (f == fcAESE && s == fcAESMC || f == fcAESD && s == fcAESIMC) && second.Reg(0) == second.Reg(1) && second.Reg(1) == first.Reg(0) {
			if f == fcAESE {
				return "aese+aesmc"
			}
			return "aesd+aesimc"
		}
	case fcMovprfx, fcMovprfxZero, fcMovprfxMerge:
		if a.copyPrefix(first, second) != isa.NoCopy {
			return "movprfx+op"
		}
	case fcAddImm, fcAlu:
		if s == fcCompareBranch && a.r.xOf(second.Reg(0)) == a.r.xOf(first.Reg(0)) {
			return "alu+cbz"
		}
	}
	return ""
}

// copyPrefix says which MOVPRFX prepares the destination of the instruction behind it, which reads and writes it.
func (a *arch) copyPrefix(first, second *isa.Inst) isa.CopyPrefix {
	kind := movprfx(a.class[first.Form])
	if kind == isa.NoCopy || movprfx(a.class[second.Form]) != isa.NoCopy || a.t.Forms.Ties(second.Form).Len() == 0 || second.Reg(0) != first.Reg(0) {
		return isa.NoCopy
	}
	return kind
}

func movprfx(c formClass) isa.CopyPrefix {
	switch c {
	case fcMovprfx:
		return isa.PlainCopy
	case fcMovprfxZero:
		return isa.ZeroingCopy
	case fcMovprfxMerge:
		return isa.MergingCopy
	}
	return isa.NoCopy
}

// flagPair names the pair of an instruction that sets the flags and one that uses them.
// Shifted operands do not fuse.
func (a *arch) flagPair(f formClass, first *isa.Inst, s formClass, second *isa.Inst) string {
	switch f {
	case fcSubsReg, fcAddsReg, fcAndsReg, fcBicsReg:
		if first.Ops[3].Imm != 0 {
			return ""
		}
	}
	name := ""
	compare := a.constant(first.Reg(0))
	switch f {
	case fcSubsImm, fcSubsReg:
		name = "subs"
		if compare {
			name = "cmp"
		}
	case fcAddsImm, fcAddsReg:
		name = "adds"
		if compare {
			name = "cmn"
		}
	case fcAndsImm, fcAndsReg:
		name = "ands"
		if compare {
			name = "tst"
		}
	default:
		name = "bics"
	}
	switch s {
	case fcCondBranch:
		return pairNames[name][0]
	case fcCsinc:
		if a.constant(second.Reg(1)) && a.constant(second.Reg(2)) {
			return pairNames[name][2]
		}
		return pairNames[name][1]
	case fcCsel:
		return pairNames[name][1]
	}
	return ""
}

// pairNames spare a concatenation per call.
var pairNames = func() map[string][3]string {
	m := map[string][3]string{}
	for _, n := range []string{"cmp", "cmn", "tst", "adds", "subs", "ands", "bics"} {
		m[n] = [3]string{n + "+b.cond", n + "+csel", n + "+cset"}
	}
	return m
}()

package aarch64

import (
	"slices"
	"strings"
	"sync/atomic"

	"incore/internal/isa"
)

// evalRule is the computation of a family of instructions: an elementary operation on the
// operands, or a function for families that need several operations.
type evalRule struct {
	op isa.StepKind
	do func(l *lifter)
	n  uint8 // argument of the function, or IntStep.N
}

// evalRules lists the forms that are evaluated, by name; "*" stands for the letter of the
// width ("ADD*ri" is ADDWri and ADDXri). All other instructions make the registers that they write
// unknown.
var evalRules = map[string]evalRule{
	"ADD*ri": {op: isa.StepAdd, do: (*lifter).arithImm}, "ADDS*ri": {op: isa.StepAdd, do: (*lifter).arithImm},
	"SUB*ri": {op: isa.StepSub, do: (*lifter).arithImm}, "SUBS*ri": {op: isa.StepSub, do: (*lifter).arithImm},
	"ADD*rs": {op: isa.StepAdd, do: (*lifter).shifted}, "ADDS*rs": {op: isa.StepAdd, do: (*lifter).shifted},
	"SUB*rs": {op: isa.StepSub, do: (*lifter).shifted}, "SUBS*rs": {op: isa.StepSub, do: (*lifter).shifted},
	"ADD*rx": {op: isa.StepAdd, do: (*lifter).extended}, "ADDS*rx": {op: isa.StepAdd, do: (*lifter).extended},
	"SUB*rx": {op: isa.StepSub, do: (*lifter).extended}, "SUBS*rx": {op: isa.StepSub, do: (*lifter).extended},
	"ADD*rx64": {op: isa.StepAdd, do: (*lifter).extended}, "ADDS*rx64": {op: isa.StepAdd, do: (*lifter).extended},
	"SUB*rx64": {op: isa.StepSub, do: (*lifter).extended}, "SUBS*rx64": {op: isa.StepSub, do: (*lifter).extended},
	"AND*rs": {op: isa.StepAnd, do: (*lifter).shifted}, "ANDS*rs": {op: isa.StepAnd, do: (*lifter).shifted},
	"ORR*rs": {op: isa.StepOr, do: (*lifter).shifted}, "EOR*rs": {op: isa.StepXor, do: (*lifter).shifted},
	"BIC*rs": {op: isa.StepAndNot, do: (*lifter).shifted}, "BICS*rs": {op: isa.StepAndNot, do: (*lifter).shifted},
	"ORN*rs": {op: isa.StepOrNot, do: (*lifter).shifted}, "EON*rs": {op: isa.StepXorNot, do: (*lifter).shifted},
	"AND*ri": {op: isa.StepAnd, do: (*lifter).logicalImm}, "ANDS*ri": {op: isa.StepAnd, do: (*lifter).logicalImm},
	"ORR*ri": {op: isa.StepOr, do: (*lifter).logicalImm}, "EOR*ri": {op: isa.StepXor, do: (*lifter).logicalImm},
	"UBFM*ri": {do: (*lifter).bitField}, "SBFM*ri": {do: (*lifter).bitField, n: 1}, "BFM*ri": {do: (*lifter).bitField, n: 2},
	"EXTR*rri": {do: (*lifter).extract},
	"MOVZ*i":   {do: (*lifter).moveWide}, "MOVN*i": {do: (*lifter).moveWide, n: 1}, "MOVK*i": {do: (*lifter).moveWide, n: 2},
	"ADR": {do: (*lifter).pcRelative}, "ADRP": {do: (*lifter).pcRelative},
	"MADD*rrr": {op: isa.StepAdd, do: (*lifter).multiplyAdd}, "MSUB*rrr": {op: isa.StepSub, do: (*lifter).multiplyAdd},
	"SMADDLrrr": {op: isa.StepAdd, do: (*lifter).multiplyAdd, n: isaSigned}, "SMSUBLrrr": {op: isa.StepSub, do: (*lifter).multiplyAdd, n: isaSigned},
	"UMADDLrrr": {op: isa.StepAdd, do: (*lifter).multiplyAdd, n: isaUnsigned}, "UMSUBLrrr": {op: isa.StepSub, do: (*lifter).multiplyAdd, n: isaUnsigned},
	"SMULHrr": {op: isa.StepMulHS}, "UMULHrr": {op: isa.StepMulHU}, "SDIV*r": {op: isa.StepDivS}, "UDIV*r": {op: isa.StepDivU},
	"LSLV*r": {op: isa.StepShl, do: (*lifter).variableShift}, "LSRV*r": {op: isa.StepShr, do: (*lifter).variableShift},
	"ASRV*r": {op: isa.StepSar, do: (*lifter).variableShift}, "RORV*r": {op: isa.StepRor, do: (*lifter).variableShift},
	"CLZ*r": {op: isa.StepClz}, "CTZ*r": {op: isa.StepCtz}, "CNT*r": {op: isa.StepPopcount}, "RBIT*r": {op: isa.StepBitReverse},
	"REV*r": {op: isa.StepByteSwap}, "REV16*r": {op: isa.StepByteSwapIn, n: 16}, "REV32Xr": {op: isa.StepByteSwapIn, n: 32},
	"SMAX*rr": {op: isa.StepMaxS}, "SMIN*rr": {op: isa.StepMinS}, "UMAX*rr": {op: isa.StepMaxU}, "UMIN*rr": {op: isa.StepMinU},
	"ADDVL_XXI": {do: (*lifter).addVector}, "ADDPL_XXI": {do: (*lifter).addVector, n: 3}, "RDVLI_XI": {do: (*lifter).addVector},
	"CNTB_XPiI": {do: (*lifter).countVector}, "CNTH_XPiI": {do: (*lifter).countVector, n: 1}, "CNTW_XPiI": {do: (*lifter).countVector, n: 2}, "CNTD_XPiI": {do: (*lifter).countVector, n: 3},
	"INCB_XPiI": {op: isa.StepAdd, do: (*lifter).countVector}, "INCH_XPiI": {op: isa.StepAdd, do: (*lifter).countVector, n: 1},
	"INCW_XPiI": {op: isa.StepAdd, do: (*lifter).countVector, n: 2}, "INCD_XPiI": {op: isa.StepAdd, do: (*lifter).countVector, n: 3},
	"DECB_XPiI": {op: isa.StepSub, do: (*lifter).countVector}, "DECH_XPiI": {op: isa.StepSub, do: (*lifter).countVector, n: 1},
	"DECW_XPiI": {op: isa.StepSub, do: (*lifter).countVector, n: 2}, "DECD_XPiI": {op: isa.StepSub, do: (*lifter).countVector, n: 3},
	"PTRUE_B": {do: (*lifter).allTrue}, "PTRUE_H": {do: (*lifter).allTrue}, "PTRUE_S": {do: (*lifter).allTrue}, "PTRUE_D": {do: (*lifter).allTrue},
	"WHILELO_P*_B": {op: isa.StepLessU, do: (*lifter).while}, "WHILELO_P*_H": {op: isa.StepLessU, do: (*lifter).while, n: 1},
	"WHILELO_P*_S": {op: isa.StepLessU, do: (*lifter).while, n: 2}, "WHILELO_P*_D": {op: isa.StepLessU, do: (*lifter).while, n: 3},
	"WHILELT_P*_B": {op: isa.StepLessS, do: (*lifter).while}, "WHILELT_P*_H": {op: isa.StepLessS, do: (*lifter).while, n: 1},
	"WHILELT_P*_S": {op: isa.StepLessS, do: (*lifter).while, n: 2}, "WHILELT_P*_D": {op: isa.StepLessS, do: (*lifter).while, n: 3},
	"CSEL*r": {do: (*lifter).selects}, "CSINC*r": {do: (*lifter).selects, n: 1}, "CSINV*r": {do: (*lifter).selects, n: 2}, "CSNEG*r": {do: (*lifter).selects, n: 3},
	"ADC*r": {op: isa.StepAdd, do: (*lifter).withCarry}, "ADCS*r": {op: isa.StepAdd, do: (*lifter).withCarry},
	"SBC*r": {op: isa.StepSub, do: (*lifter).withCarry}, "SBCS*r": {op: isa.StepSub, do: (*lifter).withCarry},
	"CCMP*r": {op: isa.StepSub, do: (*lifter).compareIf}, "CCMP*i": {op: isa.StepSub, do: (*lifter).compareIf},
	"CCMN*r": {op: isa.StepAdd, do: (*lifter).compareIf}, "CCMN*i": {op: isa.StepAdd, do: (*lifter).compareIf},
	"BL": {do: (*lifter).call}, "BLR": {do: (*lifter).call}, "SVC": {do: (*lifter).system},
}

// The extensions of multiplicands.
const (
	isaSigned   = 1
	isaUnsigned = 2
)

// evalForm is the evaluation rule of a form and the properties of its memory access.
type evalForm struct {
	rule   *evalRule
	width  uint8
	rt     [2]int8 // MC operands of loaded or stored general registers, -1 none
	bits   uint8   // of each in memory
	signed bool
	load   bool
	update int8 // MC operand of the register that post-indexing adds, -1 none
	base   int8
	flags  bool // sets the flags by the result
}

// lifters holds the evaluation rules by form; it is filled on first use.
type lifters struct {
	*arch
	forms []atomic.Pointer[evalForm]
}

func newEvaluation(a *arch) *isa.Semantics {
	l := &lifters{arch: a, forms: make([]atomic.Pointer[evalForm], a.t.Forms.Len())}
	var x []isa.Reg // AAPCS64, 6.1.1: x0 to x7 pass integers; x0 to x18 and the link register may be changed
	for i := range 19 {
		x = append(x, isa.Reg(a.r.x.At(i)))
	}
	return &isa.Semantics{Lift: l.lift, Branch: l.branch, Part: l.part, Symbol: symbolPart, VectorBytes: l.vectorBytes, Arguments: x[:8:8], Clobbered: append(x, isa.Reg(a.r.x.At(numLR))),
		Flags: []isa.Slot{isa.RegSlot(a.r.nzcv), isa.Carry, isa.Overflow}, FlagReg: a.r.nzcv}
}

// part implements isa.Semantics.Part.
func (ls *lifters) part(r isa.Reg) (full isa.Reg, shift, width uint8) {
	g := ls.r
	switch {
	case int(r) >= len(g.file) || r == g.xzr || r == g.wzr || r == isa.NoReg:
		return isa.NoReg, 0, 0
	case r == g.sp, r == g.nzcv: // the flags' register holds the sign-extended result, which determines the sign and zero flags
		return r, 0, 64
	case r == g.wsp:
		return g.sp, 0, 32
	case g.file[r] == fileX:
		return r, 0, 64
	case g.file[r] == fileW:
		return g.first[r], 0, 32
	}
	return isa.NoReg, 0, 0
}

// symbolPart implements isa.Semantics.Symbol.
func symbolPart(e *isa.Expr) isa.SymbolPart {
	mod := strings.ToLower(e.Mod)
	switch {
	case strings.HasPrefix(mod, "mul"):
		return isa.SymbolVL + isa.SymbolPart(slices.Index(vlMods[:], mod))
	case strings.HasPrefix(mod, "got_lo12"), mod == "gotpageoff", strings.HasPrefix(mod, "gottprel_lo12"):
		return isa.SymbolNone // adrp already computes the whole address of the slot
	case strings.HasPrefix(mod, "got"):
		return isa.SymbolSlot
	case strings.Contains(mod, "lo12"), mod == "pageoff":
		return isa.SymbolLow
	}
	return isa.SymbolWhole
}

// vectorBytes implements isa.Semantics.VectorBytes: contiguous accesses of SVE.
func (ls *lifters) vectorBytes(in *isa.Inst, m *isa.MemRef, vl int) int {
	if m.Gather || m.Bits == 0 {
		return 0
	}
	name, registers := ls.t.Forms.Name(in.Form), 1
	if at := strings.IndexAny(name, "0123456789"); at > 0 && name[at] >= '2' && name[at] <= '4' { // LD2 to LD4, ST2 to ST4
		registers = int(name[at] - '0')
	}
	return vl >> vlPart(name, m.Bits) * registers
}

func (ls *lifters) form(f isa.FormID) *evalForm {
	if e := ls.forms[f].Load(); e != nil {
		return e
	}
	e := ls.derive(f)
	ls.forms[f].Store(e)
	return e
}

// derive finds a form's rule by its name, and its loads and stores by its operands.
func (ls *lifters) derive(f isa.FormID) *evalForm {
	name := ls.t.Forms.Name(f)
	e := &evalForm{width: 64, rt: [2]int8{-1, -1}, update: -1, base: -1}
	find := func(n string, w uint8) {
		if r, ok := evalRules[n]; ok && e.rule == nil {
			e.rule, e.width = &r, w
		}
	}
	find(name, 64)
	for _, two := range []struct {
		is    string
		width uint8
	}{{"_PWW_", 32}, {"_PXX_", 64}} { // WHILELO_PXX_D
		find(strings.Replace(name, two.is, "_P*_", 1), two.width)
	}
	for i := range name {
		switch name[i] {
		case 'W':
			find(name[:i]+"*"+name[i+1:], 32)
		case 'X':
			find(name[:i]+"*"+name[i+1:], 64)
		}
	}
	if e.rule == nil {
		ls.deriveAccess(f, e)
	}
	e.flags = e.rule != nil && hasAnyPrefix(name, "ADDS", "ADCS", "SUBS", "SBCS", "ANDS", "BICS")
	return e
}

// deriveAccess finds the general registers that a load writes or a store reads, and the register that
// post-indexing adds.
func (ls *lifters) deriveAccess(f isa.FormID, e *evalForm) {
	spec := ls.spec(f)
	if len(spec.mem) != 1 || spec.mem[0].gather {
		return
	}
	m := &spec.mem[0]
	e.update, e.base = m.postReg, m.base
	mnem, _ := ls.t.Forms.AsmParts(f, 0)
	if m.load == m.store || m.elems == 0 || m.elems > 2 || m.bits == 0 || m.bits > 64 ||
		hasAnyPrefix(mnem, "stx", "stlx", "ldg", "stg", "ldraa", "ldrab") {
		return
	}
	ops := ls.t.Forms.Operands(f)
	for k, n := range []string{"Rt", "Rt2"} {
		if o := findOperand(ops, n); o != nil && o.Class.Kind == "reg" && o.Class.Sub == 1 && strings.HasPrefix(o.Class.Name, "GPR") {
			e.rt[k] = int8(o.MC)
		}
	}
	if e.rt[0] >= 0 && (e.rt[1] >= 0) == (m.elems == 2) {
		e.bits, e.load = uint8(m.bits), m.load
		e.signed = strings.HasPrefix(mnem, "ldrs") || strings.HasPrefix(mnem, "ldurs") || strings.HasPrefix(mnem, "ldps") || strings.HasPrefix(mnem, "ldtrs") || strings.HasPrefix(mnem, "ldapurs")
		return
	}
	e.rt = [2]int8{-1, -1}
}

// lifter collects the steps of one instruction.
type lifter struct {
	*lifters
	in     *isa.Inst
	f      *evalForm
	steps  []isa.IntStep
	failed bool
}

// lift implements isa.Semantics.Lift.
func (ls *lifters) lift(in *isa.Inst, dst []isa.IntStep) ([]isa.IntStep, bool) {
	l := &lifter{lifters: ls, in: in, f: ls.form(in.Form), steps: dst}
	switch {
	case l.f.rule != nil && l.f.rule.do != nil:
		l.f.rule.do(l)
	case l.f.rule != nil:
		l.plain()
	case l.f.rt[0] >= 0:
		l.access()
	case l.f.update < 0:
		return dst, false
	}
	if l.f.update >= 0 {
		if m := in.Reg(int(l.f.update)); m != ls.r.xzr {
			l.binary(isa.StepAdd, 64, in.Reg(int(l.f.base)), l.slot(int(l.f.base)), l.read(m))
		}
	}
	if l.failed {
		return dst, false
	}
	return l.steps, true
}

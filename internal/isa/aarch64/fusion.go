package aarch64

import (
	"incore/internal/isa"
)

// pairNames holds the pairs' names, which saves a concatenation per call.
var pairNames = func() map[string][3]string {
	m := map[string][3]string{}
	for _, n := range []string{"cmp", "cmn", "tst", "adds", "subs", "ands", "bics"} {
		m[n] = [3]string{n + "+b.cond", n + "+csel", n + "+cset"}
	}
	return m
}()

// fusesWith returns the name of a pair that Arm's guides, or LLVM's subtarget features for
// other vendors' cores, list as fused. MOVPRFX fuses with the destructive instruction whose destination it prepares.
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
		if joinsEor(s, first, second) {
			if f == fcAESE {
				return "aese+eor"
			}
			return "aesd+eor"
		}
	case fcPMULL:
		if joinsEor(s, first, second) {
			return "pmull+eor"
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

// joinsEor reports whether an exclusive or replaces the first instruction's result by one with another register.
func joinsEor(class formClass, first, second *isa.Inst) bool {
	r := first.Reg(0)
	return class == fcEorVec && second.Reg(0) == r && (second.Reg(1) == r) != (second.Reg(2) == r)
}

// copyPrefix returns the kind of a MOVPRFX that prepares the destination of the next instruction, which reads and writes this register.
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

// flagPair names the pair of an instruction that sets the flags and one that reads them.
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

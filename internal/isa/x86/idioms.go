package x86

import (
	"strings"

	"incore/internal/isa"
)

// zeroNames and breakNames are the beginnings of names of forms with both sources in one
// register whose result is zero (zeroNames) or does not depend on the sources' value (breakNames).
// Intel's and AMD's optimisation manuals list which of them a core recognises.
var (
	zeroNames = []string{"XOR32rr", "XOR64rr", "SUB32rr", "SUB64rr", "XORPSrr", "XORPDrr", "ANDNPSrr", "ANDNPDrr", "PXORrr", "PANDNrr",
		"PSUB", "PCMPGT", "VXORPS", "VXORPD", "VANDNPS", "VANDNPD", "VPXOR", "VPANDN", "VPSUB", "VPCMPGT",
		"MMX_PXORrr", "MMX_PANDNrr", "MMX_PSUB", "MMX_PCMPGT", "KXOR", "KANDN"}
	breakNames = []string{"SBB32rr", "SBB64rr", "CMP32rr", "CMP64rr", "PCMPEQ", "VPCMPEQ", "MMX_PCMPEQ", "KXNOR"}
)

// moveNames are the forms that copy a whole register.
var moveNames = []string{"MOV32rr", "MOV64rr", "MOVAPSrr", "MOVAPDrr", "MOVUPSrr", "MOVUPDrr", "MOVDQArr", "MOVDQUrr", "MMX_MOVQ64rr",
	"VMOVAPS", "VMOVAPD", "VMOVUPS", "VMOVUPD", "VMOVDQA", "VMOVDQU"}

// halves are the forms that load a half of a register and keep the other.
var halves = map[string]half{"MOVLPSrm": lowHalf, "MOVLPDrm": lowHalf, "VMOVLPSrm": lowHalf, "VMOVLPDrm": lowHalf,
	"MOVHPSrm": highHalf, "MOVHPDrm": highHalf, "VMOVHPSrm": highHalf, "VMOVHPDrm": highHalf}

func (t *traits) idioms(d *database, f isa.FormID, name string) {
	t.half = halves[name]
	t.implicit, t.exchanges = exchangeForms[name]
	plain := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_REV"), "_ND"), "_alt")
	if !strings.HasSuffix(plain, "rr") || d.forms.Flags(f)&(isa.MaskMerge|isa.MaskZero|isa.EVEXb) != 0 {
		return
	}
	has := func(list []string) bool {
		for _, p := range list {
			if plain == p || !strings.HasSuffix(p, "rr") && strings.HasPrefix(plain, p) {
				return true
			}
		}
		return false
	}
	n := int8(d.forms.NumOps(f))
	switch {
	case has(moveNames):
		t.move = n == 2
	case has(zeroNames), has(breakNames):
		t.zero = has(zeroNames)
		t.breaks, t.src1, t.src2 = true, n-2, n-1
	}
}

// zeroIdiom reports whether the instruction sets its destination to zero
// for any value of its sources: isa.ISA.ZeroIdiom.
func zeroIdiom(in *isa.Inst) bool {
	t := traitsOf(in.Form)
	return t.zero && t.sameSources(in)
}

// depBreaking reports whether the result does not depend on the register
// sources: isa.ISA.DepBreaking. (sbb r,r still depends on the carry.)
func depBreaking(in *isa.Inst) bool {
	t := traitsOf(in.Form)
	return t.breaks && t.sameSources(in)
}

func (t *traits) sameSources(in *isa.Inst) bool {
	r := in.Reg(int(t.src1))
	return r != isa.NoReg && r == in.Reg(int(t.src2))
}

// loadsHalves recognises movlps or movlpd and then movhps or movhpd of one register: isa.ISA.LoadsHalves.
func loadsHalves(low, high *isa.Inst) bool {
	l, h := traitsOf(low.Form), traitsOf(high.Form)
	return l.half == lowHalf && h.half == highHalf && low.Reg(0) == low.Reg(1) && high.Reg(0) == high.Reg(1) && low.Reg(0) == high.Reg(0)
}

// exchangeForms are the forms that exchange two whole registers; true: the last operand with one that has no operand.
var exchangeForms = map[string]bool{"XCHG32rr": false, "XCHG64rr": false, "XCHG32ar": true, "XCHG64ar": true, "XCH_F": true}

// exchanges recognises an exchange of two different registers: isa.ISA.Exchanges. Of 8 and 16 bits each result keeps the rest of its register and so depends on it
// (measured on Zen 5: xchgw %dx, %ax; addw %cx, %ax repeat every 2.0 cycles, xchgq and addq every 0.5).
func exchanges(in *isa.Inst) bool {
	t := traitsOf(in.Form)
	switch n := int(in.NOps); {
	case !t.exchanges:
		return false
	case t.implicit:
		r := in.Reg(n - 1)
		return r != ST0 && r != EAX && r != RAX
	default:
		return in.Reg(n-2) != in.Reg(n-1)
	}
}

// regMove recognises register copies that a core may eliminate at rename: isa.ISA.RegMove.
func regMove(in *isa.Inst) (dst, src isa.Reg, ok bool) {
	if !traitsOf(in.Form).move {
		return 0, 0, false
	}
	return in.Reg(0), in.Reg(1), true
}

// constant reports the registers that never carry a dependence: isa.ISA.Constant.
func constant(r isa.Reg) bool { return r == RIP || r == EIP || r == RIZ || r == EIZ }

package aarch64

import (
	"incore/internal/base/regex"
	"incore/internal/isa"
)

// outsideForms are the forms whose time depends on more than the core (Arm ARM, DDI 0487).
var outsideForms = []isa.Outside{
	{Forms: regex.Lazy(`^(CPY[A-Z]+|SETG?[PME][A-Z]*)$`), Why: "takes as long as its count says"},
	{Forms: regex.Lazy(`^(SVC|HVC|SMC|BRK|HLT|DCPS[123]|DRPS|ERET(AA|AB)?|TCANCEL)$`), Why: "enters or leaves the kernel"},
	{Forms: regex.Lazy(`^(WFET|WFIT)$`), Why: waits},
	{Forms: regex.Lazy(`^(DSB|DSBnXS|ISB)$`), Why: "waits for all accesses or instructions before it, of which some may go behind the caches"},
	{Forms: regex.Lazy(`^DMB$`), Why: "orders the accesses before it before those behind it, and waits for some"},
	{Forms: regex.Lazy(`^(SYSxt|SYSLxt|SYSPxt\w*)$`), Why: "works on caches or on translations"},
	{Forms: regex.Lazy(`^(TSTART|TCOMMIT)$`), Why: "begins or ends a transaction"},
}

const waits = "waits for an event or an interrupt"

// The hints that wait.
const (
	hintWFE = 2
	hintWFI = 3
)

// threadPointer is TPIDR_EL0 as MRS and MSR encode it. Like the flags and the floating-point control registers it belongs to the program.
const threadPointer = 0xde82

// outside is isa.ISA.Outside.
func (a *arch) outside() func(in *isa.Inst) string {
	listed, hint := isa.OutsideForms(a.t.Forms, outsideForms), a.t.Forms.Named("HINT")
	return func(in *isa.Inst) string {
		register := int64(0)
		switch a.class[in.Form] {
		case fcMrs:
			register = in.Ops[1].Imm
		case fcMsr:
			register = in.Ops[0].Imm
		default:
			if in.Form == hint && (in.Ops[0].Imm == hintWFE || in.Ops[0].Imm == hintWFI) {
				return waits
			}
			return listed(in)
		}
		switch register {
		case sysNZCV, sysFPCR, sysFPSR, threadPointer:
			return ""
		}
		return "accesses a system register, which may wait for all before it, or trap"
	}
}

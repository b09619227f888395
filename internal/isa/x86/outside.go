package x86

import (
	"incore/internal/base/regex"
	"incore/internal/isa"
)

// counted are the string instructions that a rep prefix repeats.
var counted = regex.Lazy(`^(MOVS|STOS|LODS|CMPS|SCAS|INS|OUTS)[BWLQ]$`)

// outsideForms are the forms whose time depends on more than the core (Intel SDM volume 2, AMD APM volume 3).
var outsideForms = []isa.Outside{
	{Forms: regex.Lazy(`^REP_(MOVS|STOS)`), Why: byCount},
	{Forms: regex.Lazy(`^(SYSCALL|SYSENTER|SYSEXIT(64)?|SYSRET(64)?|INT|INT3|INTO|TRAP|UD1\w*|IRET\d+|ERETS|ERETU|LRETI?\d+|FAR(CALL|JMP)\w+)$`), Why: "enters or leaves the kernel"},
	{Forms: regex.Lazy(`^(HLT|CLI|STI|CLTS|CLAC|STAC|CLGI|STGI|IN(8|16|32)r[ir]|OUT(8|16|32)[ir]r|INS[BLW]|OUTS[BLW]|INVD|INVLPG\w*|INVPCID\w*|INVEPT\w*|INVVPID\w*|WBINVD|WBNOINVD|L[GIL]DT\w+|LTR[mr]|LMSW\w+|MOV(32|64)(cr|rc|dr|rd)|RDMSR\w*|WRMSR\w*|SWAPGS|RSM|XSETBV|SKINIT|VM(CALL|CLEARm|FUNC|LAUNCH|LOAD\d+|MCALL|PTRLDm|PTRSTm|READ\w+|RESUME|RUN\d+|SAVE\d+|WRITE\w+|XOFF|XON)|MONITOR(32|64)rrr|MWAITrr)$`), Why: "needs privileges: it traps, or leaves a virtual machine"},
	{Forms: regex.Lazy(`^(CPUID|SERIALIZE)$`), Why: "lets nothing run beside it, and may leave a virtual machine"},
	{Forms: regex.Lazy(`^(TPAUSE|UMWAIT|MWAITX\w*)$`), Why: "waits for a time or for another core"},
	{Forms: regex.Lazy(`^RD(RAND|SEED)\d+r$`), Why: "waits for the random number generator, which all cores share"},
	{Forms: regex.Lazy(`^(CLFLUSH|CLFLUSHOPT|CLWB|CLDEMOTE|CLZERO\d+r|V?MOVNT(DQ|PD|PS|I|I64|I_64|Q|SD|SS)?(Y|Z\d*)?mr|MMX_MOVNTQmr|V?MASKMOVDQU(64)?|MMX_MASKMOVQ(64)?|MOVDIRI\d+(_EVEX)?|MOVDIR64B\d+(_EVEX)?|ENQCMDS?\d+(_EVEX)?)$`), Why: "goes past the caches to memory"},
	{Forms: regex.Lazy(`^X(BEGIN\w*|END|ABORT)$`), Why: "begins or ends a transaction"},
	{Forms: regex.Lazy(`^(XSAVE\w*|XRSTOR\w*)$`), Why: "takes as long as the state that is in use is large"},
}

const byCount = "takes as long as rcx says"

// outside is isa.ISA.Outside.
func outside(forms *isa.FormTable) func(in *isa.Inst) string {
	listed := isa.OutsideForms(forms, outsideForms)
	return func(in *isa.Inst) string {
		if in.Prefix&(isa.PfxRep|isa.PfxRepne) != 0 && counted().MatchString(forms.Name(in.Form)) {
			return byCount
		}
		return listed(in)
	}
}

package riscv

import (
	"incore/internal/base/regex"
	"incore/internal/isa"
)

// outsideForms are the forms whose time depends on more than the core (RISC-V unprivileged and privileged ISA; T-Head's extensions).
var outsideForms = []isa.Outside{
	{Forms: regex.Lazy(`^(ECALL|(C_)?(EBREAK|UNIMP)|MRET|SRET|DRET)$`), Why: "enters or leaves the kernel"},
	{Forms: regex.Lazy(`^(WFI|WRS_NTO|WRS_STO)$`), Why: "waits for an event or an interrupt"},
	{Forms: regex.Lazy(`^(FENCE_I|(S|H)FENCE_\w+|(S|H)INVAL_\w+|CBO_\w+|SF_C\w+|TH_(DCACHE|ICACHE|L2CACHE)_\w+|TH_S(YNC|FENCE)\w*)$`), Why: "works on caches or on translations"},
}

// vlenb is the CSR of the length of vector registers, a constant.
const vlenb = 0xc22

// outside is isa.ISA.Outside.
func outside(a *isa.ISA, sem func() *semantics) func(in *isa.Inst) string {
	listed := isa.OutsideForms(a.Forms, outsideForms)
	return func(in *isa.Inst) string {
		s := sem()
		if csr := in.Ops[1].Imm; s.csrOp[in.Form] && len(s.csr[csr]) == 0 && csr != vlenb {
			return "accesses a control register, which may wait for all before it, or trap"
		}
		return listed(in)
	}
}

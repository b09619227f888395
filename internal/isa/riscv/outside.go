package riscv

import (
	"regexp"

	"incore/internal/isa"
)

// outside are the forms whose time is not the core's alone (RISC-V unprivileged and privileged ISA; T-Head's extensions).
var outside = []isa.Outside{
	{Forms: regexp.MustCompile(`^(ECALL|C_)?(EBREAK|UNIMP)?$|^(MRET|SRET|DRET)$`), Why: "enters or leaves the kernel"},
	{Forms: regexp.MustCompile(`^(WFI|WRS_NTO|WRS_STO)$`), Why: "waits for an event or an interrupt"},
	{Forms: regexp.MustCompile(`^(FENCE_I|(S|H)FENCE_\w+|(S|H)INVAL_\w+|CBO_\w+|SF_C\w+|TH_(DCACHE|ICACHE|L2CACHE)_\w+|TH_S(YNC|FENCE)\w*)$`), Why: "works on caches or on translations"},
}

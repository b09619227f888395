package aarch64

import (
	"regexp"

	"incore/internal/isa"
)

// outside are the forms whose time is not the core's alone (Arm ARM, DDI 0487).
var outside = []isa.Outside{
	{Forms: regexp.MustCompile(`^(CPY|SETG?)[A-Z]+$`), Why: "takes as long as its count says"},
	{Forms: regexp.MustCompile(`^(SVC|HVC|SMC|BRK|HLT|DCPS[123]|DRPS|ERET(AA|AB)?|TCANCEL)$`), Why: "enters or leaves the kernel"},
	{Forms: regexp.MustCompile(`^(WFET|WFIT)$`), Why: "waits for an event or an interrupt"},
	{Forms: regexp.MustCompile(`^(DSB|DSBnXS|ISB)$`), Why: "waits for all accesses or instructions before it, of which some may go behind the caches"},
	{Forms: regexp.MustCompile(`^(SYSxt|SYSLxt|SYSPxt\w*)$`), Why: "works on caches or on translations"},
	{Forms: regexp.MustCompile(`^(TSTART|TCOMMIT)$`), Why: "begins or ends a transaction"},
}

package plan

import (
	"strings"

	"incore/internal/isa"
)

// Unplanned returns the reason why a form has no plan; "" if it has one.
func (t *Target) Unplanned(f isa.FormID) string {
	name, flags := t.ISA.Forms.Name(f), t.ISA.Forms.Flags(f)
	switch {
	case flags&isa.Pseudo != 0:
		return "no machine instruction"
	case flags&(isa.Branch|isa.Call|isa.Return|isa.IndirectBranch) != 0:
		if _, err := t.OnBranch(f); err != nil {
			return err.Error()
		}
		return ""
	case flags&isa.Trap != 0:
		return "traps"
	case t.excluded(name):
		for _, x := range x86Unplanned {
			if strings.HasPrefix(name, x.prefix) {
				return x.why
			}
		}
		return "needs privileges, or changes what measuring relies on"
	}
	_, why := t.OnStack(f)
	if why == nil {
		return ""
	}
	if _, in, err := t.first(f); in.Form != isa.NoForm && t.usesStack(&in) {
		return why.Error()
	} else if err != nil {
		return err.Error()
	}
	return ""
}

// x86Unplanned holds the reasons for those forms of x86Excluded that need no privileges; the first matching
// prefix counts.
var x86Unplanned = []struct{ prefix, why string }{
	{"REP", "takes as long as rcx says, and moves its addresses on ('bench memory' has its cost by bytes)"},
	{"TILERELEASE", "changes the configuration of tiles"}, {"LDTILECFG", "changes the configuration of tiles"}, {"STTILECFG", "stores the configuration of tiles"},
	{"XSAVE", "saves as much state as is in use"}, {"XRSTOR", "changes all registers"}, {"FXSAVE", "saves all state"}, {"FXRSTOR", "changes all registers"},
	{"LDMXCSR", "changes how floating point rounds and traps"}, {"VLDMXCSR", "changes how floating point rounds and traps"},
	{"POPF", "may set the trap flag"}, {"PUSHF", "its other half, POPF, may set the trap flag"}, {"STD", "changes the direction of string instructions"},
	{"ENTER", "moves the stack pointer"}, {"LEAVE", "moves the stack pointer"}, {"PUSH2", "APX"}, {"POP2", "APX"},
	{"PAUSE", "waits as long as the core likes"}, {"TPAUSE", "waits"}, {"UMWAIT", "waits"}, {"UMONITOR", "is for waiting"}, {"MWAITX", "waits"}, {"MONITORX", "is for waiting"},
	{"XBEGIN", "begins a transaction"}, {"XEND", "ends a transaction"}, {"XABORT", "ends a transaction"}, {"XTEST", "transactions"},
	{"CPUID", "leaves a virtual machine, and serialises"}, {"VZEROALL", "changes all vector registers"},
	{"EMMS", "changes the state of the x87 stack"}, {"MMX_EMMS", "changes the state of the x87 stack"}, {"FEMMS", "changes the state of the x87 stack"},
	{"CLFLUSH", "takes data out of the caches"}, {"CLWB", "takes data out of the caches"}, {"CLDEMOTE", "takes data out of the caches"},
	{"VGATHERPF", "prefetches, which nothing waits for"}, {"VSCATTERPF", "prefetches, which nothing waits for"},
	{"MASKMOVDQU", "stores past the caches, at rdi"}, {"VMASKMOVDQU", "stores past the caches, at rdi"}, {"MMX_MASKMOVQ", "stores past the caches, at rdi"},
	{"XLAT", "its address is made of rbx and al"}, {"CMPCCXADD", "no generic plan"},
	{"LAR", "looks at segments"}, {"LSL", "looks at segments"}, {"VERR", "looks at segments"}, {"VERW", "looks at segments, and clears buffers"},
	{"LGS", "loads segments"}, {"LFS", "loads segments"}, {"LSS", "loads segments"}, {"LDS", "loads segments"}, {"LES", "loads segments"},
	{"WRFS", "changes segments"}, {"WRGS", "changes segments"}, {"RDPKRU", "protection keys"}, {"WRPKRU", "protection keys"},
	{"TRAP", "traps"}, {"UD", "traps"}, {"INT", "traps"}, {"SYSCALL", "calls the system"}, {"SYSENTER", "calls the system"},
}

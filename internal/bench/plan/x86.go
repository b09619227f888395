package plan

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"

	"incore/internal/bench/block"
	"incore/internal/bench/feature"
	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// Initial values of vector registers and memory: 1.0 in every element, to avoid denormals, and the early
// termination of dividers with zeros.
const (
	onesDouble = 0x3ff0000000000000
	onesSingle = 0x3f8000003f800000
	// Words that repeated form an extended-precision number (1.5), and binary-coded digits.
	onesExtended = 0xc000000000003fff
	digits       = 0x1111111111111100
	// Integers of 16 and 32 bits, each 1.
	ones16 = 0x0001000100010001
	ones32 = 0x0000000100000001
)

// X86 is the target for measuring on x86-64.
var X86 = sync.OnceValue(func() *Target {
	t := &Target{Arch: block.AMD64(), base: "R14", clear: "andq $0, %R", step: "addq %R, %W", Nop: "nopw (%rax,%rax)", Zeroing: "vpxor %xmm12, %xmm12, %xmm12"}
	t.files = [kinds]string{GPR: "GR64", Vec: "VR512", Mask: "VK64", MMX: "VR64", Tile: "TILE"}
	// rcx, rax and rdx are last because many forms use them implicitly.
	t.spare[GPR] = []string{"RBX", "RBP", "RDI", "R8", "R9", "R10", "R11", "RSI", "R12", "RAX", "RDX", "RCX"}
	t.constant[GPR] = []string{"R15", "R13"}
	for i := range 13 {
		t.spare[Vec] = append(t.spare[Vec], "ZMM"+itoa(i))
	}
	t.constant[Vec] = []string{"ZMM13", "ZMM14", "ZMM15"}
	t.spare[Mask] = []string{"K1", "K2", "K3", "K4", "K5"}
	t.constant[Mask] = []string{"K6", "K7"}
	t.spare[MMX] = []string{"MM0", "MM1", "MM2", "MM3", "MM4", "MM5"}
	t.constant[MMX] = []string{"MM6", "MM7"}
	t.spare[Tile] = []string{"TMM0", "TMM1", "TMM2", "TMM3", "TMM4", "TMM5"}
	t.constant[Tile] = []string{"TMM6", "TMM7"}
	t.flagRegs = map[string]bool{t.ISA.Regs.Name(x86.CF): true, t.ISA.Regs.Name(x86.OF): true, t.ISA.Regs.Name(x86.SPAZ): true}
	t.avoid = map[string]bool{"AH": true, "BH": true, "CH": true, "DH": true}
	t.helpers = []helper{
		{from: GPR, to: GPR, text: "leaq (%C,%W), %R"}, // (rbp or r13 as base would need a displacement, which costs one cycle more on Zen)
		{from: Vec, to: Vec, text: "vpshufd $0, %Wx, %Rx"},
		{from: Vec, to: Vec, text: "vpermilps $0, %Wx, %Rx"}, // for results of floating-point units
		{from: Mask, to: Mask, text: "korq %W, %W, %R"},
		{from: MMX, to: MMX, text: "pshufw $0, %W, %R"},
		{from: GPR, to: Vec, text: "vmovq %W, %Rx"},
		{from: Vec, to: GPR, text: "vmovq %Wx, %R"},
		{from: GPR, to: Mask, text: "kmovq %W, %R"},
		{from: Mask, to: GPR, text: "kmovq %W, %R"},
		{from: Vec, to: Mask, text: "vptestmq %Wx, %Wx, %R", twin: "vptestmq %xmm13, %xmm13, %R {%W}"},
		{from: Mask, to: Vec, text: "vpblendmq %xmm13, %xmm13, %Rx {%W}", twin: "vpblendmq %Wx, %xmm13, %Rx {%k7}"},
		{from: GPR, to: MMX, text: "movq %W, %R"},
		{from: MMX, to: GPR, text: "movq %W, %R"},
		{from: GPR, to: Flags, text: "cmpq %C, %W"},
		{from: Flags, to: GPR, text: "cmovcq %C, %R", flag: t.ISA.Regs.Name(x86.CF)},
		{from: Flags, to: GPR, text: "cmovsq %C, %R", flag: t.ISA.Regs.Name(x86.SPAZ)},
		{from: Flags, to: GPR, text: "cmovoq %C, %R", flag: t.ISA.Regs.Name(x86.OF)},
	}
	t.break_ = [kinds]string{GPR: "movq $1, %W", Vec: "vpxor %Cx, %Cx, %Wx", Flags: "testq %C, %C"}
	t.breakOther = [kinds]string{GPR: "movq (%r14), %W", Flags: "xorq %C, %C"} // a load; done at rename
	t.rewind = "leaq %O(%W), %W"
	t.reload[GPR] = map[int]string{64: "movq %O(%W), %R", 32: "movslq %O(%W), %R", 16: "movzwq %O(%W), %R", 8: "movzbq %O(%W), %R"}
	t.reload[Vec] = map[int]string{512: "vmovups %O(%W), %R", 256: "vmovups %O(%W), %Ry", 128: "vmovups %O(%W), %Rx", 64: "vmovsd %O(%W), %Rx", 32: "vmovss %O(%W), %Rx"}
	t.reload[Mask], t.reload[MMX] = map[int]string{64: "kmovq %O(%W), %R"}, map[int]string{64: "movq %O(%W), %R"}
	t.Memory = regexp.MustCompile(`^(MOV(8|16|32|64)(rm|mr)|MOV[SZ]X(16|32|64)rm(8|16|32)|VMOV(D|Q|SS|SD)?(APS|UPS|DQU|DI2PDI|QI2PQI)?(Y|Z)?(rm|mr)|VMOVUPSZ(rm|mr)|KMOVQ(km|mk)|MMX_MOVQ64(rm|mr)|MOVUPS(rm|mr)|MOVSDrm|MOVSDmr|` +
		`ADD(32|64)m[ri]|INC64m|XCHG64rm)$`)
	t.repeated = map[string]int{"rep movsb": 1, "rep movsq": 8, "rep stosb": 1, "rep stosq": 8}
	t.repeat = func(rounds int) []string {
		return []string{fmt.Sprintf("movl $%d, %%ecx", rounds), "movq %C, %rsi", "leaq 2048(%C), %rdi"}
	}
	t.stack = &registerStack{class: "RST", size: 8, push: "fld %st(0)", pop: "fstp %st(0)", turn: "fincstp", name: func(i int) string { return "ST" + itoa(i) }}
	t.physical = map[isa.Reg]bool{}
	for i := range t.stack.size {
		t.physical[t.ISA.Regs.Named("FP"+itoa(i))], t.physical[t.ISA.Regs.Named("ST"+itoa(i))] = true, true
	}
	t.jumps = x86Jumps()
	t.usedUp = map[string]bool{"mask_wb": true}
	t.ones[Vec], t.ones[Mask] = "vpcmpeqd %Ry, %Ry, %Ry", "kxnorq %C, %C, %R"
	t.exclude = x86Excluded
	t.setup, t.cases, t.features = x86State, x86Cases, feature.X86(t.ISA)
	t.intrusive = map[string]bool{"sse": true, "mmx": true, "avx512": true, "mask": true} // on Zen 4, mask operations occasionally slow multiplications down
	t.families = map[Kind]string{GPR: "base", Vec: "sse", MMX: "mmx", Mask: "mask", Tile: "amx"}
	t.encodings = []string{"bmi", "avx", "avx512"}
	t.immediates = x86Immediates
	t.manyFlags = []int64{6, 7, 12, 13, 14, 15} // be, a: carry and zero; l, ge, le, g: sign and overflow, and zero
	t.selects = func(c *isa.OpClass) bool { return c.Kind == "imm" && (c.Name == "u8imm" || c.Name == "i32u8imm") }
	t.sooner[Vec], t.oneCycle = true, true
	for k := range t.turn {
		t.turn[k] = 1
	}
	t.spell = func(r isa.Reg, view byte) string {
		s := "%" + strings.ToLower(t.ISA.Regs.Name(r))
		if view != 0 {
			s = strings.Replace(s, "zmm", string(view)+"mm", 1)
		}
		return s
	}
	return t.prepare()
})

// x86Immediates returns 4 (e) for condition codes, 0 (nearest) for rounding control, and otherwise 3, which
// is no special case.
func x86Immediates(c *isa.OpClass) []int64 {
	switch c.Type {
	case conditionCode:
		return []int64{4}
	case "OPERAND_ROUNDING_CONTROL":
		return []int64{0}
	}
	return []int64{3}
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return string(rune('0'+i/10)) + string(rune('0'+i%10))
}

// x86Excluded are name prefixes of forms that are not planned: forms that need privileges, change state that
// the measurement relies on (segments, the stack pointer, flags that trap), or wait for an event.
var x86Excluded = []string{"VGATHERPF", "VSCATTERPF", "SYSCALL", "SYSENTER", "SYSEXIT", "SYSRET", "INT", "IRET", "HLT", "UD", "CLI", "STI", "IN8", "IN16", "IN32", "OUT",
	"INSB", "INSW", "INSL", "LGDT", "LIDT", "LLDT", "LMSW", "LTR", "INVD", "INVLPG", "INVPCID", "WBINVD", "WBNOINVD", "RDMSR", "WRMSR", "RDPMC", "CLTS", "SWAPGS", "MONITOR", "MWAIT",
	"XSAVE", "XRSTOR", "FXRSTOR", "FXSAVE", "XSETBV", "XBEGIN", "XABORT", "XEND", "XTEST", "ENTER", "LEAVE", "POPF", "PUSHF", "STD", "VMCALL", "VMM", "VMRUN", "VML", "VMX", "VMPT", "VMC", "VMREAD", "VMWRITE",
	"SKINIT", "STGI", "CLGI", "PAUSE", "TPAUSE", "UMWAIT", "UMONITOR", "REP", "LDMXCSR", "VLDMXCSR", "LGS", "LFS", "LSS", "LDS", "LES", "WRFS", "WRGS", "GETSEC", "PCONFIG", "ENCLS", "ENCLU", "ENCLV", "RSM",
	"CLZERO", "MWAITX", "MONITORX", "TRAP", "EH_", "SEH_", "FAR", "JMP", "CALL", "LOOP", "JECXZ", "JRCXZ", "JCC", "RET", "LRET", "SEAM", "TDCALL", "ERET", "UIRET", "SENDUIPI", "CLUI", "STUI", "WRSS", "WRUSS", "RSTORSSP",
	"SETSSBSY", "CLRSSBSY", "INCSSP", "SAVEPREVSSP", "LWPINS", "LLWPCB", "SLWPCB", "LWPVAL", "PTWRITE", "HRESET", "RDPKRU", "WRPKRU", "SMSW", "SGDT", "SIDT", "SLDT", "STR", "CS_PREFIX", "DS_PREFIX",
	"PUSH2", "POP2", "EMMS", "MMX_EMMS", "FEMMS", "TILERELEASE", "LDTILECFG", "STTILECFG", "PVALIDATE", "PSMASH", "RMPUPDATE", "RMPADJUST", "TLBSYNC", "INVLPGB", "URDMSR", "UWRMSR", "RDSSP",
	"VZEROALL", "CPUID", "CLAC", "STAC", "LAR", "LSL", "VERR", "VERW", "CMPCCXADD", "MASKMOVDQU", "VMASKMOVDQU", "MMX_MASKMOVQ", "XLAT", "SETFRAME", "CLFLUSH", "CLWB", "CLDEMOTE"}

// Values of registers that instances read. The low bits are a shift count of 3, because a shift by 0 is a
// special case (it keeps the flags); dividers' operands are small.
var (
	usualValues   = map[int]uint64{1: 0x5003, 13: 0x7003, 15: 0x9003}
	dividerValues = map[int]uint64{13: 3, 15: 3}
)

// x86State returns the initial state for a form: small numbers for dividers, masks of ones for masked moves, 1.0
// for floating point.
func x86State(name string) state {
	double := strings.Contains(name, "PD") || strings.Contains(name, "SD") && !strings.Contains(name, "USD")
	switch {
	case len(name) > 3 && strings.HasPrefix(name, "DIV") && name[3] < 'A', strings.HasPrefix(name, "IDIV"):
		return state{fill: 3, values: dividerValues, restore: []string{"movl $100, %eax", "xorl %edx, %edx"}, note: "100 divided by 3"}
	case strings.HasPrefix(name, "TDP"), strings.HasPrefix(name, "TCMM"):
		return state{fill: onesSingle, values: usualValues, note: "tiles of zeros"}
	case strings.Contains(name, "GATHER"), strings.Contains(name, "SCATTER"):
		return state{values: usualValues, note: "indices of zero"}
	case strings.Contains(name, "MASKMOV"):
		return state{fill: math.MaxUint64, values: usualValues, note: "masks of ones"}
	case name == "XGETBV": // of register 0: there is no 0x5003
		return state{fill: onesSingle, values: map[int]uint64{1: 0}}
	case name == "LD_F80m":
		return state{fill: onesExtended, values: usualValues}
	case name == "FBLDm":
		return state{fill: digits, values: usualValues, note: "a number of 18 digits"}
	case strings.HasSuffix(name, "_F64m"):
		return state{fill: onesDouble, values: usualValues}
	case strings.HasSuffix(name, "_FI16m"):
		return state{fill: ones16, values: usualValues}
	case strings.HasSuffix(name, "_FI32m"):
		return state{fill: ones32, values: usualValues}
	case name == "FYL2X", name == "FXTRACT", name == "FSCALE": // logarithms of 0 follow, powers that overflow
		return state{hold: true}
	case double:
		return state{fill: onesDouble, values: usualValues}
	}
	return state{fill: onesSingle, values: usualValues}
}

package core

import (
	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// Target is what the probes need of an instruction set: its statements.
type Target struct {
	ISA           *isa.ISA
	Nop           string   // long enough that the front end delivers as many as the core dispatches
	Chain         string   // a link of the first chain: long latency
	Second        string   // a link of the second chain, which must hide behind the first: on a core whose divider is busy for long it does not
	Join          []string // what makes both chains of the next execution wait for both of this
	portless      []string // statements that need no port if the core eliminates copies and knows zero idioms
	structures    []structure
	eliminated    []pattern // copies and additions that may cost no time, in chains
	idioms        []pattern // instructions that may not wait for their operand
	latencies     []pattern // chains whose time is a parameter
	loadOperation string    // an operation on what it loads
	pushPop       []string  // one that pushes a register, and one that pops another
	fusible       []string  // operations that may fuse with a conditional jump
	conditions    []string  // of conditional jumps, in the order of their codes
	// Branch and Jump make a jump to the next instruction, and one under a condition.
	Branch func() isa.Inst
	Jump   func(condition int) isa.Inst
	// front end: NOPs of 4, 6 and 8 bytes, an instruction of 4 bytes that the legacy decoders stumble over (a length-changing prefix), and one of 4 bytes
	// that takes a slot of its own and no port, if it is a zero idiom
	nop4, nop6, nop8, stumbling, slot4 string
}

// pattern is a chain with what it shows.
type pattern struct {
	name    string
	chain   []string
	links   int    // of what is sought, in one execution
	other   string // for idioms: the instruction that makes up the rest of the chain
	bounded bool   // something else may be what takes the time (stores per cycle), so that the figure is only reported
	mean    bool   // the time may alternate (forwarding takes 6 or 7 cycles on Zen 4), so that the next half is the figure
}

// shortJump is the length of a jump over a short distance: its target, if it is assembled at 0, is the next instruction.
const shortJump = 2

// X86 is the target for x86-64.
func X86() *Target {
	t := &Target{ISA: x86.ISA(), Nop: "nopw (%rax,%rax)", Chain: "sqrtsd %xmm0, %xmm0", Second: "sqrtsd %xmm1, %xmm1",
		Join:     []string{"orpd %xmm1, %xmm0", "movapd %xmm0, %xmm1"},
		portless: []string{"movq %rax, %rbx", "xorl %ebx, %ebx", "vpxor %ymm5, %ymm5, %ymm5"}}
	forms := t.ISA.Forms
	t.Branch = func() (in isa.Inst) {
		in.Form = forms.Named("JMP_1")
		in.AddImm(shortJump)
		return in
	}
	t.Jump = func(cc int) (in isa.Inst) {
		in.Form = forms.Named("JCC_1")
		in.AddImm(shortJump)
		in.AddImm(int64(cc))
		return in
	}
	t.conditions = []string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}
	t.loadOperation = "vpaddd (%r14), %xmm13, %xmm5"
	t.pushPop = []string{"pushq %r13", "popq %rbx"}
	t.fusible = []string{"cmpq %rbx, %rcx", "cmpq $3, %rcx", "cmpq (%r14), %rcx", "cmpq $3, (%r14)", "testq %rbx, %rcx", "testq $3, %rcx", "testq $3, (%r14)",
		"addq %rbx, %rcx", "addq $3, %rcx", "subq %rbx, %rcx", "andq %rbx, %rcx", "orq %rbx, %rcx", "xorq %rbx, %rcx", "incq %rcx", "decq %rcx",
		"negq %rcx", "shlq $1, %rcx", "adcq %rbx, %rcx", "addq (%r14), %rcx", "andq (%r14), %rcx"}
	t.nop4, t.nop6, t.nop8, t.stumbling, t.slot4 = "nopl 8(%rax)", "nopw 8(%rax,%rax)", "nopl 0x12345678(%rax,%rax)", "addw $0x1234, %ax", "vpxor %ymm5, %ymm5, %ymm5"
	toGPR := []string{"movq %xmm0, %rax", "andq $0, %rax"}
	t.structures = []structure{
		{param: robName, what: "reorder buffer", most: 1200, fact: true},
		// a large displacement: cores that add small constants at rename (Golden Cove) need no register for that; of two registers, an address takes
		// two registers on Zen 4 (94 instances where 188 with one have room)
		{param: "prf-gpr", what: "integer registers beyond those of the architecture", fillers: []string{"leaq 0x12345678(%r13), %rbx"}, most: 1200, fact: true},
		{param: "prf-vec", what: "vector registers beyond those of the architecture", fillers: []string{"vpaddd %xmm13, %xmm14, %xmm5"}, most: 1200, fact: true},
		{param: "prf-flags", what: "registers for flags", fillers: []string{"cmpq %r13, %rcx"}, most: 1200},
		{param: "prf-mask", what: "mask registers beyond those of the architecture", fillers: []string{"korw %k1, %k2, %k3"}, most: 600},
		{param: "load-queue", what: "load queue", fillers: []string{"movq (%r14), %rbx", "movaps (%r14), %xmm5"}, most: 1200, fact: true},
		{param: "store-queue", what: "store queue", fillers: []string{"movq %r13, (%r14)"}, most: 600, fact: true},
		{param: schedulerName, what: "scheduler of additions that wait", fillers: []string{"leaq (%rax,%r15), %rbx"}, waiting: true, bridge: toGPR, extra: 1, most: 600, fact: true},
		{param: "scheduler-vec", what: "scheduler of vector additions that wait", fillers: []string{"vpaddd %xmm0, %xmm14, %xmm5"}, waiting: true, extra: -1, most: 600},
		{param: "scheduler-load", what: "scheduler of loads that wait for their address", fillers: []string{"movq (%r14,%rax), %rbx"}, waiting: true, bridge: toGPR, most: 600},
		{param: "scheduler-store", what: "scheduler of stores that wait for their address", fillers: []string{"movq %r13, (%r14,%rax)"}, waiting: true, bridge: toGPR, most: 600},
	}
	t.eliminated = []pattern{
		{name: "move-elim-gpr", chain: []string{"movq %rax, %rbx", "movq %rbx, %rax"}, links: 2},
		{name: "move-elim-gpr32", chain: []string{"movl %eax, %ebx", "movl %ebx, %eax"}, links: 2},
		{name: "move-elim-vec", chain: []string{"movaps %xmm0, %xmm1", "movaps %xmm1, %xmm0"}, links: 2},
		{name: "move-elim-ymm", chain: []string{"vmovaps %ymm0, %ymm1", "vmovaps %ymm1, %ymm0"}, links: 2},
		{name: "add-immediate", chain: []string{"addq $1, %rax"}, links: 1},
		{name: "add-immediate-32", chain: []string{"addl $1, %eax"}, links: 1},
		{name: "increment", chain: []string{"incq %rax"}, links: 1},
		{name: "lea-displacement", chain: []string{"leaq 1(%rax), %rax"}, links: 1},
	}
	t.idioms = []pattern{
		{name: "xorl", chain: []string{"xorl %eax, %eax"}, other: "imulq %rax, %rax"},
		{name: "xorq", chain: []string{"xorq %rax, %rax"}, other: "imulq %rax, %rax"},
		{name: "subl", chain: []string{"subl %eax, %eax"}, other: "imulq %rax, %rax"},
		{name: "sbbl", chain: []string{"sbbl %eax, %eax"}, other: "imulq %rax, %rax"},
		{name: "andq-0", chain: []string{"andq $0, %rax"}, other: "imulq %rax, %rax"},
		{name: "pxor", chain: []string{"pxor %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0"},
		{name: "xorps", chain: []string{"xorps %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0"},
		{name: "psubd", chain: []string{"psubd %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0"},
		{name: "pcmpeqd", chain: []string{"pcmpeqd %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0"},
		{name: "pcmpgtd", chain: []string{"pcmpgtd %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0"},
		{name: "vpxor-ymm", chain: []string{"vpxor %ymm0, %ymm0, %ymm0"}, other: "vmulpd %ymm0, %ymm0, %ymm0"},
		{name: "vpcmpeqd-ymm", chain: []string{"vpcmpeqd %ymm0, %ymm0, %ymm0"}, other: "vmulpd %ymm0, %ymm0, %ymm0"},
	}
	t.latencies = []pattern{
		{name: "load-latency", chain: []string{"movq (%rax), %rax"}, links: 1},
		// the same address in another register, which no renaming of memory by address expressions can see
		{name: "store-forward", chain: []string{"leaq 8(%r14), %r13", "movq %rax, 8(%r14)", "movq (%r13), %rax"}, links: 1, mean: true},
		{name: "renamed-forward", chain: []string{"movq %rax, (%r14)", "movq (%r14), %rax"}, links: 1, bounded: true},
	}
	return t
}

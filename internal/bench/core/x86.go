package core

import "incore/internal/isa/x86"

// X86 is the vocabulary of x86-64.
func X86() *Target {
	t := &Target{ISA: x86.ISA(), nop: "nopw (%rax,%rax)", jump: "jmp 2", instCache: 128,
		chains:   []chainPair{{"sqrtsd %xmm0, %xmm0", "sqrtsd %xmm1, %xmm1", []string{"orpd %xmm1, %xmm0", "movapd %xmm0, %xmm1"}}},
		portless: []string{"movq %rax, %rbx", "xorl %ebx, %ebx", "vpxor %ymm5, %ymm5, %ymm5"},
		nops:     map[int]string{8: "nopl 0x12345678(%rax,%rax)", 6: "nopw 8(%rax,%rax)", 4: "nopl 8(%rax)"}, stumbling: "addw $0x1234, %ax", slot4: "vpxor %ymm5, %ymm5, %ymm5",
		loadOperation: "vpaddd (%r14), %xmm13, %xmm5", pushPop: []string{"pushq %r13", "popq %rbx"}}
	t.couples = conditional([]string{"cmpq %rbx, %rcx", "cmpq $3, %rcx", "cmpq (%r14), %rcx", "cmpq $3, (%r14)", "testq %rbx, %rcx", "testq $3, %rcx", "testq $3, (%r14)",
		"addq %rbx, %rcx", "addq $3, %rcx", "subq %rbx, %rcx", "andq %rbx, %rcx", "orq %rbx, %rcx", "xorq %rbx, %rcx", "incq %rcx", "decq %rcx",
		"negq %rcx", "shlq $1, %rcx", "adcq %rbx, %rcx", "addq (%r14), %rcx", "andq (%r14), %rcx"}, func(c string) string { return "j" + c + " 2" },
		"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g")
	toGPR := []string{"movq %xmm0, %rax", "andq $0, %rax"}
	t.structures = []structure{
		{param: robName, what: "reorder buffer", most: 1200, fact: true},
		// a large displacement: cores that add small constants at rename (Golden Cove) need no register for that; of
		// two registers, an address takes two registers on Zen 4 (94 instances where 188 with one have room)
		{param: "prf-gpr", what: "integer registers beyond those of the architecture", fillers: []string{"leaq 0x12345678(%r13), %rbx"}, most: 1200, fact: true},
		{param: "prf-vec", what: "vector registers beyond those of the architecture", fillers: []string{"vpaddd %xmm13, %xmm14, %xmm5"}, most: 1200, fact: true},
		{param: "prf-flags", what: "registers for flags", fillers: []string{"cmpq %r13, %rcx"}, most: 1200},
		{param: "prf-mask", what: "mask registers beyond those of the architecture", fillers: []string{"korw %k1, %k2, %k3"}, most: 600},
		{param: "load-queue", what: "load queue", fillers: []string{"movq (%r14), %rbx", "movaps (%r14), %xmm5"}, most: 1200, fact: true},
		{param: "store-queue", what: "store queue", fillers: []string{"movq %r13, (%r14)"}, most: 600, fact: true},
		{param: schedulerName, what: "scheduler of additions that wait", fillers: []string{"leaq (%rax,%r15), %rbx"}, bridge: toGPR, extra: 1, most: 600, fact: true},
		{param: "scheduler-vec", what: "scheduler of vector additions that wait", fillers: []string{"vpaddd %xmm0, %xmm14, %xmm5"}, extra: -1, most: 600},
		{param: "scheduler-load", what: "scheduler of loads that wait for their address", fillers: []string{"movq (%r14,%rax), %rbx"}, bridge: toGPR, most: 600},
		{param: "scheduler-store", what: "scheduler of stores that wait for their address", fillers: []string{"movq %r13, (%r14,%rax)"}, bridge: toGPR, most: 600},
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
	const gpr = "imulq %rax, %rax"
	add := []string{"vpaddd %xmm13, %xmm14, %xmm5"}
	var or []string // not an addition, an address or a constant, which some cores know at rename
	for _, r := range []string{"%rax", "%rbx", "%rcx", "%rdx", "%rsi", "%rdi", "%r8", "%r9"} {
		or = append(or, "orq %r13, "+r)
	}
	t.idioms = []pattern{
		{name: "xorl", chain: []string{"xorl %eax, %eax"}, other: gpr, plain: or},
		{name: "xorq", chain: []string{"xorq %rax, %rax"}, other: gpr, plain: or},
		{name: "subl", chain: []string{"subl %eax, %eax"}, other: gpr, plain: or},
		{name: "sbbl", chain: []string{"sbbl %eax, %eax"}, other: gpr, plain: or},
		{name: "andq-0", chain: []string{"andq $0, %rax"}, other: gpr, plain: or},
		{name: "pxor", chain: []string{"pxor %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0", plain: add},
		{name: "xorps", chain: []string{"xorps %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0", plain: add},
		{name: "psubd", chain: []string{"psubd %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0", plain: add},
		{name: "pcmpeqd", chain: []string{"pcmpeqd %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0", plain: add},
		{name: "pcmpgtd", chain: []string{"pcmpgtd %xmm0, %xmm0"}, other: "mulpd %xmm0, %xmm0", plain: add},
		{name: "vpxor-ymm", chain: []string{"vpxor %ymm0, %ymm0, %ymm0"}, other: "vmulpd %ymm0, %ymm0, %ymm0", plain: add},
		{name: "vpcmpeqd-ymm", chain: []string{"vpcmpeqd %ymm0, %ymm0, %ymm0"}, other: "vmulpd %ymm0, %ymm0, %ymm0", plain: add},
	}
	t.latencies = []pattern{
		{name: "load-latency", chain: []string{"movq (%rax), %rax"}, links: 1},
		// the same address in another register, which no renaming of memory by address expressions can see
		{name: "store-forward", chain: []string{"leaq 8(%r14), %r13", "movq %rax, 8(%r14)", "movq (%r13), %rax"}, links: 1, mean: true},
		{name: "renamed-forward", chain: []string{"movq %rax, (%r14)", "movq (%r14), %rax"}, links: 1, bounded: true},
	}
	return t
}

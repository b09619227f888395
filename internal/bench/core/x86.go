package core

import (
	"fmt"

	"incore/internal/isa/x86"
)

// X86 is the vocabulary of x86-64.
func X86() *Target {
	t := &Target{ISA: x86.ISA(), nop: "nopw (%rax,%rax)", jump: "jmp 2", instCache: 128,
		closing:   []string{"decq %rcx", "jne 0"},
		fillers:   []string{"nop", "xchgw %ax, %ax", "nopl (%rax)", "nopl 8(%rax)", "nopl 8(%rax,%rax)", "nopw 8(%rax,%rax)", "nopl 0x12345678(%rax)", "nopl 0x12345678(%rax,%rax)", "nopw 0x12345678(%rax,%rax)"},
		registers: []string{"%rax", "%rbx", "%rdx", "%rsi", "%rdi", "%r8", "%r9", "%r10", "%r11", "%r12"}, simple: forms("leaq 1(FROM), TO", "imulq $3, FROM, TO", "rorxq $1, FROM, TO"),
		vector:     forms("vpaddd %xmmFROM, %xmmFROM, %xmmTO", "vpand %xmmFROM, %xmmFROM, %xmmTO", "vpshufd $27, %xmmFROM, %xmmTO", "vaddps %xmmFROM, %xmmFROM, %xmmTO", "vmulps %xmmFROM, %xmmFROM, %xmmTO"),
		loadVector: forms("vmovups (%r14), %xmmTO", "vpaddd (%r14), %xmmFROM, %xmmTO"), portlessVector: forms("vmovaps %xmmFROM, %xmmTO", "vpxor %xmmTO, %xmmTO, %xmmTO"),
		chains:   []chainPair{{"sqrtsd %xmm0, %xmm0", "sqrtsd %xmm1, %xmm1", []string{"orpd %xmm1, %xmm0", "movapd %xmm0, %xmm1"}}},
		portless: []string{"movq %rax, %rbx", "xorl %ebx, %ebx", "vpxor %ymm5, %ymm5, %ymm5"},
		nops:     map[int]string{8: "nopl 0x12345678(%rax,%rax)", 6: "nopw 8(%rax,%rax)", 4: "nopl 8(%rax)"}, stumbling: "addw $0x1234, %ax", slot4: "vpxor %ymm5, %ymm5, %ymm5",
		loadOperation: "vpaddd (%r14), %xmm13, %xmm5", pushPop: []string{"pushq %r13", "popq %rbx"}, addStack: "addq $0, %rsp",
		moveFused: []string{"movq %r13, %rbx", "subq %r14, %rbx", "movq %r13, %rcx", "subq %r14, %rcx", "movq %r13, %rdx", "subq %r14, %rdx"}}
	t.couples = conditional([]string{"cmpq %rbx, %rcx", "cmpq $3, %rcx", "cmpq (%r14), %rcx", "cmpq $3, (%r14)", "testq %rbx, %rcx", "testq $3, %rcx", "testq $3, (%r14)",
		"addq %rbx, %rcx", "addq $3, %rcx", "subq %rbx, %rcx", "andq %rbx, %rcx", "orq %rbx, %rcx", "xorq %rbx, %rcx", "incq %rcx", "decq %rcx",
		"negq %rcx", "shlq $1, %rcx", "adcq %rbx, %rcx", "addq (%r14), %rcx", "andq (%r14), %rcx"}, func(c string) string { return "j" + c + " 2" },
		"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g")
	toGPR := []string{"movq %xmm0, %rax", "andq $0, %rax"}
	t.structures = []structure{
		{param: robName, what: "reorder buffer", most: 1200, fact: true},
		// a large displacement: cores that add small constants at rename (Golden Cove) need no register for the sum;
		// of two registers, an address takes two registers on Zen 4 (94 instances instead of 188 with one)
		{param: "prf-gpr", what: "integer registers beyond those of the architecture", fillers: []string{"leaq 0x12345678(%r13), %rbx"}, most: 1200, fact: true},
		{param: "prf-vec", what: "vector registers beyond those of the architecture", fillers: []string{"vpaddd %xmm13, %xmm14, %xmm5"}, most: 1200, fact: true},
		{param: "prf-flags", what: "registers for flags", fillers: []string{"cmpq %r13, %rcx"}, most: 1200, fact: true},
		{param: "prf-mask", what: "mask registers beyond those of the architecture", fillers: []string{"korw %k1, %k2, %k3"}, most: 600},
		{param: "taken-branches", what: "taken branches in flight", fillers: []string{t.jump}, most: 600, fact: true},
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
		// the same address in another register, which memory renaming by address expressions cannot recognise
		{name: "store-forward", chain: []string{"leaq 8(%r14), %r13", "movq %rax, 8(%r14)", "movq (%r13), %rax"}, links: 1, mean: true},
		{name: "renamed-forward", chain: []string{"movq %rax, (%r14)", "movq (%r14), %rax"}, links: 1, bounded: true},
		{name: "renamed-stack", chain: []string{"movq %rax, -64(%rsp)", "movq -64(%rsp), %rax"}, links: 1, bounded: true},
	}
	t.effects = effectsX86()
	t.pairSetup = []string{"movq %r14, %r13"}
	t.pair = func(k int) []string {
		return []string{fmt.Sprintf("movq %%rax, %d(%%r14)", 8*k), fmt.Sprintf("movq %d(%%r13), %%rax", 8*k)}
	}
	return t
}

// effectsX86 lists those of x86-64: every option that a single core has, and the special options of Zen 3.
func effectsX86() (out []effect) {
	add := func(option, what string, code []string, plain ...[]string) {
		out = append(out, effect{option, what, code, plain})
	}
	moves := func(n int, more ...string) []string { // moves that rename eliminates
		for k := range n {
			more = append(more, "movq %r13, "+[]string{"%rbx", "%rcx", "%rdx", "%rsi", "%rdi"}[k%5])
		}
		return more
	}
	shuffle, float := "vpshufd $27, %xmm0, %xmm0", "vaddps %xmm13, %xmm0, %xmm0"
	add("bypass", "there and back", []string{shuffle, float}, []string{shuffle, shuffle}, []string{float, float})
	within, across := "vmovups (%r14), %ymm5", "vmovups 48(%r14), %ymm6"
	add("line-crossing", "a load of two lines", []string{across, across}, []string{within, within})
	add("loads-in-turn", "loads of one and of two lines in turn", []string{within, across, within, across}, []string{within, within, across, across})
	add("store-commit", "stores of lines in turn", []string{"movq %rax, (%r14)", "movq %rax, 64(%r14)"}, []string{"movq %rax, (%r14)", "movq %rax, 8(%r14)"})
	add("forwarding", "failed: bytes of two stores", []string{"movb %al, (%r14)", "movb %al, 1(%r14)", "movzwl (%r14), %eax"}, []string{"movw %ax, (%r14)", "movzwl (%r14), %eax"})
	add("forwarding", "own: what an instruction stored itself", []string{"incb (%r14)"})
	add("store-drain", "a locked operation behind a store", []string{"movq %rax, (%r14)", "lock addq $1, 64(%r14)"}, []string{"movq %rax, %rbx", "lock addq $1, 64(%r14)"})
	add("forward-moves", "additions with moves between them", []string{"addsd %xmm13, %xmm0", "movaps %xmm0, %xmm1", "addsd %xmm13, %xmm1", "movaps %xmm1, %xmm0"})
	add("fuse-registers", "a compare with memory and a jump", append(moves(5), "cmpq (%r14), %r13", "jb 2"), append(moves(5), "cmpq %r12, %r13", "jb 2"))
	add("indexed-slots", "a store by base and index", append(moves(11), "xorl %eax, %eax", "movl %r8d, (%r14,%rax)"), append(moves(11), "xorl %eax, %eax", "movl %r8d, (%r14)"))
	add("nop-fusion-bytes", "a nop behind a vector operation", append(moves(4), "vpxor %xmm0, %xmm0, %xmm0", "nop"), append(moves(4), "xorl %eax, %eax", "nop"))
	add("pairs-whole", "instructions of two slots", append(moves(3), "xchgq %r8, %r9", "xchgq %r10, %r11", "xchgq %r8, %r9", "xchgq %r10, %r11"))
	var fused, apart, dependent, alone []string
	for _, r := range []string{"%rax", "%rbx", "%rcx", "%rdx", "%rsi", "%rdi", "%r8", "%r9"} {
		fused, apart = append(fused, "movq %r12, "+r, "subq %r13, "+r), append(apart, "movq %r12, "+r, "negq "+r)
		dependent, alone = append(dependent, "leaq 8(%r13), "+r, "leaq 8("+r+"), "+r), append(alone, "leaq 8(%r13), "+r, "leaq 8(%r13), "+r)
	}
	add("move-fusion", "moves and subtractions", fused, apart)
	add("stack-offsets", "a move of the stack pointer between a push and a pop", []string{"pushq %r13", "movq %rsp, %rdi", "popq %rbx"}, []string{"pushq %r13", "movq %r12, %rdi", "popq %rbx"})
	quotient, root := "vdivss %xmm13, %xmm14, %xmm0", "vsqrtss %xmm13, %xmm14, %xmm1"
	add("unit-turns", "divisions and square roots in turn", []string{quotient, root, quotient, root}, []string{quotient, quotient, root, root})
	low, high := "movlps (%r14), %xmm0", "movhps 8(%r14), %xmm0"
	add("load-halves", "the halves of a register, the low one first", []string{low, high}, []string{high, low})
	add("speculative-wakeup", "pairs of dependent operations", dependent, alone)
	toFlags, toRegister := []string{"ucomiss %xmm13, %xmm14"}, []string{"ucomiss %xmm13, %xmm14"}
	for _, r := range []string{"%rax", "%rbx", "%rcx", "%rdx"} {
		toFlags, toRegister = append(toFlags, "cmpq $1, "+r), append(toRegister, "leaq 8(%r13), "+r)
	}
	add("flags-apart", "flags of vectors and of integers", toFlags, toRegister)
	add("flags-apart", "flags of vectors, registers of integers", toRegister, toFlags)
	load, store := "vmovaps (%r14), %ymm5", "movq %r13, 64(%r14)"
	add("address-turns", "vector loads and stores in groups", []string{load, load, load, load, store, store}, []string{load, store, load, load, store, load})
	add("address-turns", "vector loads and loads of integers in groups", []string{load, load, "movq (%r14), %rbx", "movq 8(%r14), %rcx"}, []string{load, "movq (%r14), %rbx", load, "movq 8(%r14), %rcx"})
	elsewhere := "movq %r13, 256(%r14)" // in no line that the loads read
	add("load-turns", "vector loads of two lines, then stores", append(repeated(across, 8), repeated(elsewhere, 4)...), append(repeated(within, 8), repeated(elsewhere, 4)...))
	add("fetch-entries", "immediates and displacements", []string{"cmpl $0x12345678, 8(%r14)"}, []string{"cmpl $1, (%r14)"})
	long, short := repeated("nopw 512(%rax,%rax)", longBody), repeated("nopl 8(%rax)", longBody)
	add("fetch-entries", "a loop of more lines of code than dispatch takes cycles", long, short)
	add("flag-merge", "flags that two instructions wrote", []string{"addq %r13, %rbx", "incq %rcx", "cmovbeq %r12, %rdx", "addq %r13, %rsi"}, []string{"addq %r13, %rbx", "addq $1, %rcx", "cmovbeq %r12, %rdx", "addq %r13, %rsi"})
	add("steering-fp", "chains behind loads", append([]string{"vmovups (%r14), %xmm0"}, repeated("vfmadd213ps %xmm13, %xmm14, %xmm0", 20)...))
	lanes, float256 := []string{"vextractf128 $1, %ymm13, %xmm0", "vinsertf128 $1, %xmm13, %ymm14, %ymm1"}, []string{"vmulps %ymm13, %ymm14, %ymm0", "vmulps %ymm13, %ymm14, %ymm1"}
	add("rows", "operations across the halves of a vector", lanes, float256)
	var three, two []string
	for k := range 12 {
		three, two = append(three, fmt.Sprintf("vfmadd231pd %%ymm13, %%ymm14, %%ymm%d", k)), append(two, fmt.Sprintf("vmulpd %%ymm13, %%ymm14, %%ymm%d", k))
		if k%2 == 1 {
			s := fmt.Sprintf("vmovups %%ymm14, %d(%%r14)", 16*(k-1))
			three, two = append(three, s), append(two, s)
		}
	}
	add("rows", "operations of three sources beside stores", three, two)
	return out
}

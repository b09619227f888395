package core

import "incore/internal/isa/aarch64"

// ARM64 is the vocabulary of AArch64. x26 holds zero, which the core cannot know: and-ing a value with it gives zero
// and keeps the dependence. A chain of square roots uses the number in x13 for each root, because roots of 0 and 1 are
// fast on cores whose dividers terminate early.
func ARM64() *Target {
	const zero, small = 26, 1 // registers
	t := &Target{ISA: aarch64.ISA(), Values: map[int]uint64{zero: 0, small: 12345}, nop: "nop", jump: "b 4", instCache: 256, closing: []string{"sub x28, x28, #1", "cbnz x28, 0"}, fillers: []string{"nop"},
		registers: []string{"x0", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10"}, simple: forms("add TO, FROM, #1", "mul TO, FROM, FROM", "ror TO, FROM, #1"),
		vector:     forms("add vTO.4s, vFROM.4s, vFROM.4s", "and vTO.16b, vFROM.16b, vFROM.16b", "ext vTO.16b, vFROM.16b, vFROM.16b, #4", "fadd vTO.4s, vFROM.4s, vFROM.4s", "fmul vTO.4s, vFROM.4s, vFROM.4s"),
		loadVector: forms("ldr qTO, [x14]"), portlessVector: forms("mov vTO.16b, vFROM.16b", "movi vTO.2d, #0"),
		portless: []string{"mov x2, x13", "movz x2, #0", "movi v5.2d, #0"}, nops: map[int]string{4: "nop"}, slot4: "movz x2, #0"}
	t.chains = []chainPair{
		{"fsqrt d0, d0", "fsqrt d1, d1", []string{"orr v0.16b, v0.16b, v1.16b", "fmov x3, d0", "and x3, x3, x26", "add x3, x3, x13", "scvtf d0, x3", "fmov d1, d0"}},
		// for cores on which roots and divisions share a unit: quotients of x13 alternate with roots
		{"fsqrt d0, d0", "udiv x1, x13, x1", []string{"fmov x3, d0", "and x3, x3, x26", "add x1, x1, x3", "and x3, x1, x26", "add x3, x3, x13", "scvtf d0, x3"}},
	}
	t.mixes = [][]string{{"add x2, x13, x14", "add v5.4s, v13.4s, v14.4s", "ldr x3, [x14]"}, {"add x2, x13, x14", "add v5.4s, v13.4s, v14.4s", "ldr x3, [x14]", "add x4, x13, x14", "add v6.4s, v13.4s, v14.4s", "str x13, [x14]"}}
	t.couples = conditional([]string{"cmp x1, x2", "cmp x1, #3", "cmp w1, w2", "cmn x1, x2", "cmn x1, #3", "tst x1, x2", "tst x1, #3", "adds x3, x1, x2", "adds x3, x1, #3",
		"subs x3, x1, x2", "subs x3, x1, #3", "ands x3, x1, x2", "ands x3, x1, #3", "bics x3, x1, x2"}, func(c string) string { return "b." + c + " 4" },
		"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")
	for _, first := range []string{"cmp x1, x2", "cmp x1, #3", "cmn x1, x2", "tst x1, x2", "adds x3, x1, x2", "subs x3, x1, x2", "ands x3, x1, x2", "bics x3, x1, x2"} {
		t.couples = append(t.couples, couple{[]string{first}, []string{"csel x4, x5, x6, eq"}}, couple{[]string{first}, []string{"csel x4, x5, x6, lo"}}, couple{[]string{first}, []string{"cset x4, eq"}}, couple{[]string{first}, []string{"cset x4, lo"}})
	}
	for _, first := range []string{"add x3, x1, x2", "add x3, x1, #3", "sub x3, x1, #3", "and x3, x1, x2", "and x3, x1, #3", "orr x3, x1, x2"} {
		t.couples = append(t.couples, couple{[]string{first}, []string{"cbz x3, 4", "cbnz x3, 4"}})
	}
	for _, c := range [][2]string{{"adrp x3, 0", "add x3, x3, #8"}, {"adrp x3, 0", "ldr x4, [x3, #8]"}, {"movz x3, #5", "movk x3, #7, lsl #16"}, {"movz x3, #5, lsl #32", "movk x3, #7, lsl #48"}, {"movprfx z3, z1", "add z3.s, z3.s, #1"}} {
		t.couples = append(t.couples, couple{[]string{c[0]}, []string{c[1]}})
	}
	for _, c := range [][2]string{{"aese v3.16b, v1.16b", "aesmc v3.16b, v3.16b"}, {"aesd v3.16b, v1.16b", "aesimc v3.16b, v3.16b"}} {
		t.couples = append(t.couples, couple{[]string{"movi v3.2d, #0", c[0]}, []string{c[1]}}) // which breaks the chain between repetitions
	}
	toGPR := []string{"fmov x0, d0", "and x0, x0, x26"}
	t.structures = []structure{
		{param: robName, what: "reorder buffer", most: 1200, fact: true},
		{param: "prf-gpr", what: "integer registers beyond those of the architecture", fillers: []string{"eor x2, x13, x14"}, most: 1200, fact: true},
		{param: "prf-vec", what: "vector registers beyond those of the architecture", fillers: []string{"add v5.4s, v13.4s, v14.4s"}, most: 1200, fact: true},
		{param: "prf-flags", what: "registers for flags", fillers: []string{"cmp x13, x14"}, most: 1200, fact: true},
		{param: "prf-mask", what: "predicate registers beyond those of the architecture", fillers: []string{"orr p3.b, p0/z, p1.b, p2.b"}, most: 600},
		{param: "taken-branches", what: "taken branches in flight", fillers: []string{t.jump}, most: 600, fact: true},
		{param: "load-queue", what: "load queue", fillers: []string{"ldr x2, [x14]", "ldr q5, [x14]"}, most: 1200, fact: true},
		{param: "store-queue", what: "store queue", fillers: []string{"str x13, [x14]"}, most: 600, fact: true},
		{param: schedulerName, what: "scheduler of additions that wait", fillers: []string{"add x2, x0, x15"}, bridge: toGPR, extra: 1, most: 600, fact: true},
		{param: "scheduler-vec", what: "scheduler of vector additions that wait", fillers: []string{"add v5.4s, v0.4s, v14.4s"}, extra: -1, most: 600},
		{param: "scheduler-load", what: "scheduler of loads that wait for their address", fillers: []string{"ldr x2, [x14, x0]"}, bridge: toGPR, most: 600},
		{param: "scheduler-store", what: "scheduler of stores that wait for their address", fillers: []string{"str x13, [x14, x0]"}, bridge: toGPR, most: 600},
	}
	t.eliminated = []pattern{
		{name: "move-elim-gpr", chain: []string{"mov x0, x2", "mov x2, x0"}, links: 2},
		{name: "move-elim-gpr32", chain: []string{"mov w0, w2", "mov w2, w0"}, links: 2},
		{name: "move-elim-fp", chain: []string{"fmov d0, d1", "fmov d1, d0"}, links: 2},
		{name: "move-elim-vec", chain: []string{"mov v0.16b, v1.16b", "mov v1.16b, v0.16b"}, links: 2},
		{name: "move-elim-sve", chain: []string{"mov z0.d, z1.d", "mov z1.d, z0.d"}, links: 2},
		{name: "add-immediate", chain: []string{"add x0, x0, #1"}, links: 1},
		{name: "add-immediate-32", chain: []string{"add w0, w0, #1"}, links: 1},
	}
	const gpr, vec = "mul x0, x0, x0", "fmul v0.2d, v0.2d, v0.2d"
	eor, add := []string{"eor x2, x13, x14"}, []string{"add v5.4s, v13.4s, v14.4s"}
	t.idioms = []pattern{
		{name: "movz", chain: []string{"movz x0, #0"}, other: gpr, plain: eor}, {name: "movz-32", chain: []string{"movz w0, #0"}, other: gpr, plain: eor}, {name: "mov-xzr", chain: []string{"mov x0, xzr"}, other: gpr, plain: eor},
		{name: "eor", chain: []string{"eor x0, x0, x0"}, other: gpr, plain: eor}, {name: "sub", chain: []string{"sub x0, x0, x0"}, other: gpr, plain: eor}, {name: "and-xzr", chain: []string{"and x0, x0, xzr"}, other: gpr, plain: eor},
		{name: "movi", chain: []string{"movi v0.2d, #0"}, other: vec, plain: add}, {name: "movi-64", chain: []string{"movi d0, #0"}, other: vec, plain: add}, {name: "fmov-xzr", chain: []string{"fmov d0, xzr"}, other: vec, plain: add},
		{name: "eor-vec", chain: []string{"eor v0.16b, v0.16b, v0.16b"}, other: vec, plain: add}, {name: "sub-vec", chain: []string{"sub v0.4s, v0.4s, v0.4s"}, other: vec, plain: add}, {name: "cmeq-vec", chain: []string{"cmeq v0.4s, v0.4s, v0.4s"}, other: vec, plain: add},
	}
	t.latencies = []pattern{
		{name: "load-latency", chain: []string{"ldr x27, [x27]"}, links: 1},
		// the same address in another register, which memory renaming by address expressions cannot recognise
		{name: "store-forward", chain: []string{"add x13, x14, #8", "str x0, [x14, #8]", "ldr x0, [x13]"}, links: 1, mean: true},
		{name: "renamed-forward", chain: []string{"str x0, [x14]", "ldr x0, [x14]"}, links: 1, bounded: true},
	}
	return t
}

package core

import (
	"incore/internal/isa"
	"incore/internal/isa/riscv"
)

// RISCV64 is the vocabulary of RISC-V: 64 bits, floating point, vectors. t1 holds zero, which the core cannot know:
// and-ing a value with it gives zero and keeps the dependence. A chain of square roots uses the number in s2 for each
// root, because roots of 0 and 1 are fast on cores whose dividers terminate early.
func RISCV64() *Target {
	const zero, small = 6, 10 // registers: t1, a0
	t := &Target{ISA: riscv.ISA(), vtype: isa.VType{SEW: 32}, Values: map[int]uint64{zero: 0, small: 12345}, nop: "nop", jump: "j 4", instCache: 128, closing: []string{"addi t6, t6, -1", "bnez t6, 0"}, fillers: []string{"nop", "c.nop"},
		registers: []string{"a1", "a2", "a3", "a5", "a6", "t0", "t2", "t3", "t4", "t5"}, simple: forms("addi TO, FROM, 1", "mul TO, FROM, FROM", "sltu TO, FROM, FROM"),
		portless: []string{"mv a2, a3", "li a2, 0"}, nops: map[int]string{4: "nop", 2: "c.nop"}, slot4: "li a2, 0"}
	t.chains = []chainPair{
		{"fsqrt.d fa0, fa0", "fsqrt.d fa1, fa1", []string{"fadd.d fa0, fa0, fa1", "fmv.x.d a7, fa0", "and a7, a7, t1", "add a7, a7, s2", "fcvt.d.l fa0, a7", "fmv.d fa1, fa0"}},
		// for cores on which roots and divisions share a unit: quotients of s2 alternate with roots
		{"fsqrt.d fa0, fa0", "divu a0, s2, a0", []string{"fmv.x.d a7, fa0", "and a7, a7, t1", "add a0, a0, a7", "and a7, a0, t1", "add a7, a7, s2", "fcvt.d.l fa0, a7"}},
	}
	t.mixes = [][]string{{"add a2, a3, a4", "fsgnj.d fa5, fa3, fa4", "ld a6, 0(a4)"}, {"add a2, a3, a4", "fsgnj.d fa5, fa3, fa4", "ld a6, 0(a4)", "add a7, a3, a4", "fsgnj.d fa6, fa3, fa4", "sd a3, 0(a4)"}}
	for _, c := range [][2]string{{"lui a2, 0x2324", "addi a2, a2, 8"}, {"auipc a2, 0", "addi a2, a2, 8"}, {"auipc a2, 0", "ld a2, 0(a2)"}, {"lui a2, 0x2324", "ld a2, 0(a2)"}, {"slli a2, a3, 32", "srli a2, a2, 32"}, {"slli a2, a3, 48", "srli a2, a2, 48"},
		{"slli a2, a3, 32", "srli a2, a2, 29"}, {"slli a2, a3, 5", "srli a2, a2, 7"}, {"slli a2, a3, 2", "add a2, a2, a4"}, {"slli a2, a3, 3", "add a2, a2, a4"}, {"add a2, a4, t1", "ld a2, 0(a2)"}, {"lui a2, 0x2324", "addiw a2, a2, 8"}} {
		t.couples = append(t.couples, couple{[]string{c[0]}, []string{c[1]}})
	}
	for _, first := range []string{"slt a2, a3, a4", "sltu a2, a3, a4", "slti a2, a3, 3", "andi a2, a3, 3", "addi a2, a3, 3", "add a2, a3, a4", "sub a2, a3, a4"} {
		t.couples = append(t.couples, couple{[]string{first}, []string{"beqz a2, 4", "bnez a2, 4"}})
	}
	toGPR := []string{"fmv.x.d a1, fa0", "and a1, a1, t1"}
	address := append(toGPR[:2:2], "add a1, a1, a4")
	t.structures = []structure{
		{param: robName, what: "reorder buffer", most: 1200, fact: true},
		{param: "prf-gpr", what: "integer registers beyond those of the architecture", fillers: []string{"xor a2, a3, a4"}, most: 1200, fact: true},
		{param: "prf-fp", what: "floating-point registers beyond those of the architecture", fillers: []string{"fsgnj.d fa5, fa3, fa4"}, most: 1200},
		{param: "prf-vec", what: "vector registers beyond those of the architecture", fillers: []string{"vadd.vv v5, v6, v7"}, most: 1200, fact: true},
		{param: "taken-branches", what: "taken branches in flight", fillers: []string{t.jump}, most: 600, fact: true},
		{param: "load-queue", what: "load queue", fillers: []string{"ld a2, 0(a4)", "fld fa5, 0(a4)"}, most: 1200, fact: true},
		{param: "store-queue", what: "store queue", fillers: []string{"sd a3, 0(a4)"}, most: 600, fact: true},
		{param: schedulerName, what: "scheduler of additions that wait", fillers: []string{"add a2, a1, a5"}, bridge: toGPR, extra: 1, most: 600, fact: true},
		{param: "scheduler-fp", what: "scheduler of floating-point operations that wait", fillers: []string{"fsgnj.d fa5, fa0, fa4"}, extra: -1, most: 600},
		{param: "scheduler-load", what: "scheduler of loads that wait for their address", fillers: []string{"ld a2, 0(a1)"}, bridge: address, most: 600},
		{param: "scheduler-store", what: "scheduler of stores that wait for their address", fillers: []string{"sd a3, 0(a1)"}, bridge: address, most: 600},
	}
	t.eliminated = []pattern{
		{name: "move-elim-gpr", chain: []string{"mv a1, a2", "mv a2, a1"}, links: 2},
		{name: "move-elim-gpr-compressed", chain: []string{"c.mv a1, a2", "c.mv a2, a1"}, links: 2},
		{name: "move-elim-fp", chain: []string{"fmv.d fa0, fa1", "fmv.d fa1, fa0"}, links: 2},
		{name: "move-elim-vec", chain: []string{"vmv1r.v v1, v2", "vmv1r.v v2, v1"}, links: 2},
		{name: "add-immediate", chain: []string{"addi a1, a1, 1"}, links: 1},
		{name: "add-immediate-32", chain: []string{"addiw a1, a1, 1"}, links: 1},
	}
	const gpr, fp, vec = "mul a1, a1, a1", "fmul.d fa0, fa0, fa0", "vmul.vv v1, v1, v1"
	xor, sgnj, vadd := []string{"xor a2, a3, a4"}, []string{"fsgnj.d fa5, fa3, fa4"}, []string{"vadd.vv v5, v6, v7"}
	t.idioms = []pattern{
		{name: "li", chain: []string{"li a1, 0"}, other: gpr, plain: xor}, {name: "lui", chain: []string{"lui a1, 0"}, other: gpr, plain: xor}, {name: "xor", chain: []string{"xor a1, a1, a1"}, other: gpr, plain: xor}, {name: "sub", chain: []string{"sub a1, a1, a1"}, other: gpr, plain: xor},
		{name: "and-zero", chain: []string{"and a1, a1, zero"}, other: gpr, plain: xor}, {name: "andi-0", chain: []string{"andi a1, a1, 0"}, other: gpr, plain: xor}, {name: "slt", chain: []string{"slt a1, a1, a1"}, other: gpr, plain: xor},
		{name: "fmv-zero", chain: []string{"fmv.d.x fa0, zero"}, other: fp, plain: sgnj}, {name: "vxor", chain: []string{"vxor.vv v1, v1, v1"}, other: vec, plain: vadd}, {name: "vmv-0", chain: []string{"vmv.v.i v1, 0"}, other: vec, plain: vadd},
	}
	t.latencies = []pattern{
		{name: "load-latency", chain: []string{"ld s1, 0(s1)"}, links: 1},
		// the same address in another register, which memory renaming by address expressions cannot recognise
		{name: "store-forward", chain: []string{"addi a3, a4, 8", "sd a1, 8(a4)", "ld a1, 0(a3)"}, links: 1, mean: true},
		{name: "renamed-forward", chain: []string{"sd a1, 0(a4)", "ld a1, 0(a4)"}, links: 1, bounded: true},
	}
	return t
}

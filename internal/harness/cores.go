package harness

import (
	"incore/internal/machine"
)

// This file has what measuring costs on cores, beside what code costs on them. A core without a figure has that of the one that its model is based on.

// costs of a core.
type costs struct {
	// dtlbMiss is the cycles that the first access to a page takes longer. Only code that is measured unrolled comes to new pages all the time.
	dtlbMiss float64
	stack    stackCosts
}

// stackCosts are what lines cost that a moving stack pointer comes to and that other addresses used last. One page of memory behind all addresses makes that so.
type stackCosts struct {
	// popped and moved are how often a load through it uses its port, where push and pop alone move it, and where other instructions do as well; stored
	// is how many more uses the stores through it take, a line.
	popped, moved, stored float64
	// pass is the cycles that it costs each time the stores of a stack pointer that other instructions move as well have come
	// through the page, past what loads read by other addresses.
	pass float64
}

var cores = map[string]costs{
	"sandybridge":    {dtlbMiss: 8}, // bhive-intel, Ivy Bridge: addq $536, %rsp and six pops take 4.17 cycles, without new pages 3
	"ivybridge":      {dtlbMiss: 8},
	"haswell":        {dtlbMiss: 8}, // bhive-intel: pushes and subq $360, %rsp take 7.80 cycles, without new pages 7; 696 bytes 9.43, without 8; 1464 9.93, without 7
	"broadwell":      {dtlbMiss: 8}, // as Haswell
	"skylake":        {dtlbMiss: 9}, // bhive-intel: addq $328, %rsp and six pops take 3.78 cycles, without new pages 3; 552 bytes 4.28, 1032 5.47
	"skylake-server": {dtlbMiss: 9}, // as Skylake
	"icelake-client": {dtlbMiss: 9}, // as Skylake, whose second-level translation buffer it has with more entries (Intel Optimization Reference Manual)
	// Measured on Zen 4 (family 25 model 17), 2026-11-22, with one page of memory behind all addresses and with four: 8 pops 5.2 and 2.7 cycles, 8 pushes 4.59
	// and 4.02, 6 pushes and sub $0x18, %rsp 3.6; stores through %rdi take as long with one page, 8 loads of a line through it and add $64, %rdi 4.0 and
	// 2.7, which is not modelled.
	"zen4": {stack: stackCosts{popped: 2, moved: 2, stored: 1}},
	"zen3": {stack: stackCosts{popped: 2, moved: 2, stored: 1}}, // as Zen 4, whose way predictor it has (M. Lipp et al., Take A Way, ASIA CCS 2020)
	// zen5-blocks: pops run at 2.5 a cycle, behind additions to rsp at 2; 2 to 6 pushes, sub $8 to $120, rsp and a load by another register take 20 to 45 cycles more
	// for each 4096 bytes that rsp moves (42 blocks, 33 on average), as on Zen 4, whose measurements with several pages show none of this; pushes alone and what
	// else moves rsp far take no more.
	"zen5": {stack: stackCosts{popped: 1.58, moved: 2, pass: 33}},
}

// costsOf finds the costs of a model's core.
func costsOf(m *machine.Model) costs {
	for range maxBases {
		if c, ok := cores[m.Name]; ok {
			return c
		}
		base, err := machine.Get(m.Base)
		if m.Base == "" || err != nil {
			break
		}
		m = base
	}
	return costs{}
}

// maxBases is how many models one may be based on, one on the other.
const maxBases = 16

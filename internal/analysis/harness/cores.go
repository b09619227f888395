package harness

import (
	"incore/internal/machine"
)

// This file holds costs of the measurement itself on particular cores, which the code does not have elsewhere. A core without figures uses those of
// the core that its model is based on.

// costs are the costs of a core.
type costs struct {
	// dtlbMiss is the extra cycles of the first access to a page. Only measurements of unrolled code keep reaching new pages.
	dtlbMiss float64
	stack    stackCosts
}

// stackCosts are the costs of lines that a moving stack pointer reaches and that other addresses used last, because one physical page serves all
// addresses.
type stackCosts struct {
	// popped and moved are the port uses of a load through the stack pointer: popped if only push and pop move it, moved if other instructions also
	// do. stored is the number of additional port uses of the stores through it, per line.
	popped, moved, stored float64
	// pass is the cycles for each time that the stores through a stack pointer which other instructions also move have covered the page, including
	// data that loads read through other addresses.
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

// maxBases is the largest length of a chain of base models.
const maxBases = 16

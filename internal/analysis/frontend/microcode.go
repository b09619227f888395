package frontend

import (
	"slices"
)

// This file models the microcode sequencer, which delivers the slots of long instructions.

// sequenced reports whether an instruction's slots come from the microcode sequencer.
func (k *code) sequenced() bool {
	return k.c.Microcode.Stall > 0 && slices.ContainsFunc(k.insts, func(m macro) bool { return m.micro })
}

// sequence simulates a cycle of the microcode sequencer; it returns false if the sequencer is not active.
func (f *Feed) sequence() bool {
	switch {
	case f.switching > 0:
		f.switching--
	case f.micro > 0:
		width := f.dispatch
		if f.c.Microcode.Slots > 0 {
			width = f.c.Microcode.Slots
		}
		n := min(width, f.micro, max(0, f.size-f.have))
		f.have, f.micro = f.have+n, f.micro-n
		if f.micro == 0 {
			f.switching = f.c.Microcode.Stall / 2
		}
	default:
		return false
	}
	return true
}

// toMicrocode hands over to the microcode sequencer. first says that no other instruction came in this cycle, so the
// cycle may be part of the switch.
func (f *Feed) toMicrocode(m *macro, first bool) {
	if f.micro, f.switching = int(m.slots), (f.c.Microcode.Stall+1)/2; first && f.c.Microcode.AtOnce && f.switching > 0 {
		f.switching--
	}
}

package machine_test

import (
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestLockedHighBytes: a locked operation takes as long with the second byte of a register as with the first one.
func TestLockedHighBytes(t *testing.T) {
	for _, name := range machine.Names() {
		m := model(t, name)
		if m.ISA != "x86-64" {
			continue
		}
		for _, op := range strings.Fields("add adc and or sub sbb xor xadd cmpxchg xchg") {
			low, high := kernel(t, "x86-64", "lock "+op+" %bl, (%rsi)"), kernel(t, "x86-64", "lock "+op+" %bh, (%rsi)")
			a, b := m.Cost(low.ISA, &low.Lines[0].Inst), m.Cost(high.ISA, &high.Lines[0].Inst)
			if b.Each < a.Each*0.8 || b.Slots < a.Slots*0.8 {
				t.Errorf("%s: lock %s: %.2f cycles each and %g slots with bh, %.2f and %g with bl", name, op, b.Each, b.Slots, a.Each, a.Slots)
			}
		}
	}
}

// TestLockedCosts: a locked operation takes longer than the same one without the lock, or the model says that it has no figures for it.
func TestLockedCosts(t *testing.T) {
	for _, name := range machine.Names() {
		m := model(t, name)
		if m.ISA != "x86-64" {
			continue
		}
		for _, op := range []string{"addl %ebx,", "adcq %rbx,", "subl $5,", "andw $300,", "orb $1,", "xorq $700000,", "incl", "decq", "negw", "notb", "xaddl %ebx,", "cmpxchgq %rbx,", "btsl $3,", "btrq %rbx,"} {
			locked, plain := kernel(t, "x86-64", "lock "+op+" (%rsi)"), kernel(t, "x86-64", op+" (%rsi)")
			b := bind(m, locked)
			x, y := m.Cost(locked.ISA, &locked.Lines[0].Inst), m.Cost(plain.ISA, &plain.Lines[0].Inst)
			if b.Insts[0].Unbounded() == "" && x.Each <= y.Each {
				t.Errorf("%s: lock %s (%%rsi): %.2f cycles each, %.2f without the lock", name, op, x.Each, y.Each)
			}
		}
	}
}

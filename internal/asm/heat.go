package asm

import (
	"math"

	"incore/internal/isa"
)

// Heat estimates how likely a loop of machine code is to be where the time goes, as Kernels does
// for text, and says what decided.
func Heat(a *isa.ISA, code []isa.Line, depth int) (heat float64, why string) {
	var w work
	var e isa.Effects
	for i := range code {
		if a.Flow(&code[i].Inst).Kind == isa.FlowCall {
			w.calls++
		}
		w.add(a, &code[i].Inst, &e)
	}
	return math.Pow(8, float64(min(depth, 6)-1)) * w.weight(), w.describe(depth)
}

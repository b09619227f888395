package asm

import (
	"fmt"
	"math"
	"strings"

	"incore/internal/isa"
)

// heat estimates a loop's share of the run time from its text alone.
// Each level of nesting counts like eight iterations of the enclosing loop; within a
// level the work of one iteration decides: floating-point arithmetic by its width, then memory
// accesses, then the rest. Calls, unlikely code and traps reduce the heat.
func (p *Program) heat(k *Kernel) {
	var w work
	var lines []isa.Line
	var e isa.Effects
	a := p.Language.ISA
	for _, i := range k.insts {
		if p.insts[i].flow == isa.FlowCall {
			w.calls++
		}
		w.cold = w.cold || p.insts[i].cold
		lines = p.Lines(lines[:0], int(i))
		for j := range lines {
			w.add(a, &lines[j].Inst, &e)
		}
	}
	k.Heat, k.HeatWhy = w.heat(k.Depth)
}

// Heat estimates the share of the run time of a loop of machine code, as Kernels does
// for text; why names the deciding properties.
func Heat(a *isa.ISA, code []isa.Line, depth int) (heat float64, why string) {
	var w work
	var e isa.Effects
	for i := range code {
		if a.Flow(&code[i].Inst).Kind == isa.FlowCall {
			w.calls++
		}
		w.add(a, &code[i].Inst, &e)
	}
	return w.heat(depth)
}

// work counts the operations of one iteration of a loop.
type work struct {
	insts, fp, mem int
	words          float64 // 64-bit words of floating-point results and of memory accessed
	memWords       float64
	calls          int
	cold           bool
}

func (w *work) add(a *isa.ISA, in *isa.Inst, e *isa.Effects) {
	w.insts++
	if in.Form == isa.NoForm {
		return
	}
	if a.Forms.Flags(in.Form)&isa.MayRaiseFP != 0 {
		w.fp++
		bits := 64
		if c := a.Forms.OperandClass(in.Form, 0); c != nil && c.RegClass != "" {
			if _, b := a.Regs.Class(c.RegClass); b > 0 {
				bits = b
			}
		}
		w.words += float64(bits) / 64
	}
	a.Effects(in, e)
	for i := range e.Mem {
		w.mem++
		w.memWords += max(1, float64(e.Mem[i].Bits)*float64(max(1, e.Mem[i].Elems))/64)
	}
}

// heat multiplies the weight of one iteration by the assumed number of repetitions in the loop's nest.
func (w *work) heat(depth int) (heat float64, why string) {
	const trips, deepest = 8, 6 // iterations of each enclosing loop; largest number of levels that count
	return math.Pow(trips, float64(min(depth, deepest)-1)) * w.weight(), w.describe(depth)
}

func (w *work) weight() float64 {
	v := 1 + w.words + w.memWords/4 + float64(w.insts)/50
	if w.calls > 0 {
		v /= 4
	}
	if w.cold {
		v /= 100
	}
	return v
}

// describe names the properties that decide the heat.
func (w *work) describe(depth int) string {
	parts := []string{fmt.Sprintf("depth %d", depth), fmt.Sprintf("%d instructions", w.insts)}
	if w.fp > 0 {
		parts = append(parts, fmt.Sprintf("%d of floating-point arithmetic (%g words)", w.fp, w.words))
	}
	if w.mem > 0 {
		parts = append(parts, fmt.Sprintf("%d memory accesses", w.mem))
	}
	if w.calls > 0 {
		parts = append(parts, fmt.Sprintf("%d calls", w.calls))
	}
	if w.cold {
		parts = append(parts, "in a section for unlikely code")
	}
	return strings.Join(parts, ", ")
}

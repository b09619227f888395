package asm

import (
	"fmt"
	"math"
	"strings"

	"incore/internal/isa"
)

// heat estimates how likely a loop is to be where the time goes, from its text alone.
// Each level of nesting counts like eight iterations of the loop around; within a
// level the work of one iteration decides: floating-point arithmetic by its width, then memory
// accesses, then the rest. Calls, unlikely code and traps take weight away.
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
	return w.heat(depth)
}

// work counts what one iteration of a loop does.
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

// heat weighs the work of one iteration by how often the loop's nest repeats it.
func (w *work) heat(depth int) (heat float64, why string) {
	const trips, deepest = 8, 6 // of each loop around; levels that count
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

// describe names what decided.
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

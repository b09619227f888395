// Package baseline computes the one-line estimate that every engine must beat:
// the greatest of one cycle, the front end's width, and the loads and stores per
// cycle (Abel and Reineke, "uiCA", ICS'22, section 6).
package baseline

import "incore/internal/machine"

// Result is the baseline of a kernel in cycles per iteration.
type Result struct {
	// Loop is max(1, (n-1)/i, loads/l, stores/s): the kernel as a loop, whose
	// compare and branch count as one. Unrolled is max(1, n/i, loads/l, stores/s).
	Loop, Unrolled float64
	// Insts is n: all instructions, macro-fused or not, since the formula has its own
	// allowance for fusion. Loads and Stores count memory operands.
	Insts, Loads, Stores int
	// The terms; 0 if the model does not know the width.
	Dispatch, LoadPorts, StorePorts float64
}

// Analyze computes the baseline with the widths i, l and s of the kernel's model.
func Analyze(b *machine.Bound) Result {
	r := Result{Insts: len(b.Insts)}
	for i := range b.Insts {
		mem := b.Insts[i].Effects.Mem
		for k := range mem {
			if mem[k].Load {
				r.Loads++
			}
			if mem[k].Store {
				r.Stores++
			}
		}
	}
	p := &b.Model.Params
	r.Dispatch = per(r.Insts-1, float64(p.DispatchWidth))
	r.LoadPorts = per(r.Loads, p.LoadsPerCycle)
	r.StorePorts = per(r.Stores, p.StoresPerCycle)
	r.Loop = max(1, r.Dispatch, r.LoadPorts, r.StorePorts)
	r.Unrolled = max(r.Loop, per(r.Insts, float64(p.DispatchWidth)))
	return r
}

// per returns n / width, 0 if the width is not known.
func per(n int, width float64) float64 {
	if width <= 0 || n <= 0 {
		return 0
	}
	return float64(n) / width
}

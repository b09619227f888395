package analyze

import (
	"incore/internal/analysis/l1"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// work counts the memory accesses, branches and floating-point operations of one pass through a kernel, by instructions and not by any core's µops.
func work(b *machine.Bound) report.Work {
	var w report.Work
	var e isa.Effects
	for i := range b.Kernel.Lines {
		in := &b.Kernel.Lines[i].Inst
		floats, branches := w.Floats, w.Branches
		switch b.Kernel.ISA.Flow(in).Kind {
		case isa.FlowNext:
		case isa.FlowCall:
			w.Calls++
			fallthrough
		default:
			w.Branches++
		}
		if q := b.Kernel.ISA.Float; q == nil {
			w.UnknownFlops = true
		} else {
			f := q(in)
			if f.Kind != isa.NoFloat && f.Kind != isa.FloatOther {
				w.Floats++
			}
			w.Flops += max(0, f.Flops*f.Lanes-f.Less)
			w.UnknownFlops = w.UnknownFlops || f.Flops > 0 && f.Lanes == 0
		}
		b.Kernel.ISA.Effects(in, &e)
		loads, stores := false, false
		for _, m := range e.Mem {
			bytes := int(m.Bits) / 8 * int(m.Elems)
			if m.Load {
				loads = true
				w.LoadedBytes += bytes
			}
			if m.Store {
				stores = true
				w.StoredBytes += bytes
			}
			w.UnknownBytes = w.UnknownBytes || bytes == 0
		}
		if loads {
			w.Loads++
		}
		if stores {
			w.Stores++
		}
		if !loads && !stores && floats == w.Floats && branches == w.Branches {
			w.Others++
		}
	}
	for _, s := range l1.Strides(b) {
		w.Advance = max(w.Advance, int(max(s, -s)))
	}
	return w
}

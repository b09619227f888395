package analyze

import (
	"incore/internal/analysis/l1"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// work counts the memory accesses, branches and floating-point operations of one pass through a kernel, by instructions and not by any core's µops. vector is the
// size in bytes of a register of scalable vectors (SVE, RVV), 0 if it is not known; scaled reports that a count rests on it. All elements are taken to be active.
func work(b *machine.Bound, vector int) (w report.Work, scaled bool) {
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
			if f.Flops > 0 && f.Lanes == 0 {
				f.Lanes = lanes(in, f, vector)
				scaled, w.UnknownFlops = scaled || f.Lanes > 0, w.UnknownFlops || f.Lanes == 0
			}
			w.Flops += max(0, f.Flops*f.Lanes-f.Less)
		}
		b.Kernel.ISA.Effects(in, &e)
		loads, stores := false, false
		for k, m := range e.Mem {
			bytes := int(m.Bits) / 8 * int(m.Elems)
			if q := b.Kernel.ISA.Semantics; bytes == 0 && vector > 0 && q != nil && q.VectorBytes != nil {
				whole := e.Mem[k]
				whole.Gather = false // a full gather accesses as many bytes as a contiguous load of its elements
				bytes = max(0, q.VectorBytes(in, &whole, vector))
				scaled = scaled || bytes > 0
			}
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
	return w, scaled
}

// lanes returns the elements of a floating-point instruction on scalable vectors of so many bytes; 0 if that depends on more.
func lanes(in *isa.Inst, f isa.Float, vector int) int {
	switch {
	case in.VType.SEW > 0:
		return in.VType.Elements(vector)
	case f.Bits > 0:
		return vector * 8 / f.Bits
	}
	return 0
}

package eval

import (
	"fmt"
	"hash/fnv"

	"incore/internal/analysis/l1"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// InHalf reports whether a block belongs to half 'a' or 'b' of its corpus. A hash of the text draws the halves: a model that is
// tuned on one half can be tested on the other.
func InHalf(text string, half byte) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return h.Sum32()>>16&1 == uint32(half-'a')
}

// The thresholds for artefacts of a measurement.
const (
	below  = 0.95 // share of the lower bound by slots, loads and stores; figures between this and the bound are noise
	trap   = 1000 // cycles that only an exit of the virtual machine takes
	stride = 256  // bytes by which an access moves per iteration: it crosses a page every 16 iterations
)

// Artefact returns the physical reason for which a block's measured cycles cannot be those of a core that runs it with all data in the
// first-level cache; "" if there is none. It does not use the prediction.
func Artefact(m *machine.Model, b *Block) string {
	bound := uops.Bind(m, b.Kernel)
	if why := slow(bound, b.Cycles); why != "" {
		return why
	}
	if at := widest(bound); at >= stride {
		return fmt.Sprintf("an access moves by %d bytes per iteration: new pages miss the translation buffer", at)
	}
	least, what := least(bound)
	if b.Cycles < below*least {
		return fmt.Sprintf("below the %.3g cycles that %s allow: the measurement is too quick", least, what)
	}
	return ""
}

// slow finds an instruction with effects outside registers and memory in a block that takes longer than any core would need:
// the instruction causes an exit of the virtual machine, which costs thousands of cycles.
func slow(b *machine.Bound, cycles float64) string {
	if cycles < trap {
		return ""
	}
	for i := range b.Insts {
		if in := &b.Insts[i].Line.Inst; in.Form != isa.NoForm && b.Kernel.ISA.Forms.Flags(in.Form)&isa.SideEffects != 0 {
			return fmt.Sprintf("%.0f cycles around %s: it leaves the virtual machine", cycles, b.Kernel.ISA.FormName(in))
		}
	}
	return ""
}

// widest returns the greatest constant stride of an access, in bytes per iteration.
func widest(b *machine.Bound) int64 {
	most := int64(0)
	for _, s := range l1.Strides(b) {
		most = max(most, s, -s)
	}
	return most
}

// least returns the lower bound of the cycles by the core's widths: an instruction needs at least one slot, unless instructions of the
// kernel can fuse, and every access needs a load or store; what names the limit.
func least(b *machine.Bound) (cycles float64, what string) {
	p := &b.Model.Params
	loads, stores, slots := 0, 0, 0.0
	for i := range b.Insts {
		slots += b.Insts[i].Slots
		for _, mem := range b.Insts[i].Effects.Mem {
			if mem.Load {
				loads++
			}
			if mem.Store {
				stores++
			}
		}
	}
	slots = min(slots, float64(len(b.Insts)))
	if b.Model.Core().MoveFusion {
		slots = 0 // moves may fuse with the next instruction
	}
	for _, l := range []struct {
		n, per float64
		what   string
	}{{slots, float64(p.DispatchWidth), "slots"}, {float64(loads), p.LoadsPerCycle, "loads"}, {float64(stores), p.StoresPerCycle, "stores"}} {
		if l.per > 0 && l.n/l.per > cycles {
			cycles, what = l.n/l.per, fmt.Sprintf("%g %s a cycle", l.per, l.what)
		}
	}
	return cycles, what
}

// Sample draws about n blocks by a hash of their texts, so that the sample is reproducible; for n = 0 it returns all blocks.
func Sample(blocks []Block, n int) []Block {
	if n <= 0 || n >= len(blocks) {
		return blocks
	}
	var out []Block
	for _, b := range blocks {
		h := fnv.New32a()
		_, _ = h.Write([]byte(b.Text))
		if uint64(h.Sum32()&0xffff)*uint64(len(blocks)) < uint64(n)<<16 {
			out = append(out, b)
		}
	}
	return out
}

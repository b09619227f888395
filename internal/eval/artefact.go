package eval

import (
	"fmt"
	"hash/fnv"

	"incore/internal/analysis/l1"
	"incore/internal/isa"
	"incore/internal/machine"
)

// InHalf reports whether a block belongs to half 'a' or 'b' of its corpus. The halves are drawn by a hash of the text: what is
// tuned looking at one can be judged by the other.
func InHalf(text string, half byte) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return h.Sum32()>>16&1 == uint32(half-'a')
}

// The limits of what counts as an artefact of a measurement.
const (
	below  = 0.95 // of the least that slots, loads and stores allow: a little below is the noise of a measurement
	trap   = 1000 // cycles that only leaving a virtual machine takes
	stride = 256  // bytes by which an access moves per iteration, so that a page lasts for 16 iterations
)

// Artefact says why a block's measured cycles are not those of a core that runs it with all data in the first-level cache,
// by a physical argument; "" if nothing speaks against them. The prediction plays no part in it.
func Artefact(m *machine.Model, b *Block) string {
	bound := m.Bind(b.Kernel)
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

// slow finds an instruction with effects beside registers and memory that takes longer than anything a core does by itself:
// what asks the hypervisor leaves the virtual machine for thousands of cycles.
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

// widest is the greatest number of bytes that an access moves per iteration, where that is a constant.
func widest(b *machine.Bound) int64 {
	most := int64(0)
	for _, s := range l1.Strides(b) {
		most = max(most, s, -s)
	}
	return most
}

// least is the number of cycles that no core of these widths can do without: an instruction takes at least a slot, if
// none of the kernel's can join another, and every access a load or store.
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
		slots = 0 // moves may join what follows them
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

// Sample draws about n blocks by a hash of their texts; all for 0. The same blocks are drawn again.
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

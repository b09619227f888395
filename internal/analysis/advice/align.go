package advice

import (
	"slices"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/base/regex"
	"incore/internal/isa"
)

// alignLoop moves a loop whose address is known to the next boundaries of code lines.
func alignLoop(s *search) {
	if !s.k.Placed() {
		return
	}
	addr := s.k.Lines[0].Addr
	for _, to := range []uint64{16, 32, 64} {
		if addr%to == 0 {
			continue
		}
		d := s.draft()
		d.shift, d.align = to-addr%to, int(to)
		if s.try(d, Advice{Kind: AlignLoop, Count: int(to)}) {
			return
		}
	}
}

// lineBytes is the size of a line of the data cache.
const lineBytes = 64

// alignData compares the prediction, which assumes well aligned arrays, with the cycles at the worst alignment. It names for each array the address that has to be
// a multiple of a line: of an array with several accesses, as a stencil's, the one with which the fewest accesses cross lines.
func alignData(s *search) {
	worst := sim.Unlucky(s.g)
	if s.now.Engine != engine.NameSimulator || worst <= s.now.Cycles*(1+Threshold) {
		return
	}
	a := Advice{Kind: AlignData, Count: lineBytes, Before: worst, Conditional: true}
	for _, x := range s.arrays() {
		if i := x.anchor(); i >= 0 {
			a.Insts, a.Operands = append(a.Insts, x.accesses[i].inst), append(a.Operands, x.accesses[i].text)
		}
	}
	if len(a.Operands) > 0 {
		s.keep(s.draft(), a, s.now, s.now.Cycles)
	}
}

// array is a base and an index by which a loop walks through memory, with its accesses.
type array struct {
	base, index isa.Reg
	stride      int64
	accesses    []arrayAccess
}

type arrayAccess struct {
	inst        int
	disp, bytes int64
	text        string // the operand as written
}

// memoryOperand finds the memory operand in an instruction's text, in AT&T's and Intel's syntax.
var memoryOperand = regex.Lazy(`[^\s,(]*\([^()]*\)|\[[^\]]*\]`)

// arrays returns the arrays of a loop.
func (s *search) arrays() (out []array) {
	for i := range s.k.Lines {
		mem := s.g.Bound.Insts[i].Effects.Mem
		for m := range mem {
			ref := &mem[m]
			stride, ok := s.stride(ref)
			text := memoryOperand().FindString(s.k.Lines[i].Text)
			if !ok || stride == 0 || ref.Elems != 1 || ref.Bits == 0 || text == "" || ref.Sym != nil {
				continue
			}
			k := slices.IndexFunc(out, func(a array) bool { return a.base == ref.Base && a.index == ref.Index })
			if k < 0 {
				k = len(out)
				out = append(out, array{base: ref.Base, index: ref.Index, stride: stride})
			}
			out[k].accesses = append(out[k].accesses, arrayAccess{i, ref.Disp + s.stepped(ref, i), int64(ref.Bits) / 8, text})
		}
	}
	return out
}

// stepped returns by how much the steps before instruction i have moved an address in the iteration.
func (s *search) stepped(ref *isa.MemRef, i int) (by int64) {
	for k := range s.steps {
		if st := &s.steps[k]; st.inst < i && s.uses(ref, st.reg) {
			by += st.imm * s.scale(ref, st.reg)
		}
	}
	return by
}

// crossings counts the accesses that cross lines, over as many iterations as it takes until the places in a line recur, if access number at is at a line's begin.
func (x *array) crossings(at int) (n int) {
	for k := range int64(lineBytes) {
		for i := range x.accesses {
			a := &x.accesses[i]
			place := ((a.disp-x.accesses[at].disp+k*x.stride)%lineBytes + lineBytes) % lineBytes
			if place+a.bytes > lineBytes {
				n++
			}
		}
	}
	return n
}

// anchor returns the access that should be at the begin of a line, -1 if alignment changes nothing.
func (x *array) anchor() int {
	best, least := -1, 0
	for i := range x.accesses {
		if n := x.crossings(i); best < 0 || n < least {
			best, least = i, n
		}
	}
	if best >= 0 && x.accesses[best].bytes == 1 {
		return -1
	}
	return best
}

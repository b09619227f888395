package depgraph

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file finds the loads to which memory renaming may pass the wrong data. A core that compares the registers of
// two addresses and the upper bits of their displacements (`granule` of "renaming") takes accesses within one granule
// for the same. If they begin at different bytes, the load is executed again, behind a flush of the pipeline. How
// often that happens depends on what a predictor has learned.

// Mistaken is a load to which memory renaming may pass what a store has written to other bytes of the same granule.
type Mistaken struct{ Store, Load int } // instructions

// granule is a part of memory as memory renaming sees it: registers, with the numbers of the instructions that wrote
// them, and the upper bits of the displacement.
type granule struct {
	base, index   isa.Reg
	scale         uint8
	based, scaled int
	above         int64
}

// stored is the last store to a granule.
type stored struct {
	inst int
	mem  *isa.MemRef
	at   int64 // displacement
}

// granules follows the addresses of a loop as memory renaming does.
type granules struct {
	*builder
	size    int64
	written []int             // by register unit: number of the last instruction that wrote it
	pushed  map[isa.Reg]int64 // constants added to the stack pointer, which the core follows
	last    map[granule]stored
}

// Mistaken lists the loads of a loop that memory renaming may serve with the wrong data, in the order of the code.
func (g *Graph) Mistaken() (out []Mistaken) {
	core, a := g.Bound.Model.Core(), g.Bound.Kernel.ISA
	if core.Renaming.Granule == 0 || !g.Renames {
		return nil
	}
	if loads, stores := g.Bound.Accesses(); loads == 0 || stores == 0 {
		return nil
	}
	s := granules{builder: &builder{Graph: g, regs: a.Regs, constant: a.Constant}, size: int64(core.Renaming.Granule), written: make([]int, a.Regs.NumUnits()),
		pushed: map[isa.Reg]int64{}, last: map[granule]stored{}}
	n := len(g.Bound.Insts)
	for i := range 2 * n { // the second iteration loads what the first has stored
		if from := s.mistaken(i % n); from >= 0 && i >= n {
			out = append(out, Mistaken{from, i % n})
		}
		s.store(i % n)
		s.write(&g.Bound.Insts[i%n], i+1)
	}
	return out
}

// AtLeast reports whether the cycles of the kernel are a lower bound: it has instructions whose time does not depend on the core alone, or loads that memory
// renaming may serve with the wrong data, each time with a flush.
func (g *Graph) AtLeast() bool { return g.Bound.Unbounded() || len(g.Mistaken()) > 0 }

// mistaken returns the store whose data a load of instruction i may get wrongly, -1 if there is none.
func (s *granules) mistaken(i int) int {
	in := &s.Bound.Insts[i]
	for k := range in.Effects.Mem {
		m := &in.Effects.Mem[k]
		key, at, ok := s.of(m)
		if x := s.last[key]; ok && m.Load && x.mem != nil && x.at != at && s.serves(&passing{from: &s.Bound.Insts[x.inst], to: in, store: x.mem, load: m, latest: true, found: true}) {
			return x.inst
		}
	}
	return -1
}

// store notes the stores of instruction i.
func (s *granules) store(i int) {
	mem := s.Bound.Insts[i].Effects.Mem
	for k := range mem {
		if key, at, ok := s.of(&mem[k]); ok && mem[k].Store {
			s.last[key] = stored{i, &mem[k], at}
		}
	}
}

// of returns the granule of an access and its displacement from the registers' present values.
func (s *granules) of(m *isa.MemRef) (key granule, at int64, ok bool) {
	if m.Base == isa.NoReg || m.Gather || m.Sym != nil || s.constant != nil && s.constant(m.Base) {
		return key, 0, false
	}
	at = m.Disp + s.pushed[m.Base]
	return granule{m.Base, m.Index, m.Scale, s.version(m.Base), s.version(m.Index), (at - (at%s.size+s.size)%s.size) / s.size}, at, true
}

// version returns the number of the last instruction that wrote a register.
func (s *granules) version(r isa.Reg) (number int) {
	units := s.regs.Units(r)
	for u := range units.Len() {
		number = max(number, s.written[units.At(u)])
	}
	return number
}

// write notes the registers that an instruction with a number writes.
func (s *granules) write(in *machine.Inst, number int) {
	stack := s.Bound.Kernel.ISA.StackPointer
	for _, w := range in.Effects.Writes {
		if stack != nil && stack(w.Reg) {
			if by, ok := s.added(in, w.Reg); ok {
				s.pushed[w.Reg] += by
				continue
			}
		}
		units := s.regs.Units(w.Reg)
		for u := range units.Len() {
			s.written[units.At(u)] = number
		}
	}
}

package advice

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// falseDependencies breaks false dependences on the old value of a destination register, which an instruction overwrites or merges without need. It uses loads
// that write the whole register, or zeroes the register first.
func falseDependencies(s *search) {
	d := s.draft()
	var insts []int
	var operands []string
	upper := false
	for i := len(d.lines) - 1; i >= 0; i-- {
		r := s.waitsFor(i)
		if r == isa.NoReg {
			continue
		}
		if s.r.LoadsWhole != nil {
			if in, ok := s.r.LoadsWhole(s.inst(i)); ok {
				d.lines[i].set(in)
				upper = upper || s.readsMore(i)
				insts, operands = append(insts, i), append(operands, s.registerName(r))
				continue
			}
		}
		if s.r.Zero == nil || s.reads(i, r) && !s.onlyFalse(i, r) {
			continue
		}
		flags := s.flagsLive(i)
		if text := s.r.Zero(r); text != "" && !flags && d.insert(i, -1, text) {
			insts, operands = append(insts, i), append(operands, s.registerName(r))
		}
	}
	if len(insts) == 0 {
		return
	}
	slices.Reverse(insts)
	slices.Reverse(operands)
	a := Advice{Kind: FalseDep, What: s.mnemonic(insts[0]), Insts: insts, Operands: slices.Compact(operands)}
	if slices.ContainsFunc(insts, s.gathers) {
		a.Assumes = []string{Unmasked}
	}
	if upper {
		a.Assumes = append(a.Assumes, UpperBits)
	}
	s.try(d, a)
}

// readsMore reports whether some instruction reads more of a register than instruction i writes.
func (l *loop) readsMore(i int) bool {
	w := l.g.Bound.Insts[i].Effects.Writes[0].Reg
	for k := range l.k.Lines {
		for _, r := range l.g.Bound.Insts[k].Effects.Reads {
			if k != i && l.regs.Overlap(r.Reg, w) && l.regs.Units(r.Reg).Len() > l.regs.Units(w).Len() {
				return true
			}
		}
	}
	return false
}

// gathers reports whether an instruction gathers elements.
func (l *loop) gathers(i int) bool {
	return slices.ContainsFunc(l.g.Bound.Insts[i].Effects.Mem, func(m isa.MemRef) bool { return m.Gather })
}

// waitsFor returns the register whose old value an instruction waits for without need: it overwrites the register (machine.ReadsResult), or it writes a part
// of it and no instruction reads the rest. Only values from an earlier iteration count, since only these make a loop-carried chain.
func (s *search) waitsFor(i int) isa.Reg {
	in := &s.g.Bound.Insts[i]
	edges, _ := s.g.Into(i)
	for k := range edges {
		e := &edges[k]
		if e.Kind != depgraph.Register || e.Dist == 0 && int(e.From) != i && !s.onChain(i) || int(e.In) >= len(in.Effects.Reads) {
			continue
		}
		a := &in.Effects.Reads[e.In]
		if !s.isFalse(in, int(e.In)) {
			continue
		}
		return a.Reg
	}
	return isa.NoReg
}

// isFalse reports whether an input is the old value of a destination that is overwritten, or merged without need.
func (s *search) isFalse(in *machine.Inst, input int) bool {
	a := &in.Effects.Reads[input]
	switch {
	case a.Merge && in.Load > 0: // a load into a part of a register
		return true
	case in.Flags&machine.ReadsResult != 0 && len(in.Effects.Writes) > 0 && a.Op == in.Effects.Writes[0].Op && a.Op >= 0:
		return true
	}
	return s.r.Unneeded != nil && a.Op >= 0 && s.r.Unneeded(&in.Line.Inst, int(a.Op))
}

// onlyFalse reports whether all reads of a register by an instruction are false dependences.
func (s *search) onlyFalse(i int, r isa.Reg) bool {
	in := &s.g.Bound.Insts[i]
	for k := range in.Effects.Reads {
		if s.regs.Overlap(in.Effects.Reads[k].Reg, r) && !s.isFalse(in, k) {
			return false
		}
	}
	return true
}

// onChain reports whether an instruction is on the slowest loop-carried chain.
func (s *search) onChain(i int) bool {
	if len(s.chains.Chains) == 0 {
		return false
	}
	for k := range s.chains.Chains[0].Steps {
		if s.chains.Chains[0].Steps[k].Inst == i {
			return true
		}
	}
	return false
}

// flagsLive reports whether instruction i or one after it reads flags that an instruction before i wrote.
func (l *loop) flagsLive(i int) bool {
	for k := range l.g.Edges {
		e := &l.g.Edges[k]
		if e.Kind != depgraph.Flag {
			continue
		}
		if e.Dist == 0 && int(e.From) < i && int(e.To) >= i || e.Dist > 0 && (int(e.From) < i || int(e.To) >= i) {
			return true
		}
	}
	return l.g.NoFlags
}

// flagsRead reports whether an instruction reads the flags that instruction i writes.
func (l *loop) flagsRead(i int) bool {
	return l.g.NoFlags || slices.ContainsFunc(l.out[i], func(n int) bool { return l.g.Edges[n].Kind == depgraph.Flag })
}

package advice

import (
	"slices"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/latency"
	"incore/internal/isa"
)

// wider replaces vectors by wider ones, or scalars by vectors, of the greatest width that the core has. Every instruction must do the same
// to each element or be part of the loop's own arithmetic, and every access must move by one element per iteration.
func wider(s *search) {
	if s.r.Wider == nil || !s.k.Latch || !s.elementwise() {
		return
	}
	for _, bits := range s.r.Widths {
		d, times := s.widened(bits)
		if d == nil || times < 2 {
			continue
		}
		a := Advice{Kind: Wider, Count: bits, Assumes: []string{Contiguous, Multiple}}
		if len(s.carried()) > 0 && s.rounds(s.carried()) {
			a.Assumes = append(a.Assumes, Reassociation)
		}
		if _, stores := s.g.Bound.Accesses(); stores > 0 {
			a.Assumes = append(a.Assumes, NoAlias)
		}
		if s.widest(d, a) {
			return
		}
	}
}

// widest keeps a draft of wide vectors; if a reduction limits it, a draft with several accumulators.
func (s *search) widest(d *draft, a Advice) bool {
	e, cycles, ok := s.predict(d)
	if !ok || !s.keep(d, a, &e, cycles) {
		return false
	}
	inner := s.works(d)
	if e.Limit != engine.Latency || inner == nil {
		return true
	}
	sub := &search{loop: inner, o: s.o, now: &e, least: e.Cycles, chains: latency.LoopCarried(inner.g), work: s.work}
	accumulators(sub)
	s.work = sub.work
	if len(sub.found) != 1 {
		return true
	}
	more, kept := &sub.found[0], &s.found[len(s.found)-1]
	for i := range more.Lines {
		of := &d.lines[more.Lines[i].From]
		more.Lines[i].From, more.Lines[i].New = of.from, more.Lines[i].New || of.changed
	}
	kept.Accumulators, kept.After, kept.Iterations = more.Count, more.After/d.times, d.times*more.Iterations
	kept.Lines, kept.Limit = more.Lines, more.Limit
	return true
}

// carried returns the reductions among the loop-carried chains.
func (s *search) carried() []reduction { return s.reductions() }

// elementwise reports whether only reductions and steps carry values from one iteration to the next.
func (s *search) elementwise() bool {
	reductions := s.carried()
	for i := range s.g.Edges {
		e := &s.g.Edges[i]
		if e.Dist == 0 {
			continue
		}
		from := int(e.From)
		if s.stepAt(from) != nil || s.control[from] {
			continue
		}
		if !slices.ContainsFunc(reductions, func(r reduction) bool {
			return slices.ContainsFunc(r.links, func(l link) bool { return l.inst == from }) && slices.ContainsFunc(r.links, func(l link) bool { return l.inst == int(e.To) })
		}) {
			return false
		}
	}
	return s.g.Period <= 1
}

// widened returns the loop with vectors of a width in bits, and the factor by which the number of elements per iteration grows.
func (s *search) widened(bits int) (*draft, int) {
	d := s.draft()
	times, vectors := 0, 0
	for i := range d.lines {
		if s.control[i] || s.stepAt(i) != nil {
			continue
		}
		in, n, ok := s.r.Wider(s.inst(i), bits)
		if !ok || !s.neighbours(i) {
			return nil, 0
		}
		if n == 1 && slices.ContainsFunc(s.g.Bound.Insts[i].Effects.Writes, func(a isa.Access) bool { return a.Role != isa.RoleFlags }) {
			return nil, 0 // scalar integers
		}
		if n > 1 && times > 1 && n != times {
			return nil, 0
		}
		if n != 1 {
			vectors++
			d.lines[i].set(in)
		}
		times = max(times, n)
	}
	if vectors == 0 || times < 2 {
		return nil, 0
	}
	for k := range s.steps {
		st := &s.steps[k]
		if in, ok := s.r.WithStep(s.inst(st.inst), st.imm*int64(times)); ok && s.addresses(st) {
			if d.lines[st.inst].set(in); !s.behind(d, st, times) {
				return nil, 0
			}
		}
	}
	d.times = float64(times)
	return d, times
}

// behind displaces the addresses that follow a step, which is now several times as large.
func (s *search) behind(d *draft, st *step, times int) bool {
	for i := st.inst + 1; i < len(s.k.Lines); i++ {
		mem := s.g.Bound.Insts[i].Effects.Mem
		for m := range mem {
			if !s.uses(&mem[m], st.reg) {
				continue
			}
			in, ok := isa.Inst{}, s.r.Displaced != nil
			if ok {
				in, ok = s.r.Displaced(&d.lines[i].Inst, &mem[m], -st.imm*int64(times-1)*s.scale(&mem[m], st.reg))
			}
			if !ok {
				return false
			}
			d.lines[i].set(in)
		}
	}
	return true
}

// addresses reports whether a step moves addresses by the size of elements, and does not count iterations.
func (s *search) addresses(st *step) bool {
	for i := range s.k.Lines {
		for _, m := range s.g.Bound.Insts[i].Effects.Mem {
			if s.uses(&m, st.reg) {
				return true
			}
		}
	}
	return false
}

// neighbours reports whether an instruction's accesses move by their own size in each iteration, or load a constant of the program, which can be stored
// as often as a vector has elements. A load through a pointer that stays would have to be a broadcast.
func (s *search) neighbours(i int) bool {
	for _, m := range s.g.Bound.Insts[i].Effects.Mem {
		stride, ok := s.stride(&m)
		if !ok || m.Elems != 1 || stride == 0 && (m.Store || m.Base != isa.NoReg && !s.k.ISA.Constant(m.Base)) || stride != 0 && stride != int64(m.Bits/8) {
			return false
		}
	}
	return true
}

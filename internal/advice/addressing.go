package advice

import (
	"slices"

	"incore/internal/isa"
)

// addressing replaces addresses of base and index, which take more µops or fewer ports on some cores, by pointers of their own that advance: one of
// them in place of the index, if only the loop's end needs that.
func addressing(s *search) {
	if s.r.Simple == nil || s.r.AddTo == nil {
		return
	}
	d := s.draft()
	type pointer struct {
		base isa.Reg
		by   int64
	}
	var pointers []pointer
	var insts []int
	for i := range d.lines {
		e := &s.g.Bound.Insts[i].Effects
		for m := range e.Mem {
			ref := &e.Mem[m]
			st := s.stepOf(ref.Index)
			if st == nil || ref.Base == isa.NoReg || !s.invariant(ref.Base) || s.k.ISA.Constant(ref.Base) || i > st.inst {
				continue
			}
			in, ok := s.r.Simple(&d.lines[i].Inst, ref)
			p := pointer{ref.Base, st.imm * max(1, int64(ref.Scale))}
			if k := slices.IndexFunc(pointers, func(q pointer) bool { return q.base == p.base }); !ok || k >= 0 && pointers[k] != p {
				return
			} else if k < 0 {
				pointers = append(pointers, p)
			}
			d.lines[i].set(in)
			insts = append(insts, i)
		}
	}
	if len(pointers) == 0 || !s.readOnlyAsBase(insts, func(do func(isa.Reg)) {
		for _, p := range pointers {
			do(p.base)
		}
	}) {
		return
	}
	st := s.stepOf(s.g.Bound.Insts[insts[0]].Effects.Mem[0].Index)
	if st == nil {
		return
	}
	for _, p := range pointers {
		if !d.insert(st.inst, -1, s.r.AddTo(p.base, p.by)) {
			return
		}
	}
	a := Advice{Kind: Addressing, Count: len(pointers), Insts: insts}
	for _, p := range pointers {
		a.Operands = append(a.Operands, s.registerName(p.base))
	}
	plain := s.works(d)
	if n := 4; plain != nil {
		if u, ok := plain.unrolled(n); ok && len(u.lines) <= maxUnrolled {
			u.l, u.times = s.loop, float64(n)
			for i := range u.lines {
				of := &d.lines[u.lines[i].from]
				u.lines[i].from, u.lines[i].changed = of.from, u.lines[i].changed || of.changed
			}
			s.addressed(d, u, a)
			return
		}
	}
	s.try(d, a)
}

// addressed keeps simple addresses alone where that gains, else with the loop unrolled, where that gains more than unrolling alone.
func (s *search) addressed(d, u *draft, a Advice) {
	if s.try(d, a) {
		return
	}
	e, cycles, ok := s.predict(u)
	if !ok {
		return
	}
	for i := range s.found {
		if f := &s.found[i]; f.Kind == Unroll && cycles > f.After*(1-Threshold) {
			return
		}
	}
	a.Assumes = append(a.Assumes, Multiple)
	s.keep(u, a, &e, cycles)
}

// works is a draft as a loop of its own, to change further; nil if the core does not know it.
func (s *search) works(d *draft) *loop {
	b := s.g.Bound.Model.Bind(d.kernel())
	if b.Doubtful() > 0 {
		return nil
	}
	return newLoop(s.o.Graph(b))
}

// readOnlyAsBase reports whether nothing but some instructions' addresses reads some registers.
func (s *search) readOnlyAsBase(insts []int, each func(do func(isa.Reg))) bool {
	ok := true
	each(func(r isa.Reg) {
		for i := range s.k.Lines {
			for _, a := range s.g.Bound.Insts[i].Effects.Reads {
				if s.regs.Overlap(a.Reg, r) && (a.Role != isa.RoleAddr || !slices.Contains(insts, i)) {
					ok = false
				}
			}
		}
	})
	return ok
}

package advice

import (
	"slices"

	"incore/internal/analysis/uops"
	"incore/internal/isa"
)

// addressing replaces addresses of base and index, which need more µops or have fewer ports on some cores, by separate pointers that the loop advances. If only
// the loop's end condition still needs the index, one of the pointers replaces it. The saving must show in the bounds of ports and dispatch against the loop as it
// is or, where the changed loop is unrolled, against the unrolled loop with its indexes: measured on a Zen 5, where neither changes, no loop became faster for it
// and four became a sixth slower.
func addressing(s *search) {
	if s.r.Simple == nil || s.r.AddTo == nil {
		return
	}
	d := s.draft()
	type pointer struct {
		base isa.Reg
		by   int64
		at   int // the instruction that advances the index
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
			p := pointer{ref.Base, st.imm * max(1, int64(ref.Scale)), st.inst}
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
	slices.SortStableFunc(pointers, func(x, y pointer) int { return y.at - x.at }) // so that instructions that are inserted move no other place
	for _, p := range pointers {
		if !d.insert(p.at, -1, s.r.AddTo(p.base, p.by)) {
			return
		}
	}
	slices.Reverse(pointers)
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
	if s.relieves(d, s.draft()) {
		s.try(d, a)
	}
}

// relieves reports whether a draft's bounds of ports and dispatch are lower than those of another draft of as many iterations.
func (s *search) relieves(d, than *draft) bool {
	m := s.g.Bound.Model
	return bound(uops.Bind(m, d.kernel())) < bound(uops.Bind(m, than.kernel()))*(1-Threshold)
}

// addressed keeps the draft d with simple addresses if it gains; otherwise the unrolled draft u, if it gains more than unrolling alone.
func (s *search) addressed(d, u *draft, a Advice) {
	if s.relieves(d, s.draft()) && s.try(d, a) {
		return
	}
	if indexed, ok := s.unrolled(int(u.times)); !ok || !s.relieves(u, indexed) {
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

// works returns a draft as a loop that further remedies can change; nil if the model does not know some of its costs.
func (s *search) works(d *draft) *loop {
	b := uops.Bind(s.g.Bound.Model, d.kernel())
	if b.Doubtful() > 0 {
		return nil
	}
	return newLoop(s.o.Graph(b))
}

// readOnlyAsBase reports whether only the addresses of the instructions insts read the registers that each visits.
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

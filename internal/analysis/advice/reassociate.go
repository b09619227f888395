package advice

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
)

// reassociate shortens the slowest chain where two operations of one kind follow each other on it: it combines the two operands that are not on the chain
// first, so that the chain passes through one operation only. (s + a) + b becomes s + (a + b).
func reassociate(s *search) {
	if s.r.Reduces == nil || len(s.chains.Chains) == 0 || s.chains.Chains[0].Cycles < s.now.Cycles*0.8 {
		return
	}
	links := s.links()
	d := s.draft()
	a := Advice{Kind: Reassociate, Assumes: []string{Reassociation}}
	for i := 0; i+1 < len(links); i++ {
		x, y := links[i], links[i+1]
		if x.kind == "" || x.kind != y.kind || !s.fold(d, x, y) {
			continue
		}
		a.What = x.kind
		a.Insts = append(a.Insts, x.inst, y.inst)
		i++ // y is already changed, so that it cannot be part of another pair
	}
	if len(a.Insts) > 0 {
		s.try(d, a)
	}
}

// chained is an instruction on the slowest chain: the operands that carry the chain, and the operation, "" if it cannot be reassociated.
type chained struct {
	link
	kind string
	reg  isa.Reg // the register of operand in
}

// links returns the instructions of the slowest chain in order; each reads the result of the previous one, the first that of the last one an iteration earlier.
func (s *search) links() (out []chained) {
	c := &s.chains.Chains[0]
	for i := range c.Steps {
		st := &c.Steps[i]
		x := chained{}
		if st.Edge >= 0 {
			e := &s.g.Edges[st.Edge]
			in := &s.g.Bound.Insts[e.To]
			x.inst = int(e.To)
			if int(e.In) < len(in.Effects.Reads) && int(st.Out) >= 0 && int(st.Out) < len(in.Effects.Writes) && e.Kind == depgraph.Register {
				x.in, x.out, x.reg = int(in.Effects.Reads[e.In].Op), int(in.Effects.Writes[st.Out].Op), in.Effects.Reads[e.In].Reg
				if x.in > 0 && x.out >= 0 {
					x.kind = s.r.Reduces(s.inst(x.inst), x.in)
				}
			}
		}
		out = append(out, x)
	}
	return out
}

// fold changes t = c ∘ a; d = t ∘ b into t = b ∘ a; d = t ∘ c, and moves the first instruction to a place where b is known.
func (s *search) fold(d *draft, x, y chained) bool {
	if x.inst >= y.inst || len(s.g.Bound.Insts[y.inst].Effects.Mem) > 0 || s.used(x, y.inst) {
		return false
	}
	first, second := *s.inst(x.inst), *s.inst(y.inst)
	other := 3 - y.in // of two sources
	b := second.Reg(other)
	if y.in > 2 || b == isa.NoReg || s.r.Reduces(&second, other) != y.kind || s.r.Reduces(&first, x.in) != x.kind {
		return false
	}
	for i := x.inst + 1; i < y.inst; i++ { // the register of the chain must keep its value
		if s.writes(i, x.reg) || s.k.ISA.Flow(s.inst(i)).Kind != isa.FlowNext {
			return false
		}
	}
	t := b
	if !s.dead(y.inst, other) {
		return false
	}
	tied := s.k.ISA.Forms.TiedDef(first.Form, x.in) == x.out || first.Reg(x.in) == first.Reg(x.out) && s.k.ISA.Forms.TiedDef(first.Form, x.in) >= 0
	first.Ops[x.in].Reg, first.Ops[x.out].Reg = b, t
	if tied && s.k.ISA.Forms.TiedDef(second.Form, y.in) < 0 {
		return false
	}
	second.Ops[y.in].Reg, second.Ops[other].Reg = x.reg, t
	if !s.tied(&first) || !s.tied(&second) {
		return false
	}
	moved, ok := s.moved(&first, x.inst, y.inst)
	if !ok {
		return false
	}
	at := slices.IndexFunc(d.lines, func(l draftLine) bool { return l.from == x.inst })
	to := slices.IndexFunc(d.lines, func(l draftLine) bool { return l.from == y.inst })
	if at < 0 || to < 0 {
		return false
	}
	d.lines[to].set(second)
	line := d.lines[at]
	line.set(moved)
	d.lines = slices.Insert(slices.Delete(d.lines, at, at+1), to-1, line)
	return true
}

// tied reports whether the operands of an instruction that must be one register are one.
func (s *search) tied(in *isa.Inst) bool {
	for i := range int(in.NOps) {
		if def := s.k.ISA.Forms.TiedDef(in.Form, i); def >= 0 && in.Reg(def) != in.Reg(i) {
			return false
		}
	}
	return true
}

// used reports whether another instruction than y reads the result of a link.
func (s *search) used(x chained, y int) bool {
	return slices.ContainsFunc(s.out[x.inst], func(n int) bool {
		e := &s.g.Edges[n]
		return int(e.To) != y || e.Dist > 0
	})
}

// dead reports whether the value of operand op of an instruction was computed in the same iteration, and no other instruction reads it.
func (s *search) dead(i, op int) bool {
	edges, _ := s.g.Into(i)
	in := &s.g.Bound.Insts[i]
	for k := range edges {
		e := &edges[k]
		if int(e.In) < len(in.Effects.Reads) && int(in.Effects.Reads[e.In].Op) == op {
			return e.Dist == 0 && !slices.ContainsFunc(s.out[e.From], func(n int) bool { return int(s.g.Edges[n].To) != i })
		}
	}
	return false
}

// moved returns an instruction moved down, from position from to position to. It displaces the instruction's address by the constants that the instructions between
// add to its registers.
func (s *search) moved(in *isa.Inst, from, to int) (isa.Inst, bool) {
	out := *in
	e := &s.g.Bound.Insts[from].Effects
	for i := from + 1; i < to; i++ {
		for m := range e.Mem {
			ref := &e.Mem[m]
			for _, w := range s.g.Bound.Insts[i].Effects.Writes {
				if !s.uses(ref, w.Reg) {
					continue
				}
				st := s.stepAt(i)
				if st == nil || s.r.Displaced == nil {
					return out, false
				}
				moved, ok := s.r.Displaced(&out, ref, -st.imm*s.scale(ref, st.reg))
				if !ok {
					return out, false
				}
				out = moved
			}
		}
		for _, r := range e.Reads { // its other operands
			if r.Role == isa.RoleData && r.Op >= 0 && s.writes(i, r.Reg) && in.Reg(int(r.Op)) == r.Reg {
				return out, false
			}
		}
		for _, m := range s.g.Bound.Insts[i].Effects.Mem {
			if m.Store && len(e.Mem) > 0 {
				return out, false
			}
		}
	}
	return out, true
}

package advice

import (
	"strings"

	"incore/internal/isa"
)

// hoist leaves out of the loop what computes the same in every iteration: loads from one place, constants, arithmetic on what does not change.
func hoist(s *search) {
	d := s.draft()
	gone := make([]bool, len(s.k.Lines))
	a := Advice{Kind: Hoist}
	stores := false
	for i := range s.k.Lines {
		for _, m := range s.g.Bound.Insts[i].Effects.Mem {
			stores = stores || m.Store
		}
	}
	for again := true; again; {
		again = false
		for i := range s.k.Lines {
			if !gone[i] && s.same(i, gone) {
				gone[i], again = true, true
			}
		}
	}
	d.lines = d.lines[:0]
	loads := false
	for i := range s.k.Lines {
		line := draftLine{Line: s.k.Lines[i], from: i}
		if gone[i] {
			d.front = append(d.front, Line{From: i, Text: strings.Join(strings.Fields(line.Text), " ")})
			a.Insts = append(a.Insts, i)
			a.Operands = append(a.Operands, s.registerName(s.g.Bound.Insts[i].Effects.Writes[0].Reg))
			a.What = s.mnemonic(i)
			loads = loads || len(s.g.Bound.Insts[i].Effects.Mem) > 0
			continue
		}
		d.lines = append(d.lines, line)
	}
	if loads && stores {
		a.Assumes = []string{NoAlias}
	}
	if len(a.Insts) > 0 {
		s.try(d, a)
	}
}

// same reports whether an instruction leaves the same in registers that it alone writes, in every iteration: it reads nothing that the loop changes, but for what other
// such instructions leave. Flags, stores and branches are no such thing.
func (s *search) same(i int, gone []bool) bool {
	in := &s.g.Bound.Insts[i]
	if s.control[i] || s.k.ISA.Flow(&in.Line.Inst).Kind != isa.FlowNext || len(in.Effects.Writes) == 0 {
		return false
	}
	for _, w := range in.Effects.Writes {
		if w.Role == isa.RoleFlags {
			if s.flagsRead(i) {
				return false
			}
			continue
		}
		if w.Merge || w.Role == isa.RoleUpdate || len(s.writers(w.Reg)) != 1 || s.k.ISA.StackPointer != nil && s.k.ISA.StackPointer(w.Reg) {
			return false
		}
	}
	for _, m := range in.Effects.Mem {
		if m.Store || m.Gather {
			return false
		}
	}
	edges, _ := s.g.Into(i)
	for k := range edges {
		from := int(edges[k].From)
		if !gone[from] || edges[k].Dist > 0 {
			return false
		}
	}
	for _, r := range in.Effects.Reads { // what the loop changes, although no value of it comes here (idioms)
		if r.Role != isa.RoleControl && s.changes(r.Reg, gone) {
			return false
		}
	}
	return true
}

// changes reports whether some instruction that stays writes a register.
func (s *search) changes(r isa.Reg, gone []bool) bool {
	for _, w := range s.writers(r) {
		if !gone[w] {
			return true
		}
	}
	return false
}

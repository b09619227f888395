package advice

import (
	"slices"
	"strings"

	"incore/internal/isa"
)

// hoist moves loop-invariant instructions in front of the loop: loads from a fixed address, constants, arithmetic on invariant values.
func hoist(s *search) {
	d := s.draft()
	gone := make([]bool, len(s.k.Lines))
	a := Advice{Kind: Hoist}
	stores, first := false, s.firstBranch()
	for i := range s.k.Lines {
		for _, m := range s.g.Bound.Insts[i].Effects.Mem {
			stores = stores || m.Store
		}
	}
	for i := range gone { // what a branch may pass over is not executed in all iterations: its register may keep an older value, its address may be none
		if gone[i] = s.movable(i); i >= first {
			gone[i] = false
		}
	}
	for again := true; again; {
		again = false
		for i := range gone {
			if gone[i] && !s.same(i, gone) {
				gone[i], again = false, true
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

// movable reports whether an instruction has no effects except on registers: it is not a store or a branch, and no instruction reads its flags.
func (s *search) movable(i int) bool {
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
		if w.Merge || w.Role == isa.RoleUpdate || s.k.ISA.StackPointer != nil && s.k.ISA.StackPointer(w.Reg) {
			return false
		}
	}
	for _, m := range in.Effects.Mem {
		if m.Store || m.Gather {
			return false
		}
	}
	return true
}

// same reports whether instruction i may leave the loop together with the instructions of gone: it reads no register that the loop changes, no remaining instruction
// overwrites its results, and the remaining instructions read only the last of these results.
func (s *search) same(i int, gone []bool) bool {
	in := &s.g.Bound.Insts[i]
	edges, _ := s.g.Into(i)
	for k := range edges {
		if !gone[edges[k].From] || edges[k].Dist > 0 {
			return false
		}
	}
	for _, r := range in.Effects.Reads { // the graph has no edge for reads that an idiom ignores
		if r.Role != isa.RoleControl && r.Role != isa.RoleFlags && s.changes(r.Reg, gone) {
			return false
		}
	}
	for _, w := range in.Effects.Writes {
		if w.Role == isa.RoleFlags {
			continue
		}
		all := s.writers(w.Reg)
		last := all[len(all)-1]
		for _, x := range all {
			if !gone[x] {
				return false
			}
		}
		for _, n := range s.out[i] {
			if e := &s.g.Edges[n]; !gone[e.To] && (i != last || e.Dist > 0) {
				return false
			}
		}
	}
	return true
}

// changes reports whether some instruction that stays writes a register.
func (s *search) changes(r isa.Reg, gone []bool) bool {
	return slices.ContainsFunc(s.writers(r), func(w int) bool { return !gone[w] })
}

package advice

import (
	"incore/internal/isa"
)

// otherInstructions tries other instructions with the same effect, for all instructions of one form together.
func otherInstructions(s *search) {
	if s.r.Instead == nil {
		return
	}
	free := s.freeRegisters()
	done := map[isa.FormID]bool{}
	for i := range s.k.Lines {
		form := s.inst(i).Form
		if done[form] {
			continue
		}
		done[form] = true
		for n := range s.r.Instead(s.inst(i), free) {
			s.replaceAll(form, n, free)
		}
	}
}

// freeRegisters returns registers that the loop does not use.
func (s *search) freeRegisters() (out []isa.Reg) {
	for i := range s.r.Files {
		f := &s.r.Files[i]
		for _, at := range s.free(f) {
			out = append(out, s.member(f.Classes[len(f.Classes)-1], at))
		}
	}
	return out
}

// replaceAll puts alternative n in place of each instruction of a form.
func (s *search) replaceAll(form isa.FormID, n int, free []isa.Reg) {
	d := s.draft()
	a := Advice{Kind: Instead}
	for i := len(s.k.Lines) - 1; i >= 0; i-- {
		if s.inst(i).Form != form {
			continue
		}
		all := s.r.Instead(s.inst(i), free)
		if n >= len(all) {
			continue
		}
		x := &all[n]
		if s.flagsRead(i) && (x.Flags || s.control[i] || !s.k.Latch) || x.Flags && s.flagsLive(i) && !s.control[i] {
			continue
		}
		if x.Needs == "upper-lanes" && !s.scalar(i) {
			continue
		}
		if !d.insert(i, i, x.Statements...) {
			return
		}
		at := i + len(x.Statements)
		d.lines = append(d.lines[:at], d.lines[at+1:]...)
		a.Insts = append([]int{i}, a.Insts...)
		if a.What = isa.Brief(s.k.Lines[i].Text); x.Needs != "" {
			a.Assumes = []string{x.Needs}
		}
		a.Operands = a.Operands[:0]
		for k := range x.Statements {
			a.Operands = append(a.Operands, d.text(&d.lines[i+k].Inst))
		}
	}
	if len(a.Insts) > 0 {
		s.try(d, a)
	}
}

// scalar reports whether all that reads the result of an instruction uses its first element only: scalar operations and stores.
func (s *search) scalar(i int) bool {
	for _, n := range s.out[i] {
		to := int(s.g.Edges[n].To)
		in := &s.g.Bound.Insts[to]
		stores := len(in.Effects.Mem) == 1 && in.Effects.Mem[0].Store && in.Effects.Mem[0].Bits <= 64
		if s.k.ISA.Float == nil || !stores && s.k.ISA.Float(s.inst(to)).Lanes != 1 {
			return false
		}
	}
	return true
}

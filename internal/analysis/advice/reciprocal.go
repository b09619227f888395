package advice

import (
	"incore/internal/isa"
)

// reciprocals replaces divisions by a loop-invariant value by multiplications with its reciprocal, which is computed in front of the loop.
func reciprocals(s *search) {
	if s.r.Reciprocal == nil {
		return
	}
	d := s.draft()
	a := Advice{Kind: Reciprocal, Assumes: []string{Rounding}}
	for i := range s.k.Lines {
		in, op, ok := s.r.Reciprocal(s.inst(i))
		if !ok || !s.fixed(i, op) {
			continue
		}
		d.lines[i].set(in)
		a.Insts = append(a.Insts, i)
		a.What = s.mnemonic(i)
		if r := s.inst(i).Reg(op); r != isa.NoReg && len(s.g.Bound.Insts[i].Effects.Mem) == 0 {
			a.Operands = append(a.Operands, s.registerName(r))
		}
	}
	if len(a.Insts) > 0 {
		s.try(d, a)
	}
}

// fixed reports whether an operand is loop-invariant: a register that keeps its value, or a load from a fixed address.
func (s *search) fixed(i, op int) bool {
	e := &s.g.Bound.Insts[i].Effects
	for m := range e.Mem {
		ref := &e.Mem[m]
		if int(ref.Op) != op {
			continue
		}
		if !s.invariant(ref.Base) && !s.k.ISA.Constant(ref.Base) || !s.invariant(ref.Index) {
			return false
		}
		edges, _ := s.g.Into(i)
		for k := range edges {
			if int(edges[k].In) == len(e.Reads)+m {
				return false
			}
		}
		return true
	}
	r := s.inst(i).Reg(op)
	return r != isa.NoReg && s.invariant(r)
}

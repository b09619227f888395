package asm

import "incore/internal/isa"

// size gives the instructions of a kernel the sizes that their machine code would have; the model of the front end needs them. The
// lines are those of statements of.
func (p *Program) size(k *isa.Kernel, of []int32) {
	if k.ISA.Encode == nil {
		return
	}
	s := sizer{Program: p, short: map[int32]int{}, between: map[int32]int{}}
	addr := uint64(0)
	for i := range k.Lines {
		in := &k.Lines[i].Inst
		if in.Size == 0 {
			in.Size = s.encoded(in, addr)
		}
		s.short[of[i]] += int(in.Size)
		addr += uint64(in.Size)
	}
	for i := range k.Lines {
		in, n := &k.Lines[i].Inst, of[i]
		if !s.branch(n) {
			continue
		}
		to := p.insts[n].target
		if to < 0 && i == len(k.Lines)-1 && k.Loop {
			to = of[0] // what closes an excerpt whose label is not in the text
		}
		if s.far(in, n, to, s.size) {
			in.Size = s.long(in)
		}
	}
}

// reach is the distance in bytes that the shortest branch of any instruction set covers (x86; the displacement begins at its end).
const reach = 127

// sizer finds the sizes of a program's statements.
type sizer struct {
	*Program
	short   map[int32]int // the bytes of statements, if all branches are short ones
	between map[int32]int // the bytes of branches, if all others are short ones
	code    []byte
	lines   []isa.Line
}

// encoded returns the size of an instruction with branches of the shortest form, 0 if it is not known.
func (s *sizer) encoded(in *isa.Inst, addr uint64) uint8 {
	code, err := s.ISA().Encode(s.code[:0], in, addr)
	if err != nil {
		code, err = s.ISA().Encode(s.code[:0], withSymbols(in, 0), 0)
	}
	if err != nil {
		return 0
	}
	s.code = code
	return uint8(len(code))
}

// long returns the size of a branch to a distant target; branches that reach none keep their size.
func (s *sizer) long(in *isa.Inst) uint8 {
	code, err := s.ISA().Encode(s.code[:0], withSymbols(in, 16*reach), 0)
	if err != nil {
		return in.Size
	}
	return uint8(len(code))
}

// ISA is the program's instruction set.
func (s *sizer) ISA() *isa.ISA { return s.Language.ISA }

// branch reports whether statement n jumps to a label.
func (s *sizer) branch(n int32) bool {
	return s.insts[n].flow == isa.FlowCond || s.insts[n].flow == isa.FlowJump
}

// far reports whether a branch, statement n, is too far from its target for a short one, by the sizes of the statements in between.
// Names without a label in the text are those of other files, unless they are local.
func (s *sizer) far(in *isa.Inst, n, target int32, size func(n int32) int) bool {
	if target < 0 {
		t := s.ISA().Flow(in).Target
		return t.Kind == isa.OpExpr && !isLocal(t.Expr.Sym) && t.Expr.Sym != "." && t.Expr.Sym != "$"
	}
	first, end, bytes := n+1, target, 0
	if target <= n {
		first, end, bytes = target, n, 1 // a short branch has two bytes, and reaches 128 bytes back
	}
	for ; first < end && bytes <= reach; first++ {
		bytes += size(first)
	}
	return bytes > reach
}

// size returns the bytes of statement n, of a branch as if all others were short ones.
func (s *sizer) size(n int32) int {
	if !s.branch(n) {
		return s.shortest(n)
	}
	b, known := s.between[n]
	if !known {
		b = s.shortest(n)
		if l := s.Lines(nil, int(n)); len(l) == 1 && l[0].Err == nil && s.far(&l[0].Inst, n, s.insts[n].target, s.shortest) {
			b = max(b, int(s.long(&l[0].Inst)))
		}
		s.between[n] = b
	}
	return b
}

// shortest returns the bytes of statement n, if all branches are short ones.
func (s *sizer) shortest(n int32) int {
	b, known := s.short[n]
	if !known {
		s.lines = s.Lines(s.lines[:0], int(n))
		for i := range s.lines {
			if l := &s.lines[i]; l.Err == nil && s.branch(n) {
				b += int(s.encoded(withSymbols(&l.Inst, 0), 0)) // not its distance from the label that it names
			} else if l.Err == nil {
				b += int(s.encoded(&l.Inst, 0))
			}
		}
		s.short[n] = b
	}
	return b
}

// withSymbols returns an instruction with a number in the place of its symbols.
func withSymbols(in *isa.Inst, value int64) *isa.Inst {
	out := *in
	for i := range out.Ops[:out.NOps] {
		if o := &out.Ops[i]; o.Kind == isa.OpExpr {
			*o = isa.Operand{Kind: isa.OpImm, Imm: value}
		}
	}
	return &out
}

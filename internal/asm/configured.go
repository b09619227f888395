package asm

import "incore/internal/isa"

// configured returns the vector configuration before instruction i.
func (p *Program) configured(i int32) isa.VType {
	at := p.blockOf(int(i))
	before := func(b int) (from []int) {
		if p.entered(int32(b)) {
			return nil
		}
		if p.blocks[b-1].next == int32(b) {
			from = append(from, b-1)
		}
		for _, x := range p.preds(int32(b)) {
			from = append(from, int(x))
		}
		return from
	}
	code := func(dst []isa.Inst, b int) []isa.Inst {
		end := p.blocks[b].end
		if b == at {
			end = i
		}
		var lines []isa.Line
		for n := p.blocks[b].first; n < end; n++ {
			lines = p.Lines(lines, int(n))
		}
		for n := range lines {
			dst = append(dst, lines[n].Inst)
		}
		return dst
	}
	return p.Language.ISA.Configured([]int{at}, before, code)
}

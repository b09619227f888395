package asm

import (
	"fmt"
	"strings"

	"incore/internal/base/source"
)

// This file finds the targets of jumps that lead to a number of bytes behind a label or from themselves: "jne dot+0x10", "jmp .+4".

// aligned is the multiple of bytes at which compilers put what they pad up to.
const aligned = 8

// behind returns the instruction that lies a number of bytes behind another, -1 if none does. In a disassembly nops may be longer than the assembler makes them: they
// fill up to an aligned place. jumps has the places behind the same beginning to which other statements jump.
func (s *sizer) behind(from int32, bytes int64, disassembly bool, jumps map[int32]int64) int32 {
	for at := int64(0); from >= 0 && int(from) < len(s.insts); from++ {
		switch {
		case at == bytes:
			return from
		case at > bytes:
			return -1
		}
		n := s.size(from)
		if to, ok := jumps[from]; ok {
			n = s.reaching(from, to-at)
		}
		if n == 0 {
			return -1
		}
		if at += int64(n); disassembly {
			if up := (at+aligned-1)&^(aligned-1) - at; up <= s.pads(from) {
				at += up
			}
		}
	}
	return -1
}

// reaching returns the size of a branch to a number of bytes behind its own beginning.
func (s *sizer) reaching(n int32, bytes int64) int {
	short := s.shortest(n)
	if by := bytes - int64(short); by >= -reach-1 && by <= reach {
		return short
	}
	l := s.Lines(nil, int(n))
	if len(l) != 1 || l[0].Err != nil {
		return 0
	}
	return max(short, int(s.long(&l[0].Inst)))
}

// before returns the instruction that lies a number of bytes before another, -1 if none does.
func (s *sizer) before(from int32, bytes int64) int32 {
	for at := int64(0); from > 0 && at < bytes; {
		from--
		n := s.size(from)
		if at += int64(n); at == bytes {
			return from
		}
	}
	return -1
}

// pads returns how many bytes longer than the assembler makes it a nop of a listing may be. LLVM shows one of two bytes without operands.
func (s *sizer) pads(n int32) int64 {
	s.lines = s.Lines(s.lines[:0], int(n))
	if len(s.lines) != 1 || s.lines[0].Err != nil {
		return 0
	}
	switch _, operands, ok := strings.Cut(s.lines[0].Text, "nop"); { // behind prefixes: "cs nopw"
	case !ok:
		return 0
	case operands == "":
		return 1
	}
	return aligned
}

// place links the jumps that lead to bytes behind a label or from themselves. Where the text does not tell the sizes, the target is unknown.
func (p *Program) place(jumps []jump, disassembly bool) {
	a := p.Language.ISA
	s := sizer{Program: p, short: map[int32]int{}, between: map[int32]int{}}
	var lost []int32
	offsets := map[string]map[int32]int64{} // by label: the jumps to places behind it
	for _, j := range jumps {
		if j.add > 0 && !itself(j.symbol) {
			if offsets[j.symbol] == nil {
				offsets[j.symbol] = map[int32]int64{}
			}
			offsets[j.symbol][j.inst] = j.add
		}
	}
	for _, j := range jumps {
		if j.add == 0 && !itself(j.symbol) {
			continue
		}
		from := j.inst
		if !itself(j.symbol) {
			from = p.find(j)
		}
		to := int32(-1)
		switch {
		case from < 0 || a.Encode == nil || a.Shrinks:
		case j.add < 0:
			to = s.before(from, -j.add)
		default:
			to = s.behind(from, j.add, disassembly, offsets[j.symbol])
		}
		if p.insts[j.inst].target = to; to < 0 && from >= 0 {
			lost = append(lost, j.inst)
		}
	}
	if len(lost) > 0 {
		in := &p.insts[lost[0]]
		p.Notes = append(p.Notes, source.Diagnostic{Pos: p.pos(in.line, in.col), Severity: source.Warning, Hint: "give labels, addresses, or the object file",
			Msg: fmt.Sprintf("where this jump leads is not known without the size of machine code, nor of %d others", len(lost)-1)})
	}
}

// itself reports whether a symbol is the place of the statement.
func itself(symbol string) bool { return symbol == "." || symbol == "$" }

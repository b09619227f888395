package riscv

import (
	"math/bits"

	"incore/internal/isa"
)

// liStep is one instruction of the sequence that loads a constant. Its input is the result
// of the previous step (zero at first).
type liStep struct {
	op  liOp
	arg int64 // immediate
}

type liOp uint8

const (
	liLUI    liOp = iota // upper 20 bits
	liADDI               // add a 12-bit immediate
	liADDIW              // the same, result sign-extended from 32 bits
	liXORI               // exclusive or with a 12-bit immediate
	liSLLI               // shift left
	liSLLIUW             // zero-extend from 32 bits, then shift left (Zba)
	liSRLI               // shift right
	liZEXTW              // zero-extend from 32 bits (Zba add.uw with x0)
	liSH1ADD             // times 3 (Zba shNadd with itself)
	liSH2ADD             // times 5
	liSH3ADD             // times 9
	liBSETI              // set a bit (Zbs)
	liBCLRI              // clear a bit (Zbs)
	liRORI               // rotate right (Zbb)
)

// liMaker finds short instruction sequences for constants: the same as LLVM's
// assembler (checked against llvm-mc), so that forms and counts agree with the assembled code.
type liMaker struct{ zba, zbb, zbs bool }

// sequence returns the instructions that load v.
func (m liMaker) sequence(v int64) []liStep {
	best := m.plain(v)
	shorter := func(inner int64, tail ...liStep) {
		if s := m.plain(inner); len(s)+len(tail) < len(best) {
			best = append(s, tail...)
		}
	}
	// An even number whose low bits would need an addi: load the odd part and shift it.
	if v&0xfff != 0 && v&1 == 0 && len(best) >= 2 {
		tz := bits.TrailingZeros64(uint64(v))
		odd := v >> tz
		if s := m.plain(odd); len(s)+1 < len(best) || fits(odd, 6) {
			best = append(s, liStep{liSLLI, int64(tz)})
		}
	}
	if len(best) <= 2 {
		return best
	}
	// Bit 12 set, bit 11 clear: a negative addi makes the upper part simpler.
	if v&0xfff != 0 && v&0x1800 == 0x1000 {
		low := v&0xfff - 0x800
		shorter(v-low, liStep{liADDI, low})
	}
	if v > 0 { // leading zeros: a right shift produces them, and the bits that it shifts out are free
		lz := bits.LeadingZeros64(uint64(v))
		up := v << lz
		shorter(up|(1<<lz-1), liStep{liSRLI, int64(lz)})
		shorter(up, liStep{liSRLI, int64(lz)})
		if lz == 32 && m.zba {
			shorter(v|-1<<32, liStep{op: liZEXTW})
		}
	}
	if v < 0 { // leading ones: the same on the complement
		lz := bits.LeadingZeros64(uint64(^v))
		up := ^v << lz
		shorter(up|(1<<lz-1), liStep{liSRLI, int64(lz)}, liStep{liXORI, -1})
		shorter(up, liStep{liSRLI, int64(lz)}, liStep{liXORI, -1})
	}
	if len(best) > 2 && m.zbs {
		best = m.bitwise(v, best)
	}
	if len(best) > 2 && m.zba {
		best = m.multiples(v, best)
	}
	if len(best) > 2 && m.zbb {
		if inner, by, ok := rotated(v); ok {
			best = []liStep{{liADDI, inner}, {liRORI, int64(by)}}
		}
	}
	return best
}

// fits reports whether v is a signed number of n bits.
func fits(v int64, n int) bool { return v>>(n-1) == 0 || v>>(n-1) == -1 }

// signExtend returns the low n bits of v as a signed number.
func signExtend(v int64, n int) int64 { return v << (64 - n) >> (64 - n) }

// plain builds v from the top: 32 bits by lui and addiw, then shifts and 12-bit additions.
func (m liMaker) plain(v int64) []liStep {
	if m.zbs && bits.OnesCount64(uint64(v)) == 1 && (!fits(v, 32) || v == 0x800) {
		return []liStep{{liBSETI, int64(bits.TrailingZeros64(uint64(v)))}}
	}
	low := signExtend(v, 12)
	if fits(v, 32) {
		var s []liStep
		upper := (v + 0x800) >> 12 & 0xfffff
		if upper != 0 {
			s = append(s, liStep{liLUI, upper})
		}
		switch {
		case upper != 0 && low != 0:
			s = append(s, liStep{liADDIW, low})
		case upper == 0:
			s = append(s, liStep{liADDI, low})
		}
		return s
	}
	rest := v - low
	shift, op := 0, liSLLI
	if !fits(rest, 32) {
		shift = bits.TrailingZeros64(uint64(rest))
		rest >>= shift
		if shift > 12 && !fits(rest, 12) { // leave twelve zeros to lui
			switch up := rest << 12; {
			case fits(up, 32):
				shift, rest = shift-12, up
			case m.zba && uint64(up)>>32 == 0:
				shift, rest, op = shift-12, up|-1<<32, liSLLIUW
			}
		}
		if m.zba && uint64(rest)>>32 == 0 && !fits(rest, 32) {
			rest, op = rest|-1<<32, liSLLIUW
		}
	}
	s := m.plain(rest)
	if shift > 0 {
		s = append(s, liStep{op, int64(shift)})
	}
	if low != 0 {
		s = append(s, liStep{liADDI, low})
	}
	return s
}

// bitwise loads the low 32 bits (sign-extended with zeros or ones) and sets or clears the upper bits one by one.
func (m liMaker) bitwise(v int64, best []liStep) []liStep {
	try := func(inner int64, op liOp, diff uint64) {
		var s []liStep
		if inner != 0 {
			s = m.plain(inner)
		}
		if len(s)+bits.OnesCount64(diff) >= len(best) {
			return
		}
		for ; diff != 0; diff &= diff - 1 {
			s = append(s, liStep{op, int64(bits.TrailingZeros64(diff))})
		}
		best = s
	}
	inner := v & 0x7fffffff
	try(inner, liBSETI, uint64(v^inner))
	inner = v | -1<<31
	try(inner, liBCLRI, uint64(v^inner))
	return best
}

// multiples loads v as a multiple of 3, 5 or 9, optionally with an addi after it.
func (m liMaker) multiples(v int64, best []liStep) []liStep {
	factors := [...]struct {
		n  int64
		op liOp
	}{{3, liSH1ADD}, {5, liSH2ADD}, {9, liSH3ADD}}
	for _, f := range factors {
		if v%f.n == 0 && fits(v/f.n, 32) {
			if s := m.plain(v / f.n); len(s)+1 < len(best) {
				best = append(s, liStep{op: f.op})
			}
			return best
		}
	}
	high, low := (v+0x800)>>12<<12, signExtend(v, 12)
	for _, f := range factors {
		if fits(high/f.n, 32) && high%f.n == 0 {
			if s := m.plain(high / f.n); low != 0 && len(s)+2 < len(best) {
				best = append(s, liStep{op: f.op}, liStep{liADDI, low})
			}
			return best
		}
	}
	return best
}

// rotated finds a 12-bit immediate and a right rotation whose result is v.
func rotated(v int64) (inner int64, by int, ok bool) {
	u := uint64(v)
	// ones at both ends: rotate the whole run to the top
	lead, trail := bits.LeadingZeros64(^u), bits.TrailingZeros64(^u)
	if trail > 0 && trail < 64 && lead+trail > 64-12 {
		return int64(bits.RotateLeft64(u, 64-trail)), 64 - trail, true
	}
	// ones in the middle: the run across the two halves
	upper, lower := bits.TrailingZeros32(^uint32(u>>32)), bits.LeadingZeros32(^uint32(u))
	if upper < 32 && upper+lower > 64-12 {
		return int64(bits.RotateLeft64(u, 32-upper)), 32 - upper, true
	}
	return 0, 0, false
}

// expandLI expands "li rd, constant".
func expandLI(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst {
	f, rd := &p.forms, in.Ops[0]
	zero := reg(p.regs.x[0])
	src := zero
	if in.Ops[1].Kind != isa.OpImm { // a difference of labels, whose value is unknown here
		return append(dst, inst(f.addi, rd, zero, in.Ops[1]))
	}
	m := liMaker{zba: p.ext("zba"), zbb: p.ext("zbb"), zbs: p.ext("zbs")}
	for _, s := range m.sequence(in.Ops[1].Imm) {
		arg := imm(s.arg)
		switch s.op {
		case liLUI:
			dst = append(dst, inst(f.lui, rd, arg))
		case liZEXTW:
			dst = append(dst, inst(f.addUW, rd, src, zero))
		case liSH1ADD, liSH2ADD, liSH3ADD:
			dst = append(dst, inst([...]isa.FormID{f.sh1add, f.sh2add, f.sh3add}[s.op-liSH1ADD], rd, src, src))
		default:
			form := map[liOp]isa.FormID{liADDI: f.addi, liADDIW: f.addiw, liXORI: f.xori, liSLLI: f.slli, liSLLIUW: f.slliUW, liSRLI: f.srli,
				liBSETI: f.bseti, liBCLRI: f.bclri, liRORI: f.rori}[s.op]
			dst = append(dst, inst(form, rd, src, arg))
		}
		src = rd
	}
	return dst
}

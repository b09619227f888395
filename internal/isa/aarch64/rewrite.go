package aarch64

import (
	"math"

	"incore/internal/isa"
)

// rewrites are the aliases that LLVM's parser resolves in code rather than by its
// tables, by mnemonic. Each changes the statement in place and reports whether it did.
var rewrites map[string]func(s *stmt) bool

func init() {
	field := func(to string, insert bool) func(*stmt) bool {
		return func(s *stmt) bool { return s.bitField(to, insert) }
	}
	extend := func(s *stmt) bool { return s.extend() }
	testBit := func(s *stmt) bool { return s.testBit() }
	sysAlias := func(s *stmt) bool { return s.sysAlias() }
	predict := func(op2 int64) func(*stmt) bool {
		return func(s *stmt) bool { return s.predictionRestriction(op2) }
	}
	rewrites = map[string]func(*stmt) bool{
		"lsl": (*stmt).shiftLeft, "bfc": (*stmt).fieldClear,
		"bfi": field("bfm", true), "sbfiz": field("sbfm", true), "ubfiz": field("ubfm", true),
		"bfxil": field("bfm", false), "sbfx": field("sbfm", false), "ubfx": field("ubfm", false),
		"sxtb": extend, "sxth": extend, "sxtw": extend, "uxtb": extend, "uxth": extend, "uxtw": extend,
		"movi": (*stmt).byteImmediate, "tbz": testBit, "tbnz": testBit, "fmov": (*stmt).moveZero, "ldr": (*stmt).literal, "ldrsw": (*stmt).literal,
		"ic": sysAlias, "dc": sysAlias, "at": sysAlias, "tlbi": sysAlias, "tlbip": sysAlias,
		"cfp": predict(4), "dvp": predict(5), "cosp": predict(6), "cpp": predict(7),
	}
}

// is reports whether the statement's elements are of the given kinds.
func (s *stmt) is(kinds ...elemKind) bool {
	if s.n != len(kinds) {
		return false
	}
	for i, k := range kinds {
		if s.el[i].kind != k {
			return false
		}
	}
	return true
}

// bitsOf is the width of the general register in element i.
func (s *stmt) bitsOf(i int) int64 {
	if s.a.r.file[s.el[i].reg] == fileW {
		return 32
	}
	return 64
}

func immElem(v int64) elem { return elem{kind: elImm, imm: v} }

// shiftLeft: lsl d, n, #k is ubfm d, n, #(-k mod width), #(width-1-k).
func (s *stmt) shiftLeft() bool {
	if !s.is(elReg, elReg, elImm) {
		return false
	}
	w, k := s.bitsOf(0), s.el[2].imm
	if k < 0 || k >= w {
		return false
	}
	s.mnem, s.el[2] = "ubfm", immElem((w-k)%w)
	s.add(immElem(w - 1 - k))
	return true
}

// bitField: bfi, sbfiz, ubfiz (insert) and bfxil, sbfx, ubfx are BFM, SBFM, UBFM with
// the rotation and the highest bit instead of position and width.
func (s *stmt) bitField(to string, insert bool) bool {
	if !s.is(elReg, elReg, elImm, elImm) {
		return false
	}
	w, lsb, width := s.bitsOf(0), s.el[2].imm, s.el[3].imm
	if lsb < 0 || lsb >= w || width < 1 || lsb+width > w {
		return false
	}
	s.mnem = to
	if insert {
		s.el[2].imm, s.el[3].imm = (w-lsb)%w, width-1
	} else {
		s.el[3].imm = lsb + width - 1
	}
	return true
}

// fieldClear: bfc d, #lsb, #width is bfi d, zr, #lsb, #width.
func (s *stmt) fieldClear() bool {
	if !s.is(elReg, elImm, elImm) {
		return false
	}
	zr := s.a.r.xzr
	if s.bitsOf(0) == 32 {
		zr = s.a.r.wzr
	}
	s.add(s.el[2])
	s.el[2], s.el[1] = s.el[1], elem{kind: elReg, reg: zr}
	return s.bitField("bfm", true)
}

// extend: in sxtw x0, w1 the source is the 32-bit register, in the form the 64-bit register;
// uxtb x0, w1 and uxth write 32 bits.
func (s *stmt) extend() bool {
	if !s.is(elReg, elReg) {
		return false
	}
	r := s.a.r
	d, n := &s.el[0], &s.el[1]
	if r.file[d.reg] != fileX || r.file[n.reg] != fileW {
		return false
	}
	if s.mnem[0] == 's' || s.mnem == "uxtw" {
		n.reg = r.xOf(n.reg)
	} else {
		d.reg = r.wOf(d.reg)
	}
	if s.mnem == "uxtw" { // no row of its own
		s.mnem = "ubfm"
		s.add(immElem(0))
		s.add(immElem(31))
	}
	return true
}

// testBit: bits below 32 are tested in the 32-bit register.
func (s *stmt) testBit() bool {
	if s.n != 3 || s.el[0].kind != elReg || s.el[1].kind != elImm || uint64(s.el[1].imm) >= 32 {
		return false
	}
	s.el[0].reg = s.a.r.wOf(s.el[0].reg)
	return true
}

// moveZero: fmov of 0.0 to a scalar register copies the zero register; fmov to SVE
// vectors copies the integer 0, which the rows write as two tokens.
func (s *stmt) moveZero() bool {
	last := s.n - 1
	if last < 1 || s.el[last].kind != elFP || s.el[last].f != 0 || math.Signbit(s.el[last].f) {
		return false
	}
	if s.el[0].kind == elZ {
		s.n = last
		s.addTok("#0")
		s.addTok(".0")
		return true
	}
	if s.n != 2 || s.el[0].kind != elReg {
		return false
	}
	zr := s.a.r.wzr
	if s.a.r.file[s.el[0].reg] == fileD {
		zr = s.a.r.xzr
	}
	s.el[1] = elem{kind: elReg, reg: zr}
	return true
}

// byteImmediate: GNU as accepts negative bytes for MOVI of bytes (0xffffffffffffff96).
func (s *stmt) byteImmediate() bool {
	if s.n != 3 || s.el[1].kind != elTok || s.el[1].word != ".8b" && s.el[1].word != ".16b" || s.el[2].kind != elImm {
		return false
	}
	e := &s.el[2]
	if e.imm >= 0 || e.imm < -128 {
		return false
	}
	e.imm &= 0xff
	return true
}

// literal: ldr x0, =value is a move if one MOVZ can load the value, else a load from the literal pool.
func (s *stmt) literal() bool {
	if s.n != 2 || s.el[1].kind != elLiteral {
		return false
	}
	e := &s.el[1]
	f := s.a.r.file[s.el[0].reg]
	if e.expr == nil && s.mnem == "ldr" && (f == fileW || f == fileX) {
		v, w := uint64(e.imm), uint(s.bitsOf(0))
		if w == 32 {
			v &= 1<<32 - 1
		}
		for sh := uint(0); sh < w; sh += 16 {
			if isMovWide(v, w, sh) {
				s.mnem, *e = "movz", immElem(int64(v>>sh))
				s.add(elem{kind: elShift, sh: shLSL, amt: int64(sh), amount: true})
				return true
			}
		}
	}
	x := &isa.Expr{Text: "=" + e.word, Sym: e.word}
	if e.expr != nil {
		x.Sym, x.Add, x.Mod = e.expr.Sym, e.expr.Add, e.expr.Mod
	}
	*e = elem{kind: elSym, expr: x}
	return true
}

// sysAlias: cache, address translation and TLB operations are SYS with the
// numbers of the named operation; TLBIP is SYSP with a register pair.
func (s *stmt) sysAlias() bool {
	if s.n < 1 || s.el[0].kind != elWord {
		return false
	}
	table, to := s.mnem, "sys"
	if s.mnem == "tlbip" {
		table, to = "tlbi", "sysp"
	}
	op, ok := named(table, s.el[0].word)
	if !ok {
		return false
	}
	s.sys(to, op.value, 1)
	return true
}

// sys replaces the first drop elements by those of SYS for an operation
// op1:CRn:CRm:op2.
func (s *stmt) sys(to string, v int64, drop int) {
	args := [maxElems]elem{}
	n := copy(args[:], s.el[drop:s.n])
	s.mnem, s.n = to, 0
	s.add(immElem(v >> 11 & 7))
	s.add(elem{kind: elCR, imm: v >> 7 & 15})
	s.add(elem{kind: elCR, imm: v >> 3 & 15})
	s.add(immElem(v & 7))
	for _, e := range args[:n] {
		s.add(e)
	}
}

// predictionRestriction: cfp rctx, x0 is sys #3, c7, c3, #4, x0.
func (s *stmt) predictionRestriction(op2 int64) bool {
	if s.n != 2 || s.el[0].kind != elWord || !eqFold(s.el[0].word, "rctx") {
		return false
	}
	s.sys("sys", 3<<11|7<<7|3<<3|op2, 1)
	return true
}

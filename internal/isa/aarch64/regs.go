package aarch64

import (
	"strings"

	"incore/internal/base/blob"
	"incore/internal/isa"
)

// The register numbers of A64: 31 is the zero register or the stack pointer,
// depending on the operand.
const (
	numFP = 29
	numLR = 30
	numZR = 31
)

// registers are the register lists that the parser and the decoder index by number.
type registers struct {
	w, x             blob.U16 // 31 = zero register
	b, h, s, d, q, z blob.U16
	p, pn            blob.U16
	sp, wsp, xzr     isa.Reg
	wzr, nzcv, za    isa.Reg
	fpcr, fpsr       isa.Reg
	vg, zt0          isa.Reg
	dTuple, qTuple   [5]blob.U16 // by length: consecutive registers, wrapping round
	zTuple           [5]blob.U16
	zStrided         [5]blob.U16 // lengths 2 and 4
	p2               blob.U16
	wPair, xPair     blob.U16
	x8               blob.U16
	num              []uint8    // register → number, tuples → number of the first
	file             []regFile  // register → kind
	first            []isa.Reg  // register → the widest register of the same number (X, Z), for other registers the register itself
	tile             [6]isa.Reg // first ZA tile by log2 of the element's bytes
}

// regFile is the kind of a register.
type regFile uint8

const (
	fileOther regFile = iota
	fileW
	fileX
	fileB
	fileH
	fileS
	fileD
	fileQ
	fileZ
	fileP
	filePN
)

func newRegisters(t *isa.RegTable) *registers {
	class := func(n string) blob.U16 { m, _ := t.Class(n); return m }
	r := &registers{w: class("GPR32"), x: class("GPR64"), b: class("FPR8"), h: class("FPR16"), s: class("FPR32"), d: class("FPR64"),
		q: class("FPR128"), z: class("ZPR"), p: class("PPR"), pn: class("PNR"), p2: class("PPR2"),
		wPair: class("WSeqPairsClass"), xPair: class("XSeqPairsClass"), x8: class("GPR64x8Class"),
		sp: t.Spelled("sp"), wsp: t.Spelled("wsp"), xzr: t.Spelled("xzr"), wzr: t.Spelled("wzr"), nzcv: t.Spelled("nzcv"),
		za: t.Spelled("za"), vg: t.Spelled("vg"), zt0: t.Spelled("zt0"), fpcr: t.Spelled("fpcr"), fpsr: t.Named("FPSR")}
	r.dTuple = [5]blob.U16{1: r.d, 2: class("DD"), 3: class("DDD"), 4: class("DDDD")}
	r.qTuple = [5]blob.U16{1: r.q, 2: class("QQ"), 3: class("QQQ"), 4: class("QQQQ")}
	r.zTuple = [5]blob.U16{1: r.z, 2: class("ZPR2"), 3: class("ZPR3"), 4: class("ZPR4")}
	r.zStrided = [5]blob.U16{2: class("ZPR2Strided"), 4: class("ZPR4Strided")}
	r.num, r.file, r.first = make([]uint8, t.Len()), make([]regFile, t.Len()), make([]isa.Reg, t.Len())
	for i := range r.first {
		r.first[i] = isa.Reg(i)
	}
	for _, f := range []struct {
		m    blob.U16
		file regFile
		wide blob.U16
	}{{r.w, fileW, r.x}, {r.x, fileX, r.x}, {r.b, fileB, r.z}, {r.h, fileH, r.z}, {r.s, fileS, r.z}, {r.d, fileD, r.z}, {r.q, fileQ, r.z},
		{r.z, fileZ, r.z}, {r.p, fileP, r.p}, {r.pn, filePN, r.p}} {
		for i := 0; i < f.m.Len(); i++ {
			reg := f.m.At(i)
			r.num[reg], r.file[reg], r.first[reg] = uint8(i), f.file, isa.Reg(f.wide.At(i))
		}
	}
	r.num[r.sp], r.num[r.wsp], r.file[r.sp], r.file[r.wsp], r.first[r.wsp] = numZR, numZR, fileX, fileW, r.sp
	for n := 1; n <= 4; n++ {
		for _, l := range []blob.U16{r.dTuple[n], r.qTuple[n], r.zTuple[n]} {
			for i := 0; n > 1 && i < l.Len(); i++ {
				r.num[l.At(i)] = uint8(i)
			}
		}
	}
	for i := 0; i < r.p2.Len(); i++ {
		r.num[r.p2.At(i)] = uint8(i)
	}
	for _, l := range []blob.U16{r.wPair, r.xPair, r.x8} {
		for i := 0; i < l.Len(); i++ {
			r.num[l.At(i)] = uint8(2 * i)
		}
	}
	for n, half := range map[int]int{2: 8, 4: 4} { // z0.z8 … z7.z15, z16.z24 …
		for i := 0; i < r.zStrided[n].Len(); i++ {
			r.num[r.zStrided[n].At(i)] = uint8(i/half*16 + i%half)
		}
	}
	for i, n := range []string{"ZAB0", "ZAH0", "ZAS0", "ZAD0", "ZAQ0"} {
		r.tile[i] = t.Named(n)
		for k := range 1 << i {
			r.num[int(r.tile[i])+k] = uint8(k)
		}
	}
	return r
}

// vector returns the 128-bit register of a lower-case name like "v1".
func (r *registers) vector(s string) isa.Reg {
	if n, ok := regNum(strings.TrimPrefix(s, "v")); ok && s[0] == 'v' {
		return isa.Reg(r.q.At(n))
	}
	return isa.NoReg
}

// scalar returns the scalar register that an assembler spelling without
// arrangement names ("x3", "WSP", "lr", "d7"); ok is false for other words.
func (r *registers) scalar(s string) (reg isa.Reg, ok bool) {
	if len(s) < 2 || len(s) > 4 {
		return 0, false
	}
	c := s[0] | 0x20
	if n, ok := regNum(s[1:]); ok {
		switch c {
		case 'w':
			return isa.Reg(r.w.At(n)), true
		case 'x':
			return isa.Reg(r.x.At(n)), true
		case 'b':
			return isa.Reg(r.b.At(n)), true
		case 'h':
			return isa.Reg(r.h.At(n)), true
		case 's':
			return isa.Reg(r.s.At(n)), true
		case 'd':
			return isa.Reg(r.d.At(n)), true
		case 'q':
			return isa.Reg(r.q.At(n)), true
		}
		return 0, false
	}
	switch {
	case eqFold(s, "sp"):
		return r.sp, true
	case eqFold(s, "wsp"):
		return r.wsp, true
	case eqFold(s, "xzr"):
		return r.xzr, true
	case eqFold(s, "wzr"):
		return r.wzr, true
	case eqFold(s, "lr"):
		return isa.Reg(r.x.At(numLR)), true
	case eqFold(s, "fp"):
		return isa.Reg(r.x.At(numFP)), true
	case eqFold(s, "ip0"):
		return isa.Reg(r.x.At(16)), true
	case eqFold(s, "ip1"):
		return isa.Reg(r.x.At(17)), true
	case eqFold(s, "zt0"):
		return r.zt0, true
	}
	return 0, false
}

// regNum reads a register number 0 … 31 without leading zeros.
func regNum(s string) (int, bool) {
	switch {
	case len(s) == 1 && s[0]-'0' <= 9:
		return int(s[0] - '0'), true
	case len(s) == 2 && s[0]-'1' <= 2 && s[1]-'0' <= 9:
		n := int(s[0]-'0')*10 + int(s[1]-'0')
		return n, n < 32
	}
	return 0, false
}

// eqFold reports whether s equals the lower-case ASCII word t, ignoring case.
func eqFold(s, t string) bool {
	if len(s) != len(t) {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c-'A' < 26 {
			c |= 0x20
		}
		if c != t[i] {
			return false
		}
	}
	return true
}

// xOf and wOf return the 64- and 32-bit register of the same number; SP stays SP.
func (r *registers) xOf(reg isa.Reg) isa.Reg {
	if r.file[reg] == fileW {
		return r.first[reg]
	}
	return reg
}

func (r *registers) wOf(reg isa.Reg) isa.Reg {
	switch {
	case reg == r.sp:
		return r.wsp
	case r.file[reg] == fileX:
		return isa.Reg(r.w.At(int(r.num[reg])))
	}
	return reg
}

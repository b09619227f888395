package x86

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// asmKind is the kind of a statement's operand.
type asmKind uint8

const (
	asmToken asmKind = iota
	asmReg
	asmImm
	asmMem
)

// asmOp is an operand as the matcher sees it.
type asmOp struct {
	kind     asmKind
	rounding bool // immediate from {rn-sae} …
	bare     bool // Intel: memory written as a symbol alone, which may be a branch target
	scale    uint8
	size     uint16   // Intel: bits of memory stated with ptr, 0 if not
	token    isa.Kind // asmToken
	reg      isa.Reg
	seg      isa.Reg
	base     isa.Reg
	index    isa.Reg
	val      int64     // immediate or displacement
	expr     *isa.Expr // symbolic immediate or displacement
}

// predicate is the test of an operand kind that is not a register class.
type predicate uint8

const (
	predNone    predicate = iota
	predImm               // any immediate
	predImmSExt           // sign-extends from bits to width (0 = 64)
	predImmU8
	predImmU4
	predRounding
	predMem     // memory of bits (0 any) with index of class index
	predMemGR   // memory addressed by registers of class index
	predAbsMem  // displacement only
	predSibMem  // not rip-relative
	predMemOffs // displacement only, as address of bits
	predSrcIdx  // (%rsi)
	predDstIdx  // %es:(%rdi)
	predGR32or64
	predGR16or32or64
	predMaskPair
)

type kindInfo struct {
	pred  predicate
	bits  uint16
	width uint16 // predImmSExt: operand width; predMemOffs: address width
	index regBit // predMem, predMemGR
	high  bool   // predMem: vector index may be numbered 16 to 31
}

func (d *database) buildKinds() {
	d.kinds = make([]kindInfo, d.match.NumKinds())
	for k := range d.kinds {
		if p := d.match.KindPredicate(isa.Kind(k)); p != "" {
			d.kinds[k] = parsePredicate(p)
		}
	}
}

var plainPredicates = map[string]kindInfo{
	"isImm": {pred: predImm}, "isImmUnsignedi8": {pred: predImmU8}, "isImmUnsignedi4": {pred: predImmU4},
	"isAVX512RC": {pred: predRounding}, "isAbsMem": {pred: predAbsMem}, "isSibMem": {pred: predSibMem}, "isMem": {pred: predMem},
	"isGR32orGR64": {pred: predGR32or64}, "isGR16orGR32orGR64": {pred: predGR16or32or64},
}

var indexClasses = map[string]kindInfo{
	"RC128": {index: isXMM}, "RC128X": {index: isXMM, high: true}, "RC256": {index: isYMM}, "RC256X": {index: isYMM, high: true},
	"RC512": {index: isZMM, high: true}, "GR16": {index: isGR16}, "GR32": {index: isGR32}, "GR64": {index: isGR64},
}

// parsePredicate reads an LLVM operand predicate, for example isMem256_RC512. Predicates
// that never hold in 64-bit mode become predNone.
func parsePredicate(p string) kindInfo {
	if k, ok := plainPredicates[p]; ok {
		return k
	}
	num := func(s string) uint16 { n, _ := strconv.Atoi(s); return uint16(n) }
	switch {
	case strings.HasPrefix(p, "isImmSExti"):
		w, b, _ := strings.Cut(p[len("isImmSExti"):], "i")
		return kindInfo{pred: predImmSExt, width: num(w), bits: num(b)}
	case strings.HasPrefix(p, "isVK"):
		return kindInfo{pred: predMaskPair}
	case strings.HasPrefix(p, "isMemOffs64_"):
		return kindInfo{pred: predMemOffs, bits: num(p[len("isMemOffs64_"):])}
	case strings.HasPrefix(p, "isMemOffs"):
		return kindInfo{}
	case strings.HasPrefix(p, "isMem"):
		b, c, _ := strings.Cut(p[len("isMem"):], "_")
		k := indexClasses[c]
		k.pred, k.bits = predMem, num(b)
		if strings.HasPrefix(c, "GR") {
			k.pred = predMemGR
		}
		return k
	case strings.HasPrefix(p, "isSrcIdx"):
		return kindInfo{pred: predSrcIdx, bits: num(p[len("isSrcIdx"):])}
	case strings.HasPrefix(p, "isDstIdx"):
		return kindInfo{pred: predDstIdx, bits: num(p[len("isDstIdx"):])}
	}
	return kindInfo{}
}

// accepts reports whether an operand is of a kind.
func (d *database) accepts(k isa.Kind, o *asmOp) bool {
	switch o.kind {
	case asmToken:
		return o.token == k || o.token == anyBroadcast && d.tokens.isBroadcast(k)
	case asmReg:
		return d.match.RegIs(o.reg, k) || d.acceptsReg(&d.kinds[k], o.reg)
	case asmImm:
		return acceptsImm(&d.kinds[k], o)
	}
	return d.acceptsMem(&d.kinds[k], o)
}

func (d *database) acceptsReg(k *kindInfo, r isa.Reg) bool {
	switch k.pred {
	case predGR32or64:
		return d.class[r]&(isGR32|isGR64) != 0
	case predGR16or32or64:
		return d.class[r]&(isGR16|isGR32|isGR64) != 0
	case predMaskPair:
		return d.class[r]&isMask != 0
	}
	return false
}

// acceptsImm tests immediate kinds. The value of a symbol is unknown: it is
// accepted unless no relocation could express it, or if it would be extended
// from eight bits, for which assemblers take a longer form.
func acceptsImm(k *kindInfo, o *asmOp) bool {
	if o.rounding {
		return k.pred == predRounding
	}
	switch k.pred {
	case predImm, predAbsMem: // a disassembler's branch target is a number
		return true
	case predImmU8:
		return o.expr != nil || o.val >= -128 && o.val < 256
	case predImmU4:
		return o.expr == nil && o.val >= 0 && o.val < 16
	case predImmSExt:
		return o.expr != nil && k.bits > 8 || o.expr == nil && fitsSigned(o.val, k.bits, k.width)
	}
	return false
}

// fitsSigned reports whether v, as a value of width bits, is the sign extension of its low bits.
func fitsSigned(v int64, bits, width uint16) bool {
	if fits := func(v int64) bool { return v>>(bits-1) == 0 || v>>(bits-1) == -1 }; width >= 64 || fits(v) {
		return fits(v)
	} else if v < 0 || v>>width != 0 {
		return false
	} else {
		return fits(v << (64 - width) >> (64 - width))
	}
}

func (d *database) acceptsMem(k *kindInfo, o *asmOp) bool {
	sized := func() bool { return o.size == 0 || k.bits == 0 || o.size == k.bits }
	switch k.pred {
	case predMem:
		if !sized() {
			return false
		}
		c := d.class[o.index]
		if k.index == 0 {
			return c&(isXMM|isYMM|isZMM) == 0 || k.bits == 0
		}
		return c&k.index != 0 && (k.high || c&isHigh16 == 0)
	case predMemGR:
		return sized() && d.addressedBy(o, k.index)
	case predAbsMem:
		return o.seg|o.base|o.index == 0 && o.scale == 1 && o.size == 0
	case predSibMem:
		return o.base != RIP && o.base != EIP
	case predMemOffs:
		return o.base|o.index == 0 && o.scale == 1 && sized()
	case predSrcIdx:
		return sized() && o.index == 0 && o.expr == nil && o.val == 0 && (o.base == RSI || o.base == ESI || o.base == SI)
	case predDstIdx:
		return sized() && o.index == 0 && o.expr == nil && o.val == 0 && (o.base == RDI || o.base == EDI || o.base == DI) &&
			(o.seg == 0 || o.seg == ES)
	}
	return false
}

// addressedBy reports whether base and index, where present, are of a class of
// general-purpose registers (or the instruction pointer of that size).
func (d *database) addressedBy(o *asmOp, class regBit) bool {
	ok := func(r isa.Reg) bool {
		switch r {
		case isa.NoReg:
			return true
		case RIP, RIZ:
			return class == isGR64
		case EIP, EIZ:
			return class == isGR32
		}
		return d.class[r]&class != 0
	}
	return ok(o.base) && ok(o.index)
}

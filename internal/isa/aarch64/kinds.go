package aarch64

import (
	"math/bits"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// predOp is the test of an operand kind, one for each family of LLVM's predicates.
type predOp uint8

const (
	prNone predOp = iota
	prToken
	prAddSub
	prAddSubNeg
	prAdr
	prAdrp
	prAuthLabel
	prBranch // bits
	prBTI
	prBarrier
	prBarrierNXS
	prCC
	prLSLImm3
	prExtend
	prExtend64
	prExtendLSL64
	prFPImm
	prGPR32as64
	prGPR64as32
	prGPRShifted // class, bits
	prClass      // class
	prGPR64x8
	prImmRange // low, high
	prImm
	prLogical // bits
	prLogicalSVE
	prSysRead
	prSysWrite
	prMemW // bits
	prMemX
	prMovSym // group
	prPNReg  // bits, class
	prPReg
	prPOrPN
	prPSB
	prPrefetch
	prByteMask
	prSImm       // bits
	prSImmScaled // bits, scale
	prUImmScaled // bits, scale
	prUImmRange  // bits, scale, span
	prFallback9  // bits of the access
	prUImm12     // scale
	prSVCR
	prSVEAdd // bits
	prSVECopy
	prPattern
	prVecLen
	prIndex // low, high
	prLogicalVecHalf
	prLogicalVec
	prArithShift // bits
	prLogicalShift
	prMovShift // bits
	prMoveVec
	prAnyShift
	prSysCR
	prSysPair
	prPState15
	prPState1
	prUImm6
	prListPlain    // file, count
	prListTyped    // file, count, lanes, bits
	prListMultiple // the same, first register a multiple of count
	prListStrided  // count, stride, bits
	prVec
	prVecLo
	prVec0to7
	prWPair
	prXPair
	prZExt // bits, shift, scale bits, exact
	prZ    // bits, class
	prMovZ // bits, shift
	prMovN
	prFPRasZ // class
	prMatrix // file, bits
	prTiles
	prComplex // step, first
	prExactFP // two constants
)

var predOps = map[string]predOp{"isAddSubImm": prAddSub, "isAddSubImmNeg": prAddSubNeg, "isAdrLabel": prAdr, "isAdrpLabel": prAdrp,
	"isPAuthPCRelLabel16Operand": prAuthLabel, "isBranchTarget": prBranch, "isBTIHint": prBTI, "isBarrier": prBarrier,
	"isBarriernXS": prBarrierNXS, "isCondCode": prCC, "isLSLImm3Shift": prLSLImm3, "isExtend": prExtend, "isExtend64": prExtend64,
	"isExtendLSL64": prExtendLSL64, "isFPImm": prFPImm, "isGPR32as64": prGPR32as64, "isGPR64as32": prGPR64as32,
	"isGPR64WithShiftExtend": prGPRShifted, "isGPR64": prClass, "isGPR64x8": prGPR64x8, "isImmInRange": prImmRange, "isImm": prImm,
	"isLogicalImm": prLogical, "isSVEPreferredLogicalImm": prLogicalSVE, "isMRSSystemRegister": prSysRead, "isMSRSystemRegister": prSysWrite,
	"isMemWExtend": prMemW, "isMemXExtend": prMemX, "isMovWSymbolG0": prMovSym, "isMovWSymbolG1": prMovSym, "isMovWSymbolG2": prMovSym,
	"isMovWSymbolG3": prMovSym, "isSVEPredicateAsCounterRegOfWidth": prPNReg, "isSVEPredicateVectorRegOfWidth": prPReg,
	"isSVEPredicateOrPredicateAsCounterRegOfWidth": prPOrPN, "isPSBHint": prPSB, "isPrefetch": prPrefetch, "isSIMDImmType10": prByteMask,
	"isSImm": prSImm, "isSImmScaled": prSImmScaled, "isUImmScaled": prUImmScaled, "isSImm9OffsetFB": prFallback9, "isUImm12Offset": prUImm12,
	"isSVCR": prSVCR, "isSVEAddSubImm": prSVEAdd, "isSVECpyImm": prSVECopy, "isSVEPattern": prPattern, "isSVEVecLenSpecifier": prVecLen,
	"isVectorIndex": prIndex, "isLogicalVecHalfWordShifter": prLogicalVecHalf, "isLogicalVecShifter": prLogicalVec,
	"isArithmeticShifter": prArithShift, "isLogicalShifter": prLogicalShift, "isMovImm32Shifter": prMovShift, "isMovImm64Shifter": prMovShift,
	"isMoveVecShifter": prMoveVec, "isShifter": prAnyShift, "isSysCR": prSysCR, "isSyspXzrPair": prSysPair,
	"isSystemPStateFieldWithImm0_15": prPState15, "isSystemPStateFieldWithImm0_1": prPState1, "isUImm6": prUImm6,
	"isImplicitlyTypedVectorList": prListPlain, "isTypedVectorList": prListTyped, "isTypedVectorListMultiple": prListMultiple,
	"isTypedVectorListStrided": prListStrided, "isNeonVectorReg": prVec, "isNeonVectorRegLo": prVecLo, "isNeonVectorReg0to7": prVec0to7,
	"isWSeqPair": prWPair, "isXSeqPair": prXPair, "isSVEDataVectorRegWithShiftExtend": prZExt, "isSVEDataVectorRegOfWidth": prZ,
	"isMOVZMovAlias": prMovZ, "isMOVNMovAlias": prMovN, "isFPRasZPR": prFPRasZ, "isMatrixRegOperand": prMatrix, "isMatrixTileList": prTiles,
	"isComplexRotation": prComplex, "isExactFPImm": prExactFP}

// kindSpec is an operand kind of the match table, ready to test.
type kindSpec struct {
	op    predOp
	class *regSet
	arg   [4]int32
}

// regSet is a set of registers.
type regSet [12]uint64

func (s *regSet) has(r isa.Reg) bool { return s != nil && s[r>>6]>>(r&63)&1 != 0 }

// kindSpecs compiles LLVM's predicates ("isUImmScaled<6, 16>").
func (a *arch) kindSpecs() {
	classes := map[string]*regSet{}
	class := func(name string) *regSet {
		if s := classes[name]; s != nil {
			return s
		}
		s := new(regSet)
		m, _ := a.t.Regs.Class(name)
		for i := 0; i < m.Len(); i++ {
			s[m.At(i)>>6] |= 1 << (m.At(i) & 63)
		}
		classes[name] = s
		return s
	}
	a.kinds = make([]kindSpec, a.m.NumKinds())
	for k := range a.kinds {
		p := a.m.KindPredicate(isa.Kind(k))
		name, rest, _ := strings.Cut(strings.TrimSuffix(p, ">"), "<")
		spec := &a.kinds[k]
		spec.op = predOps[name]
		if strings.HasPrefix(name, "isMovWSymbolG") {
			rest = name[len(name)-1:]
		}
		if name == "isMovImm32Shifter" {
			rest = "32"
		} else if name == "isMovImm64Shifter" {
			rest = "64"
		}
		if strings.Contains(rest, "IsRange") {
			spec.op = prUImmRange
		}
		n := 0
		for rest != "" {
			var f string
			f, rest, _ = strings.Cut(rest, ",")
			f = strings.TrimSpace(f)
			if i := strings.LastIndex(f, "::"); i >= 0 {
				f = f[i+2:]
			}
			if c, ok := strings.CutSuffix(f, "RegClassID"); ok {
				spec.class = class(c)
				continue
			}
			v, ok := predArgs[f]
			if !ok {
				i, err := strconv.Atoi(f)
				if err != nil {
					continue // a boolean argument, false or the default
				}
				v = int32(i)
			}
			if n < len(spec.arg) {
				spec.arg[n] = v
				n++
			}
		}
	}
	for k := range a.kinds { // literal numbers: "#0" of FCMP
		if n, ok := strings.CutPrefix(a.m.KindName(isa.Kind(k)), "MCK__HASH_"); ok {
			if v, err := strconv.Atoi(strings.Replace(n, "_MINUS_", "-", 1)); err == nil {
				a.kinds[k] = kindSpec{op: prToken, arg: [4]int32{int32(v)}}
			}
		}
	}
}

// predArgs are the symbolic template arguments of predicates.
var predArgs = map[string]int32{"int8_t": 8, "int16_t": 16, "int32_t": 32, "int64_t": 64, "NeonVector": 'v', "SVEDataVector": 'z',
	"SVEPredicateVector": 'p', "LSL": int32(shLSL), "UXTW": int32(shUXTW), "SXTW": int32(shSXTW), "Array": 'a', "Tile": 't', "Row": 'h', "Col": 'v',
	"half": 5, "one": 10, "two": 20, "zero": 0, "true": 1, "false": 0}

func log2(n int32) int64 { return int64(bits.TrailingZeros32(uint32(n))) }

// accept reports whether an element fits an operand kind. It may refine the
// element (a word becomes the number that the kind gives it).
func (a *arch) accept(k isa.Kind, e *elem, s *stmt) bool {
	spec := &a.kinds[k]
	switch e.kind {
	case elTok:
		return e.tok != 0 && a.m.Includes(k, e.tok)
	case elReg:
		return a.m.RegIs(e.reg, k) || spec.acceptReg(a, e)
	case elImm:
		return spec.acceptImm(e)
	case elWord:
		return e.tok != 0 && e.tok == k || spec.acceptWord(a, e, s, k)
	case elSym, elSymSh:
		return spec.acceptSym(e)
	case elShift:
		return spec.acceptShift(e)
	case elMat:
		if e.tok != 0 && e.tok == k && e.file != 'h' && e.file != 'v' {
			return true
		}
		// ZA arrays without a width serve as plain registers too
		return spec.op == prMatrix && byte(spec.arg[0]) == e.file && uint16(spec.arg[1]) == e.width ||
			spec.op == prNone && e.file == 'a' && e.width == 0 && a.m.RegIs(a.r.za, k)
	}
	return spec.acceptOther(a, e)
}

func (p *kindSpec) acceptOther(a *arch, e *elem) bool {
	w := uint16(p.arg[0])
	switch e.kind {
	case elVec:
		return p.op == prVec || p.op == prVecLo && e.num < 16 || p.op == prVec0to7 && e.num < 8
	case elZ:
		return (p.op == prZ || p.op == prZExt && shiftKind(p.arg[1]) == shLSL && p.arg[2] == 8) && w == e.width &&
			p.class.has(isa.Reg(a.r.z.At(int(e.num))))
	case elZExt:
		return p.op == prZExt && w == e.width && p.class.has(isa.Reg(a.r.z.At(int(e.num)))) && shiftKind(p.arg[1]) == e.sh &&
			log2(p.arg[2]/8) == e.amt
	case elP:
		return (p.op == prPReg && p.class.has(isa.Reg(a.r.p.At(int(e.num)))) || p.op == prPOrPN) && w == e.width
	case elPN:
		return (p.op == prPNReg && p.class.has(isa.Reg(a.r.pn.At(int(e.num)))) || p.op == prPOrPN) && w == e.width
	case elIndex:
		return p.op == prIndex && int64(p.arg[0]) <= e.imm && e.imm <= int64(p.arg[1])
	case elCC:
		return p.op == prCC
	case elCR:
		return p.op == prSysCR
	case elList:
		return p.acceptList(e)
	case elTiles:
		return p.op == prTiles
	case elRegExt:
		return p.op == prGPRShifted && p.class.has(e.reg) && e.sh == shLSL && e.amt == log2(p.arg[0]/8) && (p.arg[0] != 8 || e.amt == 0)
	case elPair:
		f := a.r.file[e.reg]
		return p.op == prWPair && f == fileW || p.op == prXPair && f == fileX || p.op == prSysPair && e.reg == a.r.xzr
	case elFP:
		return p.acceptFP(e.f)
	case elImmSh:
		switch p.op {
		case prAddSub:
			return uint64(e.imm) < 1<<12 && (e.amt == 0 || e.amt == 12)
		case prAddSubNeg:
			return e.imm < 0 && uint64(-e.imm) < 1<<12 && (e.amt == 0 || e.amt == 12)
		case prSVEAdd:
			return (e.amt == 0 || e.amt == 8 && w != 8) && isSVEAdd(e.imm<<e.amt, uint(w))
		case prSVECopy:
			return (e.amt == 0 || e.amt == 8 && w != 8) && isSVECopy(e.imm<<e.amt, uint(w))
		}
	case elRange:
		return p.op == prUImmRange && inScale(e.imm, p.arg[0], p.arg[1]) && e.amt == e.imm+int64(p.arg[2])
	}
	return false
}

func inScale(v int64, width, scale int32) bool {
	return v%int64(scale) == 0 && v >= 0 && v/int64(scale) < 1<<width
}

func (p *kindSpec) acceptList(e *elem) bool {
	if p.op == prListStrided {
		return byte(p.arg[0]) == e.file && uint8(p.arg[1]) == e.count && uint8(p.arg[2]) == e.stride && uint16(p.arg[3]) == e.width && e.lanes == 0 &&
			e.num&15 < e.stride
	}
	if byte(p.arg[0]) != e.file || uint8(p.arg[1]) != e.count || e.stride != 1 && e.count > 1 {
		return false
	}
	typed := uint8(p.arg[2]) == e.lanes && uint16(p.arg[3]) == e.width
	switch p.op {
	case prListPlain:
		return e.lanes == 0 && e.width == 0
	case prListTyped:
		return typed
	case prListMultiple:
		return typed && e.num%e.count == 0
	}
	return false
}

func (p *kindSpec) acceptReg(a *arch, e *elem) bool {
	switch p.op {
	case prClass, prFPRasZ:
		return p.class.has(e.reg)
	case prGPR32as64:
		return a.r.file[e.reg] == fileX && e.reg != a.r.sp
	case prGPR64as32:
		return a.r.file[e.reg] == fileW && e.reg != a.r.wsp
	case prGPR64x8:
		return a.r.file[e.reg] == fileX && a.r.num[e.reg]%2 == 0 && a.r.num[e.reg] <= 22
	case prGPRShifted:
		return p.class.has(e.reg) && p.arg[0] == 8
	case prSysPair:
		return e.reg == a.r.xzr
	}
	return false
}

func (p *kindSpec) acceptImm(e *elem) bool {
	v, w := e.imm, uint(p.arg[0])
	switch p.op {
	case prToken:
		return v == int64(p.arg[0])
	case prAddSub:
		return uint64(v) < 1<<12 || v&0xfff == 0 && uint64(v)>>12 < 1<<12
	case prAddSubNeg:
		return v < 0 && (uint64(-v) < 1<<12 || -v&0xfff == 0 && uint64(-v)>>12 < 1<<12)
	case prSVEAdd:
		return isSVEAdd(v, w)
	case prSVECopy:
		return isSVECopy(v, w)
	case prImm:
		return true
	case prImmRange:
		return int64(p.arg[0]) <= v && v <= int64(p.arg[1])
	case prSImm:
		return v>>(w-1) == 0 || v>>(w-1) == -1
	case prSImmScaled:
		q := v / int64(p.arg[1])
		return v%int64(p.arg[1]) == 0 && (q>>(w-1) == 0 || q>>(w-1) == -1)
	case prUImmScaled:
		return inScale(v, p.arg[0], p.arg[1])
	case prUImm12:
		return inScale(v, 12, p.arg[0])
	case prFallback9:
		return -256 <= v && v < 256 && !inScale(v, 12, p.arg[0]/8)
	case prLogical, prLogicalSVE:
		if w < 64 && v>>w != 0 && v>>w != -1 {
			return false
		}
		if p.op == prLogicalSVE && isSVECopy(v, w) {
			return false
		}
		_, ok := encodeLogical(uint64(v), w)
		return ok
	case prComplex:
		return 0 <= v && v <= 270 && (v-int64(p.arg[1]))%int64(p.arg[0]) == 0 && v >= int64(p.arg[1])
	case prUImm6:
		return 0 <= v && v < 64
	case prMovZ, prMovN:
		if w == 32 && (v>>32 != 0 && v>>31 != -1) {
			return false
		}
		if p.op == prMovZ {
			return isMovWide(uint64(v), w, uint(p.arg[1]))
		}
		return isMovInverted(uint64(v), w, uint(p.arg[1]))
	case prBranch, prAuthLabel: // addresses: only the encoder knows the distance
		return v&3 == 0
	case prAdr:
		return true
	case prAdrp:
		return v&0xfff == 0
	case prBarrier:
		return 0 <= v && v < 16
	case prBarrierNXS:
		return v == 16 || v == 20 || v == 24 || v == 28
	case prPrefetch:
		return 0 <= v && v < 64
	case prByteMask:
		_, ok := encodeByteMask(uint64(v))
		return ok
	case prPattern:
		return 0 <= v && v < 32
	case prFPImm:
		if e.hex {
			return 0 <= v && v < 256 // the encoding itself
		}
		return p.acceptFP(float64(v))
	case prExactFP:
		return p.acceptFP(float64(v))
	}
	return false
}

func (p *kindSpec) acceptFP(f float64) bool {
	switch p.op {
	case prFPImm:
		_, ok := encodeFP8(f)
		return ok
	case prExactFP:
		return f*10 == float64(p.arg[0]) || f*10 == float64(p.arg[1])
	}
	return false
}

// acceptWord tests a bare word: the name of a system operand, or a symbol.
func (p *kindSpec) acceptWord(a *arch, e *elem, s *stmt, k isa.Kind) bool {
	find := func(table string) bool {
		op, ok := named(table, e.word)
		if ok {
			e.imm = op.value
		}
		return ok
	}
	switch p.op {
	case prPrefetch:
		return find(prefetchTable(a.m.KindName(k)))
	case prBarrier:
		switch s.mnem {
		case "isb":
			return find("isb")
		case "tsb":
			return find("tsb")
		}
		return find("barrier")
	case prBarrierNXS:
		return find("barriernxs")
	case prPSB:
		return find("psb")
	case prBTI:
		return find("bti")
	case prSVCR:
		return find("svcr")
	case prPattern:
		return find("svepattern")
	case prVecLen:
		return find("veclen")
	case prPState1:
		return find("pstate1")
	case prPState15:
		return find("pstate15")
	case prSysRead, prSysWrite:
		// an unknown name may be a register newer than the tables
		_, isPState := named("pstate15", e.word)
		return !isPState || func() bool { _, ok := sysRegister(e.word, p.access()); return ok }()
	case prSysCR:
		return false
	}
	sym := *e
	sym.expr = &isa.Expr{Text: e.word, Sym: e.word}
	return p.acceptSym(&sym)
}

// access is the direction in which a system register operand is used.
func (p *kindSpec) access() byte {
	if p.op == prSysRead {
		return 'r'
	}
	return 'w'
}

func prefetchTable(kind string) string {
	switch kind {
	case "MCK_SVEPrefetch":
		return "sveprfm"
	case "MCK_RangePrefetch":
		return "rprfm"
	}
	return "prfm"
}

// acceptSym tests a symbolic expression by its relocation modifier.
func (p *kindSpec) acceptSym(e *elem) bool {
	mod := strings.ToLower(e.expr.Mod)
	shifted := e.kind == elSymSh
	switch p.op {
	case prAddSub:
		return mod == "" || strings.Contains(mod, "lo12") || strings.Contains(mod, "hi12") || strings.Contains(mod, "pageoff")
	case prUImm12:
		return !shifted && !strings.Contains(mod, "hi12")
	case prMovSym:
		i := strings.LastIndex("_"+mod, "_g") // abs_g1_nc, tprel_g0, gottprel_g1
		return !shifted && i >= 0 && i+1 < len(mod) && int32(mod[i+1])-'0' == p.arg[0]
	case prAdrp:
		return !shifted && (mod == "" || !strings.Contains(mod, "lo12") && !strings.HasPrefix(mod, "abs"))
	case prAdr, prBranch, prAuthLabel:
		return !shifted
	case prImm:
		return !shifted && mod == ""
	}
	return false
}

func (p *kindSpec) acceptShift(e *elem) bool {
	n, w := e.amt, int64(p.arg[0])
	isExt := e.sh >= shUXTB
	inReg := e.amount && 0 <= n && n < w
	switch p.op {
	case prArithShift:
		return e.sh >= shLSL && e.sh <= shASR && inReg
	case prLogicalShift:
		return e.sh >= shLSL && e.sh <= shROR && inReg
	case prAnyShift:
		return e.sh >= shLSL && e.sh <= shMSL
	case prExtend:
		return (isExt || e.sh == shLSL) && 0 <= n && n <= 4
	case prExtend64:
		return isExt && e.sh != shUXTX && e.sh != shSXTX && 0 <= n && n <= 4
	case prExtendLSL64:
		return (e.sh == shUXTX || e.sh == shSXTX || e.sh == shLSL) && 0 <= n && n <= 4
	case prMemW:
		return (e.sh == shUXTW || e.sh == shSXTW) && (n == 0 || n == log2(p.arg[0]/8))
	case prMemX:
		return (e.sh == shLSL || e.sh == shSXTX) && (n == 0 || n == log2(p.arg[0]/8))
	case prMovShift:
		return e.sh == shLSL && inReg && n%16 == 0
	case prLogicalVec:
		return e.sh == shLSL && (n == 0 || n == 8 || n == 16 || n == 24)
	case prLogicalVecHalf:
		return e.sh == shLSL && (n == 0 || n == 8)
	case prMoveVec:
		return e.sh == shMSL && (n == 8 || n == 16)
	case prLSLImm3:
		return e.sh == shLSL && 0 <= n && n < 8
	}
	return false
}

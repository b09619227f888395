package aarch64

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// Branch targets and PC-relative addresses are in bytes, as in isa.ISA.Decode (LLVM counts words and
// pages).

// renderOp turns a matched element into MC operands, one for each family of
// LLVM's render methods.
type renderOp uint8

const (
	rdNone renderOp = iota
	rdReg
	rdVec64
	rdVec128
	rdImm
	rdShifter
	rdExtend
	rdExtend64
	rdMemExtend
	rdMemExtend8
	rdBarrierNXS
	rdComplexEven
	rdComplexOdd
	rdFPImm
	rdExactFP // constant that is encoded as 1
	rdByteMask
	rdSysRead
	rdSysWrite
	rdBTI
	rdGPR64as32
	rdGPR32as64
	rdZR
	rdPOrPN
	rdFPRasZ
	rdNegShifted // bits
	rdShifted    // bits
	rdScaled     // scale
	rdLogicalNot // bits
	rdLogical
	rdMovZ // shift
	rdMovN
	rdStrided // registers
	rdList    // registers, file
	rdMatrix
)

type render struct {
	op   renderOp
	file byte // lists
	arg  int64
}

var renderOps = map[string]renderOp{"addRegOperands": rdReg, "addVectorReg64Operands": rdVec64, "addVectorReg128Operands": rdVec128,
	"addVectorRegLoOperands": rdVec128, "addVectorReg0to7Operands": rdVec128, "addShifterOperands": rdShifter, "addExtendOperands": rdExtend,
	"addExtend64Operands": rdExtend64, "addMatrixOperands": rdMatrix, "addImmOperands": rdImm, "addLSLImm3ShifterOperands": rdImm,
	"addAdrLabelOperands": rdImm, "addAdrpLabelOperands": rdImm, "addPPRorPNRRegOperands": rdPOrPN, "addPAuthPCRelLabel16Operands": rdImm,
	"addBranchTarget26Operands": rdImm, "addBranchTarget14Operands": rdImm, "addPCRelLabel19Operands": rdImm,
	"addCondCodeOperands": rdImm, "addVectorIndexOperands": rdImm, "addBTIHintOperands": rdBTI, "addComplexRotationOddOperands": rdComplexOdd,
	"addComplexRotationEvenOperands": rdComplexEven, "addBarrierOperands": rdImm, "addBarriernXSOperands": rdBarrierNXS, "addFPImmOperands": rdFPImm,
	"addMemExtendOperands": rdMemExtend, "addMemExtend8Operands": rdMemExtend8, "addSIMDImmType10Operands": rdByteMask,
	"addMRSSystemRegisterOperands": rdSysRead, "addMSRSystemRegisterOperands": rdSysWrite, "addSVCROperands": rdImm,
	"addSystemPStateFieldWithImm0_15Operands": rdImm, "addSystemPStateFieldWithImm0_1Operands": rdImm, "addPrefetchOperands": rdImm,
	"addPSBHintOperands": rdImm, "addUImm6Operands": rdImm, "addGPR64as32Operands": rdGPR64as32, "addSysCROperands": rdImm,
	"addSyspXzrPairOperand": rdZR, "addGPR32as64Operands": rdGPR32as64, "addMatrixTileListOperands": rdImm,
	"addExactFPImmOperands": rdExactFP, "addFPRasZPRRegOperands": rdFPRasZ, "addImmNegWithOptionalShiftOperands": rdNegShifted,
	"addImmScaledOperands": rdScaled, "addImmScaledRangeOperands": rdScaled, "addImmWithOptionalShiftOperands": rdShifted,
	"addLogicalImmNotOperands": rdLogicalNot, "addLogicalImmOperands": rdLogical, "addMOVNMovAliasOperands": rdMovN,
	"addMOVZMovAliasOperands": rdMovZ, "addStridedVectorListOperands": rdStrided, "addUImm12OffsetOperands": rdScaled,
	"addVectorListOperands": rdList}

// renderSpecs compiles LLVM's render methods ("addImmScaledOperands<8>").
func (a *arch) renderSpecs() {
	a.renders = make([]render, a.m.NumRenders())
	for i := range a.renders {
		name, args, _ := strings.Cut(strings.TrimSuffix(a.m.RenderName(uint16(i)), ">"), "<")
		r := &a.renders[i]
		r.op = renderOps[name]
		f := strings.Split(args, ",")
		last := strings.TrimSpace(f[len(f)-1])
		if j := strings.LastIndex(last, "::"); j >= 0 {
			last = last[j+2:]
		}
		switch {
		case r.op == rdList:
			r.file = f[0][strings.LastIndex(f[0], "_")+1]
			r.arg, _ = strconv.ParseInt(last, 10, 64)
		case predArgs[last] != 0:
			r.arg = int64(predArgs[last])
		default:
			r.arg, _ = strconv.ParseInt(last, 10, 64)
		}
	}
}

// extendType is LLVM's number of an extension in arithmetic operands.
func extendType(sh shiftKind) int64 { return int64(sh - shUXTB) }

// render appends the MC operands of element e, matched as operand kind k.
func (a *arch) render(in *isa.Inst, rd render, e *elem, k isa.Kind) {
	if e.expr != nil {
		in.AddExpr(e.expr)
		if rd.op == rdShifted || rd.op == rdNegShifted {
			in.AddImm(e.amt)
		}
		return
	}
	if e.kind == elWord && a.isLabel(rd.op, k) {
		in.AddExpr(&isa.Expr{Text: e.word, Sym: e.word})
		if rd.op == rdShifted || rd.op == rdNegShifted {
			in.AddImm(0)
		}
		return
	}
	switch rd.op {
	case rdReg:
		in.AddReg(a.plainReg(e, k))
	case rdVec64:
		in.AddReg(isa.Reg(a.r.d.At(int(e.num))))
	case rdVec128:
		in.AddReg(isa.Reg(a.r.q.At(int(e.num))))
	case rdGPR32as64:
		in.AddReg(a.r.wOf(e.reg))
	case rdGPR64as32:
		in.AddReg(a.r.xOf(e.reg))
	case rdZR:
		in.AddReg(a.r.xzr)
	case rdPOrPN:
		in.AddReg(isa.Reg(a.r.p.At(int(e.num))))
	case rdFPRasZ:
		in.AddReg(a.r.first[e.reg])
	case rdStrided:
		n := int(rd.arg)
		half := 16 / n
		in.AddReg(isa.Reg(a.r.zStrided[n].At(int(e.num)/16*half + int(e.num)%16)))
	case rdList:
		in.AddReg(a.listReg(rd.file, int(rd.arg), int(e.num)))
	case rdMatrix:
		in.AddReg(a.matrixReg(e))
	case rdMemExtend, rdMemExtend8:
		shift := e.amt != 0
		if rd.op == rdMemExtend8 {
			shift = e.amount
		}
		in.AddImm(boolImm(e.sh == shSXTW || e.sh == shSXTX))
		in.AddImm(boolImm(shift))
	case rdShifted, rdNegShifted:
		v := e.imm
		if rd.op == rdNegShifted {
			v = -v
		}
		amt := e.amt
		if e.kind == elImm {
			v, amt = shifted(v, uint(rd.arg))
		}
		in.AddImm(v)
		in.AddImm(amt)
	default:
		in.AddImm(a.immediate(rd, e))
	}
}

func boolImm(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// isLabel reports whether a bare word matched as kind k is a symbol rather than the name of a system operand.
func (a *arch) isLabel(op renderOp, k isa.Kind) bool {
	switch a.kinds[k].op {
	case prAdr, prAdrp, prAuthLabel, prBranch, prAddSub, prAddSubNeg, prUImm12, prMovSym:
		return true
	case prImm:
		return op == rdImm
	}
	return false
}

// immediate computes the value of a one-operand immediate.
func (a *arch) immediate(rd render, e *elem) int64 {
	v := e.imm
	switch rd.op {
	case rdShifter:
		return int64(e.sh-shLSL)<<6 | e.amt
	case rdExtend, rdExtend64:
		t := extendType(e.sh)
		if e.sh == shLSL {
			t = extendType(shUXTW)
			if rd.op == rdExtend64 {
				t = extendType(shUXTX)
			}
		}
		return t<<3 | e.amt
	case rdBarrierNXS:
		if e.kind == elImm {
			return v - 16 | 3 // DSB #16, #20 … are the domains of OSHnXS, NSHnXS …
		}
	case rdComplexEven:
		return v / 90
	case rdComplexOdd:
		return (v - 90) / 180
	case rdFPImm:
		if e.kind == elImm && e.hex {
			return v
		}
		f := e.f
		if e.kind == elImm {
			f = float64(v)
		}
		enc, _ := encodeFP8(f)
		return enc
	case rdExactFP:
		f := e.f
		if e.kind == elImm {
			f = float64(v)
		}
		return boolImm(f*10 == float64(rd.arg))
	case rdByteMask:
		enc, _ := encodeByteMask(uint64(v))
		return enc
	case rdBTI:
		return v | 32
	case rdScaled:
		return v / rd.arg
	case rdLogical, rdLogicalNot:
		if rd.op == rdLogicalNot {
			v = ^v
		}
		enc, _ := encodeLogical(uint64(v), uint(rd.arg))
		return int64(enc)
	case rdMovZ:
		return v >> rd.arg & 0xffff
	case rdMovN:
		return ^v >> rd.arg & 0xffff
	}
	if e.kind == elShift {
		return e.amt // LSL #0 … 7
	}
	return v
}

// plainReg is the register of an element whose kind is a register class.
func (a *arch) plainReg(e *elem, k isa.Kind) isa.Reg {
	switch e.kind {
	case elZ, elZExt:
		return isa.Reg(a.r.z.At(int(e.num)))
	case elP:
		return isa.Reg(a.r.p.At(int(e.num)))
	case elPN:
		return isa.Reg(a.r.pn.At(int(e.num)))
	case elPair:
		pairs := a.r.wPair
		if a.r.file[e.reg] == fileX {
			pairs = a.r.xPair
		}
		return isa.Reg(pairs.At(int(a.r.num[e.reg]) / 2))
	case elMat:
		return a.matrixReg(e)
	}
	if a.kinds[k].op == prGPR64x8 {
		return isa.Reg(a.r.x8.At(int(a.r.num[e.reg]) / 2))
	}
	return e.reg
}

// listReg is the tuple register of n consecutive vectors.
func (a *arch) listReg(file byte, n, first int) isa.Reg {
	switch file {
	case 'D':
		return isa.Reg(a.r.dTuple[n].At(first))
	case 'Q':
		return isa.Reg(a.r.qTuple[n].At(first))
	case 'P':
		return isa.Reg(a.r.p2.At(first))
	}
	return isa.Reg(a.r.zTuple[n].At(first))
}

func (a *arch) matrixReg(e *elem) isa.Reg {
	if e.file == 'a' {
		return a.r.za
	}
	return a.r.tile[log2(int32(e.width/8))] + isa.Reg(e.num)
}

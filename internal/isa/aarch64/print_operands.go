package aarch64

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// printers are the families of LLVM's print methods.
var printers = map[string]printer{"": showPlain, "printVRegOperand": showV, "printSVERegOp": showSVE, "printPredicateAsCounter": showSVE,
	"printTypedVectorList": showList, "printVectorIndex": showIndex, "printMatrix": showMatrix, "printMatrixTile": showMatrix,
	"printMatrixTileVector": showMatrix, "printMatrixIndex": showScaled, "printImmRangeScale": showRange, "printImmScale": showScaled,
	"printUImm12Offset": showScaled, "printSVEPattern": showSysop, "printImm": showPlain, "printImmHex": showHex,
	"printGPRSeqPairsClassOperand": showPair, "printSVEVecLenSpecifier": showSysop, "printRegWithShiftExtend": showRegShift,
	"printPrefetchOp": showSysop, "printRPRFMOperand": showSysop, "printComplexRotationOp": showRotation, "printShifter": showShifter,
	"printShiftedRegister": showShifted, "printExtendedRegister": showExtended, "printArithExtend": showArithExtend, "printCondCode": showCond,
	"printAlignedLabel": showTarget, "printAdrAdrpLabel": showTarget, "printZPRasFPR": showFPR, "printPostIncOperand": showPostInc,
	"printGPR64as32": showW, "printFPImmOperand": showFP, "printAddSubImm": showAddSub, "printLogicalImm": showLogical, "printSysCROperand": showCR,
	"printImm8OptLsl": showAddSub, "printSImm": showPlain, "printMemExtend": showMemExtend, "printExactFPImm": showExactFP,
	"printSIMDType10Operand": showByteMask, "printMRSSystemRegister": showSysReg, "printMSRSystemRegister": showSysReg,
	"printSystemPStateField": showSysop, "printBarriernXSOption": showSysop, "printBarrierOption": showSysop, "printSVCROp": showSysop,
	"printSyspXzrPair": showXzrPair, "printMatrixTileList": showTiles, "printGPR64x8": showX8}

// method sets the printer of an operand by LLVM's print method ("printTypedVectorList<4, 's'>").
func (p *piece) method(c *isa.OpClass) {
	name, args, _ := strings.Cut(strings.TrimSuffix(c.Print, ">"), "<")
	p.show = printers[name]
	if p.show == nil {
		p.show = showPlain
	}
	p.lit = c.Name
	i := 0
	for f := range strings.SplitSeq(args, ",") {
		f = strings.Trim(f, " '")
		if j := strings.LastIndex(f, "::"); j >= 0 {
			f = f[j+2:]
		}
		if i == len(p.arg) || f == "" {
			continue
		}
		if v, ok := predArgs[f]; ok {
			p.arg[i] = v
		} else if v, err := strconv.Atoi(f); err == nil {
			p.arg[i] = int32(v)
		} else {
			p.arg[i] = int32(f[0])
		}
		i++
	}
}

// filePrefix is the letter in the names of a register file.
var filePrefix = [...]byte{fileW: 'w', fileX: 'x', fileB: 'b', fileH: 'h', fileS: 's', fileD: 'd', fileQ: 'q', fileZ: 'z', fileP: 'p'}

// appendReg writes a register by its scalar name.
func (a *arch) appendReg(dst []byte, r isa.Reg) []byte {
	switch r {
	case a.r.sp:
		return append(dst, "sp"...)
	case a.r.wsp:
		return append(dst, "wsp"...)
	case a.r.xzr:
		return append(dst, "xzr"...)
	case a.r.wzr:
		return append(dst, "wzr"...)
	}
	switch f := a.r.file[r]; f {
	case fileOther:
		return append(dst, strings.ToLower(a.t.Regs.Name(r))...)
	case filePN:
		dst = append(dst, "pn"...)
	default:
		dst = append(dst, filePrefix[f])
	}
	return strconv.AppendUint(dst, uint64(a.r.num[r]), 10)
}

func appendImm(dst []byte, v int64) []byte { return strconv.AppendInt(append(dst, '#'), v, 10) }

func appendHex(dst []byte, v uint64) []byte {
	return strconv.AppendUint(append(dst, "#0x"...), v, 16)
}

// symbol writes a symbolic operand; ok is false for other operands.
func symbol(dst []byte, o *isa.Operand) ([]byte, bool) {
	if o.Kind != isa.OpExpr {
		return dst, false
	}
	return append(dst, o.Expr.Text...), true
}

func showPlain(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	o := &in.Ops[p.op]
	if o.Kind == isa.OpReg {
		return a.appendReg(dst, o.Reg)
	}
	if out, ok := symbol(dst, o); ok {
		return out
	}
	return appendImm(dst, o.Imm)
}

func showHex(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	return appendHex(dst, uint64(in.Ops[p.op].Imm))
}

func (a *arch) appendNum(dst []byte, prefix string, r isa.Reg, width int32) []byte {
	dst = strconv.AppendUint(append(dst, prefix...), uint64(a.r.num[r]), 10)
	if width != 0 {
		dst = append(dst, '.', byte(width))
	}
	return dst
}

func showV(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	return a.appendNum(dst, "v", in.Ops[p.op].Reg, 0)
}

func showSVE(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	r := in.Ops[p.op].Reg
	w := p.arg[0]
	switch w {
	case 8:
		w = 'b'
	case 16:
		w = 'h'
	case 32:
		w = 's'
	case 64:
		w = 'd'
	}
	switch a.r.file[r] {
	case fileZ:
		return a.appendNum(dst, "z", r, w)
	case filePN:
		return a.appendNum(dst, "pn", r, w)
	}
	return a.appendNum(dst, "p", r, w)
}

// showList writes { v0.4s, v1.4s }; it reads the registers from the tuple's name.
func showList(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	r := in.Ops[p.op].Reg
	name := a.t.Regs.Name(r)
	n, file := 1+strings.Count(name, "_"), "v"
	mod := 32
	switch name[0] {
	case 'Z':
		file = "z"
	case 'P':
		file, mod = "p", 16
	}
	stride := 1
	if _, second, ok := strings.Cut(name, "_"); ok {
		second, _, _ = strings.Cut(second, "_")
		if v, err := strconv.Atoi(second[1:]); err == nil {
			stride = (v - int(a.r.num[r]) + mod) % mod
		}
	}
	dst = append(dst, "{ "...)
	for i := range n {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendInt(append(dst, file...), int64((int(a.r.num[r])+i*stride)%mod), 10)
		lanes, w := p.arg[0], p.arg[1]
		if w != 0 {
			dst = append(dst, '.')
			if lanes != 0 {
				dst = strconv.AppendInt(dst, int64(lanes), 10)
			}
			dst = append(dst, byte(w))
		}
	}
	return append(dst, " }"...)
}

func showIndex(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	return append(strconv.AppendInt(append(dst, '['), in.Ops[p.op].Imm, 10), ']')
}

// showMatrix writes ZA arrays, tiles and tile slices by their class ("MatrixOp32", "TileVectorOpH8").
func showMatrix(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	dst = append(dst, "za"...)
	if strings.HasPrefix(p.lit, "Tile") {
		dst = strconv.AppendUint(dst, uint64(a.r.num[in.Ops[p.op].Reg]), 10)
		if strings.HasPrefix(p.lit, "TileVectorOpH") {
			dst = append(dst, 'h')
		} else if strings.HasPrefix(p.lit, "TileVectorOpV") {
			dst = append(dst, 'v')
		}
	}
	switch trailingNumber(p.lit) {
	case 8:
		dst = append(dst, ".b"...)
	case 16:
		dst = append(dst, ".h"...)
	case 32:
		dst = append(dst, ".s"...)
	case 64:
		dst = append(dst, ".d"...)
	case 128:
		dst = append(dst, ".q"...)
	}
	return dst
}

func showScaled(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	o := &in.Ops[p.op]
	if out, ok := symbol(dst, o); ok {
		return out
	}
	return appendImm(dst, o.Imm*int64(max(1, p.arg[0])))
}

func showRange(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	lo := in.Ops[p.op].Imm * int64(p.arg[0])
	dst = append(strconv.AppendInt(dst, lo, 10), ':')
	return strconv.AppendInt(dst, lo+int64(p.arg[1]), 10)
}

// sysopTable maps operand classes to the tables of named operands.
var sysopTable = map[string]string{"sve_pred_enum": "svepattern", "sve_vec_len_specifier_enum": "veclen", "prfop": "prfm", "sve_prfop": "sveprfm",
	"rprfop": "rprfm", "pstatefield1_op": "pstate1", "pstatefield4_op": "pstate15", "barrier_nxs_op": "barriernxs", "barrier_op": "barrier", "svcr_op": "svcr"}

func showSysop(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	table, v := sysopTable[p.lit], in.Ops[p.op].Imm
	switch a.class[in.Form] {
	case fcTSB:
		table = "tsb"
	case fcISB:
		table = "isb"
	}
	if op, ok := namedValue(table, v); ok {
		return append(dst, strings.ToLower(op.name)...)
	}
	return appendImm(dst, v)
}

func showSysReg(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	o := &in.Ops[p.op]
	if out, ok := symbol(dst, o); ok {
		return out
	}
	access := byte('r')
	if strings.HasPrefix(p.lit, "msr") {
		access = 'w'
	}
	return append(dst, strings.ToLower(sysRegisterName(o.Imm, access))...)
}

func showPair(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	n := uint64(a.r.num[in.Ops[p.op].Reg])
	c := byte('x')
	if p.arg[0] == 32 {
		c = 'w'
	}
	dst = strconv.AppendUint(append(dst, c), n, 10)
	dst = append(dst, ", "...)
	if n == 30 {
		return append(dst, c, 'z', 'r')
	}
	return strconv.AppendUint(append(dst, c), n+1, 10)
}

func showXzrPair(_ *piece, _ *arch, dst []byte, _ *isa.Inst) []byte {
	return append(dst, "xzr, xzr"...)
}

func showX8(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	return a.appendNum(dst, "x", in.Ops[p.op].Reg, 0)
}

func showW(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	return a.appendReg(dst, a.r.wOf(in.Ops[p.op].Reg))
}

// showFPR writes the scalar floating-point name of a vector register.
func showFPR(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	c := map[int32]string{8: "b", 16: "h", 32: "s", 64: "d", 128: "q"}[p.arg[0]]
	return a.appendNum(dst, c, in.Ops[p.op].Reg, 0)
}

// showRegShift writes an index register with the form's fixed extension and shift. The arguments of the print method are
// signedness, access width, 'x' or 'w', element suffix or 0.
func showRegShift(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	r := in.Ops[p.op].Reg
	class := p.lit
	if a.r.file[r] == fileZ {
		w := int32('d')
		if strings.HasPrefix(class, "ZPR32") {
			w = 's'
		}
		dst = a.appendNum(dst, "z", r, w)
	} else {
		dst = a.appendReg(dst, r)
	}
	bits := int32(trailingNumber(strings.TrimSuffix(class, "Only")))
	amt := log2(bits / 8)
	switch {
	case strings.Contains(class, "SXTW"):
		dst = append(dst, ", sxtw"...)
	case strings.Contains(class, "UXTW"):
		dst = append(dst, ", uxtw"...)
	case amt > 0:
		dst = append(dst, ", lsl"...)
	}
	if amt > 0 {
		dst = appendImm(append(dst, ' '), amt)
	}
	return dst
}

func showRotation(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	return appendImm(dst, in.Ops[p.op].Imm*int64(p.arg[0])+int64(p.arg[1]))
}

// appendShifter writes ", lsl #3", nothing for a shift by 0.
func appendShifter(dst []byte, v int64) []byte {
	if v == 0 {
		return dst
	}
	dst = append(append(dst, ", "...), shiftNames[shLSL+shiftKind(v>>6&7)]...)
	return appendImm(append(dst, ' '), v&0x3f)
}

func showShifter(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	return appendShifter(dst, in.Ops[p.op].Imm)
}

func showShifted(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	return appendShifter(a.appendReg(dst, in.Ops[p.op].Reg), in.Ops[p.op+1].Imm)
}

// appendExtend writes ", uxtw #2"; with the stack pointer an extension from the full width is written as a shift.
func (a *arch) appendExtend(dst []byte, in *isa.Inst, v int64) []byte {
	k, amt := shUXTB+shiftKind(v>>3&7), v&7
	plain := shUXTW
	if r := in.Reg(0); a.r.file[r] == fileX || a.r.file[in.Reg(1)] == fileX {
		plain = shUXTX
	}
	sp := in.Reg(0) == a.r.sp || in.Reg(0) == a.r.wsp || in.Reg(1) == a.r.sp || in.Reg(1) == a.r.wsp
	if k == plain && sp {
		if amt == 0 {
			return dst
		}
		return appendImm(append(dst, ", lsl "...), amt)
	}
	dst = append(append(dst, ", "...), shiftNames[k]...)
	if amt != 0 {
		dst = appendImm(append(dst, ' '), amt)
	}
	return dst
}

func showExtended(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	return a.appendExtend(a.appendReg(dst, in.Ops[p.op].Reg), in, in.Ops[p.op+1].Imm)
}

func showArithExtend(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	return a.appendExtend(dst, in, in.Ops[p.op].Imm)
}

var condCodes = [16]string{"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"}

func showCond(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	return append(dst, condCodes[in.Ops[p.op].Imm&15]...)
}

func showTarget(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	o := &in.Ops[p.op]
	if out, ok := symbol(dst, o); ok {
		return out
	}
	if o.Imm < 0 {
		return strconv.AppendUint(append(dst, "-0x"...), uint64(-o.Imm), 16)
	}
	return strconv.AppendUint(append(dst, "0x"...), uint64(o.Imm), 16)
}

func showPostInc(p *piece, a *arch, dst []byte, in *isa.Inst) []byte {
	if r := in.Ops[p.op].Reg; r != a.r.xzr {
		return a.appendReg(dst, r)
	}
	return appendImm(dst, int64(p.arg[0]))
}

func showFP(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	return strconv.AppendFloat(append(dst, '#'), decodeFP8(in.Ops[p.op].Imm), 'f', 8, 64)
}

func showExactFP(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	v := float64(p.arg[0]) / 10
	if in.Ops[p.op].Imm != 0 {
		v = float64(p.arg[1]) / 10
	}
	return strconv.AppendFloat(append(dst, '#'), v, 'f', 1, 64)
}

// showAddSub writes a value and its shift left.
func showAddSub(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	o := &in.Ops[p.op]
	out, ok := symbol(dst, o)
	if !ok {
		out = appendImm(dst, o.Imm)
	}
	if n := in.Ops[p.op+1].Imm; n != 0 {
		out = appendImm(append(out, ", lsl "...), n)
	}
	return out
}

func showLogical(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	o := &in.Ops[p.op]
	if out, ok := symbol(dst, o); ok {
		return out
	}
	w := uint(p.arg[0])
	if w == 0 {
		w = 64
	}
	v, _ := decodeLogical(uint32(o.Imm), max(w, 32))
	if w < 64 {
		v &= 1<<w - 1
	}
	return appendHex(dst, v)
}

func showCR(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	return strconv.AppendInt(append(dst, 'c'), in.Ops[p.op].Imm, 10)
}

func showMemExtend(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	signed, shift := in.Ops[p.op].Imm != 0, in.Ops[p.op+1].Imm != 0
	amt := log2(int32(trailingNumber(p.lit)) / 8)
	w := strings.HasPrefix(p.lit, "ro_W")
	k := shLSL
	switch {
	case w && signed:
		k = shSXTW
	case w:
		k = shUXTW
	case signed:
		k = shSXTX
	case !shift:
		return dst
	}
	dst = append(dst, shiftNames[k]...)
	if shift {
		dst = appendImm(append(dst, ' '), amt)
	}
	return dst
}

func showByteMask(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	return fmt.Appendf(dst, "#0x%016x", decodeByteMask(in.Ops[p.op].Imm))
}

// showTiles writes a set of 64-bit ZA tiles.
func showTiles(p *piece, _ *arch, dst []byte, in *isa.Inst) []byte {
	v := in.Ops[p.op].Imm
	dst = append(dst, '{')
	sep := ""
	for i := range 8 {
		if v>>i&1 != 0 {
			dst = fmt.Appendf(dst, "%sza%d.d", sep, i)
			sep = ", "
		}
	}
	return append(dst, '}')
}

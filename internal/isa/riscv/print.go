package riscv

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// printer writes instructions in GNU syntax. Compressed instructions keep their own
// mnemonics (c.add), so that text gives back the same form and bytes.
type printer struct {
	*isa.ISA
	regs    *registers
	aliases *isa.AliasTable
	forms   []template // by form
	alias   []template // by alias
	usable  []bool     // alias's conditions hold
	cmPush  isa.FormID
}

// template is an assembly string cut into literals and operands.
type template []piece

// piece is a literal, or the operand that starts at MC operand op.
type piece struct {
	lit   string
	op    int8
	print printCode
}

// printCode is the way in which an operand is written.
type printCode uint8

const (
	printPlain     printCode = iota // register, number or symbol
	printMask                       // ", v0.t" if masked
	printMem                        // "(reg)"
	printFRM                        // ", mode" unless dynamic
	printFRMLegacy                  // ", mode" unless rne
	printCSR
	printFence
	printFPImm
	printVType
	printRegList
	printStackAdj
	printTwoRegs
	printTarget
)

var printCodes = map[string]printCode{
	"printVMaskReg": printMask, "printZeroOffsetMemOp": printMem, "printFRMArg": printFRM, "printFRMArgLegacy": printFRMLegacy,
	"printCSRSystemRegister": printCSR, "printFenceArg": printFence, "printFPImmOperand": printFPImm, "printVTypeI": printVType,
	"printRlist": printRegList, "printStackAdj": printStackAdj, "printNegStackAdj": printStackAdj, "printRegReg": printTwoRegs,
	"printBranchOperand": printTarget,
}

func newPrinter(a *isa.ISA, regs *registers, ext func(string) bool) *printer {
	p := &printer{ISA: a, regs: regs, aliases: isa.LoadAliases(tables), cmPush: a.Forms.Named("CM_PUSH")}
	p.forms = make([]template, a.Forms.Len())
	for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
		ops := a.Forms.Operands(f)
		p.forms[f] = cut(a.Forms.Asm(f, 0), func(name string) (int, *isa.OpClass) {
			for i := len(ops) - 1; i >= 0; i-- {
				if ops[i].Name == name {
					return ops[i].MC, ops[i].Class
				}
			}
			return -1, nil
		})
		first, end := p.aliases.Of(f)
		for i := first; i < end; i++ {
			t := cut(p.aliases.Asm(i), func(name string) (int, *isa.OpClass) { return p.aliases.Operand(a.Forms, i, name) })
			p.alias = append(p.alias, t) // aliases are ordered by form
			usable := true
			for _, c := range p.aliases.Predicates(i) {
				usable = usable && holds(c, ext)
			}
			p.usable = append(p.usable, usable)
		}
	}
	return p
}

// cut splits an assembly string at its operands, $name or ${name}.
func cut(asm string, operand func(name string) (mc int, c *isa.OpClass)) template {
	var t template
	asm = strings.Replace(asm, "\t", " ", 1)
	for asm != "" {
		lit, rest, found := strings.Cut(asm, "$")
		if lit != "" {
			t = append(t, piece{lit: lit, op: -1})
		}
		if !found {
			break
		}
		n := 0
		if name, after, ok := strings.Cut(strings.TrimPrefix(rest, "{"), "}"); ok && rest[0] == '{' {
			asm = after
			rest, n = name, len(name)
		} else {
			for n < len(rest) && isSymbolByte(rest[n]) && rest[n] != '.' && rest[n] != '$' {
				n++
			}
			asm = rest[n:]
		}
		mc, c := operand(rest[:n])
		if mc < 0 {
			continue
		}
		x := piece{op: int8(mc)}
		if c != nil {
			x.print = printCodes[c.Print]
		}
		t = append(t, x)
	}
	return t
}

// print implements isa.ISA.Print.
func (p *printer) print(dst []byte, in *isa.Inst, _ string) []byte {
	if in.Form == isa.NoForm || int(in.Form) >= len(p.forms) {
		return append(dst, "<unknown>"...)
	}
	t := p.forms[in.Form]
	first, end := p.aliases.Of(in.Form)
	for i := first; i < end; i++ {
		if p.usable[i] && p.aliases.Match(p.Forms, i, in, p.legal) {
			t = p.alias[i]
			break
		}
	}
	for _, x := range t {
		if x.op < 0 {
			dst = append(dst, x.lit...)
		} else {
			dst = p.operand(dst, in, int(x.op), x.print)
		}
	}
	return dst
}

// legal reports whether MC operand mc is of an operand class, for aliases.
func (p *printer) legal(c *isa.OpClass, in *isa.Inst, mc int) bool {
	op := &in.Ops[mc]
	if c == nil || c.RegClass == "" {
		return op.Kind != isa.OpReg
	}
	if op.Kind != isa.OpReg {
		return false
	}
	members, _ := p.Regs.Class(c.RegClass)
	for i := range members.Len() {
		if isa.Reg(members.At(i)) == op.Reg {
			return true
		}
	}
	return false
}

// operand writes one operand.
func (p *printer) operand(dst []byte, in *isa.Inst, i int, code printCode) []byte {
	o := &in.Ops[i]
	if o.Kind == isa.OpExpr && o.Expr != nil {
		return append(dst, o.Expr.Text...)
	}
	switch code {
	case printMask:
		if o.Reg != isa.NoReg {
			dst = append(dst, ", v0.t"...)
		}
		return dst
	case printMem:
		return append(append(append(dst, '('), p.name(o.Reg)...), ')')
	case printFRM, printFRMLegacy:
		if usual := map[printCode]int64{printFRM: 7, printFRMLegacy: 0}[code]; o.Imm == usual {
			return dst
		}
		return append(append(dst, ", "...), roundingModes[o.Imm&7]...)
	case printCSR:
		if n := csrName(o.Imm); n != "" && !onlyRV32(n) {
			return append(dst, n...)
		}
	case printFence:
		return appendFence(dst, o.Imm)
	case printFPImm:
		return appendFPImm(dst, o.Imm)
	case printVType:
		return appendVType(dst, o.Imm)
	case printRegList:
		return appendRegList(dst, o.Imm)
	case printStackAdj:
		v := rlistStack(in.Ops[0].Imm) + o.Imm
		if in.Form == p.cmPush {
			v = -v
		}
		return strconv.AppendInt(dst, v, 10)
	case printTwoRegs:
		dst = append(append(dst, p.name(in.Reg(i+1))...), '(')
		return append(append(dst, p.name(o.Reg)...), ')')
	case printTarget:
		if o.Imm > 9 {
			return strconv.AppendUint(append(dst, "0x"...), uint64(o.Imm), 16)
		}
	}
	if o.Kind == isa.OpReg {
		return append(dst, p.name(o.Reg)...)
	}
	return strconv.AppendInt(dst, o.Imm, 10)
}

// abiX and abiF are the registers' names in the psABI.
var (
	abiX = strings.Fields("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6")
	abiF = strings.Fields("ft0 ft1 ft2 ft3 ft4 ft5 ft6 ft7 fs0 fs1 fa0 fa1 fa2 fa3 fa4 fa5 fa6 fa7 fs2 fs3 fs4 fs5 fs6 fs7 fs8 fs9 fs10 fs11 ft8 ft9 ft10 ft11")
	abiV = strings.Fields("v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11 v12 v13 v14 v15 v16 v17 v18 v19 v20 v21 v22 v23 v24 v25 v26 v27 v28 v29 v30 v31")
)

// name returns the assembler's name of a register, of its first part for pairs and groups.
func (p *printer) name(r isa.Reg) string {
	file, n := p.regs.of(r)
	switch file {
	case fileX:
		return abiX[n]
	case fileF:
		return abiF[n]
	case fileV:
		return abiV[n]
	}
	return strings.ToLower(p.Regs.Name(r))
}

// onlyRV32 reports whether RV64 lacks a control and status register: upper
// halves and every other pmpcfg.
func onlyRV32(csr string) bool {
	if n, ok := strings.CutPrefix(csr, "pmpcfg"); ok {
		return (n[len(n)-1]-'0')%2 == 1
	}
	return strings.HasSuffix(csr, "h") && !strings.HasSuffix(csr, "scratch")
}

func appendFence(dst []byte, set int64) []byte {
	if set&15 == 0 {
		return append(dst, '0')
	}
	for i := range fenceLetters {
		if set&(8>>i) != 0 {
			dst = append(dst, fenceLetters[i])
		}
	}
	return dst
}

func appendFPImm(dst []byte, i int64) []byte {
	switch i &= 31; i {
	case fpMin:
		return append(dst, "min"...)
	case fpInf:
		return append(dst, "inf"...)
	case fpNaN:
		return append(dst, "nan"...)
	default:
		n := len(dst)
		if dst = strconv.AppendFloat(dst, fpImms[i], 'g', -1, 64); !strings.ContainsAny(string(dst[n:]), ".e") {
			dst = append(dst, ".0"...)
		}
		return dst
	}
}

func appendVType(dst []byte, v int64) []byte {
	sew, lmul := v>>3&7, v&7
	if sew > 3 || lmul == 4 || v>>8 != 0 {
		return strconv.AppendInt(dst, v, 10)
	}
	dst = append(append(append(dst, sewNames[sew]...), ", "...), lmulNames[lmul]...)
	for _, f := range [2]struct {
		bit     int64
		on, off string
	}{{vtypeTA, ", ta", ", tu"}, {vtypeMA, ", ma", ", mu"}} {
		if v&f.bit != 0 {
			dst = append(dst, f.on...)
		} else {
			dst = append(dst, f.off...)
		}
	}
	return dst
}

func appendRegList(dst []byte, list int64) []byte {
	dst = append(dst, "{ra"...)
	switch {
	case list == rlistRA+1:
		dst = append(dst, ", s0"...)
	case list > rlistRA+1:
		n := list - rlistRA - 1
		if list == rlistS0S11 {
			n++
		}
		dst = strconv.AppendInt(append(dst, ", s0-s"...), n, 10)
	}
	return append(dst, '}')
}

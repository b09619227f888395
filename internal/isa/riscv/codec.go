package riscv

import (
	"strings"

	"incore/internal/isa"
)

// coder decodes and encodes: it holds the tables' bit fields, and for each operand class the
// conversion between the field's value and the MC operand. It is immutable.
type coder struct {
	*isa.FixedEnc
	regs  *registers
	plans []plan
}

// plan is one encoding with its operands.
type plan struct {
	form        isa.FormID
	size        uint8
	skip        bool // not decoded: of an extension that is absent, or of RV32
	mask, value uint32
	ops         []opPlan // by MC operand
}

// opCode is the way in which an MC operand is encoded.
type opCode uint8

const (
	opRegister  opCode = iota // a number in a table of registers
	opSame                    // tied to another operand
	opFixedReg                // always the same register
	opFixedImm                // always the same value
	opImmediate               // a number
	opDistance                // a distance in bytes from the instruction; the operand is the target's address
	opUpper                   // c.lui: six bits, sign-extended to twenty
	opMask                    // vm bit: 0 means masked by v0
	opTwoRegs                 // two registers in one field; two MC operands
)

// opPlan is the encoding of one MC operand.
type opPlan struct {
	code   opCode
	tied   uint8 // opSame: the other operand
	shift  uint8 // low bits that are zero and not in the field
	width  uint8 // bits of the (shifted) value
	signed bool
	runs   []run
	table  *[32]isa.Reg // opRegister: number in the field → register, NoReg for unused numbers
	reg    isa.Reg
	imm    int64
	legal  kindInfo // opImmediate: the legal values of the operand class
}

// run is a run of bits in the instruction word and its place in the value.
type run struct{ insn, op, width uint8 }

func newCoder(a *isa.ISA, regs *registers, ext func(string) bool) *coder {
	c := &coder{FixedEnc: isa.LoadFixedEnc(tables), regs: regs}
	b := planner{a: a, regs: regs, tables: map[string]*[32]isa.Reg{}}
	b.matched = make([]bool, a.Forms.Len())
	for m := range a.Match.Mnemonics() {
		for r, end := a.Match.Rows(0, m); r < end; r++ {
			b.matched[a.Match.Row(0, r).Form] = true
		}
	}
	c.plans = make([]plan, c.Len())
	for i := range c.plans {
		c.plans[i] = b.plan(c.FixedEnc, i, ext)
	}
	return c
}

// planner makes plans.
type planner struct {
	a       *isa.ISA
	regs    *registers
	tables  map[string]*[32]isa.Reg // register class and width → table
	matched []bool                  // form → a row of the match table has it
}

func (b *planner) plan(e *isa.FixedEnc, i int, ext func(string) bool) plan {
	f := e.Form(i)
	p := plan{form: f, size: uint8(e.Size(i)), mask: e.Mask(i), value: e.Value(i)}
	p.skip = !b.matched[f] || excluded(b.a.Forms.Name(f), e.NamespaceName(e.Namespace(i)), b.a.Forms.Predicates(f), ext)
	p.ops = make([]opPlan, b.a.Forms.NumOps(f))
	runs := b.runs(e.Fields(i), len(p.ops))
	for op := range p.ops {
		p.ops[op] = b.operand(f, op, runs)
		if p.ops[op].code == opTwoRegs {
			break
		}
	}
	return p
}

// runs sorts an encoding's fields by operand.
func (b *planner) runs(fields interface {
	At(int) uint16
	Len() int
}, nops int) [][]run {
	out := make([][]run, nops)
	for k := 0; k < fields.Len(); k += isa.FieldLen {
		if op := int(fields.At(k)); op < nops {
			out[op] = append(out[op], run{uint8(fields.At(k + 1)), uint8(fields.At(k + 2)), uint8(fields.At(k + 3))})
		}
	}
	return out
}

// excluded reports whether an encoding is not decoded: encodings of RV32, encodings that a present
// extension replaces, and those of an absent extension that gives other instructions' encodings a new meaning.
func excluded(form, space string, preds []string, ext func(string) bool) bool {
	if form == "C_MOP1" || form == "C_MOP5" { // c.sspush and c.sspopchk
		return ext("zicfiss")
	}
	for _, p := range preds {
		switch {
		case p == "IsRV32":
			return true
		case p == "HasStdExtCOrZcd" && (ext("zcmp") || ext("zcmt") || ext("xwchc")),
			ext("zfinx") && (p == "HasStdExtF" || p == "HasStdExtD" || strings.HasPrefix(p, "HasStdExtZfh")):
			return true
		}
	}
	switch space {
	case "RVZcmp":
		return !ext("zcmp")
	case "RVZcmt":
		return !ext("zcmt")
	case "Xwchc":
		return !ext("xwchc")
	case "Zicfiss":
		return !ext("zicfiss")
	case "RVZfinx":
		return !ext("zfinx")
	}
	return false
}

// operand makes the plan of one MC operand.
func (b *planner) operand(f isa.FormID, op int, runs [][]run) opPlan {
	t := b.a.Forms
	class := t.OperandClass(f, op)
	o := opPlan{runs: runs[op], legal: b.legal(class)}
	for _, r := range o.runs {
		o.width = max(o.width, r.op+r.width)
	}
	if len(o.runs) == 0 {
		return b.unencoded(f, op, class, runs)
	}
	switch {
	case class.Name == "CVrr":
		o.code = opTwoRegs
	case class.Name == "VMaskOp":
		o.code, o.reg = opMask, b.regs.v[0][0]
	case class.RegClass != "":
		o.code, o.table = opRegister, b.table(class.RegClass, int(o.width))
	case class.Kind == "pcrel":
		o.code, o.shift, o.signed = opDistance, 1, true
	case class.Name == "c_lui_imm":
		o.code = opUpper
	default:
		o.code, o.signed = opImmediate, strings.HasPrefix(class.Name, "simm")
	}
	return o
}

// unencoded plans an operand that has no bits of its own.
func (b *planner) unencoded(f isa.FormID, op int, class *isa.OpClass, runs [][]run) opPlan {
	t := b.a.Forms
	for i, l := 0, t.Ties(f); i < l.Len(); i += 2 {
		use, def := int(l.At(i)), int(l.At(i+1))
		if op == def && len(runs[use]) > 0 {
			return opPlan{code: opSame, tied: uint8(use)}
		}
		if op == use && len(runs[def]) > 0 {
			return opPlan{code: opSame, tied: uint8(def)}
		}
	}
	if m, _ := b.a.Regs.Class(class.RegClass); class.RegClass != "" && m.Len() == 1 {
		return opPlan{code: opFixedReg, reg: isa.Reg(m.At(0))}
	}
	return opPlan{code: opFixedImm, imm: pairScale[t.Name(f)]}
}

// pairScale holds the last operand of T-Head's paired loads and stores, which the text
// names and the encoding doesn't: the shift of the scaled offset (XTheadMemPair).
var pairScale = map[string]int64{"TH_LDD": 4, "TH_SDD": 4, "TH_LWD": 3, "TH_LWUD": 3, "TH_SWD": 3}

// table returns the registers that a field of width bits can name in a register class.
func (b *planner) table(class string, width int) *[32]isa.Reg {
	key := class + string(rune('0'+width))
	if t := b.tables[key]; t != nil {
		return t
	}
	t := new([32]isa.Reg)
	b.tables[key] = t
	members, _ := b.a.Regs.Class(class)
	for i := range members.Len() {
		r := isa.Reg(members.At(i))
		_, n := b.regs.of(r)
		switch {
		case class == "SR07": // s0 … s7
			n = savedOrder(n) - 1
		case width == 3: // the popular registers 8 … 15
			n -= 8
		}
		t[n] = r
	}
	return t
}

// legal returns the legal values of an immediate operand class, by its name.
func (b *planner) legal(class *isa.OpClass) kindInfo {
	any := kindInfo{code: kRange, lo: -1 << 62, hi: 1 << 62, align: 1, lo2: 1}
	switch class.Name {
	case "frmarg", "frmarglegacy":
		any.lo, any.hi, any.lo2, any.hi2 = 0, 4, 7, 7
	case "rtzarg":
		any.lo, any.hi = 1, 1
	case "rnum":
		any.hi = 10
	case "immzero":
		any.lo, any.hi = 0, 0
	case "rlist":
		any.lo = rlistRA
	case "c_lui_imm":
		any = namedKinds["isCLUIImm"]
	case "uimmlog2xlennonzero":
		any.lo = 1
	case "uimm8ge32":
		any.lo = 32
	}
	if strings.HasSuffix(class.Name, "nonzero") {
		any.nonzero = true
	}
	return any
}

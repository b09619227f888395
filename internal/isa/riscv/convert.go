package riscv

import "incore/internal/isa"

// renderCode is a render method of the match table: how an operand of the text
// becomes MC operands.
type renderCode uint8

const (
	renderReg renderCode = iota // registers by their kind
	renderImm
	renderRegReg
	renderStackAdj
	renderVType
)

var renderNames = map[string]renderCode{
	"addRegOperands":               renderReg,
	"addImmOperands":               renderImm,
	"addFRMArgOperands":            renderImm,
	"addFenceArgOperands":          renderImm,
	"addFPImmOperands":             renderImm,
	"addCSRSystemRegisterOperands": renderImm,
	"addRlistOperands":             renderImm,
	"addSpimmOperands":             renderStackAdj,
	"addRegRegOperands":            renderRegReg,
	"addVTypeIOperands":            renderVType,
}

// convert builds the MC operands of a matched row.
func (p *parser) convert(in *isa.Inst, row isa.Row, s *statement) (err error) {
	in.Form = row.Form
	p.Match.Steps(row.Conv, func(st isa.Step) bool {
		switch st.Op {
		case isa.StepImm:
			if c := p.Forms.OperandClass(row.Form, int(in.NOps)); c != nil && c.RegClass == "VMV0" {
				in.AddReg(p.regs.v[0][0]) // LLVM's parser appends 0, which does not state the mask that is read
				break
			}
			in.AddImm(p.Match.Imm(st.Arg))
		case isa.StepReg:
			in.AddReg(isa.Reg(st.Arg))
		case isa.StepTied:
			in.Add(in.Ops[st.Arg])
		default:
			err = p.render(in, p.renders[st.Arg], isa.Kind(row.Kinds.At(int(st.Src)-1)), s, int(s.at[st.Src]))
		}
		return err == nil
	})
	return err
}

// render appends the MC operands of the operand of a kind that starts at item i.
func (p *parser) render(in *isa.Inst, code renderCode, kind isa.Kind, s *statement, i int) error {
	k := &p.kinds[kind]
	if i == absent {
		if k.code == kMask {
			in.AddReg(isa.NoReg)
		} else {
			in.AddImm(k.defaultValue)
		}
		return nil
	}
	it := &s.items[i]
	switch code {
	case renderReg:
		in.AddReg(p.registerAs(k, kind, s, i))
	case renderRegReg:
		in.AddReg(s.items[i+2].reg)
		in.AddReg(it.reg)
	case renderVType:
		v, _ := p.vtype(s, i, k.hi)
		in.AddImm(v)
	case renderStackAdj:
		v, ok := p.stackAdj(in, it)
		if !ok {
			return &isa.SyntaxError{Stmt: s.text, Col: it.pos + 1, Msg: "stack adjustment does not fit the register list"}
		}
		in.AddImm(v)
	default:
		if v, ok := p.immediate(k, it); ok {
			in.AddImm(v)
		} else if it.reg != isa.NoReg { // a symbol with a register's name
			in.AddExpr(&isa.Expr{Text: it.text, Sym: it.text})
		} else {
			in.AddExpr(it.val.expr())
		}
	}
	return nil
}

// registerAs returns an operand's register by the name that it has in the operand's kind.
func (p *parser) registerAs(k *kindInfo, kind isa.Kind, s *statement, i int) isa.Reg {
	it := &s.items[i]
	switch k.code {
	case kZeroOffset:
		if it.tok != 0 {
			return s.items[i+1].reg
		}
		return s.items[i+2].reg
	case kRegPair:
		_, n := p.regs.of(it.reg)
		return p.regs.pair[n]
	case kPlain:
		return p.asKind(it.reg, kind)
	}
	return it.reg
}

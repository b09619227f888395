package x86

import (
	"strconv"
	"strings"
	"sync"

	"incore/internal/isa"
)

// regText are the registers' names in assembly, without the sigil "%".
var regText = sync.OnceValue(func() *[numRegs]string {
	_, regs, _ := isa.Load(tables)
	t := new([numRegs]string)
	for r := range t {
		name := strings.ToLower(regs.Name(isa.Reg(r)))
		if isa.Reg(r) >= ST0 && isa.Reg(r) <= ST7 {
			name = "st(" + name[2:] + ")"
		}
		t[r] = name
	}
	return t
})

func (p *printer) reg(r isa.Reg) {
	if p.variant == 0 {
		p.dst = append(p.dst, '%')
	}
	if r < numRegs {
		p.text(regText()[r])
	}
}

var (
	condNames     = [16]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}
	roundingNames = [4]string{"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"}
)

func (p *printer) operand(x piece) {
	o := &p.in.Ops[x.op]
	switch x.kind {
	case pieceReg:
		p.reg(o.Reg)
	case pieceMaskPair: // printed as the first register of the pair
		p.reg(K0 + 2*(o.Reg-K0_K1))
	case pieceImm:
		p.immediate(o, o.Imm)
	case pieceU8:
		p.immediate(o, o.Imm&0xff)
	case pieceCompare:
		if p.variant == 1 {
			p.text(x.text)
		}
		p.immediate(o, o.Imm&0xff)
		if p.variant == 0 {
			p.text(x.text)
		}
	case pieceTarget:
		if o.Kind == isa.OpExpr {
			p.text(o.Expr.Text)
		} else {
			p.dst = strconv.AppendUint(append(p.dst, "0x"...), uint64(o.Imm), 16)
		}
	case pieceCond:
		p.condition(o.Imm)
	case pieceFlags:
		p.defaultFlags(o.Imm)
	case pieceRounding:
		p.text(roundingNames[o.Imm&3])
	case pieceMem:
		p.memory(x)
	case pieceMoffs:
		p.direct(x)
	case pieceSrcIdx:
		p.indirect(x, p.in.Reg(x.op+1))
	case pieceDstIdx:
		p.indirect(x, ES)
	}
}

// condition prints a condition code; APX's ccmp and ctest have true and false instead of the parity conditions.
func (p *printer) condition(cc int64) {
	name := condNames[cc&15]
	if i := codes().forms[p.in.Form].sig; codes().sigs[i].TwoCond {
		switch cc {
		case 10:
			name = "t"
		case 11:
			name = "f"
		}
	}
	p.text(name)
}

func (p *printer) defaultFlags(v int64) {
	p.text("{dfv=")
	comma := false
	for i, name := range [4]string{"of", "sf", "zf", "cf"} {
		if v>>(3-i)&1 != 0 {
			if comma {
				p.text(",")
			}
			p.text(name)
			comma = true
		}
	}
	p.text("}")
}

func (p *printer) immediate(o *isa.Operand, v int64) {
	if p.variant == 0 {
		p.dst = append(p.dst, '$')
	}
	if o.Kind == isa.OpExpr {
		p.text(o.Expr.Text)
		return
	}
	p.number(v)
}

func (p *printer) segment(r isa.Reg) {
	if r != isa.NoReg {
		p.reg(r)
		p.dst = append(p.dst, ':')
	}
}

// memory prints the five operands of an address.
func (p *printer) memory(x piece) {
	if p.variant == 1 {
		p.intelMemory(x)
		return
	}
	base, index := p.in.Reg(x.op), p.in.Reg(x.op+2)
	disp := &p.in.Ops[x.op+3]
	p.segment(p.in.Reg(x.op + 4))
	switch {
	case disp.Kind == isa.OpExpr:
		p.text(disp.Expr.Text)
	case disp.Imm != 0 || base == isa.NoReg && index == isa.NoReg:
		p.number(disp.Imm)
	}
	if base == isa.NoReg && index == isa.NoReg {
		return
	}
	p.text("(")
	if base != isa.NoReg {
		p.reg(base)
	}
	if index != isa.NoReg {
		p.text(",")
		p.reg(index)
		if s := p.in.Ops[x.op+1].Imm; s > 1 {
			p.dst = append(p.dst, ',', '0'+byte(s))
		}
	}
	p.text(")")
}

func (p *printer) intelMemory(x piece) {
	base, index := p.in.Reg(x.op), p.in.Reg(x.op+2)
	disp := &p.in.Ops[x.op+3]
	p.text(x.text)
	p.segment(p.in.Reg(x.op + 4))
	p.text("[")
	if base != isa.NoReg {
		p.reg(base)
	}
	if index != isa.NoReg {
		if base != isa.NoReg {
			p.text(" + ")
		}
		if s := p.in.Ops[x.op+1].Imm; s > 1 {
			p.dst = append(p.dst, '0'+byte(s), '*')
		}
		p.reg(index)
	}
	none := base == isa.NoReg && index == isa.NoReg
	switch v := disp.Imm; {
	case disp.Kind == isa.OpExpr:
		if !none {
			p.text(" + ")
		}
		p.text(disp.Expr.Text)
	case none:
		p.number(v)
	case v < 0:
		p.text(" - ")
		p.number(-v)
	case v > 0:
		p.text(" + ")
		p.number(v)
	}
	p.text("]")
}

// direct prints an absolute address (mov to and from the accumulator).
func (p *printer) direct(x piece) {
	if p.variant == 1 {
		p.text(x.text)
	}
	p.segment(p.in.Reg(x.op + 1))
	if p.variant == 1 {
		p.text("[")
	}
	if o := &p.in.Ops[x.op]; o.Kind == isa.OpExpr {
		p.text(o.Expr.Text)
	} else {
		p.number(o.Imm)
	}
	if p.variant == 1 {
		p.text("]")
	}
}

// indirect prints the memory operand of a string instruction.
func (p *printer) indirect(x piece, seg isa.Reg) {
	open, end := "(", ")"
	if p.variant == 1 {
		p.text(x.text)
		open, end = "[", "]"
	}
	p.segment(seg)
	p.text(open)
	p.reg(p.in.Reg(x.op))
	p.text(end)
}

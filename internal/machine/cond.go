package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// cond is a condition on the MC operands of an instruction ("when=same(1,2)&!imm(3)=0").
//
//	same(i,j)        operands i and j are the same register, or one is a part of the other
//	reg(i)=NAME      operand i is that register (LLVM's name)
//	none(i)          operand i is an absent register
//	isreg(i) isimm(i)
//	imm(i)=n         operand i is the immediate n
//	bits(i,lo,n)=v   n bits of immediate i from bit lo on
//	any(CLASS)       some operand lies in that register class
//	last(CLASS)      the last operand does: of RISC-V's vector operations the mask, if any
//	prefix(lock)     the instruction carries the prefix
//	vtype(m2,e32)    RISC-V: LMUL and SEW in force
//	! & | ( )
type cond struct {
	op   condOp
	a, b int
	c    int
	n    int64
	name string
	reg  isa.Reg
	regs []bool // any: member registers
	kids []*cond
	isa  *isa.ISA // same: whose registers
}

type condOp uint8

const (
	condAnd condOp = iota
	condOr
	condNot
	condSame
	condReg
	condNone
	condIsReg
	condIsImm
	condImm
	condBits
	condAny
	condLast
	condPrefix
	condVType
)

var condFuncs = map[string]struct {
	op   condOp
	args int
	rel  bool // takes =value
}{
	"same": {condSame, 2, false}, "reg": {condReg, 1, true}, "none": {condNone, 1, false}, "isreg": {condIsReg, 1, false},
	"isimm": {condIsImm, 1, false}, "imm": {condImm, 1, true}, "bits": {condBits, 3, true}, "any": {condAny, -1, false}, "last": {condLast, -1, false},
	"prefix": {condPrefix, -1, false}, "vtype": {condVType, -2, false},
}

// condParser is a recursive-descent parser: or := and {'|' and}; and := not {'&' not}.
type condParser struct {
	s     string
	depth int
}

func parseCond(s string) (*cond, error) {
	p := condParser{s: s}
	c, err := p.list('|', condOr)
	if err == nil && p.s != "" {
		err = fmt.Errorf("unexpected '%s'", p.s)
	}
	if err != nil {
		return nil, fmt.Errorf("condition '%s': %w", s, err)
	}
	return c, nil
}

func (p *condParser) list(sep byte, op condOp) (*cond, error) {
	sub := p.not
	if op == condOr {
		sub = func() (*cond, error) { return p.list('&', condAnd) }
	}
	c, err := sub()
	if err != nil || p.s == "" || p.s[0] != sep {
		return c, err
	}
	out := &cond{op: op, kids: []*cond{c}}
	for p.s != "" && p.s[0] == sep {
		p.s = p.s[1:]
		if c, err = sub(); err != nil {
			return nil, err
		}
		out.kids = append(out.kids, c)
	}
	return out, nil
}

func (p *condParser) not() (*cond, error) {
	if p.depth++; p.depth > 50 {
		return nil, fmt.Errorf("nested too deeply")
	}
	defer func() { p.depth-- }()
	switch {
	case strings.HasPrefix(p.s, "!"):
		p.s = p.s[1:]
		c, err := p.not()
		return &cond{op: condNot, kids: []*cond{c}}, err
	case strings.HasPrefix(p.s, "("):
		p.s = p.s[1:]
		c, err := p.list('|', condOr)
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(p.s, ")") {
			return nil, fmt.Errorf("missing ')'")
		}
		p.s = p.s[1:]
		return c, nil
	}
	return p.atom()
}

func (p *condParser) atom() (*cond, error) {
	open := strings.IndexByte(p.s, '(')
	end := strings.IndexByte(p.s, ')')
	if open < 0 || end < open {
		return nil, fmt.Errorf("expected a test like same(1,2) at '%s'", p.s)
	}
	f, ok := condFuncs[p.s[:open]]
	if !ok {
		return nil, fmt.Errorf("unknown test '%s'", p.s[:open])
	}
	args := strings.Split(p.s[open+1:end], ",")
	p.s = p.s[end+1:]
	c := &cond{op: f.op}
	switch {
	case f.args == -1 && len(args) == 1:
		c.name = args[0]
	case f.args == -2 && len(args) <= 2:
		if err := c.vtype(args); err != nil {
			return nil, err
		}
	case f.args == len(args):
		for i, a := range args {
			v, err := strconv.Atoi(a)
			if err != nil || v < 0 || v > 63 {
				return nil, fmt.Errorf("bad argument '%s'", a)
			}
			*[]*int{&c.a, &c.b, &c.c}[i] = v
		}
	default:
		return nil, fmt.Errorf("wrong number of arguments")
	}
	if f.op == condPrefix && condPrefixes[c.name] == 0 {
		return nil, fmt.Errorf("unknown prefix '%s'", c.name)
	}
	if !f.rel {
		return c, nil
	}
	if !strings.HasPrefix(p.s, "=") {
		return nil, fmt.Errorf("expected '=' at '%s'", p.s)
	}
	i := 1
	for i < len(p.s) && !strings.ContainsRune("&|)", rune(p.s[i])) {
		i++
	}
	val := p.s[1:i]
	p.s = p.s[i:]
	if c.op == condReg {
		c.name = val
		return c, nil
	}
	v, err := strconv.ParseInt(val, 0, 64)
	if err != nil {
		return nil, fmt.Errorf("bad number '%s'", val)
	}
	c.n = v
	return c, nil
}

// tells reports whether a condition tests for a prefix.
func (c *cond) tells(prefix isa.Prefix) bool {
	return c != nil && (c.op == condPrefix && condPrefixes[c.name] == prefix || slices.ContainsFunc(c.kids, func(k *cond) bool { return k.tells(prefix) }))
}

var condPrefixes = map[string]isa.Prefix{"lock": isa.PfxLock, "rep": isa.PfxRep, "repne": isa.PfxRepne, "data16": isa.PfxData16}

var lmulNames = map[string]int{"m1": 0, "m2": 1, "m4": 2, "m8": 3, "mf8": 5, "mf4": 6, "mf2": 7}

// vtype reads LMUL and SEW; an absent one is -1.
func (c *cond) vtype(args []string) error {
	c.a, c.b = -1, -1
	for _, a := range args {
		if l, ok := lmulNames[a]; ok {
			c.a = l
		} else if s, err := strconv.Atoi(strings.TrimPrefix(a, "e")); err == nil && strings.HasPrefix(a, "e") && s >= 8 && s <= 64 {
			c.b = s
		} else {
			return fmt.Errorf("bad vector type '%s' (m1, mf2, e32, …)", a)
		}
	}
	return nil
}

// resolve returns a copy of the condition with its names looked up in the tables of the ISA; a copy, because the row may be shared.
func (c *cond) resolve(a *isa.ISA) (*cond, error) {
	out := *c
	switch c.op {
	case condSame:
		out.isa = a
	case condReg:
		if out.reg = a.Regs.Named(c.name); out.reg == isa.NoReg {
			return nil, fmt.Errorf("unknown register '%s' in a condition", c.name)
		}
	case condAny, condLast:
		members, _ := a.Regs.Class(c.name)
		if members.Len() == 0 {
			return nil, fmt.Errorf("unknown register class '%s' in a condition", c.name)
		}
		out.regs = make([]bool, a.Regs.Len())
		for i := 0; i < members.Len(); i++ {
			out.regs[members.At(i)] = true
		}
	}
	out.kids = nil
	for _, k := range c.kids {
		r, err := k.resolve(a)
		if err != nil {
			return nil, err
		}
		out.kids = append(out.kids, r)
	}
	return &out, nil
}

// holds evaluates a resolved condition.
func (c *cond) holds(in *isa.Inst) bool {
	op := func(i int) *isa.Operand {
		if i < int(in.NOps) {
			return &in.Ops[i]
		}
		return &isa.Operand{}
	}
	switch c.op {
	case condAnd:
		for _, k := range c.kids {
			if !k.holds(in) {
				return false
			}
		}
		return true
	case condOr:
		for _, k := range c.kids {
			if k.holds(in) {
				return true
			}
		}
		return false
	case condNot:
		return !c.kids[0].holds(in)
	case condSame:
		x, y := op(c.a), op(c.b)
		return x.Kind == isa.OpReg && y.Kind == isa.OpReg && (x.Reg == y.Reg || x.Reg != isa.NoReg && y.Reg != isa.NoReg && c.isa.Regs.Overlap(x.Reg, y.Reg))
	case condReg:
		return in.Reg(c.a) == c.reg
	case condNone:
		return op(c.a).Kind == isa.OpReg && op(c.a).Reg == isa.NoReg
	case condIsReg:
		return op(c.a).Kind == isa.OpReg
	case condIsImm:
		return op(c.a).Kind == isa.OpImm
	case condImm:
		return op(c.a).Kind == isa.OpImm && op(c.a).Imm == c.n
	case condBits:
		v := int64(0)
		if op(c.a).Kind == isa.OpImm {
			v = op(c.a).Imm
		}
		return v>>c.b&(1<<c.c-1) == c.n
	case condAny:
		for i := 0; i < int(in.NOps); i++ {
			if in.Ops[i].Kind == isa.OpReg && c.regs[in.Ops[i].Reg] {
				return true
			}
		}
		return false
	case condLast:
		n := int(in.NOps)
		return n > 0 && in.Ops[n-1].Kind == isa.OpReg && c.regs[in.Ops[n-1].Reg]
	case condPrefix:
		return in.Prefix&condPrefixes[c.name] != 0
	case condVType:
		return in.VType.SEW != 0 && (c.a < 0 || int(in.VType.LMUL) == c.a) && (c.b < 0 || int(in.VType.SEW) == c.b)
	}
	return false
}

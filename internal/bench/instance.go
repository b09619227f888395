package bench

import (
	"fmt"

	"incore/internal/isa"
)

// instance makes instructions of one form: registers and values are filled in from its operand classes.
type instance struct {
	t    *Target
	form isa.FormID
	ops  []isa.OpDecl
}

// planError says why no plan is made for a form.
type planError string

func (e planError) Error() string { return string(e) }

// newInstance checks that every operand of a form is of a class that instances can fill.
func newInstance(t *Target, f isa.FormID) (*instance, error) {
	x := &instance{t: t, form: f, ops: t.ISA.Forms.Operands(f)}
	for _, o := range x.ops {
		switch o.Class.Kind {
		case "imm", "mem":
		case "reg":
			if k := x.kind(o.Class); k == other {
				return nil, planError("operands of class " + o.Class.Name)
			}
		default:
			return nil, planError("operands of kind " + o.Class.Kind)
		}
	}
	return x, nil
}

// kind is the register file of a class.
func (x *instance) kind(c *isa.OpClass) kind {
	members, _ := x.t.ISA.Regs.Class(c.RegClass)
	if members.Len() == 0 {
		return other
	}
	return x.t.kindOf[members.At(members.Len()-1)]
}

// member returns the register of a class that lies in a root, NoReg if there is none.
func (x *instance) member(c *isa.OpClass, root isa.Reg) isa.Reg {
	members, _ := x.t.ISA.Regs.Class(c.RegClass)
	for i := 0; i < members.Len(); i++ {
		r := isa.Reg(members.At(i))
		if x.t.root[r] == root && !x.t.avoid[x.t.ISA.Regs.Name(r)] {
			return r
		}
	}
	return isa.NoReg
}

// choice fixes the roots of some MC operands; the others take the first free ones from offset rot on.
type choice struct {
	roots map[int]isa.Reg // MC operand → root
	rot   int             // rotation of the written registers
	disp  int64           // displacement of the memory operand
}

// build makes one instruction.
func (x *instance) build(c choice) (in isa.Inst, err error) {
	t := x.t
	in.Form = x.form
	defs := t.ISA.Forms.NumDefs(x.form)
	reads := 0
	for _, o := range x.ops {
		kind := o.Class.Kind
		if o.Class.Sub == memoryParts { // also where an address is only computed
			kind = "mem"
		}
		switch kind {
		case "imm":
			in.AddImm(x.immediate(o.Class))
		case "mem":
			if err := x.memory(&in, &o, c); err != nil {
				return in, err
			}
		default:
			root, fixed := c.roots[o.MC]
			if tied := t.ISA.Forms.TiedDef(x.form, o.MC); tied >= 0 {
				in.AddReg(in.Reg(tied))
				continue
			}
			k := x.kind(o.Class)
			if !fixed && o.MC < defs {
				root = t.named(t.spare[k][(c.rot+o.MC*5)%len(t.spare[k])])
			} else if !fixed {
				root = t.named(t.constant[k][reads%len(t.constant[k])])
				reads++
			}
			r := x.member(o.Class, root)
			for i := 0; r == isa.NoReg && !fixed && i < len(t.spare[k]); i++ { // a class of few registers
				r = x.member(o.Class, t.named(t.spare[k][(c.rot+i)%len(t.spare[k])]))
			}
			if r == isa.NoReg {
				return in, planError(fmt.Sprintf("no register of class %s for operand %d", o.Class.Name, o.MC))
			}
			in.AddReg(r)
		}
	}
	return in, nil
}

// immediate is a value that every immediate class can hold and that is no special case: small, not 0 or 1.
func (x *instance) immediate(c *isa.OpClass) int64 {
	switch c.Type {
	case "OPERAND_COND_CODE":
		return 4 // e
	case "OPERAND_ROUNDING_CONTROL":
		return 0
	}
	return 3
}

// memoryParts is the number of MC operands of an address: base, scale, index, displacement, segment.
const memoryParts = 5

// memory appends a memory operand: base and displacement, an index only where it is a vector register.
func (x *instance) memory(in *isa.Inst, o *isa.OpDecl, c choice) error {
	base, chosen := c.roots[o.MC]
	if !chosen {
		base = x.t.named(x.t.base)
	}
	if o.Class.Kind != "mem" { // only computed: an address that is a register's value may be a copy
		c.disp += 3
	}
	if o.Class.Sub != memoryParts {
		return planError("operands of class " + o.Class.Name)
	}
	index := isa.NoReg
	if v := vectorIndex(o.Class.Name); v != 0 {
		index = x.t.named(string(v) + "mm14")
		if index == isa.NoReg {
			index = x.t.named(map[byte]string{'x': "XMM14", 'y': "YMM14", 'z': "ZMM14"}[v])
		}
	}
	in.AddReg(base)
	in.AddImm(1)
	in.AddReg(index)
	in.AddImm(c.disp)
	in.AddReg(isa.NoReg)
	return nil
}

// vectorIndex is the width of the vector index of a memory class (vx64mem, vy256xmem): x, y, z; 0 for none.
func vectorIndex(class string) byte {
	if len(class) > 3 && class[0] == 'v' && (class[1] == 'x' || class[1] == 'y' || class[1] == 'z') {
		return class[1]
	}
	return 0
}

// encode checks that an instruction is one of its form: its machine code decodes to the same form.
func (t *Target) encode(in *isa.Inst) ([]byte, error) {
	code, err := t.ISA.Encode(nil, in, 0)
	if err != nil {
		return nil, err
	}
	var back isa.Inst
	n, err := t.ISA.Decode(code, 0, &back)
	if err != nil || n != len(code) {
		return nil, planError("its machine code does not decode")
	}
	if f := back.Form; f != in.Form && (t.ISA.Canonical == nil || t.ISA.Canonical(f) != in.Form) {
		return nil, planError("is written as " + t.ISA.Forms.Name(f))
	}
	if t.ISA.Canonical != nil && t.ISA.Canonical(in.Form) != in.Form {
		return nil, planError("is another encoding of " + t.ISA.Forms.Name(t.ISA.Canonical(in.Form)))
	}
	return code, nil
}

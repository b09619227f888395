package plan

import (
	"fmt"
	"slices"

	"incore/internal/isa"
)

// A registerStack is a set of registers that are addressed from the top of a stack (x87). Plans say how many are
// filled initially, and leave the stack at the same depth.
type registerStack struct {
	class string // of the registers
	size  int
	push  string // copies the top
	pop   string // drops it
	turn  string // makes the next register the top
	name  func(i int) string
}

// Stack makes instances of a form that works on a register stack.
type Stack struct {
	*instance
	move int // change of the stack's depth: -2 to 1
}

// stackInstances is the number of instances in a plan: a multiple of the stack's size, so that after all rotations
// the top is the same again.
const stackInstances = 24

// OnStack checks that plans can keep the stack balanced around a form.
func (t *Target) OnStack(f isa.FormID) (*Stack, error) {
	if t.stack == nil || t.excluded(t.ISA.Forms.Name(f)) || t.ISA.Forms.Flags(f)&isa.Pseudo != 0 {
		return nil, planError("its registers are no stack")
	}
	x := &Stack{instance: &instance{t: t, form: f, ops: t.operands(f), address: noAddress}}
	in, err := x.build(1, 0)
	if err != nil {
		return nil, err
	}
	if _, err := t.encode(&in); err != nil {
		return nil, err
	}
	pop, err := t.parse(t.stack.pop, 0, 0, 0)
	if err != nil {
		return nil, err
	}
	code := []isa.Inst{in, pop}
	t.ISA.Context(code, false)
	if code[0].Top == 0 || code[1].Top == 0 {
		return nil, planError("its registers are no stack")
	}
	x.move = (int(code[0].Top) - int(code[1].Top)) & (t.stack.size - 1)
	if x.move > t.stack.size/2 {
		x.move -= t.stack.size
	}
	var e isa.Effects
	t.ISA.Effects(&code[0], &e)
	switch {
	case x.move > 1 || x.move < -2:
		return nil, planError("moves the stack by more than a plan can bring back")
	case !slices.ContainsFunc(e.Reads, t.isStack) && !slices.ContainsFunc(e.Writes, t.isStack):
		return nil, planError("changes which registers of the stack are empty")
	case t.setup(t.ISA.Forms.Name(f)).hold:
		return nil, planError("its results are no operands to go on with")
	}
	return x, nil
}

// isStack reports whether an access is to a stack register, numbered from the top or, where the context is known, physically.
func (t *Target) isStack(a isa.Access) bool {
	for _, class := range []string{t.stack.class, t.stack.class + "i"} {
		members, _ := t.ISA.Regs.Class(class)
		for i := range members.Len() {
			if isa.Reg(members.At(i)) == a.Reg {
				return true
			}
		}
	}
	return t.physical[a.Reg]
}

// build makes an instance whose stack operand is register i from the top.
func (x *Stack) build(i int, disp int64) (in isa.Inst, err error) {
	in.Form = x.form
	for _, o := range x.ops {
		switch {
		case o.Class.IsAddress():
			if err := x.memory(&in, &o, choice{disp: disp}); err != nil {
				return in, err
			}
		case o.Class.Kind == "reg" && x.only(o.Class) != isa.NoReg:
			in.AddReg(x.only(o.Class))
		case o.Class.Kind == "reg":
			r := x.t.named(x.t.stack.name(i))
			if x.member(o.Class, x.t.root[r]) == isa.NoReg && !x.holds(o.Class, r) {
				return in, planError("operands of class " + o.Class.Name)
			}
			in.AddReg(r)
		default:
			return in, planError("operands of kind " + o.Class.Kind)
		}
	}
	return in, nil
}

// holds reports whether a register belongs to a class.
func (x *Stack) holds(c *isa.OpClass, r isa.Reg) bool {
	members, _ := x.t.ISA.Regs.Class(c.RegClass)
	for i := range members.Len() {
		if isa.Reg(members.At(i)) == r {
			return true
		}
	}
	return false
}

// plan lays out instances, each with statements that keep the stack balanced. The operands rotate through the stack,
// or with same are always one register; with turn each instance starts from another top.
func (x *Stack) plan(same, turn bool) (*Plan, error) {
	t := x.t
	p, _ := t.newPlan(x.form)
	p.Stack = t.stack.size - max(x.move, -x.move)
	const first = 2 // below a copy of the top
	for i := range stackInstances {
		for range -x.move {
			if err := p.text(t, t.stack.push, 0, 0, 0); err != nil {
				return nil, err
			}
		}
		at := first
		if !same {
			at = 1 + i%(p.Stack-1)
		}
		in, err := x.build(at, int64(i)*x.bytes())
		if err != nil {
			return nil, err
		}
		if err := p.add(t, in, true); err != nil {
			return nil, err
		}
		if x.move > 0 {
			err = p.text(t, t.stack.pop, 0, 0, 0)
		} else if turn {
			err = p.text(t, t.stack.turn, 0, 0, 0)
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// link returns the result of an instance and the read of it in the next, if both name the same register. ok is
// false if there is none.
func (x *Stack) link(p *Plan) (from, to isa.Access, ok bool) {
	code := slices.Clone(p.Insts)
	x.t.ISA.Context(code, false)
	var before, e isa.Effects
	seen := false
	for i := range code {
		if !p.Own[i] {
			continue
		}
		x.t.ISA.Effects(&code[i], &e)
		for _, w := range before.Writes {
			for _, r := range e.Reads {
				if seen && x.t.isStack(w) && r.Reg == w.Reg {
					return r, w, true
				}
			}
		}
		before, e, seen = e, before, true
	}
	return from, to, false
}

// Throughput plans independent instances of a form on the stack; helped reports whether the plan contains
// balancing statements.
func (x *Stack) Throughput() (p *Plan, helped bool, err error) {
	if p, err = x.plan(false, false); err != nil {
		return nil, false, err
	}
	if _, _, chained := x.link(p); chained && x.move == 0 {
		p, err = x.plan(false, true)
	}
	return p, err == nil && int(p.N) < len(p.Insts), err
}

// Latency plans a chain, nil if results of the form do not reach its operands.
func (x *Stack) Latency() *Plan {
	p, err := x.plan(true, false)
	if err != nil {
		return nil
	}
	from, to, ok := x.link(p)
	if !ok {
		return nil
	}
	p.From, p.To = from, to
	return p
}

// Balance plans the statements that keep the stack balanced around instances, alone or with additions (a push needs
// a pop). Its cycles divided by share are those of one instance.
func (x *Stack) Balance() (p *Plan, share float64, err error) {
	t := x.t
	p = &Plan{Form: x.form, Stack: t.stack.size - max(x.move, -x.move)}
	list := []string{t.stack.turn}
	if x.move != 0 {
		list = []string{t.stack.push, t.stack.pop}
	}
	for range stackInstances {
		for _, text := range list {
			if err := p.text(t, text, 0, 0, 0); err != nil {
				return nil, 0, fmt.Errorf("%s: %w", text, err)
			}
		}
	}
	return p, stackInstances / float64(max(1, x.move, -x.move)), nil
}

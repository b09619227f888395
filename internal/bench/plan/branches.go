package plan

import (
	"regexp"
	"slices"

	"incore/internal/isa"
)

// jumps holds the instructions with which plans change the flow of control in straight code: each jump, call and
// return continues at the code that follows it.
type jumps struct {
	forms    *regexp.Regexp                  // that are planned for, by name
	outcomes func(form string) []Outcome     // of conditional jumps
	address  func(distance int) string       // puts the address distance bytes after itself into %R
	store    func(disp int64) string         // stores %W where an instance with that displacement finds it
	drop     func(bytes int) string          // moves the stack pointer back over the addresses that calls have pushed
	pad      func(bytes int) (list []string) // NOPs: few instructions of bytes bytes in total
	jump     string                          // the form of a jump over a few bytes
	call     string                          // the call form with which returns are measured
}

// Outcome is one direction of a conditional jump.
type Outcome struct {
	Taken     bool
	condition int64    // the jump's, where it names one
	once      []string // statements at the beginning of a block that select the direction
	each      []string // statements for the same purpose before each instance
}

// Branch makes instances of a form that changes the flow of control.
type Branch struct {
	*instance
	Flow   isa.FlowKind
	length int // of an instance, in bytes, where that does not hang on its registers
}

// OnBranch checks that a form is a jump, call or return that plans can continue after.
func (t *Target) OnBranch(f isa.FormID) (*Branch, error) {
	name := t.ISA.Forms.Name(f)
	switch {
	case t.ISA.Forms.Flags(f)&(isa.Branch|isa.Call|isa.Return|isa.IndirectBranch) == 0 || t.ISA.Forms.Flags(f)&isa.Pseudo != 0:
		return nil, planError("no jump")
	case t.jumps == nil:
		return nil, planError("branches: no plan leads on from them on this instruction set")
	case !t.jumps.forms.MatchString(name):
		return nil, planError("leads into other code, another mode or another segment")
	}
	x := &Branch{instance: &instance{t: t, form: f, ops: t.operands(f), address: noAddress}}
	in, err := x.build(0, 0, t.named(t.spare[GPR][0]), 0)
	if err != nil {
		return nil, err
	}
	x.Flow = t.ISA.Flow(&in).Kind
	code, err := t.encode(&in)
	x.length = len(code)
	return x, err
}

// build makes an instance whose target is to bytes after its beginning, given by a register or by memory at a
// displacement.
func (x *Branch) build(to int64, condition int64, by isa.Reg, disp int64) (in isa.Inst, err error) {
	in.Form = x.form
	for _, o := range x.ops {
		switch {
		case o.Class.Kind == "pcrel":
			in.AddImm(to)
		case o.Class.Type == "OPERAND_COND_CODE":
			in.AddImm(condition)
		case o.Class.IsAddress():
			if err := x.memory(&in, &o, choice{disp: disp}); err != nil {
				return in, err
			}
		case o.Class.Kind == "reg" && x.member(o.Class, by) != isa.NoReg:
			in.AddReg(x.member(o.Class, by))
		case o.Class.Kind == "imm": // the bytes that a return drops from the stack in addition
			in.AddImm(0)
		default:
			return in, planError("operands of kind " + o.Class.Kind)
		}
	}
	return in, nil
}

// Indirect reports whether the target is in a register or in memory.
func (x *Branch) Indirect() bool {
	return !slices.ContainsFunc(x.ops, func(o isa.OpDecl) bool { return o.Class.Kind == "pcrel" }) && x.Flow != isa.FlowReturn
}

// branchInstances is the number of instances in a plan.
const branchInstances = 24

// BranchLayouts are the layouts of instances: each instance ends a block of that many bytes; 0: no padding.
// Predictors and fetch handle different numbers of jumps in a line and in sequence, which is not a property of the
// form.
var BranchLayouts = []int{0, 8, 16, 32, 64}

// Plan lays out instances with one outcome; each instance's statements are repeated times times.
func (x *Branch) Plan(o *Outcome, layout, times int) (*Plan, error) {
	t := x.t
	p, _ := t.newPlan(x.form)
	p.Once = true
	for _, s := range o.once {
		if err := p.text(t, s, 0, 0, 0); err != nil {
			return nil, err
		}
	}
	if x.Flow == isa.FlowReturn {
		if err := x.function(p); err != nil {
			return nil, err
		}
	}
	function := len(p.Code)
	for i := range branchInstances {
		if layout > 0 {
			trial := Plan{Code: slices.Clone(p.Code)}
			if err := x.unit(&trial, o, i, times, function); err != nil {
				return nil, err
			}
			if err := p.fill(t, -len(trial.Code)&(layout-1)); err != nil {
				return nil, err
			}
		}
		if err := x.unit(p, o, i, times, function); err != nil {
			return nil, err
		}
	}
	if x.Flow == isa.FlowCall {
		if err := p.text(t, t.jumps.drop(8*branchInstances), 0, 0, 0); err != nil {
			return nil, err
		}
	}
	p.N = branchInstances
	if layout > 0 { // all copies have the same alignment
		return p, p.fill(t, -len(p.Code)&(layout-1))
	}
	return p, nil
}

// function appends a return, and a jump over it.
func (x *Branch) function(p *Plan) error {
	back, err := x.build(0, 0, isa.NoReg, 0)
	if err != nil {
		return err
	}
	code, err := x.t.encode(&back)
	if err != nil {
		return err
	}
	if err := p.leap(x.t, x.t.jumps.jump, 0, len(code)); err != nil {
		return err
	}
	return p.add(x.t, back, true)
}

// leap appends a helper jump or call to a target ahead bytes after its end or, if back is not 0, back bytes before its
// beginning.
func (p *Plan) leap(t *Target, form string, back, ahead int) error {
	x, err := t.OnBranch(t.ISA.Forms.Named(form))
	if err != nil {
		return err
	}
	in, err := x.build(int64(-back), 0, isa.NoReg, 0)
	if err != nil {
		return err
	}
	if back == 0 {
		code, err := t.encode(&in)
		if err != nil {
			return err
		}
		in.Ops[0].Imm = int64(len(code) + ahead)
	}
	return p.add(t, in, false)
}

// unit appends an instance with its statements; for a return, also its call. function is the position after
// the return.
func (x *Branch) unit(p *Plan, o *Outcome, i, times, function int) error {
	t := x.t
	for range times {
		for _, s := range o.each {
			if err := p.text(t, s, 0, 0, 0); err != nil {
				return err
			}
		}
	}
	if x.Flow == isa.FlowReturn {
		return p.leap(t, t.jumps.call, len(p.Code)-function+x.length, 0)
	}
	behind := 0 // a call of the next instruction may be recognised as an idiom for reading the instruction pointer
	if x.Flow == isa.FlowCall {
		behind = 4
	}
	by, other, disp := t.named(t.spare[GPR][i%3]), t.named(t.spare[GPR][3]), int64(8*i)
	in, err := x.build(int64(x.length+behind), o.condition, by, disp)
	if err != nil {
		return err
	}
	if x.Indirect() {
		own, err := t.encode(&in)
		if err != nil {
			return err
		}
		var stored Plan
		if t.ISA.Forms.MemOp(x.form) >= 0 {
			if err := stored.text(t, t.jumps.store(disp), 0, by, 0); err != nil {
				return err
			}
		}
		for k := range times {
			to := other
			if k == times-1 {
				to = by
			}
			if err := p.text(t, t.jumps.address(len(stored.Code)+len(own)+behind), to, 0, 0); err != nil {
				return err
			}
		}
		for k := range stored.Insts {
			if err := p.add(t, stored.Insts[k], false); err != nil {
				return err
			}
		}
	}
	if err := p.add(t, in, true); err != nil {
		return err
	}
	return p.fill(t, behind)
}

// fill appends padding of a number of bytes.
func (p *Plan) fill(t *Target, bytes int) error {
	for _, s := range t.jumps.pad(bytes) {
		if err := p.text(t, s, 0, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// Outcomes lists a form's outcomes: not taken and taken if it is conditional.
func (x *Branch) Outcomes() []Outcome {
	if x.Flow == isa.FlowCond {
		return x.t.jumps.outcomes(x.t.ISA.Forms.Name(x.form))
	}
	return []Outcome{{Taken: true}}
}

// Sets reports whether each instance needs statements before it that select the outcome.
func (o *Outcome) Sets() bool { return len(o.each) > 0 }

// Call makes instances of the call form with which returns are measured.
func (t *Target) Call() (*Branch, error) { return t.OnBranch(t.ISA.Forms.Named(t.jumps.call)) }

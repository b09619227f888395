package bench

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// jumps is what planning needs to change the flow of control in straight code: each jump, call and return leads on to
// what stands behind it.
type jumps struct {
	forms    *regexp.Regexp                  // that are planned for, by name
	outcomes func(form string) []outcome     // of conditional ones
	address  func(distance int) string       // puts the address so far behind itself into %R
	store    func(disp int64) string         // stores %W where an instance with that displacement finds it
	drop     func(bytes int) string          // moves the stack pointer back over what calls have pushed
	pad      func(bytes int) (list []string) // does nothing, in so many bytes and few instructions
	jump     string                          // the form of a jump over a few bytes
	call     string                          // the form that calls what a return is measured in
}

// outcome is a way that a conditional jump goes.
type outcome struct {
	taken     bool
	condition int64    // the jump's, where it names one
	once      []string // statements at the beginning of a block that make it go so
	each      []string // the same before each instance
}

// branch makes instances of a form that changes the flow of control.
type branch struct {
	*instance
	flow   isa.FlowKind
	length int // of an instance, in bytes, where that does not hang on its registers
}

// onBranch checks that a form is a jump, call or return that plans can lead on from.
func (t *Target) onBranch(f isa.FormID) (*branch, error) {
	name := t.ISA.Forms.Name(f)
	switch {
	case t.ISA.Forms.Flags(f)&(isa.Branch|isa.Call|isa.Return|isa.IndirectBranch) == 0 || t.ISA.Forms.Flags(f)&isa.Pseudo != 0:
		return nil, planError("no jump")
	case t.jumps == nil:
		return nil, planError("branches: no plan leads on from them on this instruction set")
	case !t.jumps.forms.MatchString(name):
		return nil, planError("leads into other code, another mode or another segment")
	}
	x := &branch{instance: &instance{t: t, form: f, ops: t.operands(f), address: noAddress}}
	in, err := x.build(0, 0, t.named(t.spare[gpr][0]), 0)
	if err != nil {
		return nil, err
	}
	x.flow = t.ISA.Flow(&in).Kind
	code, err := t.encode(&in)
	x.length = len(code)
	return x, err
}

// build makes an instance that leads so many bytes behind its beginning, by a register, or by memory at a displacement.
func (x *branch) build(to int64, condition int64, by isa.Reg, disp int64) (in isa.Inst, err error) {
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
		case o.Class.Kind == "imm": // what a return drops from the stack besides
			in.AddImm(0)
		default:
			return in, planError("operands of kind " + o.Class.Kind)
		}
	}
	return in, nil
}

// indirect reports whether the target is in a register or in memory.
func (x *branch) indirect() bool {
	return !slices.ContainsFunc(x.ops, func(o isa.OpDecl) bool { return o.Class.Kind == "pcrel" }) && x.flow != isa.FlowReturn
}

// branchInstances is the number of instances in a plan.
const branchInstances = 24

// branchLayouts are how instances are laid out: each ends a block of so many bytes; 0: one behind the other. How many
// jumps predictors and fetch manage in a line, and in a row, differs, and is no property of the form.
var branchLayouts = []int{0, 8, 16, 32, 64}

// plan lays out instances that go one way, each with its statements so many times.
func (x *branch) plan(o *outcome, layout, times int) (*Plan, error) {
	t := x.t
	p, _ := t.newPlan(x.form)
	p.Once = true
	for _, s := range o.once {
		if err := p.text(t, s, 0, 0, 0); err != nil {
			return nil, err
		}
	}
	if x.flow == isa.FlowReturn {
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
	if x.flow == isa.FlowCall {
		if err := p.text(t, t.jumps.drop(8*branchInstances), 0, 0, 0); err != nil {
			return nil, err
		}
	}
	p.N = branchInstances
	if layout > 0 { // copies lie alike
		return p, p.fill(t, -len(p.Code)&(layout-1))
	}
	return p, nil
}

// function appends a return, and a jump over it.
func (x *branch) function(p *Plan) error {
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

// leap appends a jump or call, no instance, that leads so many bytes behind itself, or, if back is not 0, so many bytes
// before its beginning.
func (p *Plan) leap(t *Target, form string, back, ahead int) error {
	x, err := t.onBranch(t.ISA.Forms.Named(form))
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

// unit appends an instance with what belongs to it; of a return, its call. function is behind the return.
func (x *branch) unit(p *Plan, o *outcome, i, times, function int) error {
	t := x.t
	for range times {
		for _, s := range o.each {
			if err := p.text(t, s, 0, 0, 0); err != nil {
				return err
			}
		}
	}
	if x.flow == isa.FlowReturn {
		return p.leap(t, t.jumps.call, len(p.Code)-function+x.length, 0)
	}
	behind := 0 // a call of the next instruction may be known as a way to read its address
	if x.flow == isa.FlowCall {
		behind = 4
	}
	by, other, disp := t.named(t.spare[gpr][i%3]), t.named(t.spare[gpr][3]), int64(8*i)
	in, err := x.build(int64(x.length+behind), o.condition, by, disp)
	if err != nil {
		return err
	}
	if x.indirect() {
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

// fill appends what does nothing in so many bytes.
func (p *Plan) fill(t *Target, bytes int) error {
	for _, s := range t.jumps.pad(bytes) {
		if err := p.text(t, s, 0, 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// SelectBranches lists the forms that change the flow of control and can be measured, like Select.
func (t *Target) SelectBranches(match *regexp.Regexp, exts map[string]bool) []isa.FormID {
	if t.jumps == nil {
		return nil
	}
	return t.choose(match, exts, func(f isa.FormID) bool { _, err := t.onBranch(f); return err == nil })
}

// branchForm measures a form that changes the flow of control: the throughput in the best layout. Of conditional jumps
// the row has those that are not taken, and a comment those that are. What addresses and conditions take is no part of
// it where twice as much of that takes no longer: time is a convex function of how much there is of it. A return takes
// what is left of it and its call.
func (b *Bench) branchForm(ctx context.Context, x *branch, what int) (*FormResult, error) {
	r := newResult(x.form)
	if what&Throughput == 0 {
		r.Reason = "has no result that a chain could lead back"
		return r, nil
	}
	ways := []outcome{{taken: true}}
	if x.flow == isa.FlowCond {
		ways = x.t.jumps.outcomes(x.t.ISA.Forms.Name(x.form))
	}
	for i := range ways {
		o := &ways[i]
		v, err := b.bestLayout(ctx, x, o, 1)
		if err != nil {
			return b.failed(ctx, r, err)
		}
		low := v
		switch {
		case x.flow == isa.FlowReturn:
			call, err := x.t.onBranch(x.t.ISA.Forms.Named(x.t.jumps.call))
			if err != nil {
				return nil, err
			}
			alone, err := b.bestLayout(ctx, call, o, 1)
			if err != nil {
				return b.failed(ctx, r, err)
			}
			low, r.Note = v-alone, "the call that it returns from"
		case x.indirect() || len(o.each) > 0:
			more, err := b.bestLayout(ctx, x, o, 2)
			if err != nil {
				return b.failed(ctx, r, err)
			}
			low = 2*v - more
		}
		if low > (1-caseChange)*v {
			low = v
		}
		if x.flow == isa.FlowCond && o.taken {
			r.Cases = append(r.Cases, CaseResult{Note: "the branch taken", RThru: v, Latency: math.NaN()})
			continue
		}
		r.RThru, r.RThruLow = v, max(0, low)
	}
	return r, nil
}

// fewestLayouts is how many of the layouts must have a figure: more taken jumps in a line than predictors know (Zen 4:
// one behind the other) have none that stays.
const fewestLayouts = 3

// bestLayout is the least time of an instance, in cycles.
func (b *Bench) bestLayout(ctx context.Context, x *branch, o *outcome, times int) (least float64, err error) {
	if b.noise != nil {
		return 0, b.noise
	}
	least = math.Inf(1)
	n := 0
	var noise error
	for _, layout := range branchLayouts {
		p, err := x.plan(o, layout, times)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", x.t.ISA.Forms.Name(x.form), err)
		}
		v, _, err := b.measure(ctx, p)
		if host.Unstable(err) || host.Unsteady(err) {
			noise = err
			continue
		} else if err != nil {
			return 0, err
		}
		n++
		least = min(least, v/p.N)
	}
	if n < fewestLayouts {
		return 0, noise
	}
	return least, nil
}

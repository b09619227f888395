package plan

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// Plan is an experiment: a block whose cycles characterise one form.
type Plan struct {
	Form  isa.FormID
	Insts []isa.Inst
	// Own marks the instances of the form among Insts; the others are helpers.
	Own  []bool
	Code []byte
	N    float64 // instances of the form
	// From and To are the operands of a latency plan: MC operand numbers, ^i for implicit ones.
	From, To isa.Access
	Helpers  []int // indices into Target.helpers, on the chain with the form
	Extra    int   // additional one-cycle helpers on the chain (clear and step)
	Fill     uint64
	Values   map[int]uint64
	Exact    bool      // denormals are kept
	Stack    int       // number of registers of the register stack that are filled initially
	VType    isa.VType // of RISC-V's vectors, in force from the start; zero: the target's
	Note     string
	Rough    float64 // expected cycles, roughly; 0: not known
	Once     bool    // one of several measurements that say the same, or of rounds of several forms: it is measured in one way only
	Flags    bool    // its chain goes from one execution of the block to the next through the flags only, which the loop around it writes
}

// count returns the number of instances in a throughput plan: at least 24, and a multiple of the number of
// spare registers that results rotate through.
func (x *instance) count() int {
	n := 1
	for _, o := range x.ops {
		if o.Class.Kind == "reg" && o.MC < x.t.ISA.Forms.NumDefs(x.form) {
			if l := len(x.t.spare[x.kind(o.Class)]); l > 0 && n%l != 0 {
				n *= l
			}
		}
	}
	return n * ((23 + n) / n)
}

// add appends an instruction to a plan.
func (p *Plan) add(t *Target, in isa.Inst, own bool) error {
	if in.VType = p.VType; in.VType.SEW == 0 {
		in.VType = t.VType
	}
	var code []byte
	var err error
	if own {
		code, err = t.encode(&in)
		p.N++
	} else {
		code, err = t.ISA.Encode(nil, &in, 0)
	}
	if err != nil {
		return err
	}
	p.Insts, p.Own, p.Code = append(p.Insts, in), append(p.Own, own), append(p.Code, code...)
	return nil
}

// Filler returns a statement that takes a dispatch slot and no port: a zero idiom of a register that the plan does
// not use, because NOPs may fuse with the instruction before them (Zen 4). It is "" if the plan uses all registers,
// and a NOP if the target has no zero idiom.
func (t *Target) Filler(p *Plan) string {
	text := t.breakOther[Flags]
	if text == "" {
		return t.Nop
	}
	for _, n := range t.spare[GPR] {
		r := t.named(n)
		if !slices.ContainsFunc(p.Insts, func(in isa.Inst) bool { return t.uses(&in, r) }) {
			return strings.ReplaceAll(text, "%C", t.spell(r, 0))
		}
	}
	return ""
}

// Padded returns a plan's first n instances, with the helpers before them, and nops statements among them.
func (p *Plan) Padded(t *Target, n, nops int, text string) *Plan {
	q := *p
	q.Insts, q.Own, q.Code, q.N = nil, nil, nil, 0
	nop := func(upTo int) {
		for len(q.Insts)-int(q.N) < upTo {
			_ = q.text(t, text, 0, 0, 0)
		}
	}
	helpers := 0
	for i := range p.Insts {
		if int(q.N) == n {
			break
		}
		_ = q.add(t, p.Insts[i], p.Own[i]) // encoded before
		if !p.Own[i] {
			helpers++
		} else {
			nop(helpers + nops*int(q.N)/n)
		}
	}
	nop(helpers + nops)
	return &q
}

// OnlyInstances reports whether a plan consists of instances that access no memory, without helpers.
func (p *Plan) OnlyInstances(t *Target) bool {
	return int(p.N) == len(p.Insts) && t.ISA.Forms.MemOp(p.Form) < 0
}

// OnlyHelpers returns a plan's helpers alone.
func (p *Plan) OnlyHelpers(t *Target) *Plan {
	h := &Plan{Fill: p.Fill, Values: p.Values, VType: p.VType}
	for i := range p.Insts {
		if !p.Own[i] {
			_ = h.add(t, p.Insts[i], false) // encoded before
		}
	}
	return h
}

// text appends a helper given as text.
func (p *Plan) text(t *Target, s string, R, W, C isa.Reg) error {
	in, err := t.parse(s, R, W, C)
	if err != nil {
		return err
	}
	return p.add(t, in, false)
}

func (t *Target) newPlan(f isa.FormID) (*Plan, state) {
	s := t.setup(t.ISA.Forms.Name(f))
	return &Plan{Form: f, Fill: s.fill, Note: s.note, Values: s.values, VType: s.vtype}, s
}

// implicit returns the roots that a form uses implicitly: those that it only reads, and those that it reads and
// writes.
func (t *Target) implicit(in *isa.Inst) (only, both []isa.Reg) {
	var e isa.Effects
	t.ISA.Effects(in, &e)
	for _, r := range e.Reads {
		if r.Op >= 0 || r.Role == isa.RoleControl || t.kindOf[r.Reg] == Other {
			continue
		}
		root := t.root[r.Reg]
		written := slices.ContainsFunc(e.Writes, func(w isa.Access) bool { return t.root[w.Reg] == root })
		switch {
		case !written:
			only = append(only, root)
		case r.Role != isa.RoleAddr: // stack pointer and string pointers only advance
			both = append(both, root)
		}
	}
	return only, both
}

// without returns the target without some roots among its spare registers.
func (t *Target) without(roots []isa.Reg) *Target {
	c := *t
	for k := range c.spare {
		c.spare[k] = slices.DeleteFunc(slices.Clone(c.spare[k]), func(n string) bool { return slices.Contains(roots, t.named(n)) })
	}
	return &c
}

// first makes an instance of a form, and the target for all further instances.
func (t *Target) first(f isa.FormID) (*instance, isa.Inst, error) {
	x, err := newInstance(t, f)
	if err != nil {
		return nil, isa.Inst{}, err
	}
	in, err := x.build(choice{})
	if err != nil {
		return nil, in, err
	}
	if _, err := t.encode(&in); err != nil {
		return nil, in, err
	}
	if t.ISA.Flow != nil && t.ISA.Flow(&in).Kind != isa.FlowNext {
		return nil, in, planError("changes the flow of control")
	}
	if t.usesStack(&in) {
		return nil, in, planError("its registers are a stack")
	}
	only, both := t.implicit(&in)
	if len(only)+len(both) > 0 {
		x.t = t.without(append(only, both...))
		in, err = x.build(choice{})
	}
	return x, in, err
}

// usesStack reports whether an instruction uses a register stack, which plans would overflow.
func (t *Target) usesStack(in *isa.Inst) bool {
	if t.stack == nil {
		return false
	}
	var e isa.Effects
	t.ISA.Effects(in, &e)
	return slices.ContainsFunc(e.Writes, t.isStack) || slices.ContainsFunc(e.Reads, t.isStack)
}

// Throughput plans independent instances of a form. If the form implicitly reads and writes an operand, a
// helper before every few instances (every) breaks that dependence.
func (t *Target) Throughput(f isa.FormID, every int) (*Plan, error) {
	return t.throughput(f, every, false)
}

// ThroughputOther plans like Throughput, but with helpers that use other resources; an error if there are
// none.
func (t *Target) ThroughputOther(f isa.FormID, every int) (*Plan, error) {
	return t.throughput(f, every, true)
}

// throughput plans like Throughput; with other, like ThroughputOther.
func (t *Target) throughput(f isa.FormID, every int, other bool) (*Plan, error) {
	x, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	scratch := isa.NoReg
	if other {
		scratch = x.t.free(GPR, &in)
		x.t = x.t.without([]isa.Reg{scratch})
	}
	p, s := t.newPlan(f)
	_, both := t.implicit(&in)
	bases := x.bases(&in)
	if bases == nil && x.base >= 0 && x.disp < 0 && x.t.modifiesMemory(&in) { // atomics, whose addresses have no displacement, would depend on each other through memory
		bases = x.take()
	}
	apart := int64(math.MaxInt64)
	if onlyLoads(&in, x.t.ISA) {
		apart = loadedBytes
	}
	for i := range x.count() {
		for _, r := range both {
			text, c := t.breaks(r), t.named(t.constant[GPR][0])
			if other {
				if text = t.breakOther[t.kindOf[r]]; text == "" {
					return nil, planError("no other helper")
				}
				c = scratch
			}
			if text != "" && len(s.restore) == 0 && i%every == 0 {
				if t.kindOf[r] == Vec {
					c = t.named(t.constant[Vec][0])
				}
				if err := p.text(t, text, r, r, c); err != nil {
					return nil, err
				}
				if t.kindOf[r] == Flags {
					break
				}
			}
		}
		for _, text := range s.restore {
			if err := p.text(t, text, 0, 0, 0); err != nil {
				return nil, err
			}
		}
		own := choice{rot: i, disp: int64(i) * x.bytes() % apart}
		if len(bases) > 0 {
			own.roots = map[int]isa.Reg{x.base: bases[i%len(bases)]}
		}
		in, err := x.build(own)
		if err != nil {
			return nil, err
		}
		if err := x.refill(p, &in); err != nil {
			return nil, err
		}
		if err := p.add(t, in, true); err != nil {
			return nil, err
		}
	}
	return p, x.t.goBack(p)
}

// goBack appends statements that move the addresses which instances move (the stack pointer, those of string instructions) back to where they began: else a
// loop goes through all of memory, whose pages are few physical ones, and the first cache takes longer than the form.
func (t *Target) goBack(p *Plan) error {
	if t.rewind == "" {
		return nil
	}
	moved := map[isa.Reg]int64{}
	var order []isa.Reg
	for i := range p.Insts {
		var e isa.Effects
		t.ISA.Effects(&p.Insts[i], &e)
		for _, m := range e.Mem {
			if m.Update == 0 {
				continue
			}
			if _, known := moved[m.Base]; !known {
				order = append(order, m.Base)
			}
			moved[m.Base] += m.Update
		}
	}
	for _, r := range order {
		if moved[r] == 0 {
			continue
		}
		if err := p.text(t, strings.ReplaceAll(t.rewind, displacement, strconv.FormatInt(-moved[r], 10)), isa.NoReg, t.root[r], isa.NoReg); err != nil {
			return err
		}
	}
	return nil
}

// loadedBytes is the number of bytes that the loads of a throughput plan rotate through: two lines. On more lines some
// loops are slower (Zen 4: vaddps of 64 bytes 0.99 to 1.00 cycles on 2 to 16 lines, 1.00 to 1.10 on 24; of 32 bytes
// 0.50 on 2 and 4, up to 0.55 on 8 and more).
const loadedBytes = 128

// onlyLoads reports whether an instruction loads and does not store.
func onlyLoads(in *isa.Inst, a *isa.ISA) bool {
	var e isa.Effects
	a.Effects(in, &e)
	return len(e.Mem) > 0 && !slices.ContainsFunc(e.Mem, func(m isa.MemRef) bool { return m.Store })
}

// breaks returns the statement that gives a root that forms implicitly read and write a new value.
func (t *Target) breaks(r isa.Reg) string {
	if text, ok := t.states[t.ISA.Regs.Name(r)]; ok {
		return text
	}
	return t.break_[t.kindOf[r]]
}

// bases returns the address registers of the instances of a form that changes its base register, so that the instances
// do not depend on each other through it; an instance writes no other of these registers. It is nil for other forms.
func (x *instance) bases(in *isa.Inst) (out []isa.Reg) {
	var e isa.Effects
	x.t.ISA.Effects(in, &e)
	if x.base < 0 || !slices.ContainsFunc(e.Writes, func(w isa.Access) bool { return w.Role == isa.RoleUpdate && w.Op >= 0 }) {
		return nil
	}
	return x.take()
}

// take reserves registers for instances' addresses, so that instances do not write them otherwise.
func (x *instance) take() (out []isa.Reg) {
	const most = 8
	for _, n := range x.t.spare[GPR][len(x.t.spare[GPR])-most:] {
		out = append(out, x.t.named(n))
	}
	x.t = x.t.without(out)
	return out
}

// refill appends statements that give the operands that an instance consumes (masks of gathers) their value again, without a
// dependence.
func (x *instance) refill(p *Plan, in *isa.Inst) error {
	for _, o := range x.ops {
		if !x.t.usedUp[o.Name] || o.MC >= x.t.ISA.Forms.NumDefs(x.form) {
			continue
		}
		k := x.kind(o.Class)
		if err := p.text(x.t, x.t.ones[k], x.t.root[in.Reg(o.MC)], 0, x.t.named(x.t.constant[k][0])); err != nil {
			return err
		}
	}
	return nil
}

// bytes returns the size of the form's memory operand. Instances access adjacent data, so that loads do not
// depend on other instances' stores, and accesses share cache lines as in compiled code.
func (x *instance) bytes() int64 {
	if x.address.bytes > 0 {
		return x.address.bytes
	}
	for _, o := range x.ops {
		if o.Class.Kind == "mem" && o.Class.Bits >= 8 {
			return int64(o.Class.Bits / 8)
		}
	}
	return 64
}

// Forwarding plans a round trip through memory: a form that stores a register, and a load of the same bytes
// into that register. It is nil for forms that do not store a register.
func (t *Target) Forwarding(f isa.FormID) (*Plan, error) {
	_, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	if len(e.Mem) != 1 || !e.Mem[0].Store || e.Mem[0].Load || e.Mem[0].Elems != 1 {
		return nil, nil
	}
	for _, r := range e.Reads {
		text := t.reloads(t.kindOf[r.Reg], int(e.Mem[0].Bits), e.Mem[0].Disp)
		if r.Role != isa.RoleData || r.Op < 0 || text == "" {
			continue
		}
		p, _ := t.newPlan(f)
		p.From = r
		if err := p.add(t, in, true); err != nil {
			return nil, err
		}
		return p, p.text(t, text, t.root[r.Reg], t.named(t.base), isa.NoReg)
	}
	return nil, nil
}

// SameAddress plans a form that loads and stores repeatedly at one address; nil if it does not do both.
func (t *Target) SameAddress(f isa.FormID) *Plan {
	_, in, err := t.first(f)
	if err != nil || !t.modifiesMemory(&in) {
		return nil
	}
	p, s := t.newPlan(f)
	for _, text := range s.restore {
		if p.text(t, text, 0, 0, 0) != nil {
			return nil
		}
	}
	if p.add(t, in, true) != nil {
		return nil
	}
	return p
}

// Kinds of experiments on a form (bits).
const (
	Throughput = 1 << iota
	Latency
)

// RareHelpers is the largest number of instances per helper that is tried: that many may depend on each other, because the core executes the
// next group meanwhile.
const RareHelpers = 8

// Plans lists all experiments on a form: throughput with many and with few helpers, latencies with and without
// other operations in between, round trips through memory.
func (t *Target) Plans(f isa.FormID, what int) (out []*Plan, err error) {
	p, err := t.Throughput(f, 1)
	if err != nil {
		return nil, err
	}
	if what&Throughput != 0 {
		out = append(out, p)
		if int(p.N) < len(p.Insts) {
			if p, err := t.Throughput(f, RareHelpers); err == nil {
				out = append(out, p)
			}
		}
	}
	if what&Latency == 0 {
		return out, nil
	}
	chains, err := t.Latencies(f)
	for _, p := range chains {
		out = append(append(out, p), t.Apart(p)...)
	}
	if p := t.SameAddress(f); p != nil {
		out = append(out, p)
	}
	if p, err := t.Forwarding(f); err == nil && p != nil {
		out = append(out, p)
	}
	return out, err
}

// Straight plans unmodified instructions, with values of general-purpose registers by number. The base register points
// to memory that points to itself.
func (t *Target) Straight(insts []isa.Inst, values map[int]uint64) (*Plan, error) {
	p := &Plan{Fill: t.Page(), Values: values}
	for i := range insts {
		if err := p.add(t, insts[i], false); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Statements plans unmodified statements.
func (t *Target) Statements(texts ...string) (*Plan, error) {
	p := &Plan{}
	for _, s := range texts {
		if err := p.text(t, s, 0, 0, 0); err != nil {
			return nil, err
		}
	}
	return p, nil
}

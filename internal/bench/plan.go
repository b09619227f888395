package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"incore/internal/isa"
)

// Plan is an experiment: a block whose cycles say something about one form.
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
	Extra    int   // further helpers on the chain of one cycle each (clear and step)
	Fill     uint64
	Values   map[int]uint64
	Exact    bool      // denormals are kept
	Stack    int       // registers of the stack that are filled from the start
	VType    isa.VType // of RISC-V's vectors, in force from the start; zero: the target's
	Note     string
	Rough    float64 // about so many cycles it should take; 0: not known
	Once     bool    // one of several measurements that say the same, or of rounds of several forms: it is measured in one way only
	Flags    bool    // its chain goes from one execution of the block to the next through the flags only, which the loop around it writes
}

// count is the number of instances in a throughput plan: at least 24, and each of the
// spare registers that results go round in equally often.
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
		in.VType = t.vtype
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

// filler is a statement that takes a dispatch slot and nothing else: a zero idiom of a register that a plan does not use, as NOPs may fuse with what stands
// before them (Zen 4); "" if the plan uses all. A NOP where the target has no such statement.
func (t *Target) filler(p *Plan) string {
	text := t.breakOther[flags]
	if text == "" {
		return t.Nop
	}
	for _, n := range t.spare[gpr] {
		r := t.named(n)
		if !slices.ContainsFunc(p.Insts, func(in isa.Inst) bool { return t.uses(&in, r) }) {
			return strings.ReplaceAll(text, "%C", t.spell(r, 0))
		}
	}
	return ""
}

// padded is a plan's first n instances, with the helpers before them, and so many statements among them.
func (p *Plan) padded(t *Target, n, nops int, text string) *Plan {
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

// alone reports whether a plan is instances without helpers that access no memory.
func (p *Plan) alone(t *Target) bool {
	return int(p.N) == len(p.Insts) && t.ISA.Forms.MemOp(p.Form) < 0
}

// helpers is a plan's helpers alone.
func (p *Plan) helpers(t *Target) *Plan {
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

// implicit returns the roots that a form uses without naming them: those it only reads, and those it reads and writes.
func (t *Target) implicit(in *isa.Inst) (only, both []isa.Reg) {
	var e isa.Effects
	t.ISA.Effects(in, &e)
	for _, r := range e.Reads {
		if r.Op >= 0 || r.Role == isa.RoleControl || t.kindOf[r.Reg] == other {
			continue
		}
		root := t.root[r.Reg]
		written := slices.ContainsFunc(e.Writes, func(w isa.Access) bool { return t.root[w.Reg] == root })
		if list := &only; written {
			if r.Role == isa.RoleAddr {
				continue // the stack pointer and string pointers step along by themselves
			}
			list = &both
			*list = append(*list, root)
		} else {
			*list = append(*list, root)
		}
	}
	return only, both
}

// without returns a target whose spare registers lack some roots.
func (t *Target) without(roots []isa.Reg) *Target {
	c := *t
	for k := range c.spare {
		c.spare[k] = slices.DeleteFunc(slices.Clone(c.spare[k]), func(n string) bool { return slices.Contains(roots, t.named(n)) })
	}
	return &c
}

// first makes an instance of a form, and the target from which all others are to be made.
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

// usesStack reports whether an instruction works on registers that are a stack, which plans would run over.
func (t *Target) usesStack(in *isa.Inst) bool {
	if t.stack == nil {
		return false
	}
	var e isa.Effects
	t.ISA.Effects(in, &e)
	return slices.ContainsFunc(e.Writes, t.isStack) || slices.ContainsFunc(e.Reads, t.isStack)
}

// Throughput plans independent instances of a form. What instances would have to wait for
// each other in, because the form reads and writes it implicitly, is broken by a helper before every so many.
func (t *Target) Throughput(f isa.FormID, every int) (*Plan, error) {
	return t.throughput(f, every, false)
}

// throughput plans like Throughput, if other with those helpers that take other resources.
func (t *Target) throughput(f isa.FormID, every int, other bool) (*Plan, error) {
	x, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	scratch := isa.NoReg
	if other {
		scratch = x.t.free(gpr, &in)
		x.t = x.t.without([]isa.Reg{scratch})
	}
	p, s := t.newPlan(f)
	_, both := t.implicit(&in)
	bases := x.bases(&in)
	for i := range x.count() {
		for _, r := range both {
			text, c := t.breaks(r), t.named(t.constant[gpr][0])
			if other {
				if text = t.breakOther[t.kindOf[r]]; text == "" {
					return nil, planError("no other helper")
				}
				c = scratch
			}
			if text != "" && len(s.restore) == 0 && i%every == 0 {
				if t.kindOf[r] == vec {
					c = t.named(t.constant[vec][0])
				}
				if err := p.text(t, text, r, r, c); err != nil {
					return nil, err
				}
				if t.kindOf[r] == flags {
					break
				}
			}
		}
		for _, text := range s.restore {
			if err := p.text(t, text, 0, 0, 0); err != nil {
				return nil, err
			}
		}
		own := choice{rot: i, disp: int64(i) * x.bytes()}
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
	return p, nil
}

// breaks is the statement that gives a root that forms read and write implicitly a value.
func (t *Target) breaks(r isa.Reg) string {
	if text, ok := t.states[t.ISA.Regs.Name(r)]; ok {
		return text
	}
	return t.break_[t.kindOf[r]]
}

// bases are the registers that instances take their addresses from where a form changes its base register, so that they don't wait for each other
// in it; the instance then writes no other of them. nil for other forms.
func (x *instance) bases(in *isa.Inst) (out []isa.Reg) {
	var e isa.Effects
	x.t.ISA.Effects(in, &e)
	if x.base < 0 || !slices.ContainsFunc(e.Writes, func(w isa.Access) bool { return w.Role == isa.RoleUpdate && w.Op >= 0 }) {
		return nil
	}
	return x.take()
}

// take takes registers for addresses of instances, which then write no other of them.
func (x *instance) take() (out []isa.Reg) {
	const most = 8
	for _, n := range x.t.spare[gpr][len(x.t.spare[gpr])-most:] {
		out = append(out, x.t.named(n))
	}
	x.t = x.t.without(out)
	return out
}

// refill appends what gives the operands that an instance uses up (masks of gathers) their value again, without waiting for anything.
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

// bytes is the size of the form's memory operand: instances access neighbouring data, so that
// stores don't wait for each other's loads and share cache lines as in compiled code.
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

// pair is a read and a write of a form between which the latency is sought.
type pair struct{ from, to isa.Access }

// pairs lists the pairs of a form's operands that a chain can go through: each register, flag part and address read to each result.
func (t *Target) pairs(in *isa.Inst) (out []pair) {
	var e isa.Effects
	t.ISA.Effects(in, &e)
	seen := map[[2]int8]bool{}
	for _, r := range e.Reads {
		if r.Role == isa.RoleControl || t.kindOf[r.Reg] == other || r.Role == isa.RoleAddr && (r.Op < 0 || t.addressOf(in, &e) != int(r.Op)) {
			continue
		}
		for _, w := range e.Writes {
			if w.Role == isa.RoleControl || w.Role == isa.RoleUpdate || t.kindOf[w.Reg] == other || seen[[2]int8{r.Op, w.Op}] {
				continue
			}
			seen[[2]int8{r.Op, w.Op}] = true
			out = append(out, pair{r, w})
		}
	}
	return out
}

// addressOf is the MC operand of an address's base register, -1 if there is none.
func (t *Target) addressOf(in *isa.Inst, e *isa.Effects) int {
	if m := t.ISA.Forms.MemOp(in.Form); m >= 0 || len(e.Mem) == 0 || e.Mem[0].Base == isa.NoReg {
		return m
	}
	return int(e.Mem[0].Op)
}

// Latencies plans a chain for every pair of a form's operands.
func (t *Target) Latencies(f isa.FormID) ([]*Plan, error) {
	x, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	var out []*Plan
	for _, pr := range t.pairs(&in) {
		if p, err := x.chain(pr, &in); err == nil {
			p.From, p.To = pr.from, pr.to
			out = append(out, p)
		}
	}
	return out, nil
}

// Longer plans the chain of a latency plan once more, with so many further helpers of one register file that it comes to pass. nil where
// there are none, and for forms that load and store.
func (t *Target) Longer(p *Plan, helpers int) *Plan {
	x, in, err := t.first(p.Form)
	if err != nil || x.links(&in) > 1 {
		return nil
	}
	x.longer = helpers
	q, s := x.t.newPlan(p.Form)
	if x.link(q, &s, pair{p.From, p.To}, choice{}) != nil || len(q.Helpers) < helpers {
		return nil
	}
	q.From, q.To = p.From, p.To
	return q
}

// chain plans code whose critical path goes from a pair's read to its write and back. Where a form loads and stores,
// each link has an address of its own, so that none waits for what another stored.
func (x *instance) chain(pr pair, in *isa.Inst) (*Plan, error) {
	p, s := x.t.newPlan(x.form)
	n := x.links(in)
	for i := range n {
		c := choice{disp: int64(i) * x.bytes()}
		if n > 1 && x.base >= 0 && x.disp < 0 { // registers that the chain does not use point to different addresses
			spare := x.t.spare[gpr]
			c.roots = map[int]isa.Reg{x.base: x.t.named(spare[len(spare)-1-i%(len(spare)/2)])}
		}
		if err := x.link(p, &s, pr, c); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// rmwLinks is how many read-modify-writes a chain goes through before it comes back to the first's address.
const rmwLinks = 24

// links is the number of links after which a chain repeats.
func (x *instance) links(in *isa.Inst) int {
	if x.t.modifiesMemory(in) {
		return rmwLinks
	}
	return 1
}

// modifiesMemory reports whether an instruction loads and stores at one address.
func (t *Target) modifiesMemory(in *isa.Inst) bool {
	var e isa.Effects
	t.ISA.Effects(in, &e)
	return slices.ContainsFunc(e.Mem, func(m isa.MemRef) bool { return m.Load && m.Store })
}

// link appends one link of a chain: an instance, or two in turn, and what brings its result back.
func (x *instance) link(p *Plan, s *state, pr pair, c choice) error {
	t := x.t
	for _, text := range s.restore {
		if err := p.text(t, text, 0, 0, 0); err != nil {
			return err
		}
	}
	in, err := x.build(c)
	if err != nil {
		return err
	}
	from, to := t.kindOf[pr.from.Reg], t.kindOf[pr.to.Reg]
	switch {
	case pr.from.Role == isa.RoleAddr:
		return x.throughZero(p, pr, &in, t.root[in.Reg(int(pr.from.Op))])
	case len(s.restore) > 0 || s.hold: // a result must not come back as an operand
		if pr.from.Op < 0 || from != gpr || to != gpr {
			return planError("the operand is restored before each instance")
		}
		return x.throughZero(p, pr, &in, t.root[pr.from.Reg])
	case from == to && x.longer == 0:
		if roots, ok := x.joined(pr); ok {
			p.Flags = from == flags
			for _, r := range roots {
				own := c
				own.roots = maps.Clone(r)
				if own.roots == nil {
					own.roots = map[int]isa.Reg{}
				}
				maps.Copy(own.roots, c.roots)
				next, err := x.build(own)
				if err != nil {
					return err
				}
				if err := x.refill(p, &next); err != nil {
					return err
				}
				if err := p.add(t, next, true); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if err := x.refill(p, &in); err != nil {
		return err
	}
	if p.Flags = from == flags; p.Flags {
		if err := x.renew(p, &in); err != nil {
			return err
		}
	}
	if err := p.add(t, in, true); err != nil {
		return err
	}
	return x.helped(p, pr.to, t.root[pr.from.Reg], from, &in)
}

// renew appends what gives a result that is an operand as well a value, so that instances do not wait for each other in it.
func (x *instance) renew(p *Plan, in *isa.Inst) error {
	t := x.t
	ties := t.ISA.Forms.Ties(x.form)
	for i := 0; i+1 < ties.Len(); i += 2 {
		r := t.root[in.Reg(int(ties.At(i+1)))]
		if text := t.break_[t.kindOf[r]]; text != "" {
			if err := p.text(t, text, r, r, t.named(t.constant[gpr][0])); err != nil {
				return err
			}
		}
	}
	return nil
}

// joined tells which registers make a form's write its next read: one instance, or two in turn where
// another operand is tied to the result. ok is false if helpers are needed.
func (x *instance) joined(pr pair) (roots []map[int]isa.Reg, ok bool) {
	t := x.t
	a, b := int(pr.from.Op), int(pr.to.Op)
	tied := -1 // the source that is tied to the result
	ties := t.ISA.Forms.Ties(x.form)
	for i := 0; i+1 < ties.Len(); i += 2 {
		if int(ties.At(i+1)) == b {
			tied = int(ties.At(i))
		}
		if a >= 0 && int(ties.At(i)) == a && int(ties.At(i+1)) != b {
			return nil, false // tied to another result
		}
	}
	switch {
	case a < 0 && b < 0:
		return x.others(), t.root[pr.from.Reg] == t.root[pr.to.Reg]
	case a >= 0 && (a == tied || a == b):
		return []map[int]isa.Reg{nil}, true
	case a < 0 && tied < 0:
		return []map[int]isa.Reg{{b: t.root[pr.from.Reg]}}, true
	case a < 0:
		return nil, false
	case b < 0:
		return []map[int]isa.Reg{{a: t.root[pr.to.Reg]}}, x.member(t.ISA.Forms.OperandClass(x.form, a), t.root[pr.to.Reg]) != isa.NoReg
	}
	k := t.kindOf[pr.from.Reg]
	r, q := x.inTurn(k, a, b)
	if q == isa.NoReg {
		return nil, false
	}
	// (Two registers in turn also where one would do: cores that eliminate copies need not do so within one register.)
	return []map[int]isa.Reg{{a: q, b: r}, {a: r, b: q}}, true
}

// others are choices of registers for instances that wait for each other in implicit operands only: explicit results that are read as well go round.
func (x *instance) others() (out []map[int]isa.Reg) {
	forms := x.t.ISA.Forms
	if ties := forms.Ties(x.form); ties.Len() == 0 || forms.NumDefs(x.form) != 1 {
		return []map[int]isa.Reg{nil}
	}
	c := forms.OperandClass(x.form, 0)
	for _, n := range x.t.spare[x.kind(c)] {
		if r := x.t.named(n); x.member(c, r) != isa.NoReg && len(out) < 6 {
			out = append(out, map[int]isa.Reg{0: r})
		}
	}
	return out
}

// inTurn finds two roots that can each be operands a and b, and don't overlap; NoReg if there are none.
func (x *instance) inTurn(k kind, a, b int) (r, q isa.Reg) {
	ca, cb := x.t.ISA.Forms.OperandClass(x.form, a), x.t.ISA.Forms.OperandClass(x.form, b)
	fits := func(root isa.Reg) bool {
		return (ca.Sub == memoryParts || x.member(ca, root) != isa.NoReg) && x.member(cb, root) != isa.NoReg
	}
	list := append(slices.Clone(x.t.spare[k]), x.t.constant[k]...)
	for i, n := range list {
		if r = x.t.named(n); fits(r) {
			list = append(list[min(len(list), i+x.t.turn[k]):], list[:i]...)
			break
		}
		r = isa.NoReg
	}
	for _, n := range list {
		if q = x.t.named(n); r != isa.NoReg && fits(q) {
			return r, q
		}
	}
	return r, isa.NoReg
}

// Apart plans the chains of a latency plan that has no helper once more, with one between: each of the
// helpers that stay in the register file. nil for other plans.
func (t *Target) Apart(p *Plan) (out []*Plan) {
	a, b := t.kindOf[p.From.Reg], t.kindOf[p.To.Reg]
	// (Where the result merges with what it was, the chain without helpers goes two ways.)
	if t.ISA.Forms.Flags(p.Form)&isa.MaskMerge != 0 || len(p.Helpers)+p.Extra > 0 || !t.sooner[a] || a != b || p.From.Op < 0 || p.To.Op < 0 || len(p.Insts) > 2 {
		return nil
	}
	x, in, err := t.first(p.Form)
	if err != nil {
		return nil
	}
	for h := range t.helpers {
		if t.helpers[h].from != a || t.helpers[h].to != a {
			continue
		}
		q, _ := t.newPlan(p.Form)
		q.From, q.To = p.From, p.To
		if x.refill(q, &in) != nil || q.add(t, in, true) != nil {
			return nil
		}
		if q.text(t, t.helpers[h].text, t.root[in.Reg(int(p.From.Op))], t.root[in.Reg(int(p.To.Op))], t.named(t.constant[gpr][0])) != nil {
			return nil
		}
		q.Helpers = []int{h}
		out = append(out, q)
	}
	return out
}

// clearing plans a chain of what brings a result back as a zero: a copy by the helper given, clear, and step.
func (t *Target) clearing(copy int) (*Plan, error) {
	p := &Plan{Helpers: []int{copy}, Extra: 2}
	r, w, c := t.named(t.spare[gpr][0]), t.named(t.spare[gpr][1]), t.named(t.constant[gpr][0])
	for _, text := range []string{t.helpers[copy].text, t.clear} {
		if err := p.text(t, text, r, w, c); err != nil {
			return nil, err
		}
	}
	return p, p.text(t, t.step, r, w, c)
}

// throughZero appends an instance and brings its result back to the root as a zero, which leaves the value there as it was.
func (x *instance) throughZero(p *Plan, pr pair, in *isa.Inst, root isa.Reg) error {
	t := x.t
	if err := p.add(t, *in, true); err != nil {
		return err
	}
	at := t.root[pr.to.Reg]
	if k := t.kindOf[pr.to.Reg]; k != gpr || x.longer > 0 {
		at = t.free(gpr, in)
		if err := x.helped(p, pr.to, at, gpr, in); err != nil {
			return err
		}
	}
	if at == root {
		return planError("the result is the address")
	}
	if t.kindOf[root] != gpr {
		return planError("the address is a vector")
	}
	if err := p.text(t, t.clear, at, root, 0); err != nil {
		return err
	}
	p.Extra += 2
	return p.text(t, t.step, at, root, 0)
}

// free returns a root that an instruction does not use.
func (t *Target) free(k kind, in *isa.Inst) isa.Reg {
	for _, n := range t.spare[k] {
		if r := t.named(n); !t.uses(in, r) {
			return r
		}
	}
	return isa.NoReg
}

// uses reports whether an instruction reads or writes a root.
func (t *Target) uses(in *isa.Inst, root isa.Reg) bool {
	var e isa.Effects
	t.ISA.Effects(in, &e)
	has := func(a isa.Access) bool { return t.root[a.Reg] == root }
	return slices.ContainsFunc(e.Reads, has) || slices.ContainsFunc(e.Writes, has)
}

// helped appends helpers that take a result to a root of some kind.
func (x *instance) helped(p *Plan, w isa.Access, root isa.Reg, k kind, in *isa.Inst) error {
	t := x.t
	path := t.path(t.kindOf[w.Reg], k, t.ISA.Regs.Name(w.Reg))
	if path == nil {
		return planError(fmt.Sprintf("no helper from %s to %s", kindNames[t.kindOf[w.Reg]], kindNames[k]))
	}
	at, c := t.root[w.Reg], t.named(t.constant[gpr][0])
	path = t.lengthen(path, t.kindOf[w.Reg], x.longer)
	for i, h := range path {
		next := root
		if i < len(path)-1 {
			next = t.free(t.helpers[h].to, in)
		}
		if err := p.text(t, t.helpers[h].text, next, at, c); err != nil {
			return err
		}
		at = next
		p.Helpers = append(p.Helpers, h)
	}
	return nil
}

// lengthen puts so many more helpers into a path that begins at some kind: those that stay in the first register file on the way that has
// one. The path is returned as it is if none has.
func (t *Target) lengthen(path []int, from kind, more int) []int {
	for i := 0; i <= len(path) && more > 0; i++ {
		k := from
		if i > 0 {
			k = t.helpers[path[i-1]].to
		}
		if h := slices.IndexFunc(t.helpers, func(g helper) bool { return g.from == k && g.to == k }); h >= 0 {
			return slices.Insert(path, i, slices.Repeat([]int{h}, more)...)
		}
	}
	return path
}

// path returns the fewest helpers from one kind to another; from flags, the first must read the part given.
func (t *Target) path(from, to kind, flag string) []int {
	type node struct {
		k    kind
		path []int
	}
	queue := []node{{from, nil}}
	for seen := map[kind]bool{}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for i, h := range t.helpers {
			if h.from != n.k || h.from == flags && h.flag != flag {
				continue
			}
			p := append(slices.Clone(n.path), i)
			if h.to == to {
				return p
			}
			if !seen[h.to] && h.to != flags {
				seen[h.to] = true
				queue = append(queue, node{h.to, p})
			}
		}
	}
	return nil
}

// Forwarding plans a round trip through memory: a form that stores a register, and a load of the same bytes
// into that register. nil if the form is none of that kind.
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

// SameAddress plans a form that loads and stores again and again at one address; nil if it does not do both.
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

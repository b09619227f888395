package plan

import (
	"fmt"
	"maps"
	"slices"

	"incore/internal/isa"
)

// This file plans the dependence chains that latencies are measured with: results return to operands, through helpers if their
// kinds differ.

// pair is a read and a write of a form; its latency is to be measured.
type pair struct{ from, to isa.Access }

// pairs lists the pairs of a form's operands that a chain can go through: each register, flag part and address read to each result.
func (t *Target) pairs(in *isa.Inst) (out []pair) {
	var e isa.Effects
	t.ISA.Effects(in, &e)
	seen := map[[2]int8]bool{}
	for _, r := range e.Reads {
		if r.Role == isa.RoleControl || t.kindOf[r.Reg] == Other || r.Role == isa.RoleAddr && (r.Op < 0 || t.addressOf(in, &e) != int(r.Op)) {
			continue
		}
		for _, w := range e.Writes {
			if w.Role == isa.RoleControl || w.Role == isa.RoleUpdate || t.kindOf[w.Reg] == Other || seen[[2]int8{r.Op, w.Op}] {
				continue
			}
			seen[[2]int8{r.Op, w.Op}] = true
			out = append(out, pair{r, w})
		}
	}
	return out
}

// addressOf returns the MC operand of an address's base register, -1 if there is none.
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

// Longer plans the chain of a latency plan again, with additional helpers of the first register file on the chain that has one. It
// returns nil if there is none, and for forms that load and store.
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

// chain plans code whose critical path goes from a pair's read to its write and back. If a form loads and stores,
// each link has its own address, so that no link waits for another's store.
func (x *instance) chain(pr pair, in *isa.Inst) (*Plan, error) {
	p, s := x.t.newPlan(x.form)
	n := x.links(in)
	for i := range n {
		c := choice{disp: int64(i) * x.bytes()}
		if n > 1 && x.base >= 0 && x.disp < 0 { // registers that are not on the chain point to different addresses
			spare := x.t.spare[GPR]
			c.roots = map[int]isa.Reg{x.base: x.t.named(spare[len(spare)-1-i%(len(spare)/2)])}
		}
		if err := x.link(p, &s, pr, c); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// rmwLinks is the number of read-modify-writes in a chain before the first address is used again.
const rmwLinks = 24

// links returns the number of links after which a chain repeats.
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

// link appends one link of a chain: an instance, or two with alternating registers, and the helpers that
// return its result.
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
	case len(s.restore) > 0 || s.hold: // a result must not return as an operand
		if pr.from.Op < 0 || from != GPR || to != GPR {
			return planError("the operand is restored before each instance")
		}
		return x.throughZero(p, pr, &in, t.root[pr.from.Reg])
	case from == to && x.longer == 0:
		if roots, ok := x.joined(pr); ok {
			p.Flags = from == Flags
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
	if p.Flags = from == Flags; p.Flags {
		if err := x.renew(p, &in); err != nil {
			return err
		}
	}
	if err := p.add(t, in, true); err != nil {
		return err
	}
	return x.helped(p, pr.to, t.root[pr.from.Reg], from, &in)
}

// renew appends statements that give a result that is also an operand a new value, so that instances do not depend on each
// other through it.
func (x *instance) renew(p *Plan, in *isa.Inst) error {
	t := x.t
	ties := t.ISA.Forms.Ties(x.form)
	for i := 0; i+1 < ties.Len(); i += 2 {
		r := t.root[in.Reg(int(ties.At(i+1)))]
		if text := t.break_[t.kindOf[r]]; text != "" {
			if err := p.text(t, text, r, r, t.named(t.constant[GPR][0])); err != nil {
				return err
			}
		}
	}
	return nil
}

// joined chooses the registers with which a form's write is its next read: one instance, or two alternating
// ones if another operand is tied to the result. ok is false if helpers are needed.
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
	// (Two alternating registers also where one suffices: cores that eliminate copies need not do so if source and
	// destination are the same.)
	return []map[int]isa.Reg{{a: q, b: r}, {a: r, b: q}}, true
}

// others lists choices of registers for instances that depend on each other only through implicit operands: explicit
// results that are also read use different registers.
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

// inTurn finds two roots that can each be operands a and b, and do not overlap; NoReg if there are none.
func (x *instance) inTurn(k Kind, a, b int) (r, q isa.Reg) {
	ca, cb := x.t.ISA.Forms.OperandClass(x.form, a), x.t.ISA.Forms.OperandClass(x.form, b)
	fits := func(root isa.Reg) bool {
		return (ca.IsAddress() || x.member(ca, root) != isa.NoReg) && x.member(cb, root) != isa.NoReg
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

// Apart plans the chain of a latency plan without helpers again, with one helper in between, for each helper
// that stays in the register file; nil for other plans.
func (t *Target) Apart(p *Plan) (out []*Plan) {
	a, b := t.kindOf[p.From.Reg], t.kindOf[p.To.Reg]
	// (If the result merges with its old value, the chain without helpers has two paths.)
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
		if q.text(t, t.helpers[h].text, t.root[in.Reg(int(p.From.Op))], t.root[in.Reg(int(p.To.Op))], t.named(t.constant[GPR][0])) != nil {
			return nil
		}
		q.Helpers = []int{h}
		out = append(out, q)
	}
	return out
}

// throughZero appends an instance and adds its result, cleared to zero, to the root, which keeps its value.
func (x *instance) throughZero(p *Plan, pr pair, in *isa.Inst, root isa.Reg) error {
	t := x.t
	if err := p.add(t, *in, true); err != nil {
		return err
	}
	at := t.root[pr.to.Reg]
	if k := t.kindOf[pr.to.Reg]; k != GPR || x.longer > 0 {
		at = t.free(GPR, in)
		if err := x.helped(p, pr.to, at, GPR, in); err != nil {
			return err
		}
	}
	if at == root {
		return planError("the result is the address")
	}
	if t.kindOf[root] != GPR {
		return planError("the address is a vector")
	}
	if err := p.text(t, t.clear, at, root, 0); err != nil {
		return err
	}
	p.Extra += 2
	return p.text(t, t.step, at, root, 0)
}

// free returns a root that an instruction does not use.
func (t *Target) free(k Kind, in *isa.Inst) isa.Reg {
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

// helped appends helpers that move a result to a root of some kind.
func (x *instance) helped(p *Plan, w isa.Access, root isa.Reg, k Kind, in *isa.Inst) error {
	t := x.t
	path := t.path(t.kindOf[w.Reg], k, t.ISA.Regs.Name(w.Reg))
	if path == nil {
		return planError(fmt.Sprintf("no helper from %s to %s", kindNames[t.kindOf[w.Reg]], kindNames[k]))
	}
	at, c := t.root[w.Reg], t.named(t.constant[GPR][0])
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

// lengthen adds more helpers to a path that begins at a kind: the helpers that stay in the first register file on the path that has any.
// If no file has any, it returns the path unchanged.
func (t *Target) lengthen(path []int, from Kind, more int) []int {
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

// path returns the shortest sequence of helpers from one kind to another; from flags, the first must read the
// given part.
func (t *Target) path(from, to Kind, flag string) []int {
	type node struct {
		k    Kind
		path []int
	}
	queue := []node{{from, nil}}
	for seen := map[Kind]bool{}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for i, h := range t.helpers {
			if h.from != n.k || h.from == Flags && h.flag != flag {
				continue
			}
			p := append(slices.Clone(n.path), i)
			if h.to == to {
				return p
			}
			if !seen[h.to] && h.to != Flags {
				seen[h.to] = true
				queue = append(queue, node{h.to, p})
			}
		}
	}
	return nil
}

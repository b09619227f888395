package advice

import (
	"slices"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
)

// loop holds the properties of a kernel that remedies query.
type loop struct {
	g    *depgraph.Graph
	k    *isa.Kernel
	r    *isa.Rewrites
	regs *isa.RegTable
	// steps are the instructions that only advance a register by a constant: the induction variables of addresses
	// and of the loop's end condition.
	steps   []step
	control []bool            // instructions that only decide whether the loop continues
	out     [][]int           // edges out of each instruction
	written map[isa.Reg][]int // cached results of writers
}

// step is r = r + imm.
type step struct {
	inst int
	reg  isa.Reg
	imm  int64
	// merges is set if unrolling may merge the steps of several iterations into one: only addresses, which can be displaced, and the loop's end condition use the register.
	merges bool
}

func newLoop(g *depgraph.Graph) *loop {
	k := g.Bound.Kernel
	l := &loop{g: g, k: k, r: &k.ISA.Rewrites, regs: k.ISA.Regs, written: map[isa.Reg][]int{}}
	l.out = make([][]int, len(k.Lines))
	for i := range g.Edges {
		l.out[g.Edges[i].From] = append(l.out[g.Edges[i].From], i)
	}
	l.findSteps()
	l.findControl()
	for i := range l.steps {
		l.steps[i].merges = l.mergeable(&l.steps[i])
	}
	return l
}

// inst is an instruction of the kernel.
func (l *loop) inst(i int) *isa.Inst { return &l.k.Lines[i].Inst }

// writes reports whether an instruction writes a part of a register.
func (l *loop) writes(i int, r isa.Reg) bool {
	return slices.ContainsFunc(l.g.Bound.Insts[i].Effects.Writes, func(a isa.Access) bool { return l.regs.Overlap(a.Reg, r) })
}

// reads reports whether an instruction reads a part of a register.
func (l *loop) reads(i int, r isa.Reg) bool {
	return slices.ContainsFunc(l.g.Bound.Insts[i].Effects.Reads, func(a isa.Access) bool { return l.regs.Overlap(a.Reg, r) })
}

// writers lists the instructions that write a part of a register, in their order. The loop is searched once for each register.
func (l *loop) writers(r isa.Reg) []int {
	out, known := l.written[r]
	if known {
		return out
	}
	for i := range l.k.Lines {
		if l.writes(i, r) {
			out = append(out, i)
		}
	}
	l.written[r] = out
	return out
}

// holds reports whether a register keeps its value between two instructions.
func (l *loop) holds(r isa.Reg, after, before int) bool {
	all := l.writers(r)
	next, _ := slices.BinarySearch(all, after+1)
	return next == len(all) || all[next] >= before
}

// invariant reports whether a register keeps its value in the loop.
func (l *loop) invariant(r isa.Reg) bool { return r == isa.NoReg || len(l.writers(r)) == 0 }

func (l *loop) findSteps() {
	if l.r.Step == nil {
		return
	}
	for i := range l.k.Lines {
		r, imm, ok := l.r.Step(l.inst(i))
		if ok && imm != 0 && len(l.writers(r)) == 1 {
			l.steps = append(l.steps, step{inst: i, reg: r, imm: imm})
		}
	}
}

// stepOf returns the step of a register, nil if it has none.
func (l *loop) stepOf(r isa.Reg) *step {
	if r == isa.NoReg {
		return nil
	}
	for i := range l.steps {
		if l.regs.Overlap(l.steps[i].reg, r) {
			return &l.steps[i]
		}
	}
	return nil
}

// findControl marks the branch at the end and the comparison that it depends on.
func (l *loop) findControl() {
	n := len(l.k.Lines)
	l.control = make([]bool, n)
	if !l.k.Latch {
		return
	}
	l.control[n-1] = true
	edges, _ := l.g.Into(n - 1)
	for i := range edges {
		from := int(edges[i].From)
		if edges[i].Dist > 0 || edges[i].Kind != depgraph.Flag {
			continue
		}
		alone := !slices.ContainsFunc(l.out[from], func(e int) bool { return int(l.g.Edges[e].To) != n-1 })
		l.control[from] = alone && len(l.g.Bound.Insts[from].Effects.Mem) == 0
	}
}

// branches reports whether an instruction before the last one branches, or calls if that counts.
func (l *loop) branches(calls bool) bool {
	last := len(l.k.Lines) - 1
	if l.firstBranch() < last {
		return true
	}
	return calls && slices.ContainsFunc(l.k.Lines[:last], func(x isa.Line) bool { return l.k.ISA.Flow != nil && l.k.ISA.Flow(&x.Inst).Kind == isa.FlowCall })
}

// firstBranch returns the first instruction that branches, the last instruction if none does before.
func (l *loop) firstBranch() int {
	last := len(l.k.Lines) - 1
	if l.k.ISA.Flow == nil {
		return last
	}
	for i := range last {
		if kind := l.k.ISA.Flow(l.inst(i)).Kind; kind != isa.FlowNext && kind != isa.FlowCall {
			return i
		}
	}
	return last
}

// counted reports whether the number of iterations is settled before the loop: what its end condition depends on is not loaded in the loop, except from a place
// that stays the same, and no branch within leaves it. Only then may iterations be put together without testing for the end in each; where a branch leaves, the
// registers would hold what they do after another number of iterations.
func (l *loop) counted() bool {
	n := len(l.k.Lines)
	if l.branches(false) {
		return false
	}
	seen := make([]bool, n)
	list := []int{n - 1}
	for len(list) > 0 {
		i := list[len(list)-1]
		list = list[:len(list)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		for m := range l.g.Bound.Insts[i].Effects.Mem {
			if ref := &l.g.Bound.Insts[i].Effects.Mem[m]; ref.Load && !(l.invariant(ref.Base) && l.invariant(ref.Index)) {
				return false
			}
		}
		edges, _ := l.g.Into(i)
		for k := range edges {
			if edges[k].Kind == depgraph.Memory {
				return false
			}
			if !l.advances(&edges[k]) {
				list = append(list, int(edges[k].From))
			}
		}
	}
	return true
}

// advances reports whether an edge begins at the base register that an access advances, which does not wait for what is loaded.
func (l *loop) advances(e *depgraph.Edge) bool {
	w := l.g.Bound.Insts[e.From].Effects.Writes
	return int(e.Out) < len(w) && w[e.Out].Role == isa.RoleUpdate
}

// mergeable computes step.merges.
func (l *loop) mergeable(s *step) bool {
	if l.r.WithStep == nil {
		return false
	}
	if _, ok := l.r.WithStep(l.inst(s.inst), 2*s.imm); !ok {
		return false
	}
	for i := range l.k.Lines {
		if i == s.inst || l.control[i] || !l.reads(i, s.reg) {
			continue
		}
		if !l.displaceable(i, s.reg, s.imm) {
			return false
		}
	}
	for _, e := range l.out[s.inst] { // its flags may decide only the loop's end
		if to := int(l.g.Edges[e].To); l.g.Edges[e].Kind == depgraph.Flag && !l.control[to] {
			return false
		}
	}
	return true
}

// displaceable reports whether an instruction reads a register only in addresses that can be displaced.
func (l *loop) displaceable(i int, r isa.Reg, by int64) bool {
	e := &l.g.Bound.Insts[i].Effects
	for _, a := range e.Reads {
		if l.regs.Overlap(a.Reg, r) && a.Role != isa.RoleAddr {
			return false
		}
	}
	found := false
	for m := range e.Mem {
		ref := &e.Mem[m]
		if !l.uses(ref, r) {
			continue
		}
		if ref.Update != 0 || ref.Extend != 0 || ref.Gather || l.r.Displaced == nil {
			return false
		}
		if _, ok := l.r.Displaced(l.inst(i), ref, by*l.scale(ref, r)); !ok {
			return false
		}
		found = true
	}
	return found
}

// uses reports whether an address has a register.
func (l *loop) uses(m *isa.MemRef, r isa.Reg) bool {
	return m.Base != isa.NoReg && l.regs.Overlap(m.Base, r) || m.Index != isa.NoReg && l.regs.Overlap(m.Index, r)
}

// scale returns the increase of an address for an increase of a register by 1.
func (l *loop) scale(m *isa.MemRef, r isa.Reg) (n int64) {
	if m.Base != isa.NoReg && l.regs.Overlap(m.Base, r) {
		n++
	}
	if m.Index != isa.NoReg && l.regs.Overlap(m.Index, r) {
		n += max(1, int64(m.Scale))
	}
	return n
}

// stride returns the bytes by which an address moves per iteration; ok is false if that is not known.
func (l *loop) stride(m *isa.MemRef) (bytes int64, ok bool) {
	if m.Gather {
		return 0, false
	}
	for _, r := range []isa.Reg{m.Base, m.Index} {
		if r == isa.NoReg || l.invariant(r) {
			continue
		}
		s := l.stepOf(r)
		switch {
		case s != nil && r == m.Base:
			bytes += s.imm
		case s != nil:
			bytes += s.imm * max(1, int64(m.Scale))
		case r == m.Base && m.Update != 0 && len(l.writers(r)) == 1:
			bytes += m.Update
		default:
			return 0, false
		}
	}
	return bytes, true
}

// file returns the register file and the class of a register, and its number: the index in the file's widest class of the register that contains it. f is nil if it
// belongs to no file.
func (l *loop) file(r isa.Reg) (f *isa.RegFile, class string, at int) {
	for i := range l.r.Files {
		f := &l.r.Files[i]
		for _, c := range f.Classes {
			if l.index(c, func(m isa.Reg) bool { return m == r }) >= 0 {
				return f, c, l.index(f.Classes[len(f.Classes)-1], func(m isa.Reg) bool { return l.regs.Overlap(m, r) })
			}
		}
	}
	return nil, "", -1
}

// index returns the index of the first member of a class for which is holds, -1 if there is none.
func (l *loop) index(class string, is func(isa.Reg) bool) int {
	members, _ := l.regs.Class(class)
	for k := 0; k < members.Len(); k++ {
		if is(isa.Reg(members.At(k))) {
			return k
		}
	}
	return -1
}

// free lists the numbers of the registers of a file that the kernel does not use.
func (l *loop) free(f *isa.RegFile) (out []int) {
	used := map[uint16]bool{}
	for i := range l.k.Lines {
		e := &l.g.Bound.Insts[i].Effects
		for _, list := range [][]isa.Access{e.Reads, e.Writes} {
			for _, a := range list {
				for u, units := 0, l.regs.Units(a.Reg); u < units.Len(); u++ {
					used[units.At(u)] = true
				}
			}
		}
	}
	members, _ := l.regs.Class(f.Classes[len(f.Classes)-1])
	for k := 0; k < members.Len(); k++ {
		r := isa.Reg(members.At(k))
		if slices.Contains(f.Keep, l.regs.Name(r)) || l.k.ISA.Constant != nil && l.k.ISA.Constant(r) || !l.common(r) {
			continue
		}
		taken := false
		for u, units := 0, l.regs.Units(r); u < units.Len(); u++ {
			taken = taken || used[units.At(u)]
		}
		if !taken {
			out = append(out, k)
		}
	}
	return out
}

// common reports whether a register may be used: it belongs to the base instruction set, or the code already uses a register of the same file that only the same
// extensions have (as the upper half of 32 vector registers).
func (l *loop) common(r isa.Reg) bool {
	if l.r.Common == nil || l.r.Common(r) {
		return true
	}
	file, _, _ := l.file(r)
	for i := range l.k.Lines {
		for _, o := range l.k.Lines[i].Inst.Ops[:l.k.Lines[i].Inst.NOps] {
			if o.Kind != isa.OpReg || o.Reg == isa.NoReg || l.r.Common(o.Reg) {
				continue
			}
			if of, _, _ := l.file(o.Reg); of == file {
				return true
			}
		}
	}
	return false
}

// member returns the register of a class that is part of register number at of its file. The members of two classes need not be in one order.
func (l *loop) member(class string, at int) isa.Reg {
	for i := range l.r.Files {
		if f := &l.r.Files[i]; slices.Contains(f.Classes, class) {
			widest, _ := l.regs.Class(f.Classes[len(f.Classes)-1])
			whole, members := isa.Reg(widest.At(at)), l.index(class, func(m isa.Reg) bool { return l.regs.Overlap(m, isa.Reg(widest.At(at))) })
			if of, _ := l.regs.Class(class); members >= 0 {
				return isa.Reg(of.At(members))
			}
			return whole
		}
	}
	return isa.NoReg
}

// registerName returns the name of a register in reports.
func (l *loop) registerName(r isa.Reg) string {
	if l.r.Name != nil {
		return l.r.Name(r)
	}
	return strings.ToLower(l.regs.Name(r))
}

// mnemonic returns the first word of an instruction.
func (l *loop) mnemonic(i int) string {
	m, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(l.k.Lines[i].Text, "\t", " ")), " ")
	return m
}

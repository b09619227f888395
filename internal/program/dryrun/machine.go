package dryrun

import (
	"context"

	"incore/internal/isa"
	"incore/internal/object"
)

// inst is an instruction prepared for computation.
type inst struct {
	site   Site
	steps  []isa.IntStep
	lifted bool
	writes []isa.Slot // registers that become unknown if it is not lifted
	masks  []isa.Slot // predicates that deactivate its elements
	flow   isa.Flow
	cond   []isa.IntStep
	known  bool // cond is known
	sets   bool // it sets the vector configuration
	uses   bool // it uses the vector configuration
}

// origin identifies the reference point of a value: 0 for numbers that the code determines; else a separate unknown (a pointer argument, the result
// of a call), which stands for an address far from all others. The difference of two values with the same origin is known.
type origin uint32

// apart is the distance between unknowns.
const apart = 1 << 40

// machine is the state of a dry run: values of registers and of memory where they are known.
type machine struct {
	f     *object.File
	sem   *isa.Semantics
	o     *Options
	ctx   context.Context
	value []uint64
	known []bool
	from  []origin
	last  origin // the last one created
	mem   memory
	used  []isa.Slot // slots that instructions write
	use   []bool     // by slot
	insts map[uint64]*inst
	flows map[*object.Function]*code
	calls []*object.Function

	vtype      isa.VType
	vl         uint64 // elements in force, if the vector configuration determines them
	vlKnown    bool
	asked      uint64 // elements that the present instruction requests
	askedKnown bool
	spent      uint64
	stopped    bool
	scalable   bool
	needVector bool
	cond       uint64 // value that the last branch tests: the branch depends on whether it is zero
	condKnown  bool
	partial    notes
	assumed    notes
}

// stack is the initial stack pointer: far from any code, with the alignment of calling conventions.
const stack = 0x7ffd_0000_0000

func newMachine(f *object.File, o *Options) *machine {
	n := int(isa.FirstReg) + f.ISA.Regs.Len()
	m := &machine{f: f, sem: f.ISA.Semantics, o: o, value: make([]uint64, n), known: make([]bool, n), from: make([]origin, n), use: make([]bool, n), insts: map[uint64]*inst{}, flows: map[*object.Function]*code{}, mem: memory{words: map[uint64]word{}}}
	for r := range f.ISA.Regs.Len() {
		if reg := isa.Reg(r); f.ISA.StackPointer != nil && f.ISA.StackPointer(reg) {
			if full, _, width := m.sem.Part(reg); width == 64 && full == reg {
				m.setRegister(reg, stack)
			}
		}
	}
	for _, r := range m.sem.Arguments {
		m.unknown(m.slot(r))
	}
	return m
}

// unknown gives a register a new unknown value.
func (m *machine) unknown(s isa.Slot) {
	if m.last < 1<<15 {
		m.last++
		m.value[s], m.known[s], m.from[s] = uint64(m.last)*apart, true, m.last
	}
}

func (m *machine) setRegister(r isa.Reg, v uint64) {
	if full, _, width := m.sem.Part(r); width > 0 {
		m.set(isa.RegSlot(full), v&(^uint64(0)>>(64-width)), true)
	}
}

func (m *machine) set(s isa.Slot, v uint64, known bool) {
	m.value[s], m.known[s], m.from[s] = v, known, 0
}

// origin returns the origin of a slot's value.
func (m *machine) origin(s isa.Slot) origin {
	if s == isa.Imm {
		return 0
	}
	return m.from[s]
}

func (m *machine) get(s isa.Slot, imm int64) (uint64, bool) {
	if s == isa.Imm {
		return uint64(imm), true
	}
	return m.value[s], m.known[s]
}

// inst prepares the instruction of a line.
func (m *machine) inst(l *isa.Line) *inst {
	x := m.insts[l.Addr]
	if x == nil {
		x = &inst{site: Site{Addr: l.Addr, Inst: l.Inst}}
		m.insts[l.Addr] = x
		m.prepare(x)
	}
	if x.sets || x.uses {
		m.configure(x)
	}
	return x
}

// configure tracks the vector configuration.
func (m *machine) configure(x *inst) {
	before := m.vtype
	if x.sets {
		m.vtype, _ = m.f.ISA.Configure(&x.site.Inst, before)
		before = m.vtype
	}
	if x.site.Inst.VType != before {
		x.site.Inst.VType = before
		m.prepare(x)
	}
}

// noSEW is an element width that no configuration has.
const noSEW = 1

// prepare determines the effects of an instruction.
func (m *machine) prepare(x *inst) {
	a, in := m.f.ISA, &x.site.Inst
	if a.Configure != nil {
		nothing := isa.VType{SEW: noSEW}
		after, uses := a.Configure(in, nothing)
		x.sets, x.uses = after != nothing, uses
	}
	var e isa.Effects
	a.Effects(in, &e)
	x.site.Refs = append([]isa.MemRef(nil), e.Mem...)
	x.flow = a.Flow(in)
	x.site.Branch = x.flow.Kind != isa.FlowNext
	if a.Float != nil {
		x.site.Float = a.Float(in)
	}
	x.steps, x.lifted = m.sem.Lift(in, x.steps[:0])
	x.writes, x.masks = x.writes[:0], x.masks[:0]
	if !x.lifted {
		x.steps = x.steps[:0]
	}
	for _, w := range e.Writes {
		if w.Role != isa.RoleUpdate {
			x.writes = append(x.writes, m.slot(w.Reg))
		}
	}
	for _, r := range e.Reads {
		if r.Role == isa.RoleMask {
			x.masks = append(x.masks, isa.RegSlot(r.Reg))
		}
	}
	if x.flow.Kind == isa.FlowCond && m.sem.Branch != nil {
		x.cond, x.known = m.sem.Branch(in, x.cond[:0])
	}
	x.site.Full = m.full(x)
	for i := range x.steps {
		m.touch(x.steps[i].Dst)
	}
	for _, s := range x.writes {
		m.touch(s)
	}
	for i := range e.Mem {
		if e.Mem[i].Update != 0 {
			m.touch(m.slot(e.Mem[i].Base))
		}
	}
}

// touch records that a slot is written.
func (m *machine) touch(s isa.Slot) {
	if (s > isa.T7 || s == isa.Carry || s == isa.Overflow) && !m.use[s] {
		m.use[s] = true
		m.used = append(m.used, s)
	}
}

// slot returns the slot of a register; registers other than integer registers have slots of their own.
func (m *machine) slot(r isa.Reg) isa.Slot {
	if full, _, width := m.sem.Part(r); width > 0 {
		return isa.RegSlot(full)
	}
	return isa.RegSlot(r)
}

// full returns the number of elements, or bytes of a vector, that are active without masking; 0 if the instruction has no scalable vectors.
func (m *machine) full(x *inst) uint64 {
	f := &x.site.Float
	scalable := f.Kind != isa.NoFloat && f.Lanes == 0
	for i := range x.site.Refs {
		r := &x.site.Refs[i]
		scalable = scalable || m.sem.VectorBytes != nil && r.Elems == 0 && !r.Gather && m.sem.VectorBytes(&x.site.Inst, r, 256) > 0
	}
	for i := range x.steps {
		scalable = scalable || x.steps[i].Op == isa.StepVL
	}
	if !scalable {
		return 0
	}
	m.scalable = true
	if m.o.Vector == 0 {
		m.needVector, m.stopped = true, true
		return 0
	}
	if t := x.site.Inst.VType; t.SEW != 0 {
		return vlMax(t, m.o.Vector)
	}
	return uint64(m.o.Vector)
}

// vlMax returns the largest number of elements of a vector configuration.
func vlMax(t isa.VType, bytes int) uint64 {
	if t.SEW == 0 {
		return 0
	}
	n := uint64(bytes) * 8 / uint64(t.SEW)
	if t.LMUL < 4 {
		return n << t.LMUL
	}
	return n >> (8 - t.LMUL)
}

// active returns the number of active elements of an execution.
func (m *machine) active(x *inst) uint64 {
	full := x.site.Full
	switch {
	case x.site.Inst.VType.SEW != 0:
		if m.vlKnown {
			return min(m.vl, full)
		}
		return full
	case len(x.masks) > 0:
		if n, ok := m.get(x.masks[0], 0); ok {
			return min(n, full)
		}
		m.assumed.add("all elements are active where it is not known which a predicate switches off (%s)", m.f.Name(x.site.Addr))
	}
	return full
}

// places are the addresses of an instruction's accesses.
type places struct {
	addr  [4]uint64
	there [4]bool // addr is known
	done  [4]bool // a step stored there
}

// execute computes one instruction and counts it.
func (m *machine) execute(x *inst) {
	m.spent++
	x.site.Count++
	if x.site.Full > 0 {
		x.site.Active += m.active(x)
	}
	refs := x.site.Refs
	m.update(refs, false)
	if m.sem.PC != isa.NoReg {
		m.set(isa.RegSlot(m.sem.PC), x.site.Addr+uint64(x.site.Inst.Size), true)
	}
	var at places
	for i := range refs {
		if i < len(at.addr) {
			at.addr[i], at.there[i] = m.address(x, &refs[i])
		}
	}
	if x.sets {
		if r := x.site.Inst.Reg(1); r != isa.NoReg { // before the steps overwrite it
			m.asked, m.askedKnown = m.get(m.slot(r), 0)
		}
	}
	if x.flow.Kind == isa.FlowCall { // its steps are the effects of the calling convention; here the call is followed
		for _, s := range x.writes {
			if m.f.ISA.StackPointer == nil || !m.f.ISA.StackPointer(isa.Reg(s-isa.FirstReg)) {
				m.set(s, 0, false)
			}
		}
		return
	}
	for i := range x.steps {
		m.step(x, &x.steps[i], &at)
	}
	if !x.lifted {
		for _, s := range x.writes {
			m.set(s, 0, false)
		}
	}
	m.stored(x, &at)
	if x.sets {
		m.length(x)
	}
	m.update(refs, true)
}

// length applies a requested vector length: the requested number of elements, limited by the size of a register.
func (m *machine) length(x *inst) {
	most := vlMax(m.vtype, m.o.Vector)
	m.scalable = true
	if m.o.Vector == 0 {
		m.needVector, m.stopped = true, true
		return
	}
	dst, asked := m.slot(x.site.Inst.Reg(0)), most
	known := true
	switch o := &x.site.Inst.Ops[1]; {
	case o.Kind == isa.OpImm:
		asked = uint64(o.Imm)
	case o.Kind == isa.OpReg && m.f.ISA.Constant != nil && m.f.ISA.Constant(o.Reg):
		if m.f.ISA.Constant(x.site.Inst.Reg(0)) { // the length stays unchanged
			return
		}
	default:
		asked, known = m.asked, m.askedKnown
	}
	if !known {
		m.assumed.add("vectors are full where it is not known how many elements are asked for (%s)", m.f.Name(x.site.Addr))
		asked = most
	}
	m.vl, m.vlKnown = min(asked, most), true
	if _, _, width := m.sem.Part(x.site.Inst.Reg(0)); width > 0 {
		m.set(dst, m.vl, true)
	}
}

// update writes base registers back, before or after the access.
func (m *machine) update(refs []isa.MemRef, post bool) {
	for i := range refs {
		if r := &refs[i]; r.Update != 0 && r.Post == post && r.Base != isa.NoReg {
			s := m.slot(r.Base)
			m.value[s] += uint64(r.Update)
		}
	}
}

// address returns the address of an access. ok is false if it is not known.
func (m *machine) address(x *inst, r *isa.MemRef) (at uint64, ok bool) {
	if r.Seg != isa.NoReg || r.Gather || r.Sym != nil {
		return 0, false
	}
	if !(r.Post && r.Update != 0) {
		at = uint64(r.Disp)
		if r.Update != 0 { // the base register is updated already
			at = 0
		}
	}
	if r.Base != isa.NoReg && !m.zero(r.Base) {
		v, ok := m.get(m.slot(r.Base), 0)
		if !ok {
			return 0, false
		}
		at += v
	}
	if r.Index != isa.NoReg && !m.zero(r.Index) {
		v, ok := m.get(m.slot(r.Index), 0)
		if !ok {
			return 0, false
		}
		switch r.Extend {
		case 's':
			v = uint64(int64(int32(v)))
		case 'u':
			v = uint64(uint32(v))
		}
		at += v * uint64(max(1, r.Scale))
	}
	return at, true
}

// zero reports whether a register reads as zero.
func (m *machine) zero(r isa.Reg) bool {
	_, _, width := m.sem.Part(r)
	return width == 0 && r != m.sem.PC
}

// step computes one step.
func (m *machine) step(x *inst, s *isa.IntStep, at *places) {
	switch {
	case s.Op <= isa.StepOrBytes:
		a, ok := m.get(s.A, s.Imm)
		b, both := m.get(s.B, s.Imm)
		if s.Op == isa.StepXor && s.A == s.B && s.A != isa.Imm || s.Op == isa.StepAnd && (ok && a == 0 || both && b == 0) {
			m.set(s.Dst, 0, true)
			return
		}
		if ok && both {
			if from, ok := result(s, m.origin(s.A), m.origin(s.B)); ok {
				m.set(s.Dst, s.Apply(a, b), true)
				m.from[s.Dst] = from
				return
			}
		}
		m.set(s.Dst, 0, false)
	case s.Op == isa.StepVL:
		m.set(s.Dst, uint64(int64(m.o.Vector)*s.Imm>>s.N), m.o.Vector > 0)
	case s.Op == isa.StepPC:
		m.set(s.Dst, x.site.Addr+uint64(x.site.Inst.Size)+uint64(s.Imm), true)
	case s.Op == isa.StepLoad:
		v, from, ok := uint64(0), origin(0), false
		if i := int(s.Imm); i < len(at.there) && at.there[i] {
			v, from, ok = m.mem.load(at.addr[i]+uint64(s.N), int(s.Width/8))
		}
		m.set(s.Dst, v, ok)
		m.from[s.Dst] = from
	case s.Op == isa.StepStore:
		if i := int(s.Imm); i < len(at.there) && at.there[i] {
			v, ok := m.get(s.A, s.Imm)
			m.mem.store(at.addr[i]+uint64(s.N), int(s.Width/8), v, m.origin(s.A), ok)
			at.done[i] = true
		}
	case s.Op == isa.StepMoveIfZero, s.Op == isa.StepMoveIfNot:
		cond, ok := m.get(s.A, 0)
		if ok && m.origin(s.A) != 0 {
			m.assumed.add("what is not known, as the pointers that are passed, is not zero (%s)", m.f.Name(x.site.Addr))
		}
		m.cond, m.condKnown = cond, ok
		switch v, known := m.get(s.B, s.Imm); {
		case !ok:
			if old, was := m.get(s.Dst, 0); !(was && known && old == v) {
				m.set(s.Dst, 0, false)
			}
		case (cond == 0) == (s.Op == isa.StepMoveIfZero):
			from := m.origin(s.B)
			m.set(s.Dst, v, known)
			m.from[s.Dst] = from
		}
	default:
		m.set(s.Dst, 0, false)
	}
}

// result returns the origin of a step's result. ok is false if nothing is known about it.
func result(s *isa.IntStep, a, b origin) (from origin, ok bool) {
	switch {
	case a == 0 && b == 0:
		return 0, true
	case s.Width != 64:
		return 0, false
	case s.Op == isa.StepCopy, (s.Op == isa.StepSext || s.Op == isa.StepZext) && s.N == 64:
		return a, true
	case s.Op == isa.StepAnd && s.A == s.B, s.Op == isa.StepOr && s.A == s.B:
		return a, true
	case s.Op == isa.StepAdd && (a == 0 || b == 0):
		return a + b, true
	case s.Op == isa.StepSub && b == 0:
		return a, true
	case s.Op == isa.StepSub, s.Op == isa.StepLessU, s.Op == isa.StepLessS:
		return 0, a == b
	}
	return 0, false
}

// stored forgets the memory contents at a store of unknown data.
func (m *machine) stored(x *inst, at *places) {
	for i := range x.site.Refs {
		r := &x.site.Refs[i]
		switch {
		case !r.Store, i < len(at.done) && at.done[i]:
			continue
		case i >= len(at.there) || !at.there[i]:
			m.mem.forgetFar()
			continue
		}
		n := uint64(r.Bits) / 8 * uint64(r.Elems)
		if r.Elems == 0 && m.sem.VectorBytes != nil {
			n = uint64(max(0, m.sem.VectorBytes(&x.site.Inst, r, m.o.Vector)))
		}
		m.mem.forget(at.addr[i], at.addr[i]+max(n, 8))
	}
}

// branch reports whether a conditional branch is taken. ok is false if that is not known.
func (m *machine) branch(x *inst) (taken, ok bool) {
	m.condKnown = false
	if !x.known {
		return false, false
	}
	for i := range x.cond {
		m.step(x, &x.cond[i], &places{})
	}
	v, ok := m.get(isa.T1, 0)
	return v != 0, ok
}

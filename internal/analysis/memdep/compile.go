package memdep

import (
	"slices"
	"sync"

	"incore/internal/isa"
	"incore/internal/machine"
)

// program is a kernel prepared for execution.
type program struct {
	sem    *isa.Semantics
	entry  []inst
	body   []inst
	latch  inst // leaves a value other than 0 in T1 if the loop continues; no steps: not known
	steps  []isa.IntStep
	access []access // those of the entry first, then those of the body
	first  int      // first access of the body
	slots  int
	alias  []Alias
	start  func(isa.Reg) int64               // isa.ISA.EqualStart
	data   func(addr uint64) (lo, hi uint64) // returns the bounds of the variable at an address; nil: not known
	unique []isa.Slot                        // registers that hold restrict pointers at the start of the entry
	// memory: addresses depend on stored data
	memory bool
	// ends: the last instruction is a branch whose other way ends the loop (Options.Path)
	ends bool
	// scalable: sizes or addresses depend on the length of a vector register
	scalable bool
	wanted   wanted // memory of prune
}

// inst is one instruction: parts of program.steps and program.access.
type inst struct {
	access, accessEnd int32
	step, stepEnd     int32
	addr              uint64 // its address, or a unique number
	known             bool   // addr is the address
	// maybe marks instructions of a Join, which execute any number of times, or never.
	maybe bool
	// once marks those of them that execute once in each iteration of the loop around.
	once bool
	// way says that this is no instruction, but what its steps leave in T1 if the branch before it goes as the path does.
	way way
}

// access is one memory operand.
type access struct {
	inst        int32
	mem         int16
	load, store bool
	unknown     bool // the address cannot be computed
	stored      bool // a step computes the stored data
	size        int  // bytes, 0: by the vector length
	vector      func(vl int) int
	base, index isa.Slot // isa.Imm: none
	stride      isa.Slot // distance of the elements of strided vectors
	element     int      // size in bytes of each of these elements
	scale       uint64
	disp        int64
	sym         *isa.Expr
	part        isa.SymbolPart
	pc, narrow  bool // relative to the program counter; addresses of 32 bits
	seg         isa.Reg
	extend      byte
}

// programs keeps the memory of programs for the next.
var programs = sync.Pool{New: func() any { return new(program) }}

// compile translates a kernel and the code that leads into it.
func compile(b *machine.Bound, o *Options) *program {
	k := b.Kernel
	p := programs.Get().(*program)
	*p = program{sem: k.ISA.Semantics, start: k.ISA.EqualStart, slots: int(isa.FirstReg) + k.ISA.Regs.Len(), alias: o.Alias,
		entry: p.entry[:0], body: p.body[:0], steps: p.steps[:0], access: p.access[:0], wanted: p.wanted}
	c := &compiler{program: p, isa: k.ISA}
	for _, r := range k.Restrict {
		p.unique = append(p.unique, isa.RegSlot(r))
	}
	if o.NoEntry {
		p.unique = nil
	} else {
		c.entry(k, o)
	}
	if !o.Equal { // registers hold no addresses of variables
		p.data = k.Data
	}
	p.first = len(p.access)
	for i := range b.Insts {
		p.body = append(p.body, c.inst(i, b.Insts[i].Line, &b.Insts[i].Effects))
		if o.Path {
			c.branch(k, i)
		}
	}
	if k.Latch && c.sem.Branch != nil {
		p.latch = inst{step: int32(len(p.steps))}
		if l := k.Lines[len(k.Lines)-1]; l.Inst.Form != isa.NoForm {
			p.steps, _ = c.sem.Branch(&l.Inst, p.steps)
		}
		p.latch.stepEnd = int32(len(p.steps))
	}
	p.prune()
	p.scalable = slices.ContainsFunc(p.access, func(a access) bool {
		return a.size == 0 && !a.unknown || a.sym != nil && a.part >= isa.SymbolVL
	}) || slices.ContainsFunc(p.steps, func(s isa.IntStep) bool { return s.Op == isa.StepVL })
	return p
}

// prune drops the steps that no address hangs on, nor the end of the loop, and the instructions that nothing is left of.
func (p *program) prune() {
	w := &p.wanted
	*w = wanted{program: p, slots: zeroed(w.slots, p.slots), steps: zeroed(w.steps, len(p.steps)), at: w.at[:0]}
	for i := range p.access {
		if a := &p.access[i]; !a.unknown {
			w.slots[a.base], w.slots[a.index], w.slots[a.stride] = true, true, true
		}
	}
	for _, a := range p.alias {
		if a.Base != isa.NoReg {
			w.slots[isa.RegSlot(a.Base)] = true
		}
	}
	for w.more = true; w.more; {
		w.more = false
		w.mark(&p.latch, 1<<isa.T1)
		for _, insts := range [...][]inst{p.body, p.entry} {
			for i := len(insts) - 1; i >= 0; i-- {
				temps := uint32(0)
				if insts[i].way != 0 {
					temps = 1 << isa.T1
				}
				w.mark(&insts[i], temps)
			}
		}
	}
	p.memory = w.memory
	n := int32(0)
	for k, kept := range w.steps {
		if w.at = append(w.at, n); kept {
			p.steps[n] = p.steps[k]
			n++
		}
	}
	w.at = append(w.at, n)
	p.steps = p.steps[:n]
	p.each(func(x *inst) { x.step, x.stepEnd = w.at[x.step], w.at[x.stepEnd] })
	p.body = slices.DeleteFunc(p.body, func(x inst) bool { return x.step == x.stepEnd && x.access == x.accessEnd })
}

// wanted is the set of values that affect addresses.
type wanted struct {
	*program
	slots  []bool // registers and flags
	steps  []bool
	at     []int32 // step → its number among those that are kept
	memory bool    // what was stored
	more   bool    // something was added
}

// mark goes backwards through the steps of an instruction; temps are the temporaries needed after it.
func (w *wanted) mark(x *inst, temps uint32) {
	want := func(o isa.Slot) {
		switch {
		case o == isa.Imm:
		case o <= isa.T7:
			temps |= 1 << o
		case !w.slots[o]:
			w.slots[o], w.more = true, true
		}
	}
	for k := x.stepEnd - 1; k >= x.step; k-- {
		s := &w.program.steps[k]
		switch {
		case s.Op == isa.StepStore:
			w.steps[k] = w.memory
		case s.Dst <= isa.T7:
			w.steps[k] = temps>>s.Dst&1 != 0
		default:
			w.steps[k] = w.slots[s.Dst]
		}
		if !w.steps[k] {
			continue
		}
		if s.Op == isa.StepLoad && !w.memory {
			w.memory, w.more = true, true
		}
		if s.Dst <= isa.T7 && s.Op < isa.StepMoveIfZero && s.Op != isa.StepStore {
			temps &^= 1 << s.Dst
		}
		want(s.A)
		want(s.B)
	}
}

// each calls do for all instructions.
func (p *program) each(do func(*inst)) {
	for i := range p.entry {
		do(&p.entry[i])
	}
	for i := range p.body {
		do(&p.body[i])
	}
	do(&p.latch)
}

// entry translates the code that leads into a loop, from a point that control can reach from unknown code.
func (c *compiler) entry(k *isa.Kernel, o *Options) {
	if !k.Loop {
		return
	}
	var e isa.Effects
	lift := func(l *isa.Line, maybe bool) {
		k.ISA.Effects(&l.Inst, &e)
		x := c.inst(len(c.program.entry), l, &e)
		x.maybe, x.once = maybe, o.Path && l.Once
		c.program.entry = append(c.program.entry, x)
	}
	join := func(l *isa.Line) {
		if l.Join && l.Between == nil {
			c.forget()
		}
		for i := range l.Between {
			lift(&l.Between[i], true)
		}
	}
	for i := range k.Entry {
		join(&k.Entry[i])
		lift(&k.Entry[i], false)
	}
	join(&k.Lines[0])
}

// forget drops the entry translated so far.
func (c *compiler) forget() {
	c.program.entry, c.steps, c.access, c.unique = c.program.entry[:0], c.steps[:0], c.access[:0], nil
}

func ordering(op isa.StepKind) bool { return op >= isa.StepLessU && op <= isa.StepMaxS }

type compiler struct {
	*program
	isa *isa.ISA
}

func (c *compiler) inst(i int, l *isa.Line, e *isa.Effects) inst {
	x := inst{access: int32(len(c.access)), step: int32(len(c.steps)), addr: l.Addr + uint64(l.Inst.Size), known: l.Addr != 0 && l.Inst.Size != 0}
	for k := range e.Mem {
		c.access = append(c.access, c.memory(i, k, &l.Inst, &e.Mem[k]))
	}
	x.accessEnd = int32(len(c.access))
	ok := false
	// The return of a call undoes what the call does to the stack pointer.
	moves := c.isa.Flow == nil || l.Inst.Form == isa.NoForm || c.isa.Flow(&l.Inst).Kind != isa.FlowCall
	if moves { // a value popped into the stack pointer stays there
		c.update(e, true)
	}
	if l.Inst.Form != isa.NoForm {
		c.steps, ok = c.sem.Lift(&l.Inst, c.steps)
	}
	for k := x.step; k < int32(len(c.steps)); k++ {
		if s := &c.steps[k]; s.Op == isa.StepStore && x.access+int32(s.Imm) < x.accessEnd {
			c.access[x.access+int32(s.Imm)].stored = true
		}
	}
	if !ok {
		c.invalidate(e)
	}
	if moves { // the old stack pointer is pushed
		c.update(e, false)
	}
	x.stepEnd = int32(len(c.steps))
	return x
}

// update applies the constants that post-indexing, or pre-indexing, adds to base registers.
func (c *compiler) update(e *isa.Effects, post bool) {
	for k := range e.Mem {
		if m := &e.Mem[k]; m.Update != 0 && m.Post == post {
			if r, _, width := c.sem.Part(m.Base); width == 64 {
				c.steps = append(c.steps, isa.IntStep{Op: isa.StepAdd, Width: 64, Dst: isa.RegSlot(r), A: isa.RegSlot(r), Imm: m.Update})
			}
		}
	}
}

// invalidate marks the results of an instruction that is not evaluated as unknown, except bases that are updated by a constant.
func (c *compiler) invalidate(e *isa.Effects) {
	for i := range e.Writes {
		w := &e.Writes[i]
		if w.Role == isa.RoleUpdate && updated(e, w.Reg) {
			continue
		}
		if r, _, width := c.sem.Part(w.Reg); width != 0 {
			c.steps = append(c.steps, isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(r)})
			if r == c.sem.FlagReg {
				c.steps = append(c.steps, isa.IntStep{Op: isa.StepInvalid, Dst: isa.Carry}, isa.IntStep{Op: isa.StepInvalid, Dst: isa.Overflow})
			}
			continue
		}
		for s, subs := 0, c.isa.Regs.Subs(w.Reg); s < subs.Len(); s++ { // pairs
			if r, _, width := c.sem.Part(isa.Reg(subs.At(s))); width != 0 {
				c.steps = append(c.steps, isa.IntStep{Op: isa.StepInvalid, Dst: isa.RegSlot(r)})
			}
		}
	}
}

func updated(e *isa.Effects, r isa.Reg) bool {
	for k := range e.Mem {
		if e.Mem[k].Base == r && e.Mem[k].Update != 0 {
			return true
		}
	}
	return false
}

// memory prepares a memory operand.
func (c *compiler) memory(i, k int, in *isa.Inst, m *isa.MemRef) access {
	a := access{inst: int32(i), mem: int16(k), load: m.Load, store: m.Store, unknown: m.Gather, scale: uint64(m.Scale),
		disp: m.Disp, sym: m.Sym, seg: m.Seg, extend: m.Extend, size: int(m.Bits) * int(m.Elems) / 8}
	if a.size == 0 {
		if c.sem.VectorBytes == nil || c.sem.VectorBytes(in, m, 64) == 0 {
			a.unknown = true
		}
		sem, ref := c.sem, *m
		a.vector = func(vl int) int { return sem.VectorBytes(in, &ref, vl) }
	}
	if a.sym != nil && c.sem.Symbol != nil {
		a.part = c.sem.Symbol(a.sym)
	}
	switch {
	case m.Base == isa.NoReg:
	case m.Base == c.sem.PC && c.sem.PC != isa.NoReg:
		a.pc = a.sym == nil // a symbol has its own address
	default:
		a.base = c.operand(m.Base, &a)
	}
	if m.Index != isa.NoReg && !a.unknown {
		a.index = c.operand(m.Index, &a)
	}
	if m.Index != isa.NoReg && m.Scale == 0 && !a.unknown {
		if c.sem.ElementBytes == nil {
			a.unknown = true
			return a
		}
		a.stride, a.index, a.element = a.index, isa.Imm, c.sem.ElementBytes(in, m)
	}
	return a
}

// operand returns the slot of an address register; isa.Imm if the register has none.
func (c *compiler) operand(r isa.Reg, a *access) isa.Slot {
	full, shift, width := c.sem.Part(r)
	switch {
	case width != 0 && shift == 0:
		if width == 32 && a.extend == 0 {
			a.narrow = true
		}
		return isa.RegSlot(full)
	case c.isa.Constant != nil && c.isa.Constant(r): // reads as zero
		return isa.Imm
	}
	a.unknown = true
	return isa.Imm
}

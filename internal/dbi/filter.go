package dbi

import (
	"slices"

	"incore/internal/isa"
)

// Filter lets a program report only those accesses that may miss a cache with least-recently-used replacement. The program keeps, of each set, the lines that
// were used last, in the order of use, no more than the set has ways: they are in the cache for certain, and an access to one of them only changes the order,
// and whether the line was changed. An access to another line is an event, which tells the set's list before it, if that is not as the last event left it. What
// is left out is known: a block's accesses are made as often as the block is executed.
type Filter struct {
	Line int // bytes, a power of two from 8 on
	Sets int // of the cache; where that is no power of two, or more than the filter has room for, a divisor of it serves: fewer accesses are left out
	Ways int
	// Whole lets events of a set whose lines are all known say only which line is replaced (Replaces), if the filter has room for all sets and ways. Who reads them
	// need not follow the set, until a list tells all of it again.
	Whole bool
}

// mostKnown is how many lines of a set the filter knows at most.
const mostKnown = 8

// Known is how many lines of a set the program keeps: the words of a list.
func (f *Filter) Known() int {
	if f == nil {
		return 0
	}
	return min(max(f.Ways, 1), mostKnown)
}

// Slots of the filter. Tables have an entry for each set. Lines are their addresses; 0: none.
const (
	maxSets     = 256
	table       = 8 * maxSets
	slotLast    = slotCounts + 8*maxBlocks // the line used last
	slotChanged = slotLast + table         // the same, if a store has changed it
	slotRows    = slotChanged + table      // the lines used before it, plus one if they were changed; valid unless there is no last
	rowShift    = 6
	rowUntold   = 8 * (mostKnown - 1) // within a row: whether the set's list differs from what events have told
	slotKnown   = slotRows + maxSets<<rowShift
	slotSecond  = slotKnown + 8 // whether the access reaches a second line that is still to be looked up
	slotQ       = slotSecond + 8
	slotVector  = slotQ + 8
	slotSaved   = slotVector + 16 // four registers
	slotCrossed = slotSaved + 32  // by number of an access: how often it reached two lines
	maxCrossed  = 1 << 16         // accesses of which that is counted
	controlSize = slotCrossed + 8*maxCrossed
)

// filter is a Filter as code needs it.
type filter struct {
	shift uint8
	mask  uint32 // sets − 1
	line  uint64
	known int // lines of a set
	whole bool
}

func newFilter(f *Filter) *filter {
	if f == nil {
		return nil
	}
	x := &filter{line: uint64(f.Line), known: f.Known()}
	for 1<<x.shift < f.Line {
		x.shift++
	}
	sets := f.Sets & -f.Sets // the greatest power of two that divides it
	x.mask = uint32(min(max(sets, 1), maxSets) - 1)
	x.whole = f.Whole && x.known == f.Ways && int(x.mask)+1 == f.Sets
	return x
}

// bytes is how many bytes a plain access covers, 0 if that is not known.
func (r *Reference) bytes() uint64 { return uint64(r.Bits) / 8 * uint64(max(1, r.Elems)) }

// plain reports whether each execution of an access covers the same bytes from one address on.
func (r *Reference) plain() bool {
	return r.Mask < 0 && r.Vector < 0 && r.Indices < 0 && r.Count < 0
}

// filtered reports whether an instruction's accesses may go through the filter: what covers more than a line does not.
func (t *Translator) filtered(in *Inst) bool {
	for i := range in.Mem {
		if m := &in.Mem[i]; !m.plain() || m.bytes() > t.filter.line {
			return false
		}
	}
	return in.Mask < 0
}

// number gives the accesses of a block their numbers as events.
func (t *Translator) number(b *Block) {
	for i := range b.Insts {
		for k := range b.Insts[i].Mem {
			if m := &b.Insts[i].Mem[k]; m.bytes() > 0 {
				m.Event = t.events
				t.events++
				b.events = true
			}
		}
	}
}

// report is the part of an access's check that is needed seldom, behind the block's code.
type report struct {
	back int // the offset behind the branch to it, where the block goes on
	ref  *Reference
}

// check emits an access's check, before its instruction. It leaves all registers but the block's two as they are.
func (e *emitter) check(in *Inst, m *Reference, flags bool) bool {
	a, s := e.block.r1, e.block.r2
	if !e.lea(e.code, &m.MemRef, in.Next(), a) {
		return false
	}
	if m.Thread { // the thread's area begins with its own address
		e.bytes(0x64, rex(1, a, 0, 0), 0x03, modrm(0, a, 4), 0x25)
		e.u32(0)
	}
	if flags {
		e.saveFlags()
	}
	e.bytes(rex(0, a, 0, s), 0x89, modrm(3, a, s))                 // mov a, s
	e.bytes(rex(0, 0, 0, s), 0xc1, modrm(3, 5, s), e.filter.shift) // shr
	e.bytes(rex(0, 0, 0, s), 0x81, modrm(3, 4, s))                 // and
	e.u32(e.filter.mask)
	e.set(0x2b, a, s, tableOf(m)) // sub table(s), a
	e.within(a, m)
	e.reports = append(e.reports, report{e.forward(0x0f, 0x87), m}) // ja
	if flags {
		e.restoreFlags()
	}
	return true
}

// within emits the comparison of an access's distance from the beginning of a line with the greatest at which it does not reach the next.
func (e *emitter) within(distance int, m *Reference) {
	e.bytes(rex(1, 0, 0, distance), 0x81, modrm(3, 7, distance)) // cmp
	e.u32(uint32(e.filter.line - m.bytes()))
}

// tableOf is what an access is compared with.
func tableOf(m *Reference) int {
	if m.Store {
		return slotChanged
	}
	return slotLast
}

// set emits an instruction on a register and the entry of a set in a table.
func (c *code) set(opcode byte, reg, set, slot int) {
	c.bytes(gsPrefx, rex(1, reg, set, 0), opcode, modrm(0, reg, 4), 3<<6|byte(set&7)<<3|5)
	c.u32(uint32(slot))
}

// row emits an instruction on a register and a word of a set's row, whose offset a register has.
func (c *code) row(opcode byte, reg, row, word int) {
	c.bytes(gsPrefx, rex(1, reg, row, 0), opcode, modrm(0, reg, 4), byte(row&7)<<3|5)
	c.u32(uint32(slotRows + word))
}

func (c *code) saveFlags() {
	c.save(rax, slotA)
	c.bytes(0x9f)             // lahf
	c.bytes(0x0f, 0x90, 0xc0) // seto %al
}

func (c *code) restoreFlags() {
	c.bytes(0x04, 0x7f) // add $0x7f, %al: overflows as before
	c.bytes(0x9e)       // sahf
	c.load(slotA, rax)
}

// deadFlags tells, for each instruction of a block, whether no flag is read at or behind it before it is written. Behind the block flags may be read, unless
// the code there is seen to write them first.
func (t *Translator) deadFlags(b *Block) []bool {
	dead := flagSet{}
	if t.flagsDeadBehind(b) {
		dead.all = true
	}
	out := make([]bool, len(b.Insts))
	for i := len(b.Insts) - 1; i >= 0; i-- {
		t.isa.Effects(&b.Insts[i].Inst, &t.effects)
		dead.before(&t.effects)
		out[i] = dead.whole()
	}
	return out
}

// flagSet is a set of flags: carry, overflow and the rest.
type flagSet struct {
	all  bool
	regs [3]isa.Reg
	n    int
}

func (s *flagSet) whole() bool { return s.all || s.n == len(s.regs) }

func (s *flagSet) has(r isa.Reg) bool { return slices.Contains(s.regs[:s.n], r) }

// add adds the flags that an instruction writes.
func (s *flagSet) add(e *isa.Effects) {
	for _, w := range e.Writes {
		if w.Role == isa.RoleFlags && !s.all && !s.has(w.Reg) && s.n < len(s.regs) {
			s.regs[s.n] = w.Reg
			s.n++
		}
	}
}

// before makes the flags that are dead behind an instruction those that are dead before it.
func (s *flagSet) before(e *isa.Effects) {
	s.add(e)
	for _, r := range e.Reads {
		if r.Role != isa.RoleFlags {
			continue
		}
		if s.all { // which the others are is not known any more
			*s = flagSet{}
		}
		if i := slices.Index(s.regs[:s.n], r.Reg); i >= 0 {
			s.n--
			s.regs[i] = s.regs[s.n]
		}
	}
}

// flagsDeadBehind reports whether all code that a block leads to is seen to write all flags before it reads one.
func (t *Translator) flagsDeadBehind(b *Block) bool {
	last := &b.Insts[len(b.Insts)-1]
	flow := t.isa.Flow(&last.Inst)
	target := flow.Target.Kind == isa.OpImm
	switch {
	case flow.Kind == isa.FlowNext:
		return t.flagsDeadAt(b.End)
	case flow.Kind == isa.FlowCond && target:
		return t.flagsDeadAt(b.End) && t.flagsDeadAt(uint64(flow.Target.Imm))
	case (flow.Kind == isa.FlowJump || flow.Kind == isa.FlowCall) && target:
		return t.flagsDeadAt(uint64(flow.Target.Imm))
	}
	return false
}

// mostAhead is how many instructions flagsDeadAt reads.
const mostAhead = 16

// flagsDeadAt reports whether straight code at an address is seen to write all flags before it reads one.
func (t *Translator) flagsDeadAt(addr uint64) bool {
	if dead, ok := t.ahead[addr]; ok {
		return dead
	}
	var s flagSet
	text := t.read(addr, 8*mostAhead)
	dead := false
	for n, off := 0, 0; n < mostAhead && off < len(text); n++ {
		var in isa.Inst
		size, err := t.isa.Decode(text[off:], addr+uint64(off), &in)
		if err != nil || size == 0 {
			break
		}
		in.Size = uint8(size)
		off += size
		t.isa.Effects(&in, &t.effects)
		if slices.ContainsFunc(t.effects.Reads, func(r isa.Access) bool { return r.Role == isa.RoleFlags && !s.has(r.Reg) }) {
			break
		}
		if s.add(&t.effects); s.whole() {
			dead = true
			break
		}
		if t.isa.Flow(&in).Kind != isa.FlowNext || t.systemCall(&in) {
			break
		}
	}
	t.ahead[addr] = dead
	return dead
}

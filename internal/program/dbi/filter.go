package dbi

import (
	"slices"

	"incore/internal/isa"
)

// Filter lets a program report only the accesses that may miss a cache with least-recently-used replacement. For each set the program keeps a list of the last used
// lines in the order of use, at most as many as the set has ways. These lines are in the cache for certain: an access to one of them only changes the order
// and whether the line is modified. An access to another line is an event; it includes the set's list before the access if the list changed since the last event. The number
// of omitted accesses is known from the executions of the blocks.
type Filter struct {
	Line int // bytes, a power of two from 8 on
	Sets int // of the cache; if it is no power of two, or too large for the filter, the filter uses a divisor and omits fewer accesses
	Ways int
	// Whole reduces the event of a set whose lines are all known to the replaced line (Replaces), if the filter has room for all sets and ways. The reader
	// need not simulate the set until the next list, which is complete.
	Whole bool
}

// mostKnown is the largest number of lines of a set that the filter knows.
const mostKnown = 8

// Known returns the number of lines that the program keeps per set: the words of a list.
func (f *Filter) Known() int {
	if f == nil {
		return 0
	}
	return min(max(f.Ways, 1), mostKnown)
}

// Slots of the filter. Tables have an entry for each set. A line is stored as its address; 0: no line.
const (
	maxSets     = 256
	table       = 8 * maxSets
	slotLast    = slotCounts + 8*maxBlocks // the line used last
	slotChanged = slotLast + table         // the line used last if a store modified it
	slotRows    = slotChanged + table      // the lines used before it, plus one if modified; valid if the set has a last line
	rowShift    = 6
	rowUntold   = 8 * (mostKnown - 1) // within a row: whether the set's list differs from the reported list
	slotKnown   = slotRows + maxSets<<rowShift
	slotSecond  = slotKnown + 8 // whether the access has a second line that must still be looked up
	slotQ       = slotSecond + 8
	slotVector  = slotQ + 8
	slotSaved   = slotVector + 16 // four registers
	slotCrossed = slotSaved + 32  // by number of an access: executions that reached two lines
	maxCrossed  = 1 << 20         // number of accesses with this count, as many as the largest number of blocks has at four a block
	controlSize = slotCrossed + 8*maxCrossed
)

// filter holds a Filter's parameters for the emitted code.
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

// bytes returns the bytes that a plain access covers, 0 if they are not known.
func (r *Reference) bytes() uint64 { return uint64(r.Bits) / 8 * uint64(max(1, r.Elems)) }

// plain reports whether each execution of an access covers the same number of bytes from one address on.
func (r *Reference) plain() bool {
	return r.Mask < 0 && r.Vector < 0 && r.Indices < 0 && r.Count < 0
}

// filtered reports whether an instruction's accesses may go through the filter: plain accesses of at most a line.
func (t *Translator) filtered(in *Inst) bool {
	for i := range in.Mem {
		if m := &in.Mem[i]; !m.plain() || m.bytes() > t.filter.line {
			return false
		}
	}
	return in.Mask < 0
}

// number assigns event numbers to the accesses of a block.
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

// report is the rarely executed part of an access's check, which follows the block's code.
type report struct {
	back int // the offset after the branch to it, at which the block continues
	ref  *Reference
}

// check emits an access's check, before its instruction. The check keeps all registers except the block's two.
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

// within emits the comparison of an access's offset in a line with the greatest offset at which the access does not reach the next line.
func (e *emitter) within(distance int, m *Reference) {
	e.bytes(rex(1, 0, 0, distance), 0x81, modrm(3, 7, distance)) // cmp
	e.u32(uint32(e.filter.line - m.bytes()))
}

// tableOf returns the table with which an access is compared: loads with the last line, stores with the modified last line.
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

// row emits an instruction on a register and a word of a set's row; the register row has the row's offset.
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

// deadFlags returns for each instruction of a block whether every flag is written before it is read, from this instruction on. After the block flags may be read, unless
// the code there is known to write them first.
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

// before turns the set of flags that are dead after an instruction into the set of flags that are dead before it.
func (s *flagSet) before(e *isa.Effects) {
	s.add(e)
	for _, r := range e.Reads {
		if r.Role != isa.RoleFlags {
			continue
		}
		if s.all { // the other flags of the set are no longer known
			*s = flagSet{}
		}
		if i := slices.Index(s.regs[:s.n], r.Reg); i >= 0 {
			s.n--
			s.regs[i] = s.regs[s.n]
		}
	}
}

// flagsDeadBehind reports whether all successors of a block are known to write all flags before they read a flag.
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

// mostAhead is the largest number of instructions that flagsDeadAt decodes.
const mostAhead = 16

// flagsDeadAt reports whether straight-line code at an address is known to write all flags before it reads a flag.
func (t *Translator) flagsDeadAt(addr uint64) bool {
	if dead, ok := t.ahead[addr]; ok {
		return dead
	}
	if t.changes(addr) || t.changes(addr+16*mostAhead) {
		return false
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

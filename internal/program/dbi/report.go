package dbi

import "encoding/binary"

// An event is the complement of a word whose lower half is the number of an access (Reference.Event), followed by the address. With Listed, the list of
// the access's set before the access follows: Filter.Known words, the last used line first; each is a line's address, plus one if the line is modified, or 0.
const (
	EventWords = 2
	ListOnly   = 1<<31 - 1 // the number of an event that is no access but only a list
	Listed     = 1 << 32
	Replaces   = 1 << 33 // the access certainly misses the cache; one word follows: the replaced line, as in a list
	SecondLine = 1 << 63 // bit of the address: the event is for the second line of the access, else for its first line
)

// spares returns the registers that a report saves and uses in addition to the block's two; rax is none because it may hold flags.
func (b *Block) spares() (p, q int) {
	p = noGPR
	for n := rcx; ; n++ {
		switch {
		case n == b.r1 || n == b.r2 || n == rsp:
		case p == noGPR:
			p = n
		default:
			return p, n
		}
	}
}

// forward emits a forward branch, and returns the offset of its distance, which here sets.
func (c *code) forward(opcode ...byte) int {
	c.bytes(opcode...)
	c.u32(0)
	return len(c.b)
}

// here sets the target of a forward branch to the next emitted code.
func (c *code) here(from int) {
	binary.LittleEndian.PutUint32(c.b[from-4:], uint32(len(c.b)-from))
}

// backward emits a backward branch to an offset of the code.
func (c *code) backward(to int, opcode ...byte) {
	c.bytes(opcode...)
	c.u32(uint32(to - len(c.b) - 4))
}

// setSlot emits the store of a small constant into a slot.
func (c *code) setSlot(slot int, value uint32) {
	c.bytes(gsPrefx, 0x48, 0xc7, 0x04, 0x25)
	c.u32(uint32(slot))
	c.u32(value)
}

// setRow emits the store of a small constant into a word of a set's row.
func (c *code) setRow(row, word int, value uint32) {
	c.row(0xc7, 0, row, word)
	c.u32(value)
}

// emitReports emits the targets of the checks' branches: the search in the set's list, and the event for a line that is not in the list.
func (e *emitter) emitReports() {
	for _, x := range e.reports {
		e.here(x.back)
		r := &reporter{emitter: e, m: x.ref, a: e.block.r1, s: e.block.r2}
		r.p, r.q = e.block.spares()
		r.emit(x.back)
	}
}

// reporter emits one report. Register s holds the number of the access's set, p its line; a and q are free unless stated otherwise, and slotD holds the address.
type reporter struct {
	*emitter
	m          *Reference
	a, s, p, q int
}

// emit emits the report, which continues at an offset of the block.
func (r *reporter) emit(back int) {
	r.set(0x03, r.a, r.s, tableOf(r.m)) // add: the address again
	r.save(r.p, slotC)
	r.save(r.q, slotQ)
	r.save(r.a, slotD)
	r.bytes(rex(1, r.a, 0, r.p), 0x89, modrm(3, r.a, r.p)) // mov
	r.bytes(rex(1, 0, 0, r.p), 0x81, modrm(3, 4, r.p))     // and
	r.u32(uint32(-r.filter.line))
	parts := r.m.bytes() > 1
	if parts {
		r.setSlot(slotSecond, 0)
		r.bytes(rex(1, r.p, 0, r.a), 0x29, modrm(3, r.p, r.a)) // sub p, a: the distance from the line's beginning
		r.within(r.a, r.m)
		whole := r.forward(0x0f, 0x86) // jbe
		r.setSlot(slotSecond, 1)
		if r.m.Event < maxCrossed {
			r.bytes(gsPrefx, 0x48, 0xff, 0x04, 0x25) // incq
			r.u32(uint32(slotCrossed + 8*r.m.Event))
		}
		r.here(whole)
	}
	line := len(r.b)
	r.use()
	if parts {
		r.bytes(gsPrefx, 0x48, 0x83, 0x3c, 0x25) // cmpq $0, gs:slotSecond
		r.u32(slotSecond)
		r.bytes(0)
		done := r.forward(0x0f, 0x84) // je
		r.second()
		r.backward(line, 0xe9)
		r.here(done)
	}
	r.load(slotC, r.p)
	r.load(slotQ, r.q)
	r.backward(back, 0xe9)
}

// second emits the step from line p to the next line, which is looked up next.
func (r *reporter) second() {
	r.setSlot(slotSecond, 0)
	r.load(slotD, r.a)
	r.bytes(rex(1, 0, 0, r.a), 0x0f, 0xba, modrm(3, 5, r.a), 63) // bts
	r.save(r.a, slotD)
	r.advance(r.p, int32(r.filter.line))
	r.bytes(rex(0, 0, 0, r.s), 0xff, modrm(3, 0, r.s)) // inc
	r.bytes(rex(0, 0, 0, r.s), 0x81, modrm(3, 4, r.s)) // and
	r.u32(r.filter.mask)
}

// shiftSet emits the conversion of s from the number of the set to the offset of its row, or back.
func (r *reporter) shiftSet(opcode int) {
	r.bytes(rex(0, 0, 0, r.s), 0xc1, modrm(3, opcode, r.s), rowShift)
}

const (
	left  = 4
	right = 5
)

// use emits the move of line p to the front of its set's list: one pass shifts the lines before it by one. A line that is not in the list is an event. s and p
// are kept.
func (r *reporter) use() {
	r.set(0x8b, r.a, r.s, slotLast)
	r.bytes(rex(1, r.p, 0, r.a), 0x39, modrm(3, r.p, r.a)) // cmp
	other := r.forward(0x0f, 0x85)                         // jne
	changed := 0
	if r.m.Store {
		r.set(0x3b, r.p, r.s, slotChanged) // cmp
		changed = r.forward(0x0f, 0x84)    // je
		r.set(0x89, r.p, r.s, slotChanged)
		r.shiftSet(left)
		r.setRow(r.s, rowUntold, 1)
		r.shiftSet(right)
	}
	same := r.forward(0xe9)
	r.here(other)
	r.set(0x8b, r.q, r.s, slotChanged)
	r.shiftSet(left)
	r.bytes(rex(1, r.a, 0, r.a), 0x85, modrm(3, r.a, r.a)) // test
	valid := r.forward(0x0f, 0x85)                         // jne
	for i := range r.filter.known - 1 {
		r.setRow(r.s, 8*i, 0)
	}
	r.here(valid)
	r.bytes(rex(1, 0, 0, r.q), 0xf7, modrm(3, 3, r.q))    // neg: carries if the line is changed
	r.bytes(rex(1, 0, 0, r.a), 0x83, modrm(3, 2, r.a), 0) // adc $0
	var found []int
	for i := range r.filter.known - 1 { // a is the line that is shifted
		r.row(0x8b, r.q, r.s, 8*i)
		r.row(0x89, r.a, r.s, 8*i)
		r.bytes(rex(1, r.q, 0, r.a), 0x89, modrm(3, r.q, r.a)) // mov q, a
		r.bytes(rex(1, r.p, 0, r.q), 0x31, modrm(3, r.p, r.q)) // xor p, q
		r.bytes(rex(1, 0, 0, r.q), 0x83, modrm(3, 7, r.q), 1)  // cmp $1
		found = append(found, r.forward(0x0f, 0x86))           // jbe
	}
	r.event()
	r.shiftSet(right)
	r.bytes(rex(0, r.q, 0, r.q), 0x31, modrm(3, r.q, r.q)) // xor: it is not changed
	first := r.forward(0xe9)
	for _, x := range found {
		r.here(x)
	}
	r.setRow(r.s, rowUntold, 1)
	r.shiftSet(right)
	r.here(first)
	r.set(0x89, r.p, r.s, slotLast)
	if r.m.Store {
		r.set(0x89, r.p, r.s, slotChanged)
	} else {
		r.bytes(rex(1, 0, 0, r.q), 0xf7, modrm(3, 3, r.q))     // neg
		r.bytes(rex(1, r.p, 0, r.q), 0x21, modrm(3, r.p, r.q)) // and p, q
		r.set(0x89, r.q, r.s, slotChanged)
	}
	r.here(same)
	if changed > 0 {
		r.here(changed)
	}
}

// event emits the code that writes the access as an event. s is the offset of the row, which holds the list's first lines, and a is the last line.
func (r *reporter) event() {
	r.load(slotPointer, r.q)
	r.storeImm(^int32(r.m.Event), r.q, 0)
	replaced := 0
	if r.filter.whole {
		replaced = r.replaces()
	}
	r.row(0x83, 7, r.s, rowUntold) // cmp $0
	r.bytes(0)
	told := r.forward(0x0f, 0x84) // je
	known := r.filter.known
	r.store(r.a, r.q, int32(8*(EventWords+known-1)))
	for i := range known - 1 {
		r.row(0x8b, r.a, r.s, 8*i)
		r.store(r.a, r.q, int32(8*(EventWords+i)))
	}
	r.flag(r.q, Listed)
	r.load(slotD, r.a)
	r.store(r.a, r.q, 8)
	r.setRow(r.s, rowUntold, 0)
	r.advance(r.q, int32(8*(EventWords+known)))
	done := r.forward(0xe9)
	r.here(told)
	r.load(slotD, r.a)
	r.store(r.a, r.q, 8)
	r.advance(r.q, 8*EventWords)
	r.here(done)
	if replaced > 0 {
		r.here(replaced)
	}
	r.save(r.q, slotPointer)
	r.setSlot(slotKnown, 1)
}

// replaces emits the rest of an event whose list is full: a, its last line, leaves the cache. It returns the branch to the end.
func (r *reporter) replaces() (done int) {
	r.bytes(rex(1, r.a, 0, r.a), 0x85, modrm(3, r.a, r.a)) // test
	room := r.forward(0x0f, 0x84)                          // je
	r.store(r.a, r.q, 8*EventWords)
	r.flag(r.q, Replaces)
	r.load(slotD, r.a)
	r.store(r.a, r.q, 8)
	r.setRow(r.s, rowUntold, 1)
	r.advance(r.q, 8*(EventWords+1))
	done = r.forward(0xe9)
	r.here(room)
	return done
}

// flag emits the code that sets a flag of the event at an address.
func (c *code) flag(at int, flag uint64) {
	c.bytes(rex(0, 0, 0, at), 0xc7, modrm(1, 0, at), 4) // movl, 4(at)
	c.u32(^uint32(flag >> 32))
}

// forget emits the code that empties the filter before a block whose accesses do not go through it. It uses the block's second register.
func (e *emitter) forget() {
	r := e.block.r2
	e.bytes(rex(1, r, 0, 0), 0x8d, modrm(0, r, 5)) // lea back(%rip), r
	at := len(e.b)
	e.u32(0)
	e.save(r, slotJump)
	e.jump(e.forgetAt(e.base))
	binary.LittleEndian.PutUint32(e.b[at:], uint32(len(e.b)-at-4))
}

// forgetting emits the routine that reports the lists, empties the tables and continues at the address in slotJump. The routine keeps all registers and flags.
func (c *code) forgetting(f *filter) {
	c.saveFlags()
	c.save(rax, slotFlags)
	c.load(slotKnown, rax)
	c.bytes(0x48, 0x85, 0xc0) // test
	nothing := c.forward(0x0f, 0x84)
	c.lists(f)
	vector := func(opcode byte, slot int) { // movups between %xmm15 and the control area
		c.bytes(gsPrefx, 0x44, 0x0f, opcode, modrm(0, 7, 4), 0x25)
		c.u32(uint32(slot))
	}
	vector(0x11, slotVector)
	c.bytes(0x45, 0x0f, 0x57, 0xff) // xorps %xmm15, %xmm15
	for _, t := range []int{slotLast, slotChanged} {
		for i := 0; i <= int(f.mask); i += 2 {
			vector(0x11, t+8*i)
		}
	}
	vector(0x10, slotVector)
	c.bytes(0x31, 0xc0) // xor %eax, %eax
	c.save(rax, slotKnown)
	c.here(nothing)
	c.load(slotFlags, rax)
	c.restoreFlags()
	c.bytes(gsPrefx, 0xff, 0x24, 0x25) // jmp *gs:slotJump
	c.u32(slotJump)
}

// lists emits the code that writes an event for each set whose list differs from the reported list.
func (c *code) lists(f *filter) {
	const set, at, line, row = rcx, rdx, rbx, rsi
	for i, r := range []int{set, at, line, row} {
		c.save(r, slotSaved+8*i)
	}
	c.bytes(0xb8 | set) // mov $mask, %ecx
	c.u32(f.mask)
	loop := len(c.b)
	c.bytes(0x89, modrm(3, set, row))            // mov
	c.bytes(0xc1, modrm(3, left, row), rowShift) // shl
	c.row(0x83, 7, row, rowUntold)               // cmp $0
	c.bytes(0)
	none := c.forward(0x0f, 0x84) // je
	c.load(slotPointer, at)
	c.storeImm(^int32(ListOnly), at, 0)
	c.flag(at, Listed)
	c.storeImm(0, at, 8)
	c.set(0x8b, rax, set, slotChanged)
	c.bytes(0x48, 0xf7, 0xd8) // neg: carries if the line is changed
	c.set(0x8b, line, set, slotLast)
	c.bytes(0x48, 0x83, modrm(3, 2, line), 0) // adc $0
	c.store(line, at, 8*EventWords)
	for i := range f.known - 1 {
		c.row(0x8b, line, row, 8*i)
		c.store(line, at, int32(8*(EventWords+1+i)))
	}
	c.advance(at, int32(8*(EventWords+f.known)))
	c.save(at, slotPointer)
	c.setRow(row, rowUntold, 0)
	c.here(none)
	c.bytes(0xff, modrm(3, 1, set)) // dec
	c.backward(loop, 0x0f, 0x89)    // jns
	for i, r := range []int{set, at, line, row} {
		c.load(slotSaved+8*i, r)
	}
}

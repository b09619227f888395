package dbi

import "encoding/binary"

// An event is the complement of a word whose lower half is the number of an access (Reference.Event) and whose upper half tells of exchanges; behind it stands the
// address. ExchangeOnly is the number of an event that is no access: a set instead of the address, whose lines were exchanged.
const (
	EventWords   = 2
	ExchangeOnly = 1<<31 - 1
	Exchanged    = 1 << 32 // the two lines used last of the access's set were exchanged before
	ExchangedTo  = 1 << 33 // those of the set of the second line that the access reaches
)

// spare is the register that a report saves and uses besides the block's two; rax may hold flags.
func (b *Block) spare() int {
	for n := rcx; ; n++ {
		if n != b.r1 && n != b.r2 {
			return n
		}
	}
}

// forward emits a branch ahead, and returns where its distance stands until here gives it.
func (c *code) forward(opcode ...byte) int {
	c.bytes(opcode...)
	c.u32(0)
	return len(c.b)
}

// here lets a branch ahead lead to what is emitted next.
func (c *code) here(from int) {
	binary.LittleEndian.PutUint32(c.b[from-4:], uint32(len(c.b)-from))
}

// emitReports emits what the checks branch to. Accesses that change the cache become events, and the tables have their lines as the last of their sets.
func (e *emitter) emitReports() {
	for _, x := range e.reports {
		e.here(x.back)
		r := &reporter{emitter: e, m: x.ref, a: e.block.r1, s: e.block.r2, p: e.block.spare(), back: x.back}
		r.emit()
	}
}

// reporter emits one report. Register a has the access's address, s the number of its set, and p its line, where nothing else is said.
type reporter struct {
	*emitter
	m       *Reference
	a, s, p int
	back    int // where the block goes on
}

func (r *reporter) emit() {
	r.set(0x03, r.a, r.s, tableOf(r.m)) // add: the address again
	r.save(r.p, slotC)
	r.lineOf(r.a)
	parts := r.m.bytes() > 1
	parted, whole := 0, 0
	if parts {
		r.reaches()
		r.bytes(rex(1, r.a, r.a, r.p), 0x8d, modrm(0, r.a, 4), byte(r.a&7)<<3|byte(r.p&7)) // lea (p,a), a
		parted = r.forward(0x0f, 0x87)                                                     // ja
	}
	if r.filter.pairs {
		whole = r.exchange()
	}
	event := len(r.b)
	r.event()
	r.enterLine()
	if parts {
		r.secondLine()
	}
	if r.filter.pairs {
		r.here(whole)
	}
	done := len(r.b)
	r.load(slotC, r.p)
	r.backward(r.back, 0xe9)
	if parts {
		r.here(parted)
		r.parted(event, done)
	}
}

// backward emits a branch to an offset of the code.
func (c *code) backward(to int, opcode ...byte) {
	c.bytes(opcode...)
	c.u32(uint32(to - len(c.b) - 4))
}

// lineOf emits that p is the line that the address in a register lies in.
func (r *reporter) lineOf(from int) {
	r.bytes(rex(1, from, 0, r.p), 0x89, modrm(3, from, r.p)) // mov
	r.bytes(rex(1, 0, 0, r.p), 0x81, modrm(3, 4, r.p))       // and
	r.u32(uint32(-r.filter.line))
}

// reaches emits that a is the distance from the line's beginning, and its comparison with the greatest that does not reach the next line.
func (r *reporter) reaches() {
	r.bytes(rex(1, r.p, 0, r.a), 0x29, modrm(3, r.p, r.a)) // sub p, a
	r.within(r.a, r.m)
}

// step emits that s is the next set, or with by 1 the one before.
func (r *reporter) step(by int) {
	r.bytes(rex(0, 0, 0, r.s), 0xff, modrm(3, by, r.s)) // inc, dec
	r.bytes(rex(0, 0, 0, r.s), 0x81, modrm(3, 4, r.s))  // and
	r.u32(r.filter.mask)
}

// parted emits what an access does that reaches a second line: nothing where both are the last of their sets.
func (r *reporter) parted(event, done int) {
	r.set(0x3b, r.p, r.s, tableOf(r.m)) // cmp
	r.backward(event, 0x0f, 0x85)       // jne
	r.step(0)
	r.advance(r.p, int32(r.filter.line))
	r.set(0x3b, r.p, r.s, tableOf(r.m))
	r.backward(done, 0x0f, 0x84) // je
	r.step(1)
	r.backward(event, 0xe9)
}

// exchange emits what an access to the line does that was used last but one: it becomes the last. It returns the branch to the end.
func (r *reporter) exchange() (done int) {
	second := slotSecond
	if r.m.Store {
		second = slotChanged2
	}
	r.set(0x3b, r.p, r.s, second)  // cmp
	other := r.forward(0x0f, 0x85) // jne
	r.set(0x8b, r.a, r.s, slotLast)
	r.set(0x89, r.a, r.s, slotSecond)
	r.set(0x89, r.p, r.s, slotLast)
	r.set(0x8b, r.p, r.s, slotChanged2)
	r.set(0x8b, r.a, r.s, slotChanged)
	r.set(0x89, r.p, r.s, slotChanged)
	r.set(0x89, r.a, r.s, slotChanged2)
	r.set(0x83, 6, r.s, slotExchange) // xor
	r.bytes(1)
	done = r.forward(0xe9)
	r.here(other)
	return done
}

// event emits that the access is written as an event, and that its set's exchange is told with it. p is used; s and, but for a's, all registers are kept.
func (r *reporter) event() {
	r.load(slotPointer, r.p)
	r.storeImm(^int32(r.m.Event), r.p, 0)
	r.store(r.a, r.p, 8)
	r.save(r.a, slotD)
	r.bytes(gsPrefx, 0xc7, 0x04, 0x25) // movl $1, gs:slotKnown
	r.u32(slotKnown)
	r.u32(1)
	if r.filter.pairs {
		r.set(0x8b, r.a, r.s, slotExchange)
		r.bytes(rex(0, 0, 0, r.a), 0xf7, modrm(3, 2, r.a))        // not, 32 bits
		r.bytes(rex(0, r.a, 0, r.p), 0x89, modrm(1, r.a, r.p), 4) // mov a, 4(p)
		r.clear(r.s, slotExchange)
		r.load(slotD, r.a)
	}
	r.advance(r.p, 8*EventWords)
	r.save(r.p, slotPointer)
	r.lineOf(r.a)
}

// enterLine emits that p is the last line of its set. a is used.
func (r *reporter) enterLine() {
	r.set(0x8b, r.a, r.s, slotLast)
	r.bytes(rex(1, r.a, 0, r.p), 0x39, modrm(3, r.a, r.p)) // cmp
	same := r.forward(0x0f, 0x84)                          // je
	if r.filter.pairs {
		r.set(0x89, r.a, r.s, slotSecond)
		r.set(0x8b, r.a, r.s, slotChanged)
		r.set(0x89, r.a, r.s, slotChanged2)
	}
	r.set(0x89, r.p, r.s, slotLast)
	if !r.m.Store {
		r.clear(r.s, slotChanged)
	}
	r.here(same)
	if r.m.Store {
		r.set(0x89, r.p, r.s, slotChanged)
	}
}

// secondLine emits the same of the line behind p, if the access reaches it.
func (r *reporter) secondLine() {
	r.load(slotD, r.a)
	r.reaches()
	whole := r.forward(0x0f, 0x86) // jbe
	r.step(0)
	if r.filter.pairs {
		r.load(slotPointer, r.p)
		r.set(0x8b, r.a, r.s, slotExchange)
		r.bytes(rex(1, r.a, 0, r.a), 0x01, modrm(3, r.a, r.a))                           // add: twice
		r.bytes(rex(0, r.a, 0, r.p), 0x31, modrm(1, r.a, r.p), byte(256-8*EventWords+4)) // xor to the event's upper half
		r.clear(r.s, slotExchange)
		r.load(slotD, r.a)
		r.lineOf(r.a)
	}
	r.advance(r.p, int32(r.filter.line))
	r.enterLine()
	r.here(whole)
}

// forget emits that the filter knows nothing: before a block whose accesses do not go through it. It uses the block's second register.
func (e *emitter) forget() {
	r := e.block.r2
	e.bytes(rex(1, r, 0, 0), 0x8d, modrm(0, r, 5)) // lea back(%rip), r
	at := len(e.b)
	e.u32(0)
	e.save(r, slotJump)
	e.jump(e.forgetAt(e.base))
	binary.LittleEndian.PutUint32(e.b[at:], uint32(len(e.b)-at-4))
}

// forgetting emits the routine that tells of exchanges, empties the tables and goes on at the address in slotJump. It keeps all registers and flags.
func (c *code) forgetting(f *filter) {
	c.saveFlags()
	c.save(rax, slotFlags)
	c.load(slotKnown, rax)
	c.bytes(0x48, 0x85, 0xc0) // test
	nothing := c.forward(0x0f, 0x84)
	tables := []int{slotLast, slotChanged}
	if f.pairs {
		tables = append(tables, slotSecond, slotChanged2)
		c.exchanges(f)
	}
	vector := func(opcode byte, slot int) { // movups between %xmm15 and the control area
		c.bytes(gsPrefx, 0x44, 0x0f, opcode, modrm(0, 7, 4), 0x25)
		c.u32(uint32(slot))
	}
	vector(0x11, slotVector)
	c.bytes(0x45, 0x0f, 0x57, 0xff) // xorps %xmm15, %xmm15
	for _, t := range tables {
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

// exchanges emits that an event is written of each set whose lines were exchanged.
func (c *code) exchanges(f *filter) {
	c.save(rcx, slotC)
	c.save(rdx, slotD)
	c.bytes(0xb9) // mov $mask, %ecx
	c.u32(f.mask)
	loop := len(c.b)
	c.set(0x83, 7, rcx, slotExchange) // cmp $0
	c.bytes(0)
	none := c.forward(0x0f, 0x84) // je
	c.load(slotPointer, rdx)
	c.storeImm(^int32(ExchangeOnly), rdx, 0)
	c.store(rcx, rdx, 8)
	c.advance(rdx, 8*EventWords)
	c.save(rdx, slotPointer)
	c.clear(rcx, slotExchange)
	c.here(none)
	c.bytes(0xff, 0xc9)          // dec %ecx
	c.backward(loop, 0x0f, 0x89) // jns
	c.load(slotC, rcx)
	c.load(slotD, rdx)
}

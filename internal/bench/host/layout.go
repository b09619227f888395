package host

import "encoding/binary"

// buffer holds machine code for a given address.
type buffer struct {
	b    []byte
	base uint64
}

func (a *buffer) here() uint64     { return a.base + uint64(len(a.b)) }
func (a *buffer) word(w uint32)    { a.b = binary.LittleEndian.AppendUint32(a.b, w) }
func (a *buffer) raw(b []byte)     { a.b = append(a.b, b...) }
func (a *buffer) contents() []byte { return a.b }

// A driver emits the instructions of the program around the code under test, for an instruction set with numbered
// registers. The registers t0 and t1 are free between runs.
type driver interface {
	here() uint64
	contents() []byte
	raw([]byte)
	align(n int)

	constant(reg int, v uint64)
	load(reg, base int, off int64)  // 64 bits
	store(reg, base int, off int64) // 64 bits
	sum(reg, a, b int)
	increase(reg int, by int64)
	address(reg int) (is func(to uint64)) // loads the address of code that is emitted later; is sets it
	jump(to uint64)
	jumpTo(reg int)
	ifNonzero(reg int, to uint64)
	ifLess(a, b int, to uint64)
	system()           // a system call
	trap()             // stops the process
	clock(reg int)     // reads the time, ordered after all earlier and before all later instructions
	addition(t, n int) // t += n, repeated: the chain of the calibration
	nop()
	state(c *Code, dataPage uint64)     // sets memory, vector and general-purpose registers to the code's initial state
	free() (t0, t1, t2 int)             // registers for the driver's own use; the one after t2 is free in signal handlers
	call(number uint64, args ...uint64) // a system call
	writeStack(bytes uint64)            // writes the top of the stack to standard output
}

// assemble lays out a program: the bodies, the warm-up, and the parts of a window in the order of its stamps
// (windows.go).
func (m *machine) assemble(d driver, c *Code, dataPage uint64) (image []byte, entry, gadget uint64) {
	p := &layout{driver: d, m: m, c: c, data: dataPage}
	p.t0, p.t1, p.t2 = d.free()
	gadget = d.here()
	d.system()
	d.trap()
	short := p.body(c.Short)
	long := short
	if c.Long.Copies != c.Short.Copies || (c.Long.Trips > 1) != (c.Short.Trips > 1) {
		long = p.body(c.Long)
	}
	d.align(64)
	start := d.here()
	p.warm(func() { p.run(c.Long, c.longRounds(), long) })
	entry = d.here()
	emitWindow(windowParts{
		stamp: p.stamp,
		chain: p.chain,
		width: func() { p.repeat(widthNops*Scale(), widthUnroll, d.nop) },
		short: func() { p.run(c.Short, c.rounds(), short) },
		long:  func() { p.run(c.Long, c.longRounds(), long) },
	})
	p.change(ctlResult, stamps*8)
	p.change(ctlWindows, -1)
	d.ifNonzero(p.t0, entry)
	d.trap()
	return d.contents(), start, gadget
}

// layout is a program being laid out.
type layout struct {
	driver
	m          *machine
	c          *Code
	data       uint64
	t0, t1, t2 int
}

// body lays out copies of the code in a loop that counts in the code's spare register, and returns the start
// address. At its end it jumps to the address in the control page.
func (p *layout) body(r Run) uint64 {
	p.align(128)
	start := p.here()
	if p.c.Counter < 0 { // run lays out the code at the place where it runs
		return start
	}
	for range p.c.Lead / 4 {
		p.nop()
	}
	p.copies(r)
	p.constant(p.c.Counter, p.m.control+ctlReturn)
	p.load(p.c.Counter, p.c.Counter, 0)
	p.jumpTo(p.c.Counter)
	return start
}

// copies lays the code out and closes its loop.
func (p *layout) copies(r Run) {
	start := p.here()
	for range r.Copies {
		p.raw(p.c.Bytes)
	}
	if r.Trips > 1 {
		p.increase(p.c.Counter, -1)
		p.ifNonzero(p.c.Counter, start)
	}
}

// run emits all rounds of a run.
func (p *layout) run(r Run, rounds int, body uint64) {
	if rounds > 1 {
		p.constant(p.t0, uint64(rounds))
		p.constant(p.t1, p.m.control+ctlRounds)
		p.store(p.t0, p.t1, 0)
		again := p.here()
		p.round(r, body)
		p.change(ctlRounds, -1)
		p.ifNonzero(p.t0, again)
		return
	}
	p.round(r, body)
}

// round emits one round: it sets the state up and executes a body.
func (p *layout) round(r Run, body uint64) {
	if p.c.Counter < 0 {
		p.state(p.c, p.data)
		p.copies(r)
		return
	}
	after := p.address(p.t0)
	p.constant(p.t1, p.m.control+ctlReturn)
	p.store(p.t0, p.t1, 0)
	c := *p.c
	c.Regs[c.Counter] = uint64(r.Trips)
	p.state(&c, p.data)
	p.jump(body)
	after(p.here())
}

// stamp stores the time as the window's stamp i.
func (p *layout) stamp(i int) {
	p.clock(p.t0)
	p.constant(p.t1, p.m.control+ctlResult)
	p.load(p.t1, p.t1, 0)
	p.store(p.t0, p.t1, int64(8*i))
}

// change adds to a word of the control page and leaves the new value in t0.
func (p *layout) change(word uint64, by int64) {
	p.constant(p.t1, p.m.control+word)
	p.load(p.t0, p.t1, 0)
	p.increase(p.t0, by)
	p.store(p.t0, p.t1, 0)
}

// chain emits about n dependent additions.
func (p *layout) chain(n int) {
	p.constant(p.t1, 1)
	p.repeat(n*Scale(), 64, func() { p.addition(p.t0, p.t1) })
}

// repeat emits a loop that executes one instruction about n times.
func (p *layout) repeat(n, unroll int, one func()) {
	p.constant(p.t2, uint64(n/unroll))
	for p.here()%64 != 0 && p.here()%4 == 0 { // a front end's rate may depend on the loop's place
		p.nop()
	}
	top := p.here()
	for range unroll {
		one()
	}
	p.increase(p.t2, -1)
	p.ifNonzero(p.t2, top)
}

// warm emits a loop that runs code until the warm-up time is over.
func (p *layout) warm(run func()) {
	ticks := uint64(1)
	if hz := tscHz(); hz > 0 {
		ticks = uint64(hz*p.c.warmSeconds()) + 1
	}
	p.clock(p.t0)
	p.constant(p.t1, ticks)
	p.sum(p.t0, p.t0, p.t1)
	p.constant(p.t1, p.m.control+ctlWarm)
	p.store(p.t0, p.t1, 0)
	again := p.here()
	run()
	p.clock(p.t0)
	p.constant(p.t1, p.m.control+ctlWarm)
	p.load(p.t1, p.t1, 0)
	p.ifLess(p.t0, p.t1, again)
}

// plain returns the initial contents of a control page for machines whose other initial state is in the code.
func (m *machine) plain(_ *Code, opt *Options) []byte {
	p := make([]byte, controlBytes)
	binary.LittleEndian.PutUint64(p[ctlWindows:], uint64(opt.Windows))
	binary.LittleEndian.PutUint64(p[ctlResult:], m.results())
	return p
}

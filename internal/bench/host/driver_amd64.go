package host

import "encoding/binary"

// Address map of the measured process. The driver addresses everything relative to RIP, so that it takes no
// general-purpose register from the code under test.
const (
	codeBase    = 0x5a0000000000 // driver, then the bodies
	controlBase = codeBase + 0x40000000
	resultsBase = controlBase + 0x1000
)

// Further offsets in the control page.
const (
	ctlGate   = 40   // longest time of the width probe, in ticks, at which a window may begin
	ctlGiveUp = 48   // time stamp after which no window waits for a quiet sibling thread
	ctlVector = 64   // 16 bytes that every vector register starts with
	ctlStart  = 80   // a round's initial value
	ctlSeed   = 88   // state of the random number generator that chooses it
	ctlCount  = 96   // iterations of the loop in a short run; the next word: in a long run
	ctlRoom   = 112  // the word that the room probe stores
	ctlTiles  = 128  // configuration of the AMX tiles
	ctlStarts = 256  // initial values of rounds
	ctlXsave  = 512  // XSAVE image in its initial configuration (64-byte aligned)
	ctlCounts = 3200 // iterations of the loop for each initial value: after the XSAVE image
	ctlAgain  = 3840 // initial general-purpose registers of joined rounds: after ctlFinal's registers
	ctlTrips  = 3992 // trips left of the running body, at an offset that code seldom uses in its own pages: a load at the same page offset waits for the counter's store (Zen 3)
)

// xrstorMask selects the state that each run resets: x87, SSE, AVX, and AVX-512's masks, upper halves and high registers. Together
// they end 2,688 bytes into the image (Intel SDM vol. 1, 13.4 and 13.5), inside the control page. Protection keys are not reset:
// code does not change them. The tiles of AMX are not reset: they would take 8 KiB more, and XRSTOR faults if the image does not
// contain all selected components, even those that it does not load.
const xrstorMask = 0xe7

// MXCSR as programs start with it, and MXCSR with flush-to-zero and denormals-are-zero.
const (
	mxcsrDefault = 0x1f80
	mxcsrFlush   = 0x8040
)

// x86Driver is a minimal assembler for x86-64: bytes, and RIP-relative references to the control page. It encodes the driver's own
// instructions, so that the driver does not depend on incore's encoder; a test disassembles its output. It does not implement the
// driver interface of layout.go, whose programs address the control page by registers.
type x86Driver struct{ buffer }

func (a *x86Driver) emit(b ...byte) { a.raw(b) }

func (a *x86Driver) lfence() { a.emit(0x0f, 0xae, 0xe8) }
func (a *x86Driver) mfence() { a.emit(0x0f, 0xae, 0xf0) }

// rip emits op bytes followed by a 32-bit displacement to addr; tail is the rest of the instruction after the
// displacement.
func (a *x86Driver) rip(addr uint64, tail []byte, op ...byte) {
	a.emit(op...)
	a.word(uint32(addr - (a.here() + 4 + uint64(len(tail)))))
	a.emit(tail...)
}

// movImm loads a 64-bit constant into a register (hardware number).
func (a *x86Driver) movImm(reg int, v uint64) {
	a.emit(0x48|byte(reg>>3), 0xb8|byte(reg&7))
	a.b = binary.LittleEndian.AppendUint64(a.b, v)
}

// movImm32 loads a 32-bit constant into one of the first eight registers, and clears its upper half.
func (a *x86Driver) movImm32(reg byte, v uint32) {
	a.emit(0xb8 | reg)
	a.word(v)
}

// jump emits an unconditional jump to an absolute address.
func (a *x86Driver) jump(to uint64) { a.rip(to, nil, 0xe9) }

// stamp stores the time stamp at offset off of the current result slot. The lfence before it prevents an
// early read, the lfence after it keeps the following code from starting before the read (AMD64 APM vol. 3,
// RDTSC; LFENCE is dispatch serialising).
func (a *x86Driver) stamp(off byte) {
	a.lfence()
	a.emit(0x0f, 0x31) // rdtsc
	a.lfence()
	a.emit(0x48, 0xc1, 0xe2, 0x20)                      // shl $32,%rdx
	a.emit(0x48, 0x09, 0xd0)                            // or %rdx,%rax
	a.rip(controlBase+ctlResult, nil, 0x48, 0x8b, 0x1d) // mov result(%rip),%rbx
	a.emit(0x48, 0x89, 0x43, off)                       // mov %rax,off(%rbx)
}

// calibrate emits a chain of n dependent register additions.
func (a *x86Driver) calibrate(n int) { a.repeat(n, 64, 0x48, 0x01, 0xd0) } // add %rdx,%rax

// width emits n instructions without operands that need no execution port. Their rate is the width of front end and
// dispatch, of which a busy sibling thread takes half.
func (a *x86Driver) width(n int) { a.repeat(n, widthUnroll, 0x0f, 0x1f, 0x40, 0x00) } // nopl 0(%rax)

// room emits the room probe.
func (a *x86Driver) room() {
	a.movImm32(1, roomTrips)
	top := a.top()
	a.rip(controlBase+ctlVector, nil, 0x48, 0x8b, 0x05)   // mov vector,%rax
	a.rip(controlBase+ctlVector+8, nil, 0x48, 0x03, 0x05) // add vector+8,%rax
	a.rip(controlBase+ctlRoom, nil, 0x48, 0x89, 0x05)     // mov %rax,room
	a.emit(0xff, 0xc9)                                    // dec %ecx
	a.rip(top, nil, 0x0f, 0x85)                           // jne top
}

// top pads with NOPs to a line of code, and returns its address, where a loop begins: a front end may deliver a loop faster or slower depending on its place, and
// the place depends on the code that is measured. (Zen 5: the width probe takes 845 or 1025 cycles.)
func (a *x86Driver) top() uint64 {
	for a.here()%64 != 0 {
		a.emit(0x90)
	}
	return a.here()
}

// repeat emits a loop that executes one instruction about n times.
func (a *x86Driver) repeat(n, unroll int, instruction ...byte) {
	a.movImm32(1, uint32(n/unroll))
	top := a.top()
	for range unroll {
		a.raw(instruction)
	}
	a.emit(0xff, 0xc9)          // dec %ecx
	a.rip(top, nil, 0x0f, 0x85) // jne top
}

// warm emits a loop that runs code until the warm-up time is over.
func (a *x86Driver) warm(c *Code, run func()) {
	hz := tscHz()
	if hz <= 0 {
		hz = 3e9
	}
	a.clock()
	for _, t := range []struct {
		word    uint64
		seconds float64
	}{{ctlWarm, c.warmSeconds()}, {ctlGiveUp, waitSeconds}} {
		a.emit(0x48, 0x05) // add $ticks,%rax
		a.word(uint32(hz * t.seconds))
		a.rip(controlBase+t.word, nil, 0x48, 0x89, 0x05) // mov %rax,word
	}
	again := a.here()
	run()
	a.clock()
	a.rip(controlBase+ctlWarm, nil, 0x48, 0x3b, 0x05) // cmp warm,%rax
	a.rip(again, nil, 0x0f, 0x82)                     // jb again
}

// clock reads the time stamp counter into rax.
func (a *x86Driver) clock() {
	a.emit(0x0f, 0x31)             // rdtsc
	a.emit(0x48, 0xc1, 0xe2, 0x20) // shl $32,%rdx
	a.emit(0x48, 0x09, 0xd0)       // or %rdx,%rax
}

// waitSeconds is the time from the start during which windows wait for the sibling thread to pause, before the next CPU is
// tried.
const waitSeconds = 0.008

// gate emits a loop that waits until the width probe takes at most ctlGate ticks. The loop also runs the code, so that wide units stay
// powered. After ctlGiveUp, one more window is measured without waiting: its calibration and probes set the limit for the next gate.
func (a *x86Driver) gate(run func()) {
	again := a.here()
	run()
	a.lfence()
	a.clock()
	a.lfence()
	a.emit(0x49, 0x89, 0xc0) // mov %rax,%r8
	a.width(widthNops)
	a.lfence()
	a.clock()
	a.lfence()
	a.emit(0x49, 0x89, 0xc1)                          // mov %rax,%r9
	a.emit(0x4c, 0x29, 0xc0)                          // sub %r8,%rax
	a.rip(controlBase+ctlGate, nil, 0x48, 0x3b, 0x05) // cmp gate,%rax
	a.emit(0x0f, 0x86, 0, 0, 0, 0)                    // jbe quiet
	quiet := len(a.b)
	a.rip(controlBase+ctlGiveUp, nil, 0x4c, 0x3b, 0x0d)                          // cmp giveup,%r9
	a.rip(again, nil, 0x0f, 0x82)                                                // jb again
	a.rip(controlBase+ctlWindows, []byte{1, 0, 0, 0}, 0x48, 0xc7, 0x05)          // movq $1,windows
	a.rip(controlBase+ctlGate, []byte{0xff, 0xff, 0xff, 0xff}, 0x48, 0xc7, 0x05) // movq $-1,gate
	binary.LittleEndian.PutUint32(a.b[quiet-4:], uint32(len(a.b)-quiet))
}

// setup emits code that sets memory, vector and general-purpose registers to the initial state.
func (a *x86Driver) setup(c *Code, dataPage uint64) {
	if !c.Keep {
		a.movImm(7, dataPage) // rdi
		a.movImm(0, c.Fill)
		a.movImm32(1, uint32(512*c.dataPages()))
		a.emit(0xfc, 0xf3, 0x48, 0xab) // cld; rep stosq
	}
	a.movImm32(0, xrstorMask)
	a.emit(0x31, 0xd2) // xor %edx,%edx
	// xrstor: resets these components to their initial configuration, and loads MXCSR from the image
	a.rip(controlBase+ctlXsave, nil, 0x0f, 0xae, 0x2d)
	// Vector registers are loaded with data instead of zero: a core may track zeroed registers and break dependences
	// on them (a merging cvtsi2sd would lose its dependence).
	for i := byte(0); i < 16; i++ { // movups fill(%rip),%xmm_i
		if i >= 8 {
			a.emit(0x44)
		}
		a.rip(controlBase+ctlVector, nil, 0x0f, 0x10, 0x05|i&7<<3)
	}
	for i := byte(0); i < 16; i++ { // vpcmpeqd %ymm_i,%ymm_i,%ymm_i
		if c.VectorMasks>>i&1 != 0 {
			a.emit(0xc4, 0xe1^0xa0*(i>>3), 5|(^i&15)<<3, 0x76, 0xc0|i&7<<3|i&7)
		}
	}
	for k := byte(0); c.Masks && k < 8; k++ { // kxnorq k,k,k
		a.emit(0xc4, 0xe1, 0x80|(^k&15)<<3|4, 0x46, 0xc0|k<<3|k)
	}
	for range c.Stack {
		a.emit(0xd9, 0xe8) // fld1
	}
	a.registers(c)
	a.mfence()
	a.lfence()
}

// registers emits code that sets the general-purpose registers.
func (a *x86Driver) registers(c *Code) {
	for i, v := range c.Regs[:16] {
		a.movImm(i, v)
	}
	if c.random() {
		r := byte(c.InPlace.Start)
		a.rip(controlBase+ctlStart, nil, 0x48|r>>3<<2, 0x8b, 0x05|r&7<<3) // mov start(%rip),%r
	}
}

// renew resets registers to their values in the first round. Each new value depends on the register's old
// value.
func (a *x86Driver) renew(registers []int) {
	for _, i := range registers {
		r := byte(i)
		a.emit(0x48|r>>3, 0x83, 0xe0|r&7, 0)                                          // and $0,%r
		a.rip(controlBase+ctlAgain+uint64(8*i), nil, 0x48|r>>3<<2, 0x03, 0x05|r&7<<3) // add again(%rip),%r
	}
}

// draw chooses a round's initial value at random by a linear congruential generator (D. E. Knuth, MMIX), and adds up
// the loop's iterations.
func (a *x86Driver) draw(c *Code, count uint64) {
	if !c.random() {
		return
	}
	a.movImm(1, 6364136223846793005)
	a.rip(controlBase+ctlSeed, nil, 0x48, 0x0f, 0xaf, 0x0d) // imul seed,%rcx
	a.movImm(0, 1442695040888963407)
	a.emit(0x48, 0x01, 0xc1)                            // add %rax,%rcx
	a.rip(controlBase+ctlSeed, nil, 0x48, 0x89, 0x0d)   // mov %rcx,seed
	a.emit(0x48, 0xc1, 0xe9, 64-5)                      // shr $59,%rcx: one of MostStarts
	a.rip(controlBase+ctlStarts, nil, 0x48, 0x8d, 0x05) // lea starts,%rax
	a.emit(0x48, 0x8b, 0x14, 0xc8)                      // mov (%rax,%rcx,8),%rdx
	a.rip(controlBase+ctlStart, nil, 0x48, 0x89, 0x15)  // mov %rdx,start
	a.rip(controlBase+ctlCounts, nil, 0x48, 0x8d, 0x05) // lea counts,%rax
	a.emit(0x48, 0x8b, 0x14, 0xc8)                      // mov (%rax,%rcx,8),%rdx
	a.rip(count, nil, 0x48, 0x01, 0x15)                 // add %rdx,count
}

// counts stores the iterations of the loop in the two runs as words of the window.
func (a *x86Driver) counts() {
	a.rip(controlBase+ctlResult, nil, 0x48, 0x8b, 0x1d) // mov result(%rip),%rbx
	for i := range uint64(2) {
		a.rip(controlBase+ctlCount+8*i, nil, 0x48, 0x8b, 0x05) // mov count,%rax
		a.emit(0x48, 0x89, 0x43, byte(8*(shortCount+i)))       // mov %rax,off(%rbx)
	}
}

// inPlace lays out a loop at its offset in a page, surrounded by traps, and after these the code that stores its final
// registers.
func (a *x86Driver) inPlace(c *Code) uint64 {
	traps := func(to uint64) {
		for a.here() < to {
			a.emit(0xcc)
		}
	}
	start := LoopBase + c.InPlace.Offset
	traps(start)
	a.emit(c.Bytes...)
	end := a.here() + 5 + LoopReach
	a.jump(end)
	traps(end)
	for i := range 16 { // mov %r_i,final(%rip)
		a.rip(controlBase+ctlFinal+uint64(8*i), nil, 0x48|byte(i>>3)<<2, 0x89, 0x05|byte(i&7)<<3)
	}
	a.rip(controlBase+ctlReturn, nil, 0xff, 0x25) // jmp *return(%rip)
	return start
}

// tiles configures the tiles, which sets them to zero.
func (a *x86Driver) tiles() {
	a.rip(controlBase+ctlTiles, nil, 0xc4, 0xe2, 0x78, 0x49, 0x05) // ldtilecfg tiles(%rip)
}

// program lays out the measured process's code: it returns the image for
// codeBase, and the addresses of the entry and of a "syscall; int3" pair for the tracer.
func program(c *Code, dataPage uint64) (image []byte, entry, gadget uint64) {
	a := &x86Driver{buffer{base: codeBase}}
	gadget = a.here()
	a.emit(0x0f, 0x05, 0xcc) // syscall; int3
	// The bodies are laid out first, so that their addresses are known.
	shortBody := a.body(c, c.Short)
	longBody := shortBody
	if c.InPlace == nil && (c.Long.Copies != c.Short.Copies || (c.Long.Trips > 1) != (c.Short.Trips > 1)) {
		longBody = a.body(c, c.Long)
	}
	a.align()
	start := a.here()
	if c.Tiles {
		a.tiles()
	}
	long := *c
	long.Rounds = c.longRounds()
	if c.InPlace != nil {
		long.Regs = c.InPlace.Long
	}
	runShort := func() { a.run(c, c.Short, shortBody, dataPage, controlBase+ctlCount) }
	runLong := func() { a.run(&long, c.Long, longBody, dataPage, controlBase+ctlCount+8) }
	a.warm(c, runLong)
	entry = a.here()
	a.window(entry, runShort, runLong)
	a.emit(0xcc)
	return a.b, start, gadget
}

// window emits a window after its gate, and a branch back to entry, where the window began, while windows are
// left.
func (a *x86Driver) window(entry uint64, runShort, runLong func()) {
	a.gate(runLong)
	emitWindow(windowParts{
		stamp: func(i int) { a.stamp(byte(8 * i)) },
		chain: a.calibrate,
		width: func() { a.width(widthNops) },
		short: runShort,
		long:  runLong,
		room:  a.room,
	})
	a.counts()
	a.rip(controlBase+ctlResult, []byte{stamps * 8}, 0x48, 0x83, 0x05) // addq $112,result
	a.rip(controlBase+ctlWindows, []byte{1}, 0x48, 0x83, 0x2d)         // subq $1,windows
	a.rip(entry, nil, 0x0f, 0x85)                                      // jne entry
}

// align pads to a 64-byte boundary.
func (a *x86Driver) align() {
	for len(a.b)%64 != 0 {
		a.emit(0xcc)
	}
}

// body lays out the code for a run and returns its start address. At its end it jumps to the address in the control
// page.
func (a *x86Driver) body(c *Code, r Run) (start uint64) {
	if c.InPlace != nil {
		return a.inPlace(c)
	}
	a.align()
	start = a.here()
	for range r.Copies {
		a.emit(c.Bytes...)
	}
	switch {
	case r.Trips > 1 && c.KeepFlags:
		const jumpBytes = 5
		a.emit(0x48, 0x8d, 0x49, 0xff) // lea -1(%rcx),%rcx
		a.emit(0xe3, jumpBytes)        // jrcxz over
		a.jump(start)
	case r.Trips > 1:
		// decq does not write the carry flag, which may carry a dependence chain from one copy to the next
		// (adc, sbb, rcl).
		a.rip(controlBase+ctlTrips, nil, 0x48, 0xff, 0x0d) // decq trips(%rip)
		a.rip(start, nil, 0x0f, 0x85)                      // jne start
	}
	a.rip(controlBase+ctlReturn, nil, 0xff, 0x25) // jmp *return(%rip)
	return start
}

// run emits all rounds of a run of a body. count is the word that counts a loop's iterations if rounds have random
// lengths.
func (a *x86Driver) run(c *Code, r Run, body, dataPage, count uint64) {
	a.movImm32(0, uint32(c.rounds()))
	a.rip(controlBase+ctlRounds, nil, 0x48, 0x89, 0x05) // mov %rax,rounds
	a.emit(0x31, 0xc0)                                  // xor %eax,%eax
	a.rip(count, nil, 0x48, 0x89, 0x05)                 // mov %rax,count
	again := a.here()
	// mov $trips,trips ; lea after(%rip) → return
	a.movImm32(0, uint32(r.Trips))
	a.rip(controlBase+ctlTrips, nil, 0x48, 0x89, 0x05) // mov %rax,trips
	lea := len(a.b)
	a.emit(0x48, 0x8d, 0x05, 0, 0, 0, 0)                // lea after(%rip),%rax
	a.rip(controlBase+ctlReturn, nil, 0x48, 0x89, 0x05) // mov %rax,return
	a.draw(c, count)
	state := *c
	if c.KeepFlags {
		state.Regs[1] = uint64(r.Trips)
	}
	a.setup(&state, dataPage)
	a.jump(body)
	binary.LittleEndian.PutUint32(a.b[lea+3:], uint32(len(a.b)-(lea+7)))
	a.emit(0x0f, 0xae, 0xf8) // sfence: stores that are still buffered count as this run's, not the next run's or the calibration's
	if c.rounds() < 2 {
		return
	}
	a.rip(controlBase+ctlRounds, []byte{1}, 0x48, 0x83, 0x2d) // subq $1,rounds
	if c.InPlace == nil {
		a.rip(again, nil, 0x0f, 0x85) // jne again
		return
	}
	a.nextRound(c, body, count)
}

// nextRound starts the next round of a loop in place if the subtraction before it left a positive count. It resets only the
// general-purpose registers, which determine the addresses and the end: such rounds are short.
func (a *x86Driver) nextRound(c *Code, body, count uint64) {
	a.emit(0x0f, 0x84, 0, 0, 0, 0) // je over
	over := len(a.b)
	if len(c.InPlace.Joined) > 0 {
		a.renew(c.InPlace.Joined)
	} else {
		a.draw(c, count)
		a.registers(c)
		a.mfence() // pending stores count as this round's
		a.lfence() // rounds do not overlap
	}
	a.jump(body)
	binary.LittleEndian.PutUint32(a.b[over-4:], uint32(len(a.b)-over))
}

// control returns the initial contents of the control page.
func control(c *Code, opt *Options) []byte {
	p := make([]byte, 4096)
	put := func(off int, v uint64) { binary.LittleEndian.PutUint64(p[off:], v) }
	put(ctlWindows, uint64(opt.Windows))
	put(ctlResult, resultsBase)
	put(ctlGate, opt.gateTicks())
	if c.InPlace != nil {
		for i, v := range c.Regs[:16] {
			put(ctlAgain+8*i, v)
		}
		for i, v := range c.InPlace.Starts {
			put(ctlStarts+8*i, v)
			put(ctlCounts+8*i, c.InPlace.Counts[i])
		}
	}
	put(ctlVector, c.Fill)
	put(ctlVector+8, c.Fill)
	p[ctlTiles] = 1 // palette; bytes per row from 16 on, rows from 48 on (Intel SDM vol. 1, 18.2)
	for i := range 8 {
		p[ctlTiles+16+2*i], p[ctlTiles+48+i] = 64, 16
	}
	// XSAVE legacy area: FCW at 0, MXCSR at 24, its mask at 28; header at 512: XSTATE_BV = 0 makes XRSTOR
	// initialise every component except MXCSR, which is always loaded (Intel SDM vol. 1, 13.8).
	binary.LittleEndian.PutUint16(p[ctlXsave:], 0x37f)
	mxcsr := uint32(mxcsrDefault | mxcsrFlush)
	if c.Denormals {
		mxcsr = mxcsrDefault
	}
	binary.LittleEndian.PutUint32(p[ctlXsave+24:], mxcsr)
	return p
}

// RoomProbe is the loop of the room probe as assembly text; only the addresses of its data differ.
const RoomProbe = "movq (%rsi), %rax; addq (%rdi), %rax; movq %rax, (%r8); decl %ecx; jne .-24"

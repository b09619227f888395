package host

import "encoding/binary"

// riscv64 is the machine description of RISC-V. The addresses are below 2^38, the limit of Sv39.
var riscv64 = machine{elf: 243, flags: 5, code: 0x2a00000000, control: 0x2a40000000, start: riscvStart}

// riscvStart is ecall; ebreak.
var riscvStart = []byte{0x73, 0, 0, 0, 0x73, 0, 0x10, 0}

func init() {
	riscv64.program = func(c *Code, dataPage uint64) ([]byte, uint64, uint64) {
		return riscv64.assemble(&riscvDriver{buffer{base: riscv64.code}}, c, dataPage)
	}
	riscv64.page = riscv64.plain
}

// riscvDriver is a minimal assembler for RV64 (unprivileged ISA, chapter "RV32/64G Instruction Set Listings"); a test disassembles it.
type riscvDriver struct{ buffer }

// free returns a0, a1 and a2.
func (a *riscvDriver) free() (t0, t1, t2 int) { return 10, 11, 12 }

func (a *riscvDriver) call(number uint64, args ...uint64) {
	for i, v := range args {
		a.constant(10+i, v)
	}
	a.constant(17, number)
	a.system()
}

func (a *riscvDriver) writeStack(bytes uint64) {
	a.itype(0x13, 0, 11, 2, 0) // mv a1, sp
	a.constant(10, 1)
	a.constant(12, bytes)
	a.constant(17, sysWrite)
	a.system()
}

func (a *riscvDriver) align(n int) {
	for len(a.b)%n != 0 {
		if len(a.b)%4 != 0 {
			a.raw([]byte{0x02, 0x90}) // c.ebreak
			continue
		}
		a.trap()
	}
}

// itype emits an instruction with a 12-bit immediate.
func (a *riscvDriver) itype(op, f3 uint32, rd, rs int, imm int64) {
	a.word(op | uint32(rd)<<7 | f3<<12 | uint32(rs)<<15 | uint32(imm&0xfff)<<20)
}

// constant builds a value as an upper part, a shift, and a 12-bit addition.
func (a *riscvDriver) constant(reg int, v uint64) {
	low := int64(v<<52) >> 52
	if s := int64(v); s == int64(int32(s)) {
		upper := uint32(s-low) &^ 0xfff
		switch {
		case upper == 0:
			a.itype(0x13, 0, reg, 0, low) // addi
		default:
			a.word(0x37 | uint32(reg)<<7 | upper) // lui
			a.itype(0x1b, 0, reg, reg, low)       // addiw
		}
		return
	}
	rest, shift := int64(v)-low, int64(12)
	for rest>>shift&1 == 0 && shift < 63 {
		shift++
	}
	a.constant(reg, uint64(rest>>shift))
	a.itype(0x13, 1, reg, reg, shift) // slli
	if low != 0 {
		a.itype(0x13, 0, reg, reg, low)
	}
}

func (a *riscvDriver) load(reg, base int, off int64) { a.itype(0x03, 3, reg, base, off) }

func (a *riscvDriver) store(reg, base int, off int64) {
	a.word(0x3023 | uint32(off&0x1f)<<7 | uint32(base)<<15 | uint32(reg)<<20 | uint32(off>>5&0x7f)<<25)
}

func (a *riscvDriver) sum(reg, x, y int) {
	a.word(0x33 | uint32(reg)<<7 | uint32(x)<<15 | uint32(y)<<20)
}

func (a *riscvDriver) increase(reg int, by int64) { a.itype(0x13, 0, reg, reg, by) }

func (a *riscvDriver) address(reg int) func(uint64) {
	at := len(a.b)
	a.word(0)
	a.word(0)
	return func(to uint64) {
		d := uint32(to - (a.base + uint64(at)))
		low := d << 20 >> 20
		upper := d
		if low >= 0x800 {
			upper += 0x1000
		}
		binary.LittleEndian.PutUint32(a.b[at:], 0x17|uint32(reg)<<7|upper&^0xfff)              // auipc
		binary.LittleEndian.PutUint32(a.b[at+4:], 0x13|uint32(reg)<<7|uint32(reg)<<15|low<<20) // addi
	}
}

func (a *riscvDriver) jump(to uint64) {
	d := uint32(to - a.here())
	a.word(0x6f | d&0xff000 | d>>11&1<<20 | d>>1&0x3ff<<21 | d>>20&1<<31) // jal x0
}

func (a *riscvDriver) jumpTo(reg int) { a.itype(0x67, 0, 0, reg, 0) }

// branch emits a conditional branch; for a far target, an inverted branch over a jump.
func (a *riscvDriver) branch(f3 uint32, x, y int, to uint64) {
	d := int64(to - a.here())
	if d >= -4096 && d < 4096 {
		u := uint32(d)
		a.word(0x63 | f3<<12 | uint32(x)<<15 | uint32(y)<<20 | u>>11&1<<7 | u>>1&0xf<<8 | u>>5&0x3f<<25 | u>>12&1<<31)
		return
	}
	a.branch(f3^1, x, y, a.here()+8)
	a.jump(to)
}

func (a *riscvDriver) ifNonzero(reg int, to uint64) { a.branch(1, reg, 0, to) } // bne
func (a *riscvDriver) ifLess(x, y int, to uint64)   { a.branch(6, x, y, to) }   // bltu
func (a *riscvDriver) system()                      { a.word(0x73) }
func (a *riscvDriver) trap()                        { a.word(0x00100073) }
func (a *riscvDriver) nop()                         { a.word(0x13) }

// clock reads the counter that the host found readable, between fences: RISC-V has no other way to order the read.
func (a *riscvDriver) clock(reg int) {
	const fence = 0x0ff0000f
	a.word(fence)
	a.word(0x2073 | uint32(reg)<<7 | counterCSR()<<20) // csrrs reg, csr, x0
	a.word(fence)
}

func (a *riscvDriver) addition(t, n int) { a.sum(t, t, n) }

func (a *riscvDriver) state(c *Code, dataPage uint64) {
	t0, t1, t2 := a.free()
	if !c.Keep {
		a.constant(t0, dataPage)
		a.constant(t1, c.Fill)
		a.constant(t2, uint64(c.refill()/8))
		top := a.here()
		a.store(t1, t0, 0)
		a.increase(t0, 8)
		a.increase(t2, -1)
		a.ifNonzero(t2, top)
	}
	a.word(0x00301073) // csrw fcsr, x0: nearest, no exceptions seen
	a.constant(t0, c.Fill)
	for i := uint32(0); i < 32; i++ {
		a.word(0xf2000053 | uint32(t0)<<15 | i<<7) // fmv.d.x fi, a0
	}
	if c.Vectors {
		const e64m8 = 3<<3 | 3
		a.vset(t1, e64m8)
		for i := uint32(0); i < 32; i += 8 {
			a.word(0x5e004057 | uint32(t0)<<15 | i<<7) // vmv.v.x vi, a0
		}
		a.vset(t1, c.VType)
	}
	for i := 1; i < 32; i++ {
		a.constant(i, c.Regs[i])
	}
	a.word(0x0ff0000f) // fence
}

// vset sets a vector configuration with the maximal vector length.
func (a *riscvDriver) vset(reg int, vtype uint32) { a.word(0x7057 | uint32(reg)<<7 | vtype<<20) }

// CSR numbers of the timer and of the cycle counter (Zicntr).
const (
	cycleCSR = 0xc00
	timeCSR  = 0xc01
)

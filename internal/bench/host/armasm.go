package host

import "encoding/binary"

// arm64 is the machine description of AArch64. The addresses are below 2^39, the smallest address space that
// kernels give processes.
var arm64 = machine{elf: 183, code: 0x2a00000000, control: 0x2a40000000, start: armStart}

// armStart is svc #0; brk #0.
var armStart = []byte{0x01, 0, 0, 0xd4, 0, 0, 0x20, 0xd4}

func init() {
	arm64.program = func(c *Code, dataPage uint64) ([]byte, uint64, uint64) {
		return arm64.assemble(&armDriver{buffer{base: arm64.code}}, c, dataPage)
	}
	arm64.page = arm64.plain
}

// armDriver is a minimal assembler for A64 (Arm Architecture Reference Manual, C4.1). It encodes the driver's own instructions, so
// that the driver does not depend on incore's encoder; a test disassembles its output.
type armDriver struct{ buffer }

func (a *armDriver) free() (t0, t1, t2 int) { return 0, 1, 2 }

func (a *armDriver) call(number uint64, args ...uint64) {
	for i, v := range args {
		a.constant(i, v)
	}
	a.constant(8, number)
	a.system()
}

func (a *armDriver) writeStack(bytes uint64) {
	a.word(0x910003e1) // mov x1, sp
	a.constant(0, 1)
	a.constant(2, bytes)
	a.constant(8, sysWrite)
	a.system()
}

func (a *armDriver) align(n int) {
	for len(a.b)%n != 0 {
		a.word(0xd4200000) // brk #0
	}
}

func (a *armDriver) constant(reg int, v uint64) {
	a.word(0xd2800000 | uint32(v&0xffff)<<5 | uint32(reg)) // movz
	for i := uint32(1); i < 4; i++ {
		if part := uint32(v>>(16*i)) & 0xffff; part != 0 {
			a.word(0xf2800000 | i<<21 | part<<5 | uint32(reg)) // movk
		}
	}
}

func (a *armDriver) load(reg, base int, off int64) {
	a.word(0xf9400000 | uint32(off/8)<<10 | uint32(base)<<5 | uint32(reg))
}

func (a *armDriver) store(reg, base int, off int64) {
	a.word(0xf9000000 | uint32(off/8)<<10 | uint32(base)<<5 | uint32(reg))
}

func (a *armDriver) sum(reg, x, y int) {
	a.word(0x8b000000 | uint32(y)<<16 | uint32(x)<<5 | uint32(reg))
}

func (a *armDriver) increase(reg int, by int64) {
	op := uint32(0x91000000) // add
	if by < 0 {
		op, by = 0xd1000000, -by // sub
	}
	a.word(op | uint32(by)<<10 | uint32(reg)<<5 | uint32(reg))
}

func (a *armDriver) address(reg int) func(uint64) {
	at := len(a.b)
	a.word(0)
	return func(to uint64) {
		d := uint32(to - (a.base + uint64(at)))
		binary.LittleEndian.PutUint32(a.b[at:], 0x10000000|d&3<<29|d>>2&0x7ffff<<5|uint32(reg)) // adr
	}
}

func (a *armDriver) words(to uint64) uint32 { return uint32(int64(to-a.here()) >> 2) }

func (a *armDriver) jump(to uint64) { a.word(0x14000000 | a.words(to)&0x3ffffff) }
func (a *armDriver) jumpTo(reg int) { a.word(0xd61f0000 | uint32(reg)<<5) }
func (a *armDriver) ifNonzero(reg int, to uint64) {
	a.word(0xb5000000 | a.words(to)&0x7ffff<<5 | uint32(reg)) // cbnz
}

func (a *armDriver) ifLess(x, y int, to uint64) {
	a.word(0xeb00001f | uint32(y)<<16 | uint32(x)<<5) // cmp
	a.word(0x54000003 | a.words(to)&0x7ffff<<5)       // b.lo
}

func (a *armDriver) system() { a.word(0xd4000001) } // svc #0
func (a *armDriver) trap()   { a.word(0xd4200000) } // brk #0
func (a *armDriver) nop()    { a.word(0xd503201f) }

const armISB = 0xd5033fdf

// clock reads the virtual counter. A barrier before it prevents an early read, one after it keeps the following code from starting before
// the read (Arm ARM, D11.2.2).
func (a *armDriver) clock(reg int) {
	a.word(armISB)
	a.word(0xd53be040 | uint32(reg)) // mrs reg, cntvct_el0
	a.word(armISB)
}

func (a *armDriver) addition(t, n int) { a.sum(t, t, n) }

// armFlush is FPCR with FZ: denormal operands and results are zero.
const armFlush = 1 << 24

func (a *armDriver) state(c *Code, dataPage uint64) {
	if !c.Keep {
		a.constant(0, dataPage)
		a.constant(1, c.Fill)
		a.constant(2, uint64(c.refill()/16))
		top := a.here()
		a.word(0xa8810401) // stp x1, x1, [x0], #16
		a.increase(2, -1)
		a.ifNonzero(2, top)
	}
	fpcr := uint64(armFlush)
	if c.Denormals {
		fpcr = 0
	}
	a.constant(0, fpcr)
	a.word(0xd51b4400) // msr fpcr, x0
	a.word(0xd51b421f) // msr nzcv, xzr
	a.constant(0, c.Fill)
	for i := uint32(0); i < 32; i++ {
		if c.Vectors {
			a.word(0x05e03800 | i) // mov zi.d, x0
		} else {
			a.word(0x4e080c00 | i) // dup vi.2d, x0
		}
	}
	for i := uint32(0); c.Vectors && i < 16; i++ {
		a.word(0x2518e3e0 | i) // ptrue pi.b
	}
	if c.Vectors {
		a.word(0x252c9000) // setffr
	}
	a.constant(0, c.Regs[31])
	a.word(0x9100001f) // mov sp, x0
	for i := range 31 {
		a.constant(i, c.Regs[i])
	}
	a.word(0xd5033b9f) // dsb ish
	a.word(armISB)
}

package dbi

import (
	"encoding/binary"

	"incore/internal/isa"
)

// Hardware numbers of general registers.
const (
	rax = iota
	rcx
	rdx
	rbx
	rsp
	rbp
	rsi
	rdi
	r11     = 11
	r12     = 12
	noGPR   = -1
	gprs    = 16
	gsPrefx = 0x65
)

// Offsets in bytes of the slots of the control area, to which the segment register gs points.
const (
	slotTarget  = 0x00 // target of an indirect branch
	slotA       = 0x08 // saved registers
	slotC       = 0x10
	slotD       = 0x18
	slotFlags   = 0x20
	slotJump    = 0x28
	slotPointer = 0x30 // the next word of the record
	slotS1      = 0x38 // saved values of the two registers that a block's record uses
	slotS2      = 0x40
	slotKeys    = 0x1000 // hash table: targets
	tableBits   = 18
	tableBytes  = 8 << tableBits
	slotValues  = slotKeys + tableBytes // hash table: translations of the targets
	slotCounts  = slotValues + tableBytes
	maxBlocks   = 1 << 18
	hashFactor  = 0x9e3779b97f4a7c15 >> 33 // fits a 32-bit immediate
	tableMask   = 1<<tableBits - 1
	hashShift   = 12
)

// hashOf returns the index at which the search for a target begins in the table.
func hashOf(target uint64) uint64 { return target * hashFactor >> hashShift & tableMask }

// code is machine code under construction for an address.
type code struct {
	base uint64
	b    []byte
}

func (c *code) at() uint64          { return c.base + uint64(len(c.b)) }
func (c *code) bytes(b ...byte)     { c.b = append(c.b, b...) }
func (c *code) u32(v uint32)        { c.b = binary.LittleEndian.AppendUint32(c.b, v) }
func (c *code) u64(v uint64)        { c.b = binary.LittleEndian.AppendUint64(c.b, v) }
func rex(w, r, x, b int) byte       { return byte(0x40 | w<<3 | r>>3<<2 | x>>3<<1 | b>>3) }
func modrm(mod, reg, rm int) byte   { return byte(mod<<6 | reg&7<<3 | rm&7) }
func (c *code) rel(target uint64)   { c.u32(uint32(target - c.at() - 4)) }
func (c *code) jump(target uint64)  { c.bytes(0xe9); c.rel(target) }
func (c *code) save(reg, slot int)  { c.slot(0x89, reg, slot) }
func (c *code) load(slot, reg int)  { c.slot(0x8b, reg, slot) }
func (c *code) popSlot(slot uint32) { c.bytes(gsPrefx, 0x8f, 0x04, 0x25); c.u32(slot) }

// slot emits a move between a general register and the control area.
func (c *code) slot(opcode byte, reg, slot int) {
	c.bytes(gsPrefx, rex(1, reg, 0, 0), opcode, modrm(0, reg, 4), 0x25)
	c.u32(uint32(slot))
}

// store emits mov %reg, disp(%base). base is not r12.
func (c *code) store(reg, base int, disp int32) {
	c.bytes(rex(1, reg, 0, base), 0x89, modrm(2, reg, base))
	c.u32(uint32(disp))
}

// storeImm emits movq $imm, disp(%base).
func (c *code) storeImm(imm int32, base int, disp int32) {
	c.bytes(rex(1, 0, 0, base), 0xc7, modrm(2, 0, base))
	c.u32(uint32(disp))
	c.u32(uint32(imm))
}

// advance emits lea by(%reg), %reg.
func (c *code) advance(reg int, by int32) {
	c.bytes(rex(1, reg, 0, reg), 0x8d, modrm(2, reg, reg))
	c.u32(uint32(by))
}

// storeMask emits the store of a mask register: kmovq if wide is set, else kmovw.
func (c *code) storeMask(k, base int, disp int32, wide bool) {
	w := byte(0)
	if wide {
		w = 0x80
	}
	c.bytes(0xc4, 0x80|0x40|byte(^base>>3&1)<<5|1, w|0x78, 0x91, modrm(2, k, base))
	c.u32(uint32(disp))
}

// storeVector emits the unaligned store of a vector register of 128, 256 or 512 bits.
func (c *code) storeVector(v, bits, base int, disp int32) {
	if bits <= 256 && v < 16 {
		l := byte(0)
		if bits == 256 {
			l = 4
		}
		c.bytes(0xc4, byte(^v>>3&1)<<7|0x40|byte(^base>>3&1)<<5|1, 0x78|l|2, 0x7f, modrm(2, v, base))
	} else {
		l := map[int]byte{128: 0, 256: 1, 512: 2}[bits]
		c.bytes(0x62, byte(^v>>3&1)<<7|0x40|byte(^base>>3&1)<<5|byte(^v>>4&1)<<4|1, 0xfe, l<<5|8, 0x7f, modrm(2, v, base))
	}
	c.u32(uint32(disp))
}

// lea emits the address of a memory operand into a general register, without its segment's base and a vector index.
func (t *Translator) lea(c *code, m *isa.MemRef, next uint64, to int) bool {
	base, index := noGPR, noGPR
	if m.Base != isa.NoReg {
		if t.isa.Constant(m.Base) { // relative to the instruction pointer
			c.bytes(rex(1, to, 0, 0), 0x8d, modrm(0, to, 5))
			distance := int64(next) + m.Disp - int64(c.at()) - 4
			c.u32(uint32(distance))
			return distance == int64(int32(distance))
		}
		if base = t.regs.gpr(m.Base); base == noGPR {
			return false
		}
	}
	if m.Index != isa.NoReg && !m.Gather {
		if index = t.regs.gpr(m.Index); index == noGPR || index == rsp {
			return false
		}
	}
	if t.regs.bits32(m.Base) || t.regs.bits32(m.Index) {
		c.bytes(0x67)
	}
	scale := map[uint8]byte{0: 0, 1: 0, 2: 1, 4: 2, 8: 3}[m.Scale]
	if index == noGPR {
		index, scale = rsp, 0 // none
	}
	c.bytes(rex(1, to, index, max(base, 0)), 0x8d)
	if base == noGPR {
		c.bytes(modrm(0, to, 4), scale<<6|byte(index&7)<<3|5)
	} else {
		c.bytes(modrm(2, to, 4), scale<<6|byte(index&7)<<3|byte(base&7))
	}
	c.u32(uint32(int32(m.Disp)))
	return true
}

// routine emits the search for the translation of an indirect branch's target. The search keeps all registers and flags. miss is the trap for a target that is not
// in the table; again is the address at which the search restarts after the tracer added the target.
func (c *code) routine() (again, miss uint64) {
	c.save(rax, slotA)
	c.save(rcx, slotC)
	c.save(rdx, slotD)
	c.bytes(0x9f)             // lahf
	c.bytes(0x0f, 0x90, 0xc0) // seto %al
	c.save(rax, slotFlags)
	again = c.at()
	c.load(slotTarget, rcx)
	c.bytes(0x48, 0x69, 0xc1) // imul $factor, %rcx, %rax
	c.u32(hashFactor)
	c.bytes(0x48, 0xc1, 0xe8, hashShift) // shr
	c.bytes(0x25)                        // and $mask, %eax
	c.u32(tableMask)
	loop := c.at()
	c.bytes(gsPrefx, 0x48, 0x8b, 0x14, 0xc5) // mov gs:keys(,%rax,8), %rdx
	c.u32(slotKeys)
	c.bytes(0x48, 0x39, 0xca) // cmp %rcx, %rdx
	c.bytes(0x74, 0)          // je hit
	hit := len(c.b)
	c.bytes(0x48, 0x85, 0xd2) // test %rdx, %rdx
	c.bytes(0x74, 0)          // je miss
	out := len(c.b)
	c.bytes(0xff, 0xc0) // inc %eax
	c.bytes(0x25)
	c.u32(tableMask)
	c.jump(loop)
	c.b[out-1] = byte(len(c.b) - out)
	miss = c.at()
	c.bytes(0xcc)
	c.b[hit-1] = byte(len(c.b) - hit)
	c.bytes(gsPrefx, 0x48, 0x8b, 0x04, 0xc5) // mov gs:values(,%rax,8), %rax
	c.u32(slotValues)
	c.save(rax, slotJump)
	c.load(slotFlags, rax)
	c.bytes(0x04, 0x7f) // add $0x7f, %al: overflows as before
	c.bytes(0x9e)       // sahf
	c.load(slotD, rdx)
	c.load(slotC, rcx)
	c.load(slotA, rax)
	c.bytes(gsPrefx, 0xff, 0x24, 0x25) // jmp *gs:slotJump
	c.u32(slotJump)
	return again, miss
}

// Package clone copies functions of an x86-64 executable to another address, and inserts code between their instructions that records the executed
// blocks and the accessed addresses. The copy runs in the executable's own process on its own data. The executable stays unchanged, and any extension
// of the instruction set works, because instructions are copied, not emulated.
//
// The record is an array of 64-bit words: −1−i where block i begins, else the address that an instruction accesses, in program order.
package clone

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"incore/internal/isa"
	"incore/internal/object"
)

// Addresses of the copy and its data. All are below 2 GiB, so that instructions can contain them as 32-bit displacements.
const (
	Base    = 0x20000000 // code
	Control = 0x2f000000 // one page: a pointer to the record's next word, two saved registers
	Record  = 0x30000000
	pointer = Control
	savedA  = Control + 8
	savedC  = Control + 16
)

// Access is a memory operand whose address is recorded.
type Access struct {
	Line        int // index of the instruction in the block
	Bytes       int
	Load, Store bool
}

// Block is a copied basic block.
type Block struct {
	Func     *object.Function
	Graph    *object.Graph
	Index    int // in the graph
	Accesses []Access
}

// Addr returns the address of the block in the executable.
func (b *Block) Addr() uint64 { return b.Graph.Blocks[b.Index].Addr }

// Image is a copy of a function and all its callees.
type Image struct {
	Code   []byte // for address Base
	Entry  uint64 // of the function's copy
	Blocks []Block
}

// OutsideError is the error of code that leads to code which cannot be copied.
type OutsideError struct {
	Addr uint64
	What string
}

func (e *OutsideError) Error() string { return fmt.Sprintf("%s at %#x", e.What, e.Addr) }

// Make copies a function and its callees. The error is an *OutsideError if the code calls other files, jumps through registers or cannot be decoded.
func Make(f *object.File, entry *object.Function) (*Image, error) {
	if f.ISA.Name != "x86-64" {
		return nil, fmt.Errorf("functions of %s code cannot be copied", f.ISA.Name)
	}
	m := &maker{file: f, at: map[uint64]uint64{}, lea: f.ISA.Forms.Named("LEA64r"), image: &Image{}}
	m.functions = append(m.functions, entry)
	for i := 0; i < len(m.functions); i++ {
		if err := m.function(m.functions[i]); err != nil {
			return nil, err
		}
	}
	for _, x := range m.fixups {
		to, ok := m.at[x.target]
		if !ok {
			return nil, &OutsideError{x.target, "a jump into a block"}
		}
		binary.LittleEndian.PutUint32(m.image.Code[x.at:], uint32(int64(to)-int64(Base+x.at+4)))
	}
	m.image.Entry = m.at[entry.Addr]
	return m.image, nil
}

// fixup is a 32-bit distance in the copy that leads to the copy of target.
type fixup struct {
	at     int
	target uint64
}

type maker struct {
	file      *object.File
	image     *Image
	functions []*object.Function
	at        map[uint64]uint64 // head of a block → its copy
	fixups    []fixup
	lea       isa.FormID
}

func (m *maker) emit(code ...byte) { m.image.Code = append(m.image.Code, code...) }

// absolute emits an instruction whose operand is memory at a 32-bit address.
func (m *maker) absolute(addr uint32, opcode ...byte) {
	m.emit(opcode...)
	m.image.Code = binary.LittleEndian.AppendUint32(m.image.Code, addr)
}

// branch emits an opcode with a distance to the copy of target.
func (m *maker) branch(target uint64, opcode ...byte) {
	m.emit(opcode...)
	m.fixups = append(m.fixups, fixup{len(m.image.Code), target})
	m.emit(0, 0, 0, 0)
}

func (m *maker) function(fn *object.Function) error {
	g := fn.Graph()
	if g.Bad > 0 || len(g.Blocks) == 0 {
		return &OutsideError{fn.Addr, "bytes that are no instruction"}
	}
	for i := range g.Blocks {
		b := &g.Blocks[i]
		m.at[b.Addr] = Base + uint64(len(m.image.Code))
		m.image.Blocks = append(m.image.Blocks, Block{Func: fn, Graph: g, Index: i})
		m.count(len(m.image.Blocks) - 1)
		for k, l := range g.Insts(i) {
			if err := m.instruction(fn, &l, k); err != nil {
				return err
			}
		}
		switch b.Flow {
		case isa.FlowNext, isa.FlowCall, isa.FlowCond:
			if i+1 < len(g.Blocks) && g.Blocks[i+1].Addr != b.End {
				m.branch(b.End, 0xe9)
			}
		}
	}
	return nil
}

// count emits the record of a block, without a change of flags or registers.
func (m *maker) count(block int) {
	m.absolute(savedA, 0x48, 0x89, 0x04, 0x25)            // mov %rax, savedA
	m.absolute(pointer, 0x48, 0x8b, 0x04, 0x25)           // mov pointer, %rax
	m.absolute(uint32(int32(-1-block)), 0x48, 0xc7, 0x00) // movq $-1-block, (%rax)
	m.emit(0x48, 0x8d, 0x40, 0x08)                        // lea 8(%rax), %rax
	m.absolute(pointer, 0x48, 0x89, 0x04, 0x25)           // mov %rax, pointer
	m.absolute(savedA, 0x48, 0x8b, 0x04, 0x25)            // mov savedA, %rax
}

// access emits the record of the address of an instruction's memory operand, if it has one that a general-purpose LEA computes.
func (m *maker) access(l *isa.Line, line int) {
	a := m.file.ISA
	var e isa.Effects
	a.Effects(&l.Inst, &e)
	op := a.Forms.MemOp(l.Inst.Form)
	if op < 0 || len(e.Mem) == 0 || l.Inst.Reg(op+4) != isa.NoReg { // a segment's base is not known
		return
	}
	lea := isa.Inst{Form: m.lea}
	lea.AddReg(m.rax())
	for i := range 5 {
		lea.Add(l.Inst.Ops[op+i])
	}
	prologue := len(m.image.Code)
	m.absolute(savedA, 0x48, 0x89, 0x04, 0x25) // mov %rax, savedA
	if relative(a, &l.Inst, op) {
		target := l.Addr + uint64(l.Inst.Size) + uint64(lea.Ops[4].Imm)
		m.absolute(uint32(target), 0x48, 0xc7, 0xc0) // mov $target, %rax
	} else {
		code, err := a.Encode(m.image.Code, &lea, 0)
		if err != nil { // indices that are vectors
			m.image.Code = m.image.Code[:prologue]
			return
		}
		m.image.Code = code
	}
	m.absolute(savedC, 0x48, 0x89, 0x0c, 0x25)  // mov %rcx, savedC
	m.absolute(pointer, 0x48, 0x8b, 0x0c, 0x25) // mov pointer, %rcx
	m.emit(0x48, 0x89, 0x01)                    // mov %rax, (%rcx)
	m.emit(0x48, 0x8d, 0x49, 0x08)              // lea 8(%rcx), %rcx
	m.absolute(pointer, 0x48, 0x89, 0x0c, 0x25) // mov %rcx, pointer
	m.absolute(savedC, 0x48, 0x8b, 0x0c, 0x25)  // mov savedC, %rcx
	m.absolute(savedA, 0x48, 0x8b, 0x04, 0x25)  // mov savedA, %rax
	x := Access{Line: line}
	for _, mem := range e.Mem {
		x.Bytes = max(x.Bytes, int(mem.Bits)*max(1, int(mem.Elems))/8)
		x.Load, x.Store = x.Load || mem.Load, x.Store || mem.Store
	}
	b := &m.image.Blocks[len(m.image.Blocks)-1]
	b.Accesses = append(b.Accesses, x)
}

func (m *maker) rax() isa.Reg {
	return m.file.ISA.Regs.Named("RAX")
}

// relative reports whether the memory operand op has the instruction pointer for a base.
func relative(a *isa.ISA, in *isa.Inst, op int) bool {
	return in.Reg(op) != isa.NoReg && a.Constant != nil && a.Constant(in.Reg(op))
}

// instruction copies one instruction.
func (m *maker) instruction(fn *object.Function, l *isa.Line, line int) error {
	a := m.file.ISA
	if l.Err != nil {
		return &OutsideError{l.Addr, "bytes that are no instruction"}
	}
	bytes := m.file.Bytes(l.Addr, int(l.Inst.Size))
	flow := a.Flow(&l.Inst)
	target := uint64(math.MaxUint64)
	if flow.Target.Kind == isa.OpImm {
		target = uint64(flow.Target.Imm)
	}
	switch flow.Kind {
	case isa.FlowNext:
		m.access(l, line)
		return m.plain(l, bytes)
	case isa.FlowReturn, isa.FlowTrap:
		m.emit(bytes...)
		return nil
	case isa.FlowCall:
		if err := m.callee(target, l.Addr); err != nil {
			return err
		}
		m.branch(target, 0xe8)
		return nil
	case isa.FlowJump, isa.FlowCond:
		if target < fn.Addr || target >= fn.End() {
			if err := m.callee(target, l.Addr); err != nil {
				return err
			}
		}
		return m.jump(bytes, target, l.Addr)
	}
	return &OutsideError{l.Addr, "a jump through a register or memory"}
}

// callee notes a function that code leads to.
func (m *maker) callee(target, from uint64) error {
	if _, ok := m.at[target]; ok {
		return nil
	}
	fn := m.file.At(target)
	if fn != nil && m.copied(fn) { // back from a part that the compiler moved elsewhere because it is seldom executed
		return nil
	}
	if fn == nil || fn.Addr != target {
		name := m.file.Name(target)
		if name == "" {
			name = "an address that is not known"
		}
		return &OutsideError{from, "a call of " + name}
	}
	m.functions = append(m.functions, fn)
	return nil
}

// copied reports whether a function is copied.
func (m *maker) copied(fn *object.Function) bool { return slices.Contains(m.functions, fn) }

// jump copies a direct jump, with a distance of 32 bits.
func (m *maker) jump(bytes []byte, target, from uint64) error {
	for len(bytes) > 1 && (bytes[0] == 0x2e || bytes[0] == 0x3e || bytes[0] == 0xf2) { // hints, bnd
		bytes = bytes[1:]
	}
	switch op := bytes[0]; {
	case op == 0xe9 || op == 0xeb:
		m.branch(target, 0xe9)
	case op >= 0x70 && op < 0x80:
		m.branch(target, 0x0f, 0x80|op&15)
	case op == 0x0f && len(bytes) > 1:
		m.branch(target, 0x0f, bytes[1])
	default:
		return &OutsideError{from, "a loop or jrcxz instruction"}
	}
	return nil
}

// plain copies an instruction that continues with the next one, and corrects its instruction-pointer-relative address.
func (m *maker) plain(l *isa.Line, bytes []byte) error {
	a := m.file.ISA
	in := l.Inst
	op := 0 // of LEA, which accesses nothing, too
	for op < int(in.NOps) && !relative(a, &in, op) {
		op++
	}
	if op+4 >= int(in.NOps) || in.Ops[op+3].Kind != isa.OpImm {
		m.emit(bytes...)
		return nil
	}
	at := uint64(Base + len(m.image.Code))
	in.Ops[op+3].Imm += int64(l.Addr) - int64(at)
	code, err := a.Encode(nil, &in, at)
	if err != nil || len(code) != len(bytes) {
		return &OutsideError{l.Addr, "an address that cannot be moved"}
	}
	m.emit(code...)
	return nil
}

package isa

// Role is the purpose of a register access.
type Role uint8

// The roles of a register access.
const (
	RoleData    Role = iota // a value operand or result
	RoleAddr                // base or index of a memory operand (read)
	RoleUpdate              // base register written back by pre/post-indexing (write)
	RoleMask                // predicate or mask register (read)
	RoleFlags               // condition flags
	RoleControl             // rounding mode, vl/vtype: state that seldom changes
)

// Access is one register read or written by an instruction.
type Access struct {
	Reg  Reg
	Op   int8 // MC operand number; ^i for the i-th implicit use (reads) or definition (writes) of the form
	Role Role
	// Merge marks a write that keeps part of the containing register (x86 8/16-bit registers, A64 lanes that the form does not show as tied). Cores
	// that do not rename the part separately also read the old value.
	Merge bool
	// Whole is the register whose other parts a Merge keeps, NoReg if that is Reg itself.
	Whole Reg
	// SameValue marks a read whose value does not matter (xor r,r): a core that
	// knows the idiom has no dependence here.
	SameValue bool
}

// MemRef is one memory operand of an instruction.
type MemRef struct {
	Op          int8 // first MC operand of the address, ^i if implicit (stack, string instructions)
	Base, Index Reg  // NoReg if absent; x86 rip-relative has Base RIP
	Seg         Reg  // segment with a base of its own (FS, GS), else NoReg
	Scale       uint8
	Disp        int64
	Sym         *Expr  // symbolic part of the displacement
	Bits        uint16 // bits accessed per element, 0 unknown
	Elems       uint16 // elements accessed (gathers, structure loads), 1 for plain accesses, 0 unknown (scalable vectors)
	Load, Store bool
	// Update is the amount by which Base changes after (Post) or before (pre-index) the access; 0 if it does not change, or changes by a register.
	Update int64
	Post   bool // the address is Base alone; Update is added afterwards
	// Vector index (gather/scatter): Index is a vector register.
	Gather bool
	// Extend is the extension of a 32-bit index: 0 none, 's' sign, 'u' zero.
	Extend byte
}

// Effects are the register and memory accesses of one instruction. Reuse one
// value for many instructions: ISA.Effects resets the slices and keeps their memory.
type Effects struct {
	Reads, Writes []Access
	Mem           []MemRef
}

// Reset empties the lists.
func (e *Effects) Reset() { e.Reads, e.Writes, e.Mem = e.Reads[:0], e.Writes[:0], e.Mem[:0] }

// Effects computes the registers and memory that an instruction reads and writes: explicit operands by the form table (definitions, ties), implicit
// ones, then the refinement of the ISA (flag groups, zero registers, memory operands, partial writes). Unknown forms have no effects.
func (a *ISA) Effects(in *Inst, e *Effects) {
	e.Reset()
	if in.Form == NoForm {
		return
	}
	t := a.Forms
	defs := t.NumDefs(in.Form)
	for i := 0; i < int(in.NOps); i++ {
		if in.Ops[i].Kind != OpReg || in.Ops[i].Reg == NoReg {
			continue
		}
		acc := Access{Reg: in.Ops[i].Reg, Op: int8(i)}
		if i < defs {
			e.Writes = append(e.Writes, acc)
		} else {
			e.Reads = append(e.Reads, acc)
		}
	}
	for i, l := 0, t.ImplicitUses(in.Form); i < l.Len(); i++ {
		e.Reads = append(e.Reads, Access{Reg: Reg(l.At(i)), Op: int8(^i)})
	}
	for i, l := 0, t.ImplicitDefs(in.Form); i < l.Len(); i++ {
		e.Writes = append(e.Writes, Access{Reg: Reg(l.At(i)), Op: int8(^i)})
	}
	if a.Refine != nil {
		a.Refine(in, e)
	}
}

package isa

// Rewrites are the equivalent forms of an instruction set's instructions, for advice that changes code and predicts the result. Each function may be
// nil: then the instruction set has no such change. None of them changes its argument.
type Rewrites struct {
	// Files are the sets of interchangeable registers, given by the classes (RegTable.Class) of their parts.
	Files []RegFile
	// Common reports whether every core of the instruction set has a register; nil: all have it.
	Common func(r Reg) bool
	// Name returns a register in the first syntax, without sigil; nil: LLVM's name in lower case.
	Name func(r Reg) string
	// Step recognises r = r + imm, of 32 or 64 bits.
	Step func(in *Inst) (r Reg, imm int64, ok bool)
	// WithStep returns the instruction with another constant.
	WithStep func(in *Inst, imm int64) (Inst, bool)
	// Displaced returns the instruction with a displacement of memory operand m that is larger by a number of bytes.
	Displaced func(in *Inst, m *MemRef, by int64) (Inst, bool)
	// Simple returns the instruction with the base and displacement of memory operand m, without index.
	Simple func(in *Inst, m *MemRef) (Inst, bool)
	// Reduces names the operation by which an instruction combines a value with the old content of MC operand op, if the order of several of them
	// affects only rounding: sum, product, minimum, maximum, and, or, xor; "" for all others.
	Reduces func(in *Inst, op int) string
	// AddTo and Zero return statements, in the first syntax, that add a constant to a register, and that set it to zero without reading it.
	AddTo func(r Reg, imm int64) string
	Zero  func(r Reg) string
	// Wider returns an instruction that does the same to more neighbouring elements, in vectors of the given number of bits, and the factor of the
	// number of elements. times is 1 for an instruction that does not process elements (the loop's own arithmetic).
	Wider func(in *Inst, bits int) (wider Inst, times int, ok bool)
	// Widths are the vector widths in bits that Wider supports, widest first.
	Widths []int
	// Reciprocal returns a multiplication by the reciprocal in place of a division, and the MC operand of the divisor.
	Reciprocal func(in *Inst) (product Inst, divisor int, ok bool)
	// Instead returns statements, in the first syntax, with the effect of an instruction; free are unused registers.
	Instead func(in *Inst, free []Reg) []Instead
	// Copy returns a statement, in the first syntax, that copies a register.
	Copy func(dst, src Reg) string
	// Unneeded reports whether the code's result does not depend on the old value of MC operand op, although the instruction keeps a part of it.
	Unneeded func(in *Inst, op int) bool
	// LoadsWhole returns a load of MC operand 0 that writes the whole register, with zeros or copies of the sign above the loaded part.
	LoadsWhole func(in *Inst) (Inst, bool)
}

// RegFile is a set of interchangeable registers.
type RegFile struct {
	Classes []string // widest last
	Keep    []string // LLVM's names of those with a special use (a stack pointer)
}

// Instead is a replacement of an instruction.
type Instead struct {
	Statements []string
	Flags      bool   // it sets the flags differently
	Needs      string // its condition, as Assumption names it; "" if none
}

package isa

// Rewrites are the ways in which an instruction set can say the same differently, for advice that changes code and predicts what becomes of it.
// Each function may be nil: then the instruction set does not know such a change. None of them changes its argument.
type Rewrites struct {
	// Files are the sets of registers that may take each other's place, by the classes (RegTable.Class) that name their parts: the register at one
	// index of each class is one register seen in several widths.
	Files []RegFile
	// Common reports whether every core of the instruction set has a register; nil: they have all.
	Common func(r Reg) bool
	// Name is a register as the first syntax writes it, without sigil; nil: LLVM's name in lower case.
	Name func(r Reg) string
	// Step recognises r = r + imm, of 32 or 64 bits.
	Step func(in *Inst) (r Reg, imm int64, ok bool)
	// WithStep is such an instruction with another constant.
	WithStep func(in *Inst, imm int64) (Inst, bool)
	// Displaced is an instruction that accesses memory operand m that many bytes further on.
	Displaced func(in *Inst, m *MemRef, by int64) (Inst, bool)
	// Simple is an instruction whose memory operand m has the same base and displacement and no index.
	Simple func(in *Inst, m *MemRef) (Inst, bool)
	// Reduces names the operation by which an instruction joins a value to what MC operand op holds, such that the order of several of them makes no
	// difference but in rounding: one of the names of Reductions; "" for all others.
	Reduces func(in *Inst, op int) string
	// AddTo and Zero are statements, in the first syntax, that add a constant to a register and that set it to zero without reading it.
	AddTo func(r Reg, imm int64) string
	Zero  func(r Reg) string
	// Wider is an instruction that does the same to more elements that lie side by side: to vectors of so many bits, and how many times as
	// many elements that are. times is 1 for what is not about elements (the loop's own arithmetic).
	Wider func(in *Inst, bits int) (wider Inst, times int, ok bool)
	// Widths are the vector widths in bits that Wider knows, the widest first.
	Widths []int
	// Reciprocal is a multiplication that stands for a division, with a reciprocal in place of the divisor, and the MC operand of the divisor.
	Reciprocal func(in *Inst) (product Inst, divisor int, ok bool)
	// Instead lists statements, in the first syntax, that have the effect of an instruction; free are registers that hold nothing.
	Instead func(in *Inst, free []Reg) []Instead
	// Copy is a statement, in the first syntax, that copies a register.
	Copy func(dst, src Reg) string
	// Unneeded reports that what MC operand op held before does not matter to what the code computes, though the instruction leaves a part of it as it was.
	Unneeded func(in *Inst, op int) bool
	// LoadsWhole is a load of MC operand 0 that loads all of the register, with zeros or copies of the sign above what it loads in part.
	LoadsWhole func(in *Inst) (Inst, bool)
}

// RegFile is a set of registers that may take each other's place.
type RegFile struct {
	Classes []string // the widest last
	Keep    []string // LLVM's names of those that have a use of their own (a stack pointer)
}

// Instead is another way to say an instruction.
type Instead struct {
	Statements []string
	Flags      bool   // it leaves the flags otherwise
	Needs      string // what must hold, as Assumption has it; "" if nothing
}

// Reductions are the names of operations that Rewrites.Reduces gives.
var Reductions = []string{"sum", "product", "minimum", "maximum", "and", "or", "xor"}

package isa

import (
	"math/bits"
	"slices"
)

// Semantics describes the integer arithmetic of an instruction set, as far as addresses need it. Results that it does not describe count as unknown.
type Semantics struct {
	// Lift appends the integer semantics of an instruction to dst. If ok is false, they are not known, and so every integer register that the
	// instruction writes, and its stored data, are unknown. The update of base registers (MemRef.Update) is not included.
	Lift func(in *Inst, dst []IntStep) (steps []IntStep, ok bool)
	// Branch appends steps that leave a value other than 0 in T1 if a conditional branch is taken. ok is false if the condition is not evaluated.
	Branch func(in *Inst, dst []IntStep) (steps []IntStep, ok bool)
	// Part returns the bits of a 64-bit register that an integer register consists of; width is 0 for other registers and for those that read as
	// zero.
	Part func(r Reg) (full Reg, shift, width uint8)
	// Symbol returns the part of a symbol's address that an expression stands for.
	Symbol func(e *Expr) SymbolPart
	// PC is the register that reads as the address of the next instruction, NoReg if there is none.
	PC Reg
	// VectorBytes returns the bytes that a memory operand of unknown element count accesses where the
	// vector registers have vl bytes; 0 if that depends on more.
	VectorBytes func(in *Inst, m *MemRef, vl int) int
	// ElementBytes returns the bytes of each access of a strided memory operand (MemRef.Index without a scale); nil if the ISA has none.
	ElementBytes func(in *Inst, m *MemRef) int
	// Flags are the slots of condition flags, known only where the code sets them. FlagReg is the register that holds the flags that are not
	// registers, NoReg if all are.
	Flags   []Slot
	FlagReg Reg
	// Clobbered are the registers that a call leaves undefined in the usual calling convention.
	Clobbered []Reg
	// Arguments are the registers that pass integers and pointers in the usual calling convention, in order.
	Arguments []Reg
}

// SymbolPart is a part of a symbol's address.
type SymbolPart uint8

// The parts.
const (
	SymbolWhole   SymbolPart = iota
	SymbolLow                // the lowest 12 bits
	SymbolPage               // the rest
	SymbolLowAdd             // the lowest 12 bits, sign-extended
	SymbolHighAdd            // the number that SymbolLowAdd must be added to
	SymbolSlot               // the address of a table entry that holds the symbol's address
	SymbolNone               // 0: another instruction brings the whole address
	SymbolVL                 // not a symbol: Expr.Add times the bytes of a vector register
	SymbolVL2                // … of half of it
	SymbolVL4                // … of a quarter
	SymbolVL8                // … of an eighth
)

// Slot is a place that steps read and write: the immediate, a temporary, or a 64-bit register.
type Slot uint16

// The slots; registers follow the temporaries. Temporaries have no meaning beyond one instruction.
const (
	Imm Slot = iota // the step's immediate, read only
	T1
	T2
	T3
	T4
	T5
	T6
	T7
	Carry    // a condition flag: 0 or 1
	Overflow // likewise
	FirstReg
)

// RegSlot returns the slot of a register, which must be a full one (Semantics.Part).
func RegSlot(r Reg) Slot { return FirstReg + Slot(r) }

// IntStep is one elementary operation: Dst = Op(A, B) on operands of Width bits; the result is zero-extended to 64 bits. The result is unknown if an
// operand is unknown.
type IntStep struct {
	Op    StepKind
	Width uint8 // 8, 16, 32 or 64
	N     uint8 // a number of bits (extensions, fields), an offset in bytes (loads, stores), or Exactly (moves)
	Dst   Slot
	A, B  Slot
	Imm   int64
	Sym   *Expr // StepSymbol: the symbol, Imm being the addend
}

// Exactly, as N of a conditional move, makes the condition known only if the code alone determines it, as needed for comparisons by order: two
// different unknown values are unequal, but either may be less.
const Exactly = 1

// StepKind is an elementary operation.
type StepKind uint8

// The operations. Shifts by the width or more give zero or copies of the sign.
const (
	StepCopy   StepKind = iota // A
	StepAdd                    // A + B
	StepSub                    // A - B
	StepMul                    // A · B
	StepMulHU                  // high half of the product, unsigned
	StepMulHS                  // signed
	StepMulHSU                 // A signed, B not
	StepDivU                   // A / B; Imm if B is 0
	StepDivS
	StepRemU // A - A/B·B; A if B is 0
	StepRemS
	StepAnd
	StepOr
	StepXor
	StepAndNot // A &^ B
	StepOrNot
	StepXorNot
	StepShl
	StepShr
	StepSar
	StepRol
	StepRor
	StepExtract2 // bits Imm and up of B and, above it, A
	StepSext     // A's lowest N bits, sign-extended
	StepZext
	StepExtract // N bits of A from bit Imm on
	StepInsert  // A with its N bits from bit Imm on replaced by B's lowest
	StepLessU   // 1 if A < B
	StepLessS
	StepMinU
	StepMaxU
	StepMinS
	StepMaxS
	StepClz
	StepCtz
	StepPopcount
	StepByteSwap
	StepBitReverse
	StepByteSwapIn // bytes reversed within units of N bits
	StepOrBytes    // bytes that are not 0 become 255
	// The following need more than their operands:
	StepVL      // bytes of a vector register, times Imm, shifted right by N
	StepPC      // address of the next instruction plus Imm
	StepSymbol  // a symbol's address
	StepLoad    // Width bits at N bytes into memory operand Imm
	StepStore   // writes A there
	StepInvalid // unknown
	// The following keep Dst or write B to it. If A is unknown, or comes from memory that the code did not write, Dst is known only if B has the same
	// value.
	StepMoveIfZero // if A is 0
	StepMoveIfNot  // if A is not 0
)

// Apply computes a step from its operands, for the operations up to StepOrBytes.
func (s *IntStep) Apply(a, b uint64) uint64 {
	w := uint(s.Width)
	mask := ^uint64(0) >> (64 - w)
	a, b = a&mask, b&mask
	signed := func(v uint64) int64 { return int64(v<<(64-w)) >> (64 - w) }
	var r uint64
	switch s.Op {
	case StepCopy:
		r = a
	case StepAdd:
		r = a + b
	case StepSub:
		r = a - b
	case StepMul:
		r = a * b
	case StepMulHU, StepMulHS, StepMulHSU:
		r = mulHigh(s.Op, w, a, b)
	case StepDivU, StepDivS, StepRemU, StepRemS:
		r = s.divide(a, b, signed(a), signed(b))
	case StepAnd:
		r = a & b
	case StepOr:
		r = a | b
	case StepXor:
		r = a ^ b
	case StepAndNot:
		r = a &^ b
	case StepOrNot:
		r = a | ^b
	case StepXorNot:
		r = a ^ ^b
	case StepShl:
		r = a << b
	case StepShr:
		r = a >> b
	case StepSar:
		r = uint64(signed(a) >> b)
	case StepRol:
		b %= uint64(w)
		r = a<<b | a>>(uint64(w)-b)
	case StepRor:
		b %= uint64(w)
		r = a>>b | a<<(uint64(w)-b)
	case StepExtract2:
		r = b>>uint(s.Imm) | a<<(w-uint(s.Imm))
	case StepSext:
		n := 64 - uint(s.N)
		r = uint64(int64(a<<n) >> n)
	case StepZext:
		r = a << (64 - uint(s.N)) >> (64 - uint(s.N))
	case StepExtract:
		r = a >> uint(s.Imm) & (1<<s.N - 1)
	case StepInsert:
		field := uint64(1<<s.N-1) << uint(s.Imm)
		r = a&^field | b<<uint(s.Imm)&field
	default:
		r = s.applyRest(a, b, signed(a), signed(b))
	}
	return r & mask
}

// applyRest computes the comparisons and the bit counts.
func (s *IntStep) applyRest(a, b uint64, sa, sb int64) uint64 {
	truth := func(c bool) uint64 {
		if c {
			return 1
		}
		return 0
	}
	switch s.Op {
	case StepLessU:
		return truth(a < b)
	case StepLessS:
		return truth(sa < sb)
	case StepMinU:
		return min(a, b)
	case StepMaxU:
		return max(a, b)
	case StepMinS:
		return uint64(min(sa, sb))
	case StepMaxS:
		return uint64(max(sa, sb))
	case StepClz:
		return uint64(bits.LeadingZeros64(a)) - uint64(64-uint(s.Width))
	case StepCtz:
		return uint64(min(bits.TrailingZeros64(a), int(s.Width)))
	case StepPopcount:
		return uint64(bits.OnesCount64(a))
	case StepByteSwap:
		return bits.ReverseBytes64(a) >> (64 - uint(s.Width))
	case StepBitReverse:
		return bits.Reverse64(a) >> (64 - uint(s.Width))
	case StepByteSwapIn:
		return swapWithin(a, uint(s.N))
	case StepOrBytes:
		for i := uint(0); i < 64; i += 8 {
			if a>>i&0xff != 0 {
				a |= 0xff << i
			}
		}
	}
	return a
}

// Divides reports whether an instruction divides integers, as its semantics say (Semantics.Lift).
func (a *ISA) Divides(in *Inst) bool {
	if a.Semantics == nil {
		return false
	}
	steps, _ := a.Semantics.Lift(in, nil)
	return slices.ContainsFunc(steps, func(s IntStep) bool {
		return s.Op == StepDivU || s.Op == StepDivS || s.Op == StepRemU || s.Op == StepRemS
	})
}

// divide computes divisions. Divisors of 0 and overflow give the results that A64 and RISC-V define; on x86 these trap.
func (s *IntStep) divide(a, b uint64, sa, sb int64) uint64 {
	rem := s.Op == StepRemU || s.Op == StepRemS
	switch {
	case b == 0 && rem:
		return a
	case b == 0:
		return uint64(s.Imm)
	case s.Op == StepDivU:
		return a / b
	case s.Op == StepRemU:
		return a % b
	case s.Op == StepDivS:
		return uint64(sa / sb)
	}
	return uint64(sa % sb)
}

func mulHigh(op StepKind, w uint, a, b uint64) uint64 {
	up := 64 - w // shifted up, so that the high half of the product is that of 64 bits
	hi, _ := bits.Mul64(a<<up, b<<up)
	if op != StepMulHU && int64(a<<up) < 0 {
		hi -= b << up
	}
	if op == StepMulHS && int64(b<<up) < 0 {
		hi -= a << up
	}
	if w == 64 {
		return hi
	}
	// The product is in the upper bits of both halves.
	return hi >> up
}

func swapWithin(a uint64, n uint) uint64 {
	var r uint64
	for i := uint(0); i < 64; i += n {
		r |= bits.ReverseBytes64(a>>i<<(64-n)) & (^uint64(0) >> (64 - n)) << i
	}
	return r
}

package isa

import "incore/internal/base/blob"

// Reg is an index into the register table of its ISA. 0 is no register.
type Reg uint16

// NoReg is the absent register (no index, no base).
const NoReg Reg = 0

// RegTable is the register file of an ISA, from LLVM's register info. A register consists of register units: the smallest parts of the register file
// with names of their own, numbered from 0. Two registers overlap if and only if they share a unit. A dependence is a unit that one instruction
// writes and a later one reads.
type RegTable struct {
	names blob.Strings // LLVM's names, index = Reg; names.At(0) = ""
	units blob.Lists   // register → units
	subs  blob.Lists   // register → sub-registers
	spell blob.Strings // assembler spellings, sorted
	regOf blob.U16     // spelling → register
	class blob.Strings // class names, sorted
	membr blob.Lists   // class → registers in LLVM's (allocation) order
	sizes blob.U16     // class → bits
	nunit int
}

func newRegTable(b *blob.Blob) *RegTable {
	t := &RegTable{names: b.Strings("reg.name"), units: b.Lists("reg.unit"), subs: b.Lists("reg.sub"),
		spell: b.Strings("reg.spell"), regOf: b.U16("reg.of"),
		class: b.Strings("rc.name"), membr: b.Lists("rc.member"), sizes: b.U16("rc.size")}
	for i := 0; i < t.units.Len(); i++ {
		for u, l := 0, t.units.At(i); u < l.Len(); u++ {
			t.nunit = max(t.nunit, int(l.At(u))+1)
		}
	}
	return t
}

// Len returns the number of registers, including the absent one.
func (t *RegTable) Len() int { return t.names.Len() }

// NumUnits returns the number of register units.
func (t *RegTable) NumUnits() int { return t.nunit }

// Name returns LLVM's name of a register ("RAX", "FP", "X10"), "" for NoReg.
func (t *RegTable) Name(r Reg) string { return t.names.At(int(r)) }

// Units returns the units of a register.
func (t *RegTable) Units(r Reg) blob.U16 { return t.units.At(int(r)) }

// Subs returns the (transitive) sub-registers of a register.
func (t *RegTable) Subs(r Reg) blob.U16 { return t.subs.At(int(r)) }

// Spelled finds a register by its assembler spelling in lower case, without sigil.
func (t *RegTable) Spelled(s string) Reg {
	if i := t.spell.Search(s); i >= 0 {
		return Reg(t.regOf.At(i))
	}
	return NoReg
}

// Spellings calls do for every assembler spelling.
func (t *RegTable) Spellings(do func(spelling string, r Reg)) {
	for i := 0; i < t.spell.Len(); i++ {
		do(t.spell.At(i), Reg(t.regOf.At(i)))
	}
}

// Named finds a register by LLVM's name. It searches linearly: resolve once, keep the result.
func (t *RegTable) Named(s string) Reg {
	for i := 1; i < t.names.Len(); i++ {
		if t.names.At(i) == s {
			return Reg(i)
		}
	}
	return NoReg
}

// Overlap reports whether two registers share a unit.
func (t *RegTable) Overlap(a, b Reg) bool {
	ua, ub := t.Units(a), t.Units(b)
	for i := 0; i < ua.Len(); i++ {
		for j := 0; j < ub.Len(); j++ {
			if ua.At(i) == ub.At(j) {
				return true
			}
		}
	}
	return false
}

// Class returns the members of a register class in LLVM's order and their size
// in bits; nil members when there is no such class.
func (t *RegTable) Class(name string) (members blob.U16, bits int) {
	i := t.class.Search(name)
	if i < 0 {
		return "", 0
	}
	return t.membr.At(i), int(t.sizes.At(i))
}

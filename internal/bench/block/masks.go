package block

import (
	"strconv"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/bench/feature"
	"incore/internal/isa"
)

// masks says which registers mask elements of vectors: mask registers, and the vector registers that masks has a bit
// for.
type masks struct {
	registers bool
	vectors   uint16
}

// masked returns the masks of machine code. They start as ones: a masked load of a place where nothing may be read
// takes hundreds of cycles, and code that does nothing is hardly what is to be measured.
func (a *Arch) masked(code []byte) (all masks) {
	for at := 0; a.masks != nil && at < len(code); {
		var in isa.Inst
		n, err := a.ISA.Decode(code[at:], uint64(at), &in)
		if err != nil {
			return masks{}
		}
		at += n
		m := a.masks(a.ISA, &in)
		all.registers = all.registers || m.registers
		all.vectors |= m.vectors
	}
	return all
}

// x86Masks returns the masks of an instruction: AVX-512's mask registers, where they can be set whole, and the vector
// register of AVX's masked moves.
func x86Masks(x *isa.ISA, in *isa.Inst) (m masks) {
	for i := range int(in.NOps) {
		if r := in.Reg(i); r != isa.NoReg && maskRegister().MatchString(x.Regs.Name(r)) {
			m.registers = feature.Here()["avx512bw"]
		}
	}
	if form := maskedMove().FindStringSubmatch(x.Forms.Name(in.Form)); form != nil {
		operand := 1 // behind the loaded register
		if form[1] == "mr" {
			operand = memoryOperands
		}
		number, err := strconv.Atoi(strings.TrimLeft(x.Regs.Name(in.Reg(operand)), "XYM"))
		if err == nil && number < 16 {
			m.vectors = 1 << number
		}
	}
	return m
}

var (
	maskRegister = regex.Lazy(`^K[0-7]$`)
	maskedMove   = regex.Lazy(`^VP?MASKMOV(?:PS|PD|D|Q)Y?(rm|mr)$`)
)

// memoryOperands is how many operands an address of x86 takes.
const memoryOperands = 5

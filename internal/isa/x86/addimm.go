package x86

import "incore/internal/isa"

// The 64-bit instructions that add a constant to a register, or copy it.
const (
	notSum   = iota
	addImm3  // dst, src, imm
	subImm3  // dst, src, imm
	addRAX   // imm, to rax
	subRAX   // imm, from rax
	inc      // dst, src
	dec      // dst, src
	copyReg  // dst, src
	leaOfReg // dst, then an address
)

// sumForms maps each form to its kind above, 0 for all other forms.
func sumForms(forms *isa.FormTable) []uint8 {
	kind := make([]uint8, forms.Len())
	for k, names := range map[uint8][]string{
		addImm3:  {"ADD64ri8", "ADD64ri32", "ADD64ri8_ND", "ADD64ri32_ND", "ADD64ri8_NF", "ADD64ri32_NF"},
		subImm3:  {"SUB64ri8", "SUB64ri32", "SUB64ri8_ND", "SUB64ri32_ND", "SUB64ri8_NF", "SUB64ri32_NF"},
		addRAX:   {"ADD64i32"},
		subRAX:   {"SUB64i32"},
		inc:      {"INC64r", "INC64r_ND", "INC64r_NF"},
		dec:      {"DEC64r", "DEC64r_ND", "DEC64r_NF"},
		copyReg:  {"MOV64rr", "MOV64rr_REV"},
		leaOfReg: {"LEA64r"},
	} {
		for _, n := range names {
			kind[forms.Named(n)] = k
		}
	}
	kind[isa.NoForm] = notSum
	return kind
}

// newAddImm returns the function that recognises dst = src + imm in 64 bits: add and sub of an immediate, inc, dec,
// mov between registers, and lea of base + displacement.
func newAddImm(a *isa.ISA) func(in *isa.Inst) (dst, src isa.Reg, imm int64, ok bool) {
	sums := sumForms(a.Forms)
	rax := a.Regs.Named("RAX")
	return func(in *isa.Inst) (dst, src isa.Reg, imm int64, ok bool) {
		switch kind := sums[in.Form]; kind {
		case addImm3, subImm3:
			imm = in.Ops[2].Imm
			if kind == subImm3 {
				imm = -imm
			}
			return in.Reg(0), in.Reg(1), imm, in.Ops[2].Kind == isa.OpImm
		case addRAX, subRAX:
			imm = in.Ops[0].Imm
			if kind == subRAX {
				imm = -imm
			}
			return rax, rax, imm, in.Ops[0].Kind == isa.OpImm
		case inc:
			return in.Reg(0), in.Reg(1), 1, true
		case dec:
			return in.Reg(0), in.Reg(1), -1, true
		case copyReg:
			return in.Reg(0), in.Reg(1), 0, true
		case leaOfReg:
			base, index, disp := in.Reg(1), in.Reg(3), &in.Ops[4]
			plain := base != isa.NoReg && index == isa.NoReg && disp.Kind == isa.OpImm && !constant(base)
			return in.Reg(0), base, disp.Imm, plain
		}
		return
	}
}

// addsOffset reports whether an instruction can add a constant to a register operand without a further operation: the source of a move of 32 or 64 bits,
// and the base of an address, which has an adder for its displacement. Address arithmetic with an index but without displacement
// adds two operands and no third.
func addsOffset(in *isa.Inst, op int) bool {
	t := traitsOf(in.Form)
	if _, _, ok := regMove(in); ok {
		return true
	}
	if int(t.mem) != op { // (the operands of an address begin with the base)
		return false
	}
	return !t.lea || t.memOps == 5 && (in.Reg(op+2) == isa.NoReg || in.Ops[op+3].Kind != isa.OpImm || in.Ops[op+3].Imm != 0)
}

package x86

import (
	"incore/internal/isa"
)

// lengthChanging reports whether the operand-size prefix shortens the instruction's immediate to 16 bits: isa.ISA.LengthChanging.
func lengthChanging(in *isa.Inst) bool { return in.Form != isa.NoForm && traitsOf(in.Form).imm16 }

// opcodeOffset counts the legacy, REX and VEX or EVEX prefix bytes of an instruction: isa.ISA.OpcodeOffset.
func opcodeOffset(in *isa.Inst) int {
	code, err := encode(nil, in, 0)
	if err != nil {
		return 0
	}
	n := 0
	for n < len(code) && isPrefix(code[n]) {
		n++
	}
	switch {
	case n >= len(code):
		return 0
	case code[n]&0xf0 == 0x40: // REX
		return n + 1
	case code[n] == 0xc5:
		return n + 2
	case code[n] == 0xc4:
		return n + 3
	case code[n] == 0x62:
		return n + 4
	}
	return n
}

// encodedConstants counts the immediates and displacements of an instruction: isa.ISA.EncodedConstants. Addresses with base rbp or r13 and addresses
// without a base always have a displacement, even if it is zero; a 64-bit constant counts as two.
func encodedConstants(in *isa.Inst) int {
	if in.Form == isa.NoForm {
		return 0
	}
	t, d, n := traitsOf(in.Form), db(), 0
	if t.flow != isa.FlowNext {
		return 0
	}
	mem := int(t.mem)
	end := mem + int(t.memOps)
	if t.lea {
		end = mem + 5
	}
	for i := 0; i < int(in.NOps); i++ {
		o := &in.Ops[i]
		if mem >= 0 && i >= mem && i < end {
			continue
		}
		if c := d.forms.OperandClass(in.Form, i); (o.Kind == isa.OpImm || o.Kind == isa.OpExpr) && i != int(t.cond) && c != nil {
			n++
			if c.Name == "i64imm" && (o.Imm != int64(int32(o.Imm)) || o.Kind == isa.OpExpr) {
				n++
			}
		}
	}
	if mem < 0 || end-mem != 5 || int(in.NOps) < end {
		return n
	}
	base, disp := in.Reg(mem), &in.Ops[mem+3]
	if disp.Kind == isa.OpExpr || disp.Imm != 0 || base == isa.NoReg || base == RBP || base == R13 || base == RIP {
		n++
	}
	return n
}

// vectorBits is the size of the widest of an instruction's xmm, ymm and zmm registers: isa.ISA.VectorBits.
func vectorBits(in *isa.Inst) int {
	d, all := db(), regBit(0)
	for i := range int(in.NOps) {
		all |= d.class[in.Reg(i)]
	}
	switch {
	case all&isZMM != 0:
		return 512
	case all&isYMM != 0:
		return 256
	case all&isXMM != 0:
		return 128
	}
	return 0
}

// regFile returns the physical register file that a register is renamed to: isa.ISA.RegFile.
func regFile(r isa.Reg) (isa.RegFileKind, bool) {
	switch c := db().class[r]; {
	case c&(isGR8|isGR16|isGR32|isGR64) != 0:
		return isa.IntegerFile, true
	case c&(isXMM|isYMM|isZMM) != 0:
		return isa.VectorFile, true
	}
	return 0, false
}

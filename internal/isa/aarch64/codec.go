package aarch64

import (
	"strings"

	"incore/internal/base/blob"
	"incore/internal/isa"
)

// codecKind is the encoding of an MC operand in the instruction's bits.
type codecKind uint8

const (
	cdRaw        codecKind = iota
	cdSigned               // two's complement
	cdReg                  // index into regs
	cdRegPair              // even number; index into regs by half of it
	cdFixedReg             // no bits: reg
	cdFixedImm             // no bits: arg
	cdTied                 // no bits: the same as MC operand arg
	cdFromTop              // 1<<width - bits: right shifts, fixed-point fractions
	cdPlus                 // bits + arg
	cdScale                // bits * arg
	cdOr                   // bits | arg
	cdBranch               // signed distance in words; the operand is the target's address
	cdBranchBack           // distance backwards in words
	cdAdr                  // signed distance in bytes
	cdAdrp                 // signed distance in pages
	cdAddSubImm            // imm12 and shift by 0 or 12: two MC operands
	cdSVEImm               // imm8 and shift by 0 or 8: two MC operands; arg: 1 signed, 2 bytes only
	cdMemExtend            // signed and shifted flags: two MC operands
	cdMSL                  // 8 or 16 ones shifted in
	cdLogical              // bitmask immediate, kept encoded; arg: register width
	cdShiftW               // shifted register operand; arg: width, plus 256 if ROR does not exist
	cdExtend               // extended register operand, shift at most 4
	cdPState               // field of the processor state that has a name in table
	cdMovShift             // shift of MOVZ; arg: width
)

// run is a run of bits in the instruction word and its place in the operand's value.
type run struct{ insn, op, width uint8 }

// opCodec is the coding of one MC operand, or of two that share a field.
type opCodec struct {
	kind  codecKind
	width uint8 // of the value
	nruns uint8
	runs  [4]run
	regs  blob.U16 // register by number
	reg   isa.Reg
	arg   int64
	table string // cdPState
}

// plan is the coding of a form: the codecs yield its MC operands in order.
type plan struct {
	ops      []opCodec
	ones     uint32 // bits of no operand that should be 1
	distinct bool   // memory copies: the three registers must differ
}

func (c *opCodec) extract(word uint32) uint32 {
	r := c.runs[0]
	v := word >> r.insn & (1<<r.width - 1) << r.op
	for _, r := range c.runs[1:max(1, c.nruns)] {
		v |= word >> r.insn & (1<<r.width - 1) << r.op
	}
	return v
}

// insert puts a value into the word; it fails if the fields don't hold the value.
func (c *opCodec) insert(v uint32, word uint32) (uint32, bool) {
	held := uint32(0)
	for _, r := range c.runs[:c.nruns] {
		m := uint32(1)<<r.width - 1
		word |= v >> r.op & m << r.insn
		held |= m << r.op
	}
	return word, v&^held == 0
}

// plan returns the coding of an encoding; it is derived on first use.
func (a *arch) plan(enc int) *plan {
	if p := a.plans[enc].Load(); p != nil {
		return p
	}
	p := a.derivePlan(enc)
	a.plans[enc].Store(p)
	return p
}

func (a *arch) derivePlan(enc int) *plan {
	f := a.enc.Form(enc)
	p := &plan{}
	fields := map[int][]run{}
	for l, i := a.enc.Fields(enc), 0; i < l.Len(); i += isa.FieldLen {
		op := int(l.At(i))
		fields[op] = append(fields[op], run{uint8(l.At(i + 1)), uint8(l.At(i + 2)), uint8(l.At(i + 3))})
	}
	for _, o := range a.t.Forms.Operands(f) {
		_, first := fields[o.MC]
		_, second := fields[o.MC+1]
		if o.Class.Sub == 2 && second && first { // register and shift have names of their own
			c := opCodec{kind: cdReg, regs: a.r.x}
			if strings.Contains(o.Class.Name, "reg32") {
				c.regs = a.r.w
			}
			c.setRuns(fields[o.MC])
			p.ops = append(p.ops, c)
			c = shiftCodec(o.Class.Name)
			c.setRuns(fields[o.MC+1])
			p.ops = append(p.ops, c)
			continue
		}
		c := a.codec(f, &o)
		if first {
			c.setRuns(fields[o.MC])
		} else {
			c = a.fieldless(f, &o)
		}
		if c.kind == cdReg && c.regs.Len() == 1 { // FIXED class
			c = opCodec{kind: cdFixedReg, reg: isa.Reg(c.regs.At(0))}
		}
		p.ops = append(p.ops, c)
		p.distinct = p.distinct || o.Name == "Rd_wb"
	}
	p.ones = a.unusedOnes(enc)
	return p
}

// unusedOnes returns the register fields that an instruction of a family does not
// use and that should be 11111 (Rs and Rt2 of exclusives, Ra of UMULH). In comparisons with zero the unused field is 0.
func (a *arch) unusedOnes(enc int) (ones uint32) {
	used := a.enc.Mask(enc)
	for l, i := a.enc.Fields(enc), 0; i < l.Len(); i += isa.FieldLen {
		used |= (1<<l.At(i+3) - 1) << l.At(i+1)
	}
	if strings.HasPrefix(a.t.Forms.Name(a.enc.Form(enc)), "FCMP") {
		return 0
	}
	for _, field := range []uint32{0x1f << 10, 0x1f << 16} {
		if used&field == 0 {
			ones |= field
		}
	}
	return ones
}

func (c *opCodec) setRuns(rs []run) {
	c.nruns = uint8(copy(c.runs[:], rs))
	for _, r := range rs {
		c.width = max(c.width, r.op+r.width)
	}
}

// fieldless is an operand without bits of its own: tied to another, a fixed register, or zero.
func (a *arch) fieldless(f isa.FormID, o *isa.OpDecl) opCodec {
	switch {
	case o.Class.RegClass == "MPR":
		return opCodec{kind: cdFixedReg, reg: a.r.za}
	case o.Class.RegClass == "ZTR":
		return opCodec{kind: cdFixedReg, reg: a.r.zt0}
	case strings.HasPrefix(o.Class.RegClass, "MPR8"):
		return opCodec{kind: cdFixedReg, reg: a.r.tile[0]}
	case o.Class.Name == "SyspXzrPairOperand":
		return opCodec{kind: cdFixedReg, reg: a.r.xzr}
	}
	for l, i := a.t.Forms.Ties(f), 0; i < l.Len(); i += 2 {
		switch o.MC {
		case int(l.At(i)):
			return opCodec{kind: cdTied, arg: int64(l.At(i + 1))}
		case int(l.At(i + 1)):
			return opCodec{kind: cdTied, arg: int64(l.At(i))}
		}
	}
	switch {
	case o.Class.Name == "VectorIndex1":
		return opCodec{kind: cdFixedImm, arg: 1}
	case o.Name == "offset": // LDR ZA: the offset repeats the index
		for _, p := range a.t.Forms.Operands(f) {
			if p.Name == "imm4" {
				return opCodec{kind: cdTied, arg: int64(p.MC)}
			}
		}
	}
	return opCodec{kind: cdFixedImm}
}

// shiftCodec is the second part of a shifted or extended register operand.
func shiftCodec(class string) opCodec {
	switch {
	case strings.Contains(class, "extended"):
		return opCodec{kind: cdExtend}
	case strings.HasSuffix(class, "32"):
		if strings.HasPrefix(class, "arith") {
			return opCodec{kind: cdShiftW, arg: 32 | 256}
		}
		return opCodec{kind: cdShiftW, arg: 32}
	case strings.HasPrefix(class, "arith"):
		return opCodec{kind: cdShiftW, arg: 64 | 256}
	}
	return opCodec{kind: cdShiftW, arg: 64}
}

// codec is the coding of an operand class.
func (a *arch) codec(f isa.FormID, o *isa.OpDecl) opCodec {
	c := o.Class
	if c.RegClass != "" {
		return a.regCodec(c.RegClass)
	}
	n := c.Name
	has := func(p string) bool { return strings.HasPrefix(n, p) }
	switch {
	case has("am_pauth"):
		return opCodec{kind: cdBranchBack}
	case has("am_"):
		return opCodec{kind: cdBranch}
	case n == "adrlabel":
		return opCodec{kind: cdAdr}
	case n == "adrplabel":
		return opCodec{kind: cdAdrp}
	case has("addsub_shifted_imm"):
		return opCodec{kind: cdAddSubImm}
	case strings.Contains(n, "_imm8_opt_lsl_"):
		arg := int64(0)
		if has("cpy") {
			arg = 1
		}
		if strings.HasSuffix(n, "_i8") {
			arg |= 2
		}
		return opCodec{kind: cdSVEImm, arg: arg}
	case has("ro_"):
		return opCodec{kind: cdMemExtend}
	case has("simm"):
		return opCodec{kind: cdSigned}
	case strings.Contains(n, "vecshiftR"), has("fixedpoint"):
		return opCodec{kind: cdFromTop}
	case has("logical_imm"):
		w := int64(64)
		if strings.HasSuffix(n, "32") {
			w = 32
		}
		return opCodec{kind: cdLogical, arg: w}
	case n == "move_vec_shift":
		return opCodec{kind: cdMSL}
	case n == "logical_vec_shift", n == "logical_vec_hw_shift":
		return opCodec{kind: cdScale, arg: 8}
	case n == "arith_extendlsl64":
		return opCodec{kind: cdExtend, arg: extendType(shUXTX) << 3}
	case has("pstatefield4"):
		return opCodec{kind: cdPState, table: "pstate15"}
	case has("pstatefield1"):
		return opCodec{kind: cdPState, table: "pstate1"}
	case n == "svcr_op":
		return opCodec{kind: cdPState, table: "svcr"}
	case n == "barrier_nxs_op":
		return opCodec{kind: cdOr, arg: 3}
	case n == "sve_incdec_imm":
		return opCodec{kind: cdPlus, arg: 1}
	case n == "tbz_imm32_63":
		return opCodec{kind: cdPlus, arg: 32}
	case n == "movimm32_shift":
		return opCodec{kind: cdMovShift, arg: 32}
	case n == "movimm64_shift":
		return opCodec{kind: cdMovShift, arg: 64}
	}
	return opCodec{kind: cdRaw}
}

// regCodec is the coding of a register class: the number in the field is the index
// of the register in the class.
func (a *arch) regCodec(class string) opCodec {
	switch class {
	case "GPR64x8Class", "WSeqPairsClass", "XSeqPairsClass":
		m, _ := a.t.Regs.Class(class)
		return opCodec{kind: cdRegPair, regs: m}
	case "PPRorPNR":
		return opCodec{kind: cdReg, regs: a.r.p}
	}
	m, _ := a.t.Regs.Class(class)
	return opCodec{kind: cdReg, regs: m}
}

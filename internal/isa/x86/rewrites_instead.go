package x86

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"incore/internal/isa"
)

func constantText(v int64) string { return "$" + strconv.FormatInt(v, 10) }

// alternative makes the replacements of an instruction whose form has one of these names. The names are whole: RORX32ri is no ROR32ri, and SHLD32rrCL is no SHL32rCL.
type alternative struct {
	forms string
	add   func(w *rewriter, in *isa.Inst, free []isa.Reg, add adder)
}

// adder adds a replacement: its condition, whether it leaves other flags than the instruction, and its statements.
type adder func(needs string, flags bool, statements ...string)

// alternatives lists the forms that have replacements.
var alternatives = []alternative{
	{"LEA64r LEA32r LEA64_32r", (*rewriter).leaParts},
	{"SHL32rCL SHL64rCL SHR32rCL SHR64rCL SAR32rCL SAR64rCL", (*rewriter).shiftByCL},
	{"ROL32ri ROL64ri ROR32ri ROR64ri", (*rewriter).rotate},
	{"SHL32r1 SHL64r1 SHL32ri SHL64ri", (*rewriter).shiftByOne},
	{"IMUL32rri IMUL32rri8 IMUL64rri32 IMUL64rri8", (*rewriter).multiply},
	{"IDIV64r DIV64r", (*rewriter).divide},
	{"BSF32rr BSF64rr BSR32rr BSR64rr", (*rewriter).scan},
	{"SHLD32rri8 SHLD64rri8 SHRD32rri8 SHRD64rri8", (*rewriter).double},
	{"VHADDPDrr VHADDPDYrr", (*rewriter).horizontal},
	{"XCHG64rr", (*rewriter).exchange},
	{"LOOP", (*rewriter).countDown},
	{"INC32r INC64r DEC32r DEC64r", (*rewriter).increment},
	{"MOVSSrr MOVSDrr", (*rewriter).moveScalar},
	{"VPERMILPSri VPERMILPSYri", (*rewriter).permute},
}

// alternativeOf finds the alternatives of a form by its name.
var alternativeOf = sync.OnceValue(func() map[string]func(*rewriter, *isa.Inst, []isa.Reg, adder) {
	out := map[string]func(*rewriter, *isa.Inst, []isa.Reg, adder){}
	for _, a := range alternatives {
		for _, f := range strings.Fields(a.forms) {
			out[f] = a.add
		}
	}
	return out
})

// instead lists equivalent statements for an instruction that are faster on some cores.
func (w *rewriter) instead(in *isa.Inst, free []isa.Reg) (out []isa.Instead) {
	add := func(needs string, flags bool, statements ...string) {
		out = append(out, isa.Instead{Statements: statements, Flags: flags, Needs: needs})
	}
	m, operands := w.text(in)
	if slices.Contains([]string{"rep", "repne", "lock", "data16"}, m) {
		return nil // a prefix: "rep bsf" is tzcnt already where the core has it
	}
	if f := alternativeOf()[w.a.FormName(in)]; f != nil {
		f(w, in, free, add)
		return out
	}
	if ports[m] == "" {
		return nil
	}
	for _, element := range []string{"", map[bool]string{true: "d", false: "q"}[strings.HasSuffix(m, "s")]} { // with masks or 512 bits, integer logic names its element
		if statement := ports[m] + element + " " + operands; w.is(statement) {
			add("", false, statement)
			break
		}
	}
	return out
}

// is reports whether a statement is one instruction.
func (w *rewriter) is(statement string) bool {
	_, ok := w.parse(statement)
	return ok
}

// shiftByCL adds the shift that does not write the flags.
func (w *rewriter) shiftByCL(in *isa.Inst, _ []isa.Reg, add adder) {
	m, _ := w.text(in)
	r, count := w.name(in.Reg(0)), "%ecx"
	if regBits(w.a.FormName(in)) == 64 {
		count = "%rcx"
	}
	add("", true, m[:3]+"x "+count+", "+r+", "+r)
}

// shiftByOne adds an addition of the register to itself, with the same flags but that of the half-carry.
func (w *rewriter) shiftByOne(in *isa.Inst, _ []isa.Reg, add adder) {
	if r := w.name(in.Reg(0)); strings.HasSuffix(w.a.FormName(in), "r1") || in.Ops[2].Imm == 1 {
		add("", true, "add "+r+", "+r)
	}
}

// divide adds a division of 32 bits, and extends signed results.
func (w *rewriter) divide(in *isa.Inst, _ []isa.Reg, add adder) {
	half := w.half(in.Reg(0))
	switch {
	case in.NOps != 1 || half == isa.NoReg:
	case w.a.FormName(in) == "DIV64r":
		add("fits-32", true, "divl "+w.name(half))
	default:
		add("fits-32", true, "idivl "+w.name(half), "movslq %eax, %rax", "movslq %edx, %rdx")
	}
}

// scan adds counts of zeros, which are not defined by the old value of the destination.
func (w *rewriter) scan(in *isa.Inst, _ []isa.Reg, add adder) {
	m, operands := w.text(in)
	if strings.HasPrefix(m, "bsf") {
		add("not-zero", true, "tzcnt"+m[3:]+" "+operands)
		return
	}
	add("not-zero", true, "lzcnt"+m[3:]+" "+operands, "xor $"+strconv.Itoa(regBits(w.a.FormName(in))-1)+", "+w.name(in.Reg(0)))
}

// horizontal adds an exchange of neighbours and an addition for a horizontal addition of a vector with itself.
func (w *rewriter) horizontal(in *isa.Inst, free []isa.Reg, add adder) {
	_, operands := w.text(in)
	op := strings.Split(operands, ", ")
	if len(op) != 3 || op[0] != op[1] {
		return
	}
	if t := w.vector(free, op[2]); t != "" {
		pairs := map[bool]string{false: "$1", true: "$5"}[strings.HasPrefix(op[0], "%y")]
		add("", false, "vpermilpd "+pairs+", "+op[0]+", "+t, "vaddpd "+t+", "+op[0]+", "+op[2])
	}
}

// exchange adds three moves.
func (w *rewriter) exchange(in *isa.Inst, free []isa.Reg, add adder) {
	_, operands := w.text(in)
	op := strings.Split(operands, ", ")
	if t := w.general(free, 64); t != "" {
		add("", false, "movq "+op[0]+", "+t, "movq "+op[1]+", "+op[0], "movq "+t+", "+op[1])
	}
}

// countDown adds a subtraction and a branch.
func (w *rewriter) countDown(in *isa.Inst, _ []isa.Reg, add adder) {
	_, operands := w.text(in)
	add("", true, "subq $1, %rcx", "jne "+operands)
}

// increment adds the addition that writes the carry flag, too.
func (w *rewriter) increment(in *isa.Inst, _ []isa.Reg, add adder) {
	op := map[bool]string{true: "add", false: "sub"}[strings.HasPrefix(w.a.FormName(in), "INC")]
	add("", true, op+" $1, "+w.name(in.Reg(0)))
}

// moveScalar adds a move of the whole register.
func (w *rewriter) moveScalar(in *isa.Inst, _ []isa.Reg, add adder) {
	m, operands := w.text(in)
	add("upper-lanes", false, map[string]string{"movss": "movaps ", "movsd": "movapd "}[m]+operands)
}

// permute adds a shuffle of a register with itself.
func (w *rewriter) permute(in *isa.Inst, _ []isa.Reg, add adder) {
	_, operands := w.text(in)
	if op := strings.Split(operands, ", "); len(op) == 3 {
		add("", false, "vshufps "+op[0]+", "+op[1]+", "+op[1]+", "+op[2])
	}
}

// leaParts splits a lea with three address components, which has a higher latency on some cores.
func (w *rewriter) leaParts(in *isa.Inst, _ []isa.Reg, add adder) {
	m, _ := w.text(in)
	base, index, disp := in.Reg(1), in.Reg(3), &in.Ops[4]
	if base == isa.NoReg || index == isa.NoReg || disp.Kind != isa.OpImm || disp.Imm == 0 || in.Reg(5) != isa.NoReg {
		return
	}
	d := w.name(in.Reg(0))
	scale := ""
	if s := in.Ops[2].Imm; s > 1 {
		scale = "," + strconv.FormatInt(s, 10)
	}
	first := m + " (" + w.name(base) + "," + w.name(index) + scale + "), " + d
	add("", true, first, "add "+constantText(disp.Imm)+", "+d)
}

// rotate adds rorx, the rotation that does not write the flags.
func (w *rewriter) rotate(in *isa.Inst, _ []isa.Reg, add adder) {
	name, n, r := w.a.FormName(in), in.Ops[2].Imm, w.name(in.Reg(0))
	if strings.HasPrefix(name, "ROL") {
		n = int64(regBits(name)) - n
	}
	if n > 0 && n < int64(regBits(name)) {
		add("", true, "rorx "+constantText(n)+", "+r+", "+r)
	}
}

// multiply adds shifts and additions that replace a multiplication by a constant.
func (w *rewriter) multiply(in *isa.Inst, free []isa.Reg, add adder) {
	if in.NOps != 3 || in.Ops[2].Kind != isa.OpImm || in.Reg(1) == isa.NoReg {
		return
	}
	n, d, s := in.Ops[2].Imm, w.name(in.Reg(0)), w.name(in.Reg(1))
	wide := w.widest(in.Reg(1))
	switch {
	case n == 3 || n == 5 || n == 9:
		add("", true, "lea ("+wide+","+wide+","+strconv.FormatInt(n-1, 10)+"), "+d)
	case n == 2 || n == 4 || n == 8:
		add("", true, "lea (,"+wide+","+strconv.FormatInt(n, 10)+"), "+d)
	case n > 8 && n&(n-1) == 0:
		k := strconv.Itoa(bits.TrailingZeros64(uint64(n)))
		if d == s {
			add("", true, "shl $"+k+", "+d)
		} else {
			add("", true, "mov "+s+", "+d, "shl $"+k+", "+d)
		}
	case n > 8 && n&(n+1) == 0: // 2^k − 1
		if t := w.general(free, regBits(w.a.FormName(in))); t != "" {
			add("", true, "mov "+s+", "+t, "shl $"+strconv.Itoa(bits.Len64(uint64(n)))+", "+t, "sub "+s+", "+t, "mov "+t+", "+d)
		}
	}
}

// double adds two shifts and or instead of a double shift, or a rotation if both registers are the same.
func (w *rewriter) double(in *isa.Inst, free []isa.Reg, add adder) {
	name := w.a.FormName(in)
	width := regBits(name)
	n := in.Ops[3].Imm
	if width == 16 || n <= 0 || n >= int64(width) {
		return
	}
	d, s := w.name(in.Reg(0)), w.name(in.Reg(2))
	left, right := "shl", "shr"
	turn := int64(width) - n
	if strings.HasPrefix(name, "SHRD") {
		left, right, turn = "shr", "shl", n
	}
	if d == s {
		add("", true, "rorx "+constantText(turn)+", "+d+", "+d)
		return
	}
	if t := w.general(free, width); t != "" {
		add("", true, "mov "+s+", "+t, right+" "+constantText(int64(width)-n)+", "+t, left+" "+constantText(n)+", "+d, "or "+t+", "+d)
	}
}

// ports maps instructions to instructions with the same result in another execution unit.
var ports = map[string]string{"vandps": "vpand", "vandpd": "vpand", "vorps": "vpor", "vorpd": "vpor", "vxorps": "vpxor", "vxorpd": "vpxor", "vandnps": "vpandn", "vandnpd": "vpandn",
	"andps": "pand", "andpd": "pand", "orps": "por", "orpd": "por", "xorps": "pxor", "xorpd": "pxor", "vunpcklpd": "vpunpcklqdq", "vunpckhpd": "vpunpckhqdq", "vunpcklps": "vpunpckldq", "vunpckhps": "vpunpckhdq",
	"inc": "add", "dec": "sub"}

// regBits is the width in a form's name.
func regBits(name string) int {
	switch {
	case strings.Contains(name, "64"):
		return 64
	case strings.Contains(name, "32"):
		return 32
	}
	return 16
}

// general returns a free general register with width bits, "" if all are in use.
func (w *rewriter) general(free []isa.Reg, width int) string {
	members, _ := w.a.Regs.Class("GR64")
	for _, r := range free {
		for i := 0; i < members.Len(); i++ {
			if isa.Reg(members.At(i)) != r {
				continue
			}
			if width == 64 {
				return w.name(r)
			}
			return w.name(w.half(r))
		}
	}
	return ""
}

// vector returns a free vector register as wide as like.
func (w *rewriter) vector(free []isa.Reg, like string) string {
	for _, r := range free {
		if n := w.name(r); len(n) > 4 && n[2:4] == "mm" {
			return like[:4] + n[4:]
		}
	}
	return ""
}

// widest returns the 64-bit register that contains a general register.
func (w *rewriter) widest(r isa.Reg) string {
	members, _ := w.a.Regs.Class("GR64")
	for i := 0; i < members.Len(); i++ {
		if m := isa.Reg(members.At(i)); w.a.Regs.Overlap(m, r) {
			return w.name(m)
		}
	}
	return w.name(r)
}

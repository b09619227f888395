package x86

import (
	"math/bits"
	"strconv"
	"strings"

	"incore/internal/isa"
)

func constantText(v int64) string { return "$" + strconv.FormatInt(v, 10) }

// instead lists equivalent statements for an instruction that are faster on some cores.
func (w *rewriter) instead(in *isa.Inst, free []isa.Reg) (out []isa.Instead) {
	name := w.a.FormName(in)
	m, operands := w.text(in)
	op := strings.Split(operands, ", ")
	add := func(needs string, flags bool, statements ...string) {
		out = append(out, isa.Instead{Statements: statements, Flags: flags, Needs: needs})
	}
	switch {
	case strings.HasPrefix(name, "LEA64r"), strings.HasPrefix(name, "LEA32r"), strings.HasPrefix(name, "LEA64_32r"):
		w.leaParts(in, m, add)
	case strings.HasPrefix(name, "SHL") && strings.HasSuffix(name, "rCL"), strings.HasPrefix(name, "SHR") && strings.HasSuffix(name, "rCL"), strings.HasPrefix(name, "SAR") && strings.HasSuffix(name, "rCL"):
		if strings.Contains(name, "64") || strings.Contains(name, "32") {
			r := w.name(in.Reg(0))
			count := map[bool]string{true: "%rcx", false: "%ecx"}[strings.Contains(name, "64")]
			add("", true, m[:3]+"x "+count+", "+r+", "+r)
		}
	case (strings.HasPrefix(name, "ROL") || strings.HasPrefix(name, "ROR")) && strings.HasSuffix(name, "ri") && (strings.Contains(name, "64") || strings.Contains(name, "32")):
		w.rotate(in, name, add)
	case (strings.HasPrefix(name, "SHL64r") || strings.HasPrefix(name, "SHL32r")) && (strings.HasSuffix(name, "r1") || strings.HasSuffix(name, "ri")):
		n := int64(1)
		if strings.HasSuffix(name, "ri") {
			n = in.Ops[2].Imm
		}
		r := w.name(in.Reg(0))
		if n == 1 {
			add("", true, "add "+r+", "+r)
		}
	case strings.HasPrefix(name, "IMUL64rri"), strings.HasPrefix(name, "IMUL32rri"):
		w.multiply(in, free, add)
	case strings.HasPrefix(name, "IDIV64r"), strings.HasPrefix(name, "DIV64r"):
		if half := w.half(in.Reg(0)); in.NOps == 1 && half != isa.NoReg {
			add("fits-32", true, strings.TrimSuffix(m, "q")+"l "+w.name(half))
		}
	case name == "BSF64rr", name == "BSF32rr":
		add("not-zero", true, "tzcnt"+m[3:]+" "+operands)
	case name == "BSR64rr", name == "BSR32rr":
		d := w.name(in.Reg(0))
		add("not-zero", true, "lzcnt"+m[3:]+" "+operands, "xor $"+strconv.Itoa(regBits(name)-1)+", "+d)
	case strings.HasPrefix(name, "SHLD") && strings.HasSuffix(name, "rri8"), strings.HasPrefix(name, "SHRD") && strings.HasSuffix(name, "rri8"):
		w.double(in, name, free, add)
	case strings.HasPrefix(m, "vhadd") && strings.HasSuffix(name, "rr") && in.Reg(1) == in.Reg(2) && len(free) > 0:
		t := w.vector(free, op[len(op)-1])
		if t != "" {
			add("", false, "vunpckh"+m[5:]+" "+op[0]+", "+op[0]+", "+t, "vadd"+m[5:]+" "+t+", "+op[0]+", "+op[2])
		}
	case name == "XCHG64rr" && len(free) > 0:
		if t := w.general(free, 64); t != "" {
			add("", false, "movq "+op[0]+", "+t, "movq "+op[1]+", "+op[0], "movq "+t+", "+op[1])
		}
	case name == "LOOP":
		add("", true, "subq $1, %rcx", "jne "+operands)
	default:
		w.otherPort(m, name, op, add)
	}
	return out
}

// leaParts splits a lea with three address components, which has a higher latency on some cores.
func (w *rewriter) leaParts(in *isa.Inst, m string, add func(needs string, flags bool, statements ...string)) {
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
func (w *rewriter) rotate(in *isa.Inst, name string, add func(needs string, flags bool, statements ...string)) {
	n, r := in.Ops[2].Imm, w.name(in.Reg(0))
	if strings.HasPrefix(name, "ROL") {
		n = int64(regBits(name)) - n
	}
	if n > 0 && n < int64(regBits(name)) {
		add("", true, "rorx "+constantText(n)+", "+r+", "+r)
	}
}

// multiply adds shifts and additions that replace a multiplication by a constant.
func (w *rewriter) multiply(in *isa.Inst, free []isa.Reg, add func(needs string, flags bool, statements ...string)) {
	if in.NOps != 3 || in.Ops[2].Kind != isa.OpImm || in.Reg(1) == isa.NoReg {
		return
	}
	n, d, s := in.Ops[2].Imm, w.name(in.Reg(0)), w.name(in.Reg(1))
	wide := w.widest(in.Reg(1))
	switch {
	case n == 3 || n == 5 || n == 9:
		add("", false, "lea ("+wide+","+wide+","+strconv.FormatInt(n-1, 10)+"), "+d)
	case n == 2 || n == 4 || n == 8:
		add("", false, "lea (,"+wide+","+strconv.FormatInt(n, 10)+"), "+d)
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
func (w *rewriter) double(in *isa.Inst, name string, free []isa.Reg, add func(needs string, flags bool, statements ...string)) {
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

// otherPort adds the same operation in another execution unit.
func (w *rewriter) otherPort(m, name string, op []string, add func(needs string, flags bool, statements ...string)) {
	switch to := ports[m]; {
	case to != "":
		add("", false, to+" "+strings.Join(op, ", "))
	case m == "vpermilps" && len(op) == 3 && strings.HasPrefix(op[0], "$") && !strings.Contains(op[1], "("):
		add("", false, "vshufps "+op[0]+", "+op[1]+", "+op[1]+", "+op[2])
	case (m == "movss" || m == "movsd") && strings.HasSuffix(name, "rr"):
		add("upper-lanes", false, map[string]string{"movss": "movaps ", "movsd": "movapd "}[m]+strings.Join(op, ", "))
	case strings.HasPrefix(name, "INC64r"), strings.HasPrefix(name, "INC32r"):
		add("", true, "add $1, "+op[0])
	case strings.HasPrefix(name, "DEC64r"), strings.HasPrefix(name, "DEC32r"):
		add("", true, "sub $1, "+op[0])
	}
}

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

package riscv

import (
	"strings"

	"incore/internal/isa"
)

// rewriter implements isa.Rewrites: equivalent statements for an instruction.
type rewriter struct {
	a *isa.ISA
}

// newRewrites returns the rewrites of RISC-V.
func newRewrites(a *isa.ISA) isa.Rewrites {
	w := &rewriter{a: a}
	return isa.Rewrites{
		Files: []isa.RegFile{
			{Classes: []string{"FPR16", "FPR32", "FPR64"}},
			{Classes: []string{"GPR"}, Keep: []string{"X1", "X2", "X3", "X4", "X8"}},
		},
		Name: w.spelled, Step: w.step, WithStep: w.withStep, Displaced: w.displaced, Reduces: w.reduces, Reciprocal: w.reciprocal,
	}
}

// integers and floats are the names of the registers by their numbers.
var (
	integers = strings.Fields("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6")
	floats   = strings.Fields("ft0 ft1 ft2 ft3 ft4 ft5 ft6 ft7 fs0 fs1 fa0 fa1 fa2 fa3 fa4 fa5 fa6 fa7 fs2 fs3 fs4 fs5 fs6 fs7 fs8 fs9 fs10 fs11 ft8 ft9 ft10 ft11")
)

// spelled returns a register's name in the calling convention.
func (w *rewriter) spelled(r isa.Reg) string {
	for _, f := range []struct {
		class string
		names []string
	}{{"GPR", integers}, {"FPR16", floats}, {"FPR32", floats}, {"FPR64", floats}} {
		members, _ := w.a.Regs.Class(f.class)
		for i := 0; i < members.Len(); i++ {
			if isa.Reg(members.At(i)) != r {
				continue
			}
			n := 0
			for _, c := range w.a.Regs.Name(r)[1:] {
				if c < '0' || c > '9' {
					break
				}
				n = 10*n + int(c-'0')
			}
			if n < len(f.names) {
				return f.names[n]
			}
		}
	}
	return strings.ToLower(w.a.Regs.Name(r))
}

func (w *rewriter) step(in *isa.Inst) (r isa.Reg, imm int64, ok bool) {
	switch w.a.FormName(in) {
	case "ADDI", "ADDIW", "C_ADDI", "C_ADDIW":
		return in.Reg(0), in.Ops[2].Imm, in.Reg(0) == in.Reg(1) && in.Ops[2].Kind == isa.OpImm
	}
	return 0, 0, false
}

func (w *rewriter) withStep(in *isa.Inst, imm int64) (isa.Inst, bool) {
	out := *in
	f := w.a.Forms.Named(strings.TrimPrefix(w.a.FormName(in), "C_"))
	if imm < -2048 || imm > 2047 || f == isa.NoForm {
		return isa.Inst{}, false
	}
	out.Form, out.Ops[2].Imm = f, imm
	return out, true
}

func (w *rewriter) displaced(in *isa.Inst, m *isa.MemRef, by int64) (isa.Inst, bool) {
	name := w.a.FormName(in)
	at := int(m.Op) + 1
	if m.Op < 0 || m.Elems != 1 || at >= int(in.NOps) || in.Ops[at].Kind != isa.OpImm || strings.HasPrefix(name, "V") {
		return isa.Inst{}, false
	}
	out := *in
	if f := w.a.Forms.Named(strings.TrimSuffix(strings.TrimPrefix(name, "C_"), "SP")); f != isa.NoForm {
		out.Form = f
	}
	v := in.Ops[at].Imm + by
	if v < -2048 || v > 2047 {
		return isa.Inst{}, false
	}
	out.Ops[at].Imm = v
	return out, true
}

// reductions are the operations that combine a value with an accumulator, by the beginning of the form's name, and the operand that may be the accumulator:
// 'b' the first or second source, 'f' only the first, 't' the source tied to the result, 'l' the third.
var reductions = []struct {
	prefix, kind string
	which        byte
}{
	{"FMADD_", "sum", 'l'}, {"FNMSUB_", "sum", 'l'}, {"FADD_", "sum", 'b'}, {"FSUB_", "sum", 'f'}, {"FMUL_", "product", 'b'}, {"FMIN_", "minimum", 'b'}, {"FMAX_", "maximum", 'b'},
	{"VFMACC_", "sum", 't'}, {"VFNMSAC_", "sum", 't'}, {"VMACC_", "sum", 't'}, {"VFADD_", "sum", 'b'}, {"VADD_VV", "sum", 'b'}, {"VFWMACC_", "sum", 't'},
	{"ADDW", "sum", 'b'}, {"ADD", "sum", 'b'}, {"SUBW", "sum", 'f'}, {"SUB", "sum", 'f'}, {"MULH", "", 0}, {"MULW", "product", 'b'}, {"MUL", "product", 'b'},
	{"AND", "and", 'b'}, {"ORC", "", 0}, {"ORN", "", 0}, {"OR", "or", 'b'}, {"XOR", "xor", 'b'}, {"MINU", "minimum", 'b'}, {"MIN", "minimum", 'b'}, {"MAXU", "maximum", 'b'}, {"MAX", "maximum", 'b'},
}

func (w *rewriter) reduces(in *isa.Inst, op int) string {
	name := strings.TrimPrefix(w.a.FormName(in), "C_")
	if in.Reg(op) == isa.NoReg || op < 1 || in.NOps < 3 || in.Reg(2) == isa.NoReg {
		return ""
	}
	for _, r := range reductions {
		if !strings.HasPrefix(name, r.prefix) {
			continue
		}
		switch {
		case r.which == 't' && w.a.Forms.TiedDef(in.Form, op) == 0, r.which == 'l' && op == 3, r.which == 'f' && op == 1, r.which == 'b' && (op == 1 || op == 2):
			return r.kind
		}
		return ""
	}
	return ""
}

// reciprocal replaces a division of floating-point numbers by a multiplication with the same operands.
func (w *rewriter) reciprocal(in *isa.Inst) (isa.Inst, int, bool) {
	name := w.a.FormName(in)
	if !strings.HasPrefix(name, "FDIV_") && !strings.HasPrefix(name, "VFDIV_V") {
		return isa.Inst{}, 0, false
	}
	f := w.a.Forms.Named(strings.Replace(name, "FDIV", "FMUL", 1))
	if f == isa.NoForm || w.a.Forms.NumOps(f) != w.a.Forms.NumOps(in.Form) {
		return isa.Inst{}, 0, false
	}
	out := *in
	out.Form = f
	return out, 2, true
}

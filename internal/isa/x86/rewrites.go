package x86

import (
	"slices"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// rewriter implements isa.Rewrites: equivalent statements for an instruction.
type rewriter struct{ a *isa.ISA }

// newRewrites returns the rewrites of x86-64. Operand numbers are LLVM's; statements are in AT&T syntax.
func newRewrites(a *isa.ISA) isa.Rewrites {
	w := &rewriter{a}
	return isa.Rewrites{
		Files: []isa.RegFile{
			{Classes: []string{"VR128X", "VR256X", "VR512"}},
			{Classes: []string{"GR32", "GR64"}, Keep: []string{"RSP", "RIP"}},
		},
		Common: w.common, Step: w.step, WithStep: w.withStep, Displaced: w.displaced, Simple: w.simple, Reduces: w.reduces,
		AddTo: w.addTo, Zero: w.zero, Wider: w.wider, Widths: []int{512, 256, 128}, Reciprocal: w.reciprocal, Instead: w.instead, Copy: w.copy, LoadsWhole: w.loadsWhole, Unneeded: w.unneeded,
	}
}

// common reports whether a register exists without an extension: the registers 16 to 31 need AVX-512 or APX.
func (w *rewriter) common(r isa.Reg) bool {
	n := w.a.Regs.Name(r)
	digits := strings.TrimLeft(strings.TrimRight(n, "BDW"), "XYZMR")
	number, err := strconv.Atoi(digits)
	return err != nil || number < 16
}

// name is a register's name in AT&T syntax.
func (w *rewriter) name(r isa.Reg) string { return "%" + strings.ToLower(w.a.Regs.Name(r)) }

// text is an instruction in AT&T syntax: its mnemonic and operands.
func (w *rewriter) text(in *isa.Inst) (mnemonic, operands string) {
	mnemonic, operands, _ = strings.Cut(string(w.a.Print(nil, in, "att")), " ")
	return mnemonic, operands
}

// parse resolves a statement that is one instruction.
func (w *rewriter) parse(statement string) (isa.Inst, bool) {
	l, err := w.a.Parse(nil, statement, "att")
	if err != nil || len(l) != 1 || l[0].Form == isa.NoForm {
		return isa.Inst{}, false
	}
	l[0].Size = 0
	return l[0], true
}

// again resolves an instruction with changed operands again: a constant of another size may need another form.
func (w *rewriter) again(in isa.Inst) (isa.Inst, bool) {
	return w.parse(string(w.a.Print(nil, &in, "att")))
}

// steps are the forms of r = r ± constant, with the sign of the constant.
var steps = map[string]int64{"ADD64ri8": 1, "ADD64ri32": 1, "ADD32ri8": 1, "ADD32ri": 1, "SUB64ri8": -1, "SUB64ri32": -1, "SUB32ri8": -1, "SUB32ri": -1,
	"ADD64i32": 1, "SUB64i32": -1, "ADD32i32": 1, "SUB32i32": -1, "INC64r": 1, "INC32r": 1, "DEC64r": -1, "DEC32r": -1}

func (w *rewriter) step(in *isa.Inst) (r isa.Reg, imm int64, ok bool) {
	name := w.a.FormName(in)
	sign, known := steps[name]
	if !known {
		dst, src, imm, ok := w.a.AddImm(in)
		return dst, imm, ok && dst == src && imm != 0
	}
	switch {
	case strings.HasSuffix(name, "i32") && in.NOps == 1: // the accumulator is implied
		return w.accumulator(name), sign * in.Ops[0].Imm, in.Ops[0].Kind == isa.OpImm
	case in.NOps == 2:
		return in.Reg(0), sign, true
	}
	return in.Reg(0), sign * in.Ops[2].Imm, in.Reg(0) == in.Reg(1) && in.Ops[2].Kind == isa.OpImm
}

func (w *rewriter) accumulator(form string) isa.Reg {
	if strings.Contains(form, "64") {
		return RAX
	}
	return EAX
}

func (w *rewriter) withStep(in *isa.Inst, imm int64) (isa.Inst, bool) {
	r, _, ok := w.step(in)
	if !ok {
		return isa.Inst{}, false
	}
	switch name := w.a.FormName(in); {
	case strings.HasPrefix(name, "LEA"):
		out := *in
		out.Ops[4].Imm = imm
		return w.again(out)
	case imm < 0:
		return w.parse("sub" + w.size(r) + " " + constantText(-imm) + ", " + w.name(r))
	default:
		return w.parse("add" + w.size(r) + " " + constantText(imm) + ", " + w.name(r))
	}
}

// size is the suffix of instructions for a general register.
func (w *rewriter) size(r isa.Reg) string {
	members, _ := w.a.Regs.Class("GR64")
	for i := 0; i < members.Len(); i++ {
		if isa.Reg(members.At(i)) == r {
			return "q"
		}
	}
	return "l"
}

func (w *rewriter) displaced(in *isa.Inst, m *isa.MemRef, by int64) (isa.Inst, bool) {
	at := int(m.Op) + 3
	if m.Op < 0 || at >= int(in.NOps) || m.Gather {
		return isa.Inst{}, false
	}
	out := *in
	d := &out.Ops[at]
	sum := d.Imm + by
	if d.Kind == isa.OpExpr || sum != int64(int32(sum)) {
		return isa.Inst{}, false
	}
	d.Imm, out.Size = sum, 0
	return out, true
}

func (w *rewriter) simple(in *isa.Inst, m *isa.MemRef) (isa.Inst, bool) {
	at := int(m.Op)
	if m.Op < 0 || at+2 >= int(in.NOps) || m.Gather || m.Base == isa.NoReg || m.Index == isa.NoReg {
		return isa.Inst{}, false
	}
	out := *in
	out.Ops[at+1].Imm, out.Ops[at+2].Reg, out.Size = 1, isa.NoReg, 0
	return out, true
}

// reductions are the operations that combine a value with an accumulator, by mnemonic without the prefix "v".
var reductions = []struct{ kind, names string }{
	{"sum", "addss addsd addps addpd paddb paddw paddd paddq fmadd231ss fmadd231sd fmadd231ps fmadd231pd fnmadd231ss fnmadd231sd fnmadd231ps fnmadd231pd pdpbusd pdpwssd"},
	{"product", "mulss mulsd mulps mulpd imul"},
	{"minimum", "minss minsd minps minpd pminsb pminsw pminsd pminub pminuw pminud"},
	{"maximum", "maxss maxsd maxps maxpd pmaxsb pmaxsw pmaxsd pmaxub pmaxuw pmaxud"},
	{"and", "and pand andps andpd"}, {"or", "or por orps orpd"}, {"xor", "xor pxor xorps xorpd"},
	{"sum", "add"},
}

// differences are subtractions, which reduce only if the accumulator is the first source.
var differences = strings.Fields("subss subsd subps subpd psubb psubw psubd psubq sub")

func (w *rewriter) reduces(in *isa.Inst, op int) string {
	if op < 1 || in.NOps < 3 || in.Reg(op) == isa.NoReg || in.Reg(0) == isa.NoReg || w.a.Forms.Flags(in.Form)&(isa.MaskMerge|isa.MaskZero) != 0 {
		return ""
	}
	name, _ := w.a.Forms.AsmParts(in.Form, 0)
	general := name // without the suffix of the operands' size
	if n := len(name) - 1; n > 1 && strings.IndexByte("bwlq", name[n]) >= 0 {
		general = name[:n]
	}
	name = strings.TrimPrefix(name, "v")
	if slices.Contains(differences, name) || slices.Contains(differences, general) {
		if op == 1 {
			return "sum"
		}
		return ""
	}
	for _, r := range reductions {
		for _, n := range strings.Fields(r.names) {
			if n != name && n != general {
				continue
			}
			if tied := strings.Contains(n, "231") || strings.HasPrefix(n, "pdp"); tied && op != 1 {
				return "" // the operand is a factor, not the accumulator
			}
			if op == 1 || op == 2 {
				return r.kind
			}
		}
	}
	return ""
}

func (w *rewriter) addTo(r isa.Reg, imm int64) string {
	if imm < 0 {
		return "sub" + w.size(r) + " " + constantText(-imm) + ", " + w.name(r)
	}
	return "add" + w.size(r) + " " + constantText(imm) + ", " + w.name(r)
}

// zero returns a statement that sets a register to zero. For a general register this is xor of its lower half, which changes the flags.
func (w *rewriter) zero(r isa.Reg) string {
	n := w.name(r)
	switch {
	case strings.HasPrefix(n, "%ymm"), strings.HasPrefix(n, "%zmm"):
		n = "%x" + n[2:]
		fallthrough
	case strings.HasPrefix(n, "%xmm"):
		return "vxorps " + n + ", " + n + ", " + n
	}
	if half := w.half(r); half != isa.NoReg {
		return "xorl " + w.name(half) + ", " + w.name(half)
	}
	return ""
}

// half returns the 32-bit register that is the lower half of a 64-bit register or contains a narrower register.
func (w *rewriter) half(r isa.Reg) isa.Reg {
	members, _ := w.a.Regs.Class("GR32")
	for i := 0; i < members.Len(); i++ {
		if m := isa.Reg(members.At(i)); w.a.Regs.Overlap(m, r) {
			return m
		}
	}
	return isa.NoReg
}

func (w *rewriter) copy(dst, src isa.Reg) string {
	n := w.name(dst)
	if strings.Contains(n, "mm") {
		return "vmovaps " + w.name(src) + ", " + n
	}
	return "mov " + w.name(src) + ", " + n
}

// whole maps moves that merge into a register to moves that write the whole register.
var whole = map[string]string{"MOV8rm": "movzbl", "MOV16rm": "movzwl", "MOVZX16rm8": "movzbl", "MOVSX16rm8": "movsbl"}

func (w *rewriter) loadsWhole(in *isa.Inst) (isa.Inst, bool) {
	name := whole[w.a.FormName(in)]
	if name == "" || in.Reg(0) == isa.NoReg || apart(in.Reg(0)) == isa.HighByte {
		return isa.Inst{}, false
	}
	_, operands := w.text(in)
	at := strings.LastIndex(operands, ", ")
	half := w.half(in.Reg(0))
	if at < 0 || half == isa.NoReg {
		return isa.Inst{}, false
	}
	return w.parse(name + " " + operands[:at] + ", " + w.name(half))
}

// unneeded reports whether operand op only provides the upper elements of the result, as the first source of scalar conversions, roots and
// approximations does.
func (w *rewriter) unneeded(in *isa.Inst, op int) bool {
	name := w.a.FormName(in)
	if strings.HasPrefix(name, "VGATHER") || strings.HasPrefix(name, "VPGATHER") {
		return in.Reg(op) != isa.NoReg && in.Reg(op) == in.Reg(0) // unneeded if the mask selects all elements
	}
	if op != 1 || in.Reg(1) == isa.NoReg || in.Reg(1) != in.Reg(0) {
		return false
	}
	name = strings.TrimPrefix(name, "V")
	for _, p := range []string{"CVTSI2S", "CVTSI642S", "CVTUSI", "CVTSS2SD", "CVTSD2SS", "SQRTSS", "SQRTSD", "RCPSS", "RSQRTSS", "ROUNDSS", "ROUNDSD"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// reciprocal replaces a division of floating-point numbers by a multiplication with the same operands.
func (w *rewriter) reciprocal(in *isa.Inst) (isa.Inst, int, bool) {
	name := w.a.FormName(in)
	op := strings.TrimPrefix(name, "V")
	if !strings.HasPrefix(op, "DIVP") && !strings.HasPrefix(op, "DIVS") {
		return isa.Inst{}, 0, false
	}
	f := w.a.Forms.Named(strings.Replace(name, "DIV", "MUL", 1))
	if f == isa.NoForm || w.a.Forms.NumOps(f) != w.a.Forms.NumOps(in.Form) {
		return isa.Inst{}, 0, false
	}
	out := *in
	out.Form = f
	return out, 2, true
}

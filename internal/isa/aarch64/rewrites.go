package aarch64

import (
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/isa"
)

// rewriter implements isa.Rewrites: equivalent statements for an instruction.
type rewriter struct{ a *isa.ISA }

// newRewrites returns the rewrites of A64.
func newRewrites(a *isa.ISA) isa.Rewrites {
	w := &rewriter{a}
	return isa.Rewrites{
		Files: []isa.RegFile{
			{Classes: []string{"FPR8", "FPR16", "FPR32", "FPR64", "FPR128"}},
			{Classes: []string{"ZPR"}},
			{Classes: []string{"GPR32common", "GPR64common"}, Keep: []string{"X18", "FP", "LR"}},
		},
		Step: w.step, WithStep: w.withStep, Displaced: w.displaced, Reduces: w.reduces, Wider: w.wider, Widths: []int{128}, Reciprocal: w.reciprocal,
	}
}

// steps are the forms of r = r ± constant, with the sign of the constant.
var steps = map[string]int64{"ADDXri": 1, "ADDWri": 1, "ADDSXri": 1, "ADDSWri": 1, "SUBXri": -1, "SUBWri": -1, "SUBSXri": -1, "SUBSWri": -1}

func (w *rewriter) step(in *isa.Inst) (r isa.Reg, imm int64, ok bool) {
	sign := steps[w.a.FormName(in)]
	if sign == 0 || in.Reg(0) != in.Reg(1) || in.Ops[2].Kind != isa.OpImm {
		return 0, 0, false
	}
	return in.Reg(0), sign * in.Ops[2].Imm << (in.Ops[3].Imm & 63), true
}

func (w *rewriter) withStep(in *isa.Inst, imm int64) (isa.Inst, bool) {
	_, old, ok := w.step(in)
	if imm *= steps[w.a.FormName(in)]; !ok || old == 0 || imm < 0 {
		return isa.Inst{}, false
	}
	out := *in
	switch {
	case imm < 1<<12:
		out.Ops[2].Imm, out.Ops[3].Imm = imm, 0
	case imm < 1<<24 && imm%(1<<12) == 0:
		out.Ops[2].Imm, out.Ops[3].Imm = imm>>12, 12
	default:
		return isa.Inst{}, false
	}
	return out, true
}

func (w *rewriter) displaced(in *isa.Inst, m *isa.MemRef, by int64) (isa.Inst, bool) {
	name := w.a.FormName(in)
	at := int(m.Op) + 1
	if m.Op < 0 || m.Index != isa.NoReg || m.Update != 0 || at >= int(in.NOps) || in.Ops[at].Kind != isa.OpImm || m.Bits < 8 || strings.ContainsRune(name, '_') {
		return isa.Inst{}, false
	}
	size, low, high := int64(m.Bits/8), int64(0), int64(4095)
	switch {
	case strings.HasPrefix(name, "LDUR"), strings.HasPrefix(name, "STUR"):
		size, low, high = 1, -256, 255
	case strings.HasPrefix(name, "LDP"), strings.HasPrefix(name, "STP"):
		low, high = -64, 63
	case !strings.HasSuffix(name, "ui"):
		return isa.Inst{}, false
	}
	out := *in
	v := in.Ops[at].Imm + by/size
	if by%size != 0 || v < low || v > high {
		return isa.Inst{}, false
	}
	out.Ops[at].Imm = v
	return out, true
}

// reductions are the operations that combine a value with an accumulator, by the beginning of the form's name. which is the operand that may be the accumulator:
// 'b' the first or second source, 'f' only the first, 't' the source tied to the result, 'l' the last.
var reductions = []struct {
	prefix, kind string
	which        byte
}{
	{"FMADD", "sum", 'l'}, {"FMSUB", "sum", 'l'}, {"FMLA", "sum", 't'}, {"FMLS", "sum", 't'}, {"FADDP", "", 0}, {"FADDV", "", 0}, {"FADDA", "", 0}, {"FADD", "sum", 'b'}, {"FSUB", "sum", 'f'},
	{"FMULX", "", 0}, {"FMUL", "product", 'b'}, {"FMAXNMP", "", 0}, {"FMAXP", "", 0}, {"FMINNMP", "", 0}, {"FMINP", "", 0}, {"FMAXNMV", "", 0}, {"FMINNMV", "", 0}, {"FMAXV", "", 0}, {"FMINV", "", 0},
	{"FMAX", "maximum", 'b'}, {"FMIN", "minimum", 'b'}, {"MADD", "sum", 'l'}, {"MSUB", "sum", 'l'}, {"SMADDL", "sum", 'l'}, {"UMADDL", "sum", 'l'}, {"MLA", "sum", 't'}, {"MLS", "sum", 't'},
	{"SADALP", "sum", 't'}, {"UADALP", "sum", 't'}, {"SDOT", "sum", 't'}, {"UDOT", "sum", 't'}, {"SMLAL", "sum", 't'}, {"UMLAL", "sum", 't'}, {"SADDW", "sum", 'f'}, {"UADDW", "sum", 'f'},
	{"ADDP", "", 0}, {"ADDV", "", 0}, {"ADDG", "", 0}, {"ADDHN", "", 0}, {"ADDXri", "", 0}, {"ADDWri", "", 0}, {"ADDS", "sum", 'b'}, {"ADD", "sum", 'b'}, {"SUBXri", "", 0}, {"SUBWri", "", 0}, {"SUBXr", "sum", 'f'}, {"SUBWr", "sum", 'f'}, {"SUBv", "sum", 'f'},
	{"AND", "and", 'b'}, {"ORR", "or", 'b'}, {"EOR3", "", 0}, {"EOR", "xor", 'b'}, {"SMAXP", "", 0}, {"SMAXV", "", 0}, {"SMINP", "", 0}, {"SMINV", "", 0}, {"UMAXP", "", 0}, {"UMAXV", "", 0}, {"UMINP", "", 0}, {"UMINV", "", 0},
	{"SMAX", "maximum", 'b'}, {"SMIN", "minimum", 'b'}, {"UMAX", "maximum", 'b'}, {"UMIN", "minimum", 'b'},
}

func (w *rewriter) reduces(in *isa.Inst, op int) string {
	name := w.a.FormName(in)
	for _, r := range reductions {
		if !strings.HasPrefix(name, r.prefix) {
			continue
		}
		tied := w.a.Forms.TiedDef(in.Form, op) == 0
		scalable := strings.Contains(name, "_ZP") // SVE: result, predicate, sources
		switch {
		case r.kind == "" || op < 1 || strings.Contains(name, "indexed") && r.which == 'b':
			return ""
		case r.which == 't' && tied, r.which == 'l' && op == 3, (r.which == 'f' || r.which == 'b') && scalable && tied:
			return r.kind
		case scalable:
			return ""
		case r.which == 'f' && op == 1, r.which == 'b' && (op == 1 || op == 2):
			return r.kind
		}
		return ""
	}
	return ""
}

// reciprocal replaces a division of floating-point numbers by a multiplication with the same operands.
func (w *rewriter) reciprocal(in *isa.Inst) (isa.Inst, int, bool) {
	name := w.a.FormName(in)
	if !strings.HasPrefix(name, "FDIV") || strings.HasPrefix(name, "FDIVR") || strings.ContainsRune(name, '_') {
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

// wideScalars are scalar operations that exist for vectors under the same name.
var wideScalars = strings.Fields("fadd fsub fmul fdiv fmax fmin fmaxnm fminnm fsqrt fabs fneg")

// scalarRegister finds registers of floating-point scalars in a statement.
var scalarRegister = regex.Lazy(`\b([ds])([0-9]+)\b`)

// wider returns a scalar operation as an operation on vectors of 128 bits: dN becomes vN.2d.
func (w *rewriter) wider(in *isa.Inst, bits int) (isa.Inst, int, bool) {
	text := string(w.a.Print(nil, in, ""))
	m, operands, _ := strings.Cut(text, " ")
	found := scalarRegister().FindStringSubmatch(operands)
	if found == nil {
		return *in, 1, !strings.ContainsAny(operands, "vqz") || !strings.HasPrefix(m, "f")
	}
	element, arrangement := 64, ".2d"
	if found[1] == "s" {
		element, arrangement = 32, ".4s"
	}
	switch m {
	case "ldr", "str", "ldur", "stur":
		register, address, _ := strings.Cut(operands, ", ")
		out, ok := w.parse(m + " q" + register[1:] + ", " + widerUpdate(address, bits/element))
		return out, bits / element, ok
	case "fmadd", "fmsub":
		return w.widerFused(m, scalarRegister().FindAllStringSubmatch(operands, -1), arrangement, bits/element)
	}
	if !slices.Contains(wideScalars, m) {
		return isa.Inst{}, 0, false
	}
	out, ok := w.parse(m + " " + scalarRegister().ReplaceAllString(operands, "v${2}"+arrangement))
	return out, bits / element, ok
}

// widerFused returns a fused multiply-add for vectors, which exists only with the sum in the destination register.
func (w *rewriter) widerFused(m string, regs [][]string, arrangement string, times int) (isa.Inst, int, bool) {
	if len(regs) != 4 || regs[0][2] != regs[3][2] {
		return isa.Inst{}, 0, false
	}
	name := map[string]string{"fmadd": "fmla", "fmsub": "fmls"}[m]
	v := func(i int) string { return "v" + regs[i][2] + arrangement }
	out, ok := w.parse(name + " " + v(0) + ", " + v(1) + ", " + v(2))
	return out, times, ok
}

// updated matches the constant of a post-indexed or pre-indexed address.
var updated = regex.Lazy(`\], #(-?[0-9]+)$|, #(-?[0-9]+)\]!$`)

// widerUpdate multiplies the update of an access's base register by times.
func widerUpdate(address string, times int) string {
	return updated().ReplaceAllStringFunc(address, func(s string) string {
		at, end := strings.IndexByte(s, '#')+1, len(s)
		if i := strings.IndexByte(s, ']'); i > at {
			end = i
		}
		n, err := strconv.Atoi(s[at:end])
		if err != nil {
			return s
		}
		return s[:at] + strconv.Itoa(n*times) + s[end:]
	})
}

func (w *rewriter) parse(statement string) (isa.Inst, bool) {
	l, err := w.a.Parse(nil, statement, "")
	if err != nil || len(l) != 1 || l[0].Form == isa.NoForm {
		return isa.Inst{}, false
	}
	return l[0], true
}

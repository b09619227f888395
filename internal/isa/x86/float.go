package x86

import (
	"slices"
	"strings"

	"incore/internal/isa"
)

// floatOps are the operations of SSE, AVX and AVX-512 by mnemonic, without the prefix "v" and the suffix of the type.
var floatOps = map[string]isa.Float{
	"add": {Kind: isa.FloatAdd, Flops: 1}, "sub": {Kind: isa.FloatAdd, Flops: 1}, "addsub": {Kind: isa.FloatAdd, Flops: 1},
	"hadd": {Kind: isa.FloatReduce, Flops: 1}, "hsub": {Kind: isa.FloatReduce, Flops: 1},
	"mul": {Kind: isa.FloatMul, Flops: 1}, "div": {Kind: isa.FloatDiv, Flops: 1}, "sqrt": {Kind: isa.FloatSqrt, Flops: 1},
	"min": {Kind: isa.FloatMinMax, Flops: 1}, "max": {Kind: isa.FloatMinMax, Flops: 1},
	"rcp": {Kind: isa.FloatApprox, Flops: 1}, "rsqrt": {Kind: isa.FloatApprox, Flops: 1},
	"rcp14": {Kind: isa.FloatApprox, Flops: 1}, "rsqrt14": {Kind: isa.FloatApprox, Flops: 1},
	"rcp28": {Kind: isa.FloatApprox, Flops: 1}, "rsqrt28": {Kind: isa.FloatApprox, Flops: 1}, "exp2": {Kind: isa.FloatApprox, Flops: 1},
	"scalef": {Kind: isa.FloatMul, Flops: 1},
	"cmp":    {Kind: isa.FloatCompare}, "comi": {Kind: isa.FloatCompare}, "ucomi": {Kind: isa.FloatCompare},
	"round": {Kind: isa.FloatOther}, "rndscale": {Kind: isa.FloatOther}, "reduce": {Kind: isa.FloatOther}, "getexp": {Kind: isa.FloatOther}, "getmant": {Kind: isa.FloatOther},
	"fixupimm": {Kind: isa.FloatOther}, "range": {Kind: isa.FloatMinMax, Flops: 1}, "fpclass": {Kind: isa.FloatOther},
	"and": {Kind: isa.FloatOther}, "andn": {Kind: isa.FloatOther}, "or": {Kind: isa.FloatOther}, "xor": {Kind: isa.FloatOther},
	"blend": {Kind: isa.FloatOther}, "blendv": {Kind: isa.FloatOther}, "blendm": {Kind: isa.FloatOther},
}

// x87Floats are the operations of the x87, by the beginning of the form's name.
var x87Floats = []struct {
	prefix string
	kind   isa.FloatKind
	flops  int
}{
	{"ADD_F", isa.FloatAdd, 1}, {"SUB_F", isa.FloatAdd, 1}, {"SUBR_F", isa.FloatAdd, 1}, {"MUL_F", isa.FloatMul, 1}, {"DIV_F", isa.FloatDiv, 1}, {"DIVR_F", isa.FloatDiv, 1},
	{"SQRT_F", isa.FloatSqrt, 1}, {"UCOM_F", isa.FloatCompare, 0}, {"COM_F", isa.FloatCompare, 0}, {"CHS_F", isa.FloatOther, 0}, {"ABS_F", isa.FloatOther, 0},
}

// float returns the floating-point operations of an instruction: isa.ISA.Float.
func float(in *isa.Inst) isa.Float {
	d := db()
	mnemonic, _ := d.forms.AsmParts(in.Form, 0)
	name := d.forms.Name(in.Form)
	if d.forms.Encoding(in.Form) == 0 {
		for _, x := range x87Floats {
			if strings.HasPrefix(name, x.prefix) {
				return isa.Float{Kind: x.kind, Bits: 80, Lanes: 1, Flops: x.flops}
			}
		}
	}
	m := strings.TrimPrefix(mnemonic, "v")
	if strings.HasPrefix(m, "cvt") && !strings.HasPrefix(m, "cvtne") {
		if scalarConversion(m) {
			return isa.Float{Kind: isa.FloatConvert, Lanes: 1}
		}
		return isa.Float{Kind: isa.FloatConvert, Lanes: max(2, vectorBits(in)/64)}
	}
	if len(m) < 4 {
		return isa.Float{}
	}
	bits, packed := floatType(m[len(m)-2:])
	if bits == 0 {
		return isa.Float{}
	}
	base := strings.TrimSuffix(m[:len(m)-2], "${cc}")
	f, ok := floatOps[base]
	switch {
	case ok:
	case strings.HasPrefix(base, "cmp"):
		f = isa.Float{Kind: isa.FloatCompare}
	case strings.HasPrefix(base, "fmadd"), strings.HasPrefix(base, "fmsub"), strings.HasPrefix(base, "fnmadd"), strings.HasPrefix(base, "fnmsub"):
		f = isa.Float{Kind: isa.FloatFMA, Flops: 2}
		if strings.HasPrefix(base, "fmaddc") { // a complex multiply-add
			return isa.Float{}
		}
	case base == "dp":
		f = isa.Float{Kind: isa.FloatReduce, Flops: 2}
	default:
		return isa.Float{}
	}
	f.Bits, f.Lanes = bits, 1
	if packed {
		f.Lanes = vectorWidth(in, name) / bits
		if base == "dp" { // dot product in each half of 128 bits: n products and n-1 sums
			f.Lanes, f.Flops = f.Lanes/(128/bits), 2*(128/bits)-1
		}
	}
	return f
}

// scalarConversion reports whether a conversion is of one value: from or to an integer register, or between scalars.
func scalarConversion(mnemonic string) bool {
	from, to, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(mnemonic, "cvtt"), "cvt"), "2")
	for _, t := range [...]string{"si", "usi", "sis", "sd", "ss", "sh"} {
		if from == t || strings.HasPrefix(to, t) {
			return true
		}
	}
	return false
}

// moves are the mnemonics of moves of one element, between registers or from and to memory.
var moves = []string{"movss", "movsd", "movsh", "movd", "movq", "movw"}

// oneElement reports whether an instruction with vector registers as operands works on one element of them: isa.ISA.OneElement.
func oneElement(in *isa.Inst) bool {
	mnemonic, _ := db().forms.AsmParts(in.Form, 0)
	m := strings.TrimPrefix(mnemonic, "v")
	return slices.Contains(moves, m) || float(in).Lanes == 1
}

// floatType returns the width of the elements, and whether they are packed, from the last two letters of a mnemonic.
func floatType(suffix string) (bits int, packed bool) {
	switch suffix {
	case "pd":
		return 64, true
	case "ps":
		return 32, true
	case "ph":
		return 16, true
	case "sd":
		return 64, false
	case "ss":
		return 32, false
	case "sh":
		return 16, false
	}
	return 0, false
}

// vectorWidth is the width of the widest vector that an instruction names.
func vectorWidth(in *isa.Inst, name string) int {
	if strings.HasPrefix(name, "VFPCLASS") {
		return 0
	}
	return max(vectorBits(in), 0)
}

package aarch64

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// floatOps are the floating-point operations by the beginning of the form's name, longer ones before shorter.
var floatOps = isa.FloatOps{
	{"FNMADD", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FNMSUB", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FMADD", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FMSUB", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FMLA", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FMLS", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FMAD", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FMSB", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FNMLA", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FNMLS", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FNMAD", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FNMSB", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FCMLA", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FCADD", isa.Float{Kind: isa.FloatAdd, Flops: 1}},
	{"FRECPS", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FRSQRTS", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FADDV", isa.Float{Kind: isa.FloatReduce, Flops: 1, Less: 1}}, {"FADDA", isa.Float{Kind: isa.FloatReduce, Flops: 1}},
	{"FMAXNMV", isa.Float{Kind: isa.FloatReduce, Flops: 1, Less: 1}}, {"FMINNMV", isa.Float{Kind: isa.FloatReduce, Flops: 1, Less: 1}},
	{"FMAXV", isa.Float{Kind: isa.FloatReduce, Flops: 1, Less: 1}}, {"FMINV", isa.Float{Kind: isa.FloatReduce, Flops: 1, Less: 1}},
	{"FADDP", isa.Float{Kind: isa.FloatReduce, Flops: 1}},
	{"FADD", isa.Float{Kind: isa.FloatAdd, Flops: 1}}, {"FSUB", isa.Float{Kind: isa.FloatAdd, Flops: 1}}, {"FABD", isa.Float{Kind: isa.FloatAdd, Flops: 1}},
	{"FNMUL", isa.Float{Kind: isa.FloatMul, Flops: 1}}, {"FMUL", isa.Float{Kind: isa.FloatMul, Flops: 1}}, {"FTSMUL", isa.Float{Kind: isa.FloatMul, Flops: 1}},
	{"FSCALE", isa.Float{Kind: isa.FloatMul, Flops: 1}},
	{"FDIV", isa.Float{Kind: isa.FloatDiv, Flops: 1}}, {"FSQRT", isa.Float{Kind: isa.FloatSqrt, Flops: 1}},
	{"FMAX", isa.Float{Kind: isa.FloatMinMax, Flops: 1}}, {"FMIN", isa.Float{Kind: isa.FloatMinMax, Flops: 1}},
	{"FRECP", isa.Float{Kind: isa.FloatApprox, Flops: 1}}, {"FRSQRTE", isa.Float{Kind: isa.FloatApprox, Flops: 1}},
	{"FCM", isa.Float{Kind: isa.FloatCompare}}, {"FCCMP", isa.Float{Kind: isa.FloatCompare}}, {"FACG", isa.Float{Kind: isa.FloatCompare}},
	{"FCVT", isa.Float{Kind: isa.FloatConvert}}, {"SCVTF", isa.Float{Kind: isa.FloatConvert}}, {"UCVTF", isa.Float{Kind: isa.FloatConvert}},
	{"FRINT", isa.Float{Kind: isa.FloatOther}}, {"FNEG", isa.Float{Kind: isa.FloatOther}}, {"FABS", isa.Float{Kind: isa.FloatOther}},
	{"FMOV", isa.Float{Kind: isa.FloatOther}}, {"FCSEL", isa.Float{Kind: isa.FloatOther}}, {"FCPY", isa.Float{Kind: isa.FloatOther}}, {"FDUP", isa.Float{Kind: isa.FloatOther}},
}

// floatOf returns the function isa.ISA.Float, which counts an instruction's floating-point operations by LLVM's name of the form: FADDDrr, FADDv2f64, FMLA_ZPmZZ_D.
func floatOf(forms *isa.FormTable) func(in *isa.Inst) isa.Float {
	return func(in *isa.Inst) isa.Float {
		name := forms.Name(in.Form)
		if name == "" || !strings.ContainsRune("FSU", rune(name[0])) {
			return isa.Float{}
		}
		f, rest, ok := floatOps.Find(name)
		if !ok || strings.HasPrefix(name, "FMLAL") || strings.HasPrefix(name, "FMLSL") || strings.HasPrefix(name, "FMOPA") || strings.HasPrefix(name, "FMMLA") {
			return isa.Float{}
		}
		f.Bits, f.Lanes = shape(rest)
		return f
	}
}

// letters are the widths of elements by their letter.
var letters = map[byte]int{'D': 64, 'S': 32, 'H': 16}

// shape reads the elements' width and number from the part of a form's name after the operation; lanes is 0 for scalable vectors.
func shape(rest string) (bits, lanes int) {
	if i := strings.LastIndexByte(rest, '_'); i >= 0 && i+2 == len(rest) && letters[rest[i+1]] > 0 {
		return letters[rest[i+1]], 0
	}
	if i := strings.IndexByte(rest, 'v'); i >= 0 { // v2f64, v4i32_indexed, and v2i64p of one result
		numbers := strings.FieldsFunc(rest[i:], func(r rune) bool { return r < '0' || r > '9' })
		if len(numbers) >= 2 {
			lanes, _ = strconv.Atoi(numbers[0])
			bits, _ = strconv.Atoi(numbers[1])
			if strings.HasSuffix(rest, "p") {
				lanes = 1
			}
			return bits, lanes
		}
	}
	for _, w := range []int{64, 32, 16} {
		if strings.HasPrefix(strings.TrimLeft(rest, "SX"), strconv.Itoa(w)) {
			return w, 1
		}
	}
	for i := range rest { // Drr, NMDrr
		if b := letters[rest[i]]; b > 0 && (i+1 == len(rest) || rest[i+1] == 'r' || rest[i+1] == 'i') {
			return b, 1
		}
	}
	return 0, 1
}

package riscv

import (
	"strings"

	"incore/internal/isa"
)

// floatOps are the floating-point operations by the beginning of the form's name, longer ones before shorter.
var floatOps = isa.FloatOps{
	{"FNMADD_", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FNMSUB_", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FMADD_", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"FMSUB_", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"FADD_", isa.Float{Kind: isa.FloatAdd, Flops: 1}}, {"FSUB_", isa.Float{Kind: isa.FloatAdd, Flops: 1}}, {"FMUL_", isa.Float{Kind: isa.FloatMul, Flops: 1}},
	{"FDIV_", isa.Float{Kind: isa.FloatDiv, Flops: 1}}, {"FSQRT_", isa.Float{Kind: isa.FloatSqrt, Flops: 1}},
	{"FMIN", isa.Float{Kind: isa.FloatMinMax, Flops: 1}}, {"FMAX", isa.Float{Kind: isa.FloatMinMax, Flops: 1}},
	{"FEQ_", isa.Float{Kind: isa.FloatCompare}}, {"FLT_", isa.Float{Kind: isa.FloatCompare}}, {"FLE_", isa.Float{Kind: isa.FloatCompare}},
	{"FCVT_", isa.Float{Kind: isa.FloatConvert}}, {"FSGNJ", isa.Float{Kind: isa.FloatOther}}, {"FMV_", isa.Float{Kind: isa.FloatOther}}, {"FCLASS_", isa.Float{Kind: isa.FloatOther}},
	{"VFRED", isa.Float{Kind: isa.FloatReduce, Flops: 1}}, {"VFWRED", isa.Float{Kind: isa.FloatReduce, Flops: 1}},
	{"VFMACC", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"VFNMACC", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"VFMSAC", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"VFNMSAC", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"VFMADD", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"VFNMADD", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"VFMSUB", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"VFNMSUB", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"VFWMACC", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"VFWNMACC", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"VFWMSAC", isa.Float{Kind: isa.FloatFMA, Flops: 2}}, {"VFWNMSAC", isa.Float{Kind: isa.FloatFMA, Flops: 2}},
	{"VFADD", isa.Float{Kind: isa.FloatAdd, Flops: 1}}, {"VFSUB", isa.Float{Kind: isa.FloatAdd, Flops: 1}}, {"VFRSUB", isa.Float{Kind: isa.FloatAdd, Flops: 1}},
	{"VFWADD", isa.Float{Kind: isa.FloatAdd, Flops: 1}}, {"VFWSUB", isa.Float{Kind: isa.FloatAdd, Flops: 1}},
	{"VFMUL", isa.Float{Kind: isa.FloatMul, Flops: 1}}, {"VFWMUL", isa.Float{Kind: isa.FloatMul, Flops: 1}},
	{"VFDIV", isa.Float{Kind: isa.FloatDiv, Flops: 1}}, {"VFRDIV", isa.Float{Kind: isa.FloatDiv, Flops: 1}}, {"VFSQRT", isa.Float{Kind: isa.FloatSqrt, Flops: 1}},
	{"VFMIN", isa.Float{Kind: isa.FloatMinMax, Flops: 1}}, {"VFMAX", isa.Float{Kind: isa.FloatMinMax, Flops: 1}},
	{"VFREC7", isa.Float{Kind: isa.FloatApprox, Flops: 1}}, {"VFRSQRT7", isa.Float{Kind: isa.FloatApprox, Flops: 1}},
	{"VMF", isa.Float{Kind: isa.FloatCompare}}, {"VFCVT", isa.Float{Kind: isa.FloatConvert}}, {"VFWCVT", isa.Float{Kind: isa.FloatConvert}}, {"VFNCVT", isa.Float{Kind: isa.FloatConvert}},
	{"VFSGNJ", isa.Float{Kind: isa.FloatOther}}, {"VFCLASS", isa.Float{Kind: isa.FloatOther}}, {"VFMERGE", isa.Float{Kind: isa.FloatOther}}, {"VFMV", isa.Float{Kind: isa.FloatOther}}, {"VFSLIDE", isa.Float{Kind: isa.FloatOther}},
}

// letters are the widths of elements by the letter after the operation.
var letters = map[byte]int{'D': 64, 'S': 32, 'H': 16}

// floatOf returns the function isa.ISA.Float, which counts an instruction's floating-point operations. vtype gives the elements of vectors.
func floatOf(forms *isa.FormTable) func(in *isa.Inst) isa.Float {
	return func(in *isa.Inst) isa.Float {
		name := forms.Name(in.Form)
		f, rest, ok := floatOps.Find(name)
		if !ok {
			return isa.Float{}
		}
		if name[0] == 'V' {
			f.Bits, f.Lanes = int(in.VType.SEW), 0
			if strings.HasPrefix(name, "VFW") {
				f.Bits *= 2
			}
			return f
		}
		f.Lanes = 1
		rest = strings.TrimLeft(rest, "_")
		if rest != "" {
			f.Bits = letters[rest[0]]
		}
		return f
	}
}

package isa

import "strings"

// Float describes the floating-point work of an instruction.
type Float struct {
	Kind  FloatKind
	Bits  int // of an element; 0: not known
	Lanes int // elements computed without mask or predicate; 0: the vector length in force determines them
	Flops int // operations per element: two for a fused multiply-add, none for a move or conversion, else one
	Less  int // total number of operations saved: the sum of n elements takes n − 1 additions
}

// FloatKind is a kind of floating-point instruction.
type FloatKind uint8

// The kinds of floating-point instructions. Those from FloatAdd to FloatReduce do operations.
const (
	NoFloat FloatKind = iota
	FloatAdd
	FloatMul
	FloatFMA
	FloatDiv
	FloatSqrt
	FloatMinMax
	FloatApprox // of a reciprocal or its root
	FloatReduce
	FloatCompare
	FloatConvert
	FloatOther // signs, moves between kinds of registers, classification, rounding
)

// FloatKinds names the kinds.
var FloatKinds = [...]string{"", "add", "mul", "fma", "div", "sqrt", "minmax", "approx", "reduce", "compare", "convert", "other"}

func (k FloatKind) String() string { return FloatKinds[k] }

// FloatOps lists the floating-point instructions of an instruction set by the beginnings of their mnemonics.
type FloatOps []struct {
	Prefix string
	Float
}

// Find returns the first entry whose prefix a name has, and the rest of the name.
func (l FloatOps) Find(name string) (f Float, rest string, ok bool) {
	for i := range l {
		if rest, ok := strings.CutPrefix(name, l[i].Prefix); ok {
			return l[i].Float, rest, true
		}
	}
	return Float{}, "", false
}

package isa

// Float is what floating-point work an instruction does.
type Float struct {
	Kind  FloatKind
	Bits  int // of an element; 0: not known
	Lanes int // elements that it computes with no mask or predicate; 0: as many as the vector length in force says
	Flops int // operations per element: one, of a fused multiply-add two, of a move or conversion none
}

// FloatKind is a kind of floating-point instruction.
type FloatKind uint8

// The kinds of floating-point instructions. Those from FloatAdd to FloatReduce do operations; sums over the elements of a vector count as many
// operations as elements are added.
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

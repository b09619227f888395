package isa

import "incore/internal/base/blob"

// FixedEnc holds the encodings of an ISA whose instructions are words of fixed bits and operand fields: AArch64 and RISC-V (compressed instructions
// are words of 16 bits). Encodings are numbered 0 … Len()-1, independently of forms.
type FixedEnc struct {
	of          blob.U16 // form → encoding + 1
	form        blob.U16
	ns          blob.U16
	size        blob.U8
	mask, value blob.U32
	fields      blob.Lists
	spaces      blob.Strings
	tree        blob.U32
	leaf        blob.Lists
}

// A Field is a run of bits of an operand's encoded value: FieldLen numbers, which are the MC operand, the lowest bit in the instruction, the lowest
// bit of the value, the width. The value is the result of LLVM's encoder for the operand (register numbers, scaled or otherwise transformed
// immediates). An operand class of several MC operands has one value, listed at its first MC operand, unless the table names its parts.
const (
	FieldLen  = 4
	FieldNoOp = 255 // a field that belongs to no MC operand
)

// TreeLeaf marks a leaf of the decision tree. The tree is an array of 32-bit words;
// the root is at 0. A leaf is TreeLeaf | list of encodings; an inner node is
// lowest bit<<8 | width, followed by 1<<width places of children, 0 for none.
const TreeLeaf = 1 << 31

// LoadFixedEnc opens the encodings in an ISA's embedded tables.
func LoadFixedEnc(data string) *FixedEnc {
	b := blob.MustOpen(data)
	return &FixedEnc{of: b.U16("enc.of"), form: b.U16("enc.form"), ns: b.U16("enc.ns"), size: b.U8("enc.size"),
		mask: b.U32("enc.mask"), value: b.U32("enc.value"), fields: b.Lists("enc.fields"), spaces: b.Strings("enc.space"),
		tree: b.U32("enc.tree"), leaf: b.Lists("enc.leaf")}
}

// Len returns the number of encodings.
func (e *FixedEnc) Len() int { return e.form.Len() }

// Of returns the encoding of a form, -1 if it has none (pseudo-instructions).
func (e *FixedEnc) Of(f FormID) int { return int(e.of.At(int(f))) - 1 }

// Form returns the form of encoding i; Size its bytes; Mask and Value its fixed bits.
func (e *FixedEnc) Form(i int) FormID  { return FormID(e.form.At(i)) }
func (e *FixedEnc) Size(i int) int     { return int(e.size.At(i)) }
func (e *FixedEnc) Mask(i int) uint32  { return e.mask.At(i) }
func (e *FixedEnc) Value(i int) uint32 { return e.value.At(i) }

// Namespace returns the number of LLVM's decoder namespace of encoding i, 0 for the main one; NamespaceName returns its name. Encodings of different
// namespaces may be equal, because they belong to extensions that exclude each other.
func (e *FixedEnc) Namespace(i int) int         { return int(e.ns.At(i)) }
func (e *FixedEnc) NamespaceName(ns int) string { return e.spaces.At(ns) }

// Fields returns the operand fields of encoding i, FieldLen numbers each, ordered by operand.
func (e *FixedEnc) Fields(i int) blob.U16 { return e.fields.At(i) }

// Candidates returns the encodings that a word may have, those with most fixed bits first. The caller tests Mask and Value, and the other conditions
// of its ISA.
func (e *FixedEnc) Candidates(word uint32) blob.U16 {
	at := 0
	for {
		n := e.tree.At(at)
		if n&TreeLeaf != 0 {
			return e.leaf.At(int(n &^ TreeLeaf))
		}
		at = int(e.tree.At(at + 1 + int(word>>(n>>8)&(1<<(n&0xff)-1))))
		if at == 0 {
			return ""
		}
	}
}

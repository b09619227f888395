package isa

import (
	"strings"

	"incore/internal/base/blob"
)

// FormID is an index into the form table of an ISA. 0 is the unknown form. Forms are sorted by name, so ids are stable for one version of the tables
// only; names (LLVM's opcode names, "ADD64rr") are the stable keys.
type FormID uint16

// NoForm marks an instruction whose form could not be resolved.
const NoForm FormID = 0

// FormFlags are LLVM's properties of a form, including those that LLVM infers.
type FormFlags uint32

// The bits of FormFlags. The generator maps LLVM's flags of each target to them by name.
const (
	MayLoad FormFlags = 1 << iota
	MayStore
	SideEffects // LLVM's UnmodeledSideEffects
	Branch
	Call
	Return
	IndirectBranch
	Barrier    // control does not fall through
	Terminator // ends a basic block
	Compare
	MoveImm
	MoveReg
	Trap
	MayRaiseFP
	Commutable
	Variadic
	Pseudo
	CodeGenOnly
	AsmParserOnly
	LockPrefix
	REPPrefix
	MaskMerge // EVEX_K: result merges under a mask
	MaskZero  // EVEX_Z
	EVEXb     // broadcast, rounding or sae
	EVEXrc    // static rounding
	EVEXnf    // APX no-flags
)

// FlagNames lists LLVM's names of the bits, in order; the generator uses it.
var FlagNames = []string{"MayLoad", "MayStore", "UnmodeledSideEffects", "Branch", "Call", "Return", "IndirectBranch", "Barrier",
	"Terminator", "Compare", "MoveImm", "MoveReg", "Trap", "MayRaiseFPException", "Commutable", "Variadic", "Pseudo", "CodeGenOnly",
	"AsmParserOnly", "LockPrefix", "REPPrefix", "EVEX_K", "EVEX_Z", "EVEX_B", "EVEX_RC", "EVEX_NF"}

// FormTable holds the instruction forms of an ISA, column by column.
type FormTable struct {
	names   blob.Strings
	asmHead blob.Strings                     // mnemonics of asm strings
	asmTail blob.Strings                     // the rest of asm strings, from the tab on
	asm     [2]struct{ head, tail blob.U16 } // form → asm string by variant; variant 1 empty if the same
	flags   blob.U32
	class   blob.U16 // LLVM scheduling class
	nops    blob.U8  // MC operands
	ndefs   blob.U8  // of them definitions
	mem     blob.U8  // first MC operand of the memory operand, 255 = none
	size    blob.U8  // bytes, 0 = variable or unknown
	enc     blob.U8  // x86: 0 legacy, 'V', 'E', 'X'
	prefix  blob.U8  // x86: explicit prefix the text must carry: 'V', 'E', '2', 0
	sig     blob.U16 // → sigOps
	sigOps  blob.Lists
	tie     blob.U16   // → ties
	ties    blob.Lists // pairs (use, def) of MC operands
	imp     blob.U16   // → impUse, impDef
	impUse  blob.Lists
	impDef  blob.Lists
	pred    blob.U16   // → predSet
	predSet blob.Lists // sets of predicates
	preds   blob.Strings
	predDef blob.Strings
	opName  blob.Strings // operand names
	classes []OpClass
	schedN  blob.Strings
}

// OpClass is an operand class of LLVM ("GR64", "i64mem", "simm12").
type OpClass struct {
	Name     string
	Kind     string // reg, imm, mem, pcrel, ptr
	RegClass string // register class for Kind reg
	Sub      int    // MC operands that it flattens to
	Bits     int    // size of memory operands in bits, 0 = unknown
	Print    string // LLVM's print method
	AsmClass string // LLVM's asm operand class
	Type     string // LLVM's operand type (OPERAND_PCREL …)
}

// addressParts is the number of MC operands of an address that is one operand: base, scale, index, displacement, segment.
const addressParts = 5

// IsAddress reports whether the class is an x86 memory operand or an address that is only computed (lea).
func (c *OpClass) IsAddress() bool { return c.Sub == addressParts }

// VectorIndex returns the width of the vector index of a memory class (vx64mem, vy256xmem): x, y, z; 0 for none.
func (c *OpClass) VectorIndex() byte {
	if n := c.Name; len(n) > 3 && n[0] == 'v' && (n[1] == 'x' || n[1] == 'y' || n[1] == 'z') {
		return n[1]
	}
	return 0
}

// Shifted returns the class of the register in an operand of register and shift, which LLVM names by its width only (arith_shifted_reg64); nil for
// other classes.
func (c *OpClass) Shifted() *OpClass {
	_, width, ok := strings.Cut(c.Name, "ed_reg")
	if c.Sub != 2 || !ok || len(width) < 2 {
		return nil
	}
	name := "GPR" + width[:2]
	return &OpClass{Name: name, Kind: "reg", RegClass: name, Sub: 1}
}

// OpDecl is a declared operand of a form: outs first, then ins.
type OpDecl struct {
	Name  string
	Class *OpClass
	MC    int // first MC operand; its class tells how many
}

func newFormTable(b *blob.Blob) *FormTable {
	t := &FormTable{names: b.Strings("form.name"), asmHead: b.Strings("asm.head"), asmTail: b.Strings("asm.tail"), flags: b.U32("form.flags"),
		class: b.U16("form.class"), nops: b.U8("form.nops"), ndefs: b.U8("form.ndefs"), mem: b.U8("form.mem"), size: b.U8("form.size"),
		enc: b.U8("form.enc"), prefix: b.U8("form.prefix"), sig: b.U16("form.sig"), sigOps: b.Lists("sig"), tie: b.U16("form.tie"), ties: b.Lists("tie"),
		imp: b.U16("form.imp"), impUse: b.Lists("imp.use"), impDef: b.Lists("imp.def"), pred: b.U16("form.pred"), predSet: b.Lists("predset"),
		preds: b.Strings("pred.name"), predDef: b.Strings("pred.def"), opName: b.Strings("op.name"), schedN: b.Strings("sched.class")}
	for v, n := range [2]string{"asm", "alt"} {
		t.asm[v].head, t.asm[v].tail = b.U16("form."+n+"head"), b.U16("form."+n+"tail")
	}
	s := func(col string) blob.Strings { return b.Strings("oc." + col) }
	name, kind, rc, pr, ac, ty := s("name"), s("kind"), s("rc"), s("print"), s("asm"), s("type")
	sub, bits := b.U8("oc.sub"), b.U16("oc.bits")
	t.classes = make([]OpClass, name.Len())
	for i := range t.classes {
		t.classes[i] = OpClass{Name: name.At(i), Kind: kind.At(i), RegClass: rc.At(i), Sub: int(sub.At(i)), Bits: int(bits.At(i)),
			Print: pr.At(i), AsmClass: ac.At(i), Type: ty.At(i)}
	}
	return t
}

// Len returns the number of forms, including the unknown one.
func (t *FormTable) Len() int { return t.names.Len() }

// Name returns the form's LLVM opcode name, "" for NoForm.
func (t *FormTable) Name(f FormID) string { return t.names.At(int(f)) }

// Named finds a form by LLVM's opcode name, NoForm if there is none.
func (t *FormTable) Named(name string) FormID {
	return FormID(max(0, t.names.Search(name)))
}

// Asm returns LLVM's asm string of a form ("addq\t$src2, $src1"), variant 0
// (AT&T, generic) or 1 (Intel, Apple). It allocates; AsmParts does not.
func (t *FormTable) Asm(f FormID, variant int) string {
	head, tail := t.AsmParts(f, variant)
	return head + tail
}

// AsmParts returns LLVM's asm string in two parts: the mnemonic and the rest,
// which starts with a tab where it is not empty.
func (t *FormTable) AsmParts(f FormID, variant int) (mnemonic, operands string) {
	a := &t.asm[variant]
	mnemonic, operands = t.asmHead.At(int(a.head.At(int(f)))), t.asmTail.At(int(a.tail.At(int(f))))
	if variant == 1 && mnemonic == "" && operands == "" {
		return t.AsmParts(f, 0)
	}
	return mnemonic, operands
}

// Flags returns the properties of a form.
func (t *FormTable) Flags(f FormID) FormFlags { return FormFlags(t.flags.At(int(f))) }

// SchedClass returns the number of LLVM's scheduling class, NumClasses the number of classes.
func (t *FormTable) SchedClass(f FormID) int { return int(t.class.At(int(f))) }
func (t *FormTable) NumClasses() int         { return t.schedN.Len() }

// NumOps returns the number of MC operands, NumDefs the number of definitions, which are the first operands.
func (t *FormTable) NumOps(f FormID) int  { return int(t.nops.At(int(f))) }
func (t *FormTable) NumDefs(f FormID) int { return int(t.ndefs.At(int(f))) }

// MemOp returns the first MC operand of the x86 memory operand (base, scale, index, displacement, segment), or -1.
func (t *FormTable) MemOp(f FormID) int {
	if m := t.mem.At(int(f)); m != 255 {
		return int(m)
	}
	return -1
}

// Size returns the encoded size in bytes, 0 where it varies.
func (t *FormTable) Size(f FormID) int { return int(t.size.At(int(f))) }

// Encoding tells x86 encodings apart: 0 legacy, 'V' VEX, 'E' EVEX, 'X' XOP.
func (t *FormTable) Encoding(f FormID) byte { return t.enc.At(int(f)) }

// Prefix returns the x86 pseudo-prefix that the text must carry: 'V' {vex}, 'E' {evex}, '2' {rex2}, 0 none.
func (t *FormTable) Prefix(f FormID) byte { return t.prefix.At(int(f)) }

// Ties returns pairs (use, definition) of MC operands that are one register.
func (t *FormTable) Ties(f FormID) blob.U16 { return t.ties.At(int(t.tie.At(int(f)))) }

// TiedDef returns the definition that MC operand op is tied to, or -1.
func (t *FormTable) TiedDef(f FormID, op int) int {
	for i, l := 0, t.Ties(f); i < l.Len(); i += 2 {
		if int(l.At(i)) == op {
			return int(l.At(i + 1))
		}
	}
	return -1
}

// ImplicitUses and ImplicitDefs are the registers that a form reads and writes without naming them.
func (t *FormTable) ImplicitUses(f FormID) blob.U16 { return t.impUse.At(int(t.imp.At(int(f)))) }
func (t *FormTable) ImplicitDefs(f FormID) blob.U16 { return t.impDef.At(int(t.imp.At(int(f)))) }

// Predicates lists the names of the conditions under which the form exists ("HasAVX512").
func (t *FormTable) Predicates(f FormID) []string {
	l := t.predSet.At(int(t.pred.At(int(f))))
	out := make([]string, l.Len())
	for i := range out {
		out[i] = t.preds.At(int(l.At(i)))
	}
	return out
}

// PredicateDef returns a predicate's condition on subtarget features ("(all_of FeatureAVX512)").
func (t *FormTable) PredicateDef(name string) string {
	if i := t.preds.Search(name); i >= 0 {
		return t.predDef.At(i)
	}
	return ""
}

// Operands returns the declared operands of a form, outs first. It allocates; hot paths use OperandClass.
func (t *FormTable) Operands(f FormID) []OpDecl {
	l := t.sigOps.At(int(t.sig.At(int(f))))
	out, mc := make([]OpDecl, 0, l.Len()/2), 0
	for i := 0; i < l.Len(); i += 2 {
		c := &t.classes[l.At(i+1)]
		out = append(out, OpDecl{Name: t.opName.At(int(l.At(i))), Class: c, MC: mc})
		mc += c.Sub
	}
	return out
}

// OperandClass returns the class that MC operand op belongs to, nil if the form has no such operand.
func (t *FormTable) OperandClass(f FormID, op int) *OpClass {
	l, mc := t.sigOps.At(int(t.sig.At(int(f)))), 0
	for i := 0; i < l.Len(); i += 2 {
		c := &t.classes[l.At(i+1)]
		if mc += c.Sub; op < mc {
			return c
		}
	}
	return nil
}

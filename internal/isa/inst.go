package isa

// OpKind is the kind of an Operand.
type OpKind uint8

// The kinds of operands.
const (
	OpNone OpKind = iota
	OpReg         // Reg; NoReg for an absent base, index or segment
	OpImm         // Imm
	OpExpr        // Expr, a symbolic value; Imm is its constant part
)

// Operand is one MC operand, as in LLVM's MCInst: an x86 memory operand has five of them (base, scale, index, displacement, segment), an A64 shifted
// register two.
type Operand struct {
	Kind OpKind
	Reg  Reg
	Imm  int64
	Expr *Expr
}

// Expr is a symbolic displacement, immediate or branch target.
type Expr struct {
	Text string // as written, "foo+8@PLT"
	Sym  string // the (first) symbol, without modifiers
	Mod  string // relocation modifier: "PLT", "GOTPCREL", "lo12", "pcrel_hi" …
	Add  int64  // constant addend
}

// MaxOps is the largest number of MC operands of any form, with room to spare.
const MaxOps = 12

// Inst is an instruction: a form and its MC operands, definitions first.
// It is a value; copying it copies the operands.
type Inst struct {
	Form   FormID
	NOps   uint8
	Size   uint8 // encoded bytes, 0 if not known (text)
	Prefix Prefix
	VType  VType // RISC-V: vtype in force, set by the ISA's Context pass; 0 unknown
	Top    uint8 // x86: 1 + number of the x87 register that st(0) is, set by the ISA's Context pass; 0 unknown
	Ops    [MaxOps]Operand
}

// Prefix holds x86 prefixes that are not part of the form.
type Prefix uint16

// The prefixes.
const (
	PfxLock Prefix = 1 << iota
	PfxRep         // rep, repe
	PfxRepne
	PfxData16
	PfxAddr32
	PfxNotrack
	PfxBnd
	PfxRexW
	PfxVEX  // {vex}
	PfxVEX3 // {vex3}
	PfxEVEX // {evex}
	PfxDisp8
	PfxDisp32
)

// VType is a RISC-V vector configuration, as set by vset*vli.
type VType struct {
	SEW  uint8 // 8, 16, 32, 64; 0 unknown
	LMUL uint8 // vlmul encoding: 0..3 = 1..8, 5..7 = 1/8, 1/4, 1/2
	Keep uint8 // the destination elements that keep their value although not computed: KeepTail, KeepMasked
	AVL  uint8 // number of elements if an immediate gave it (vsetivli); 0: a register did
}

// Elements returns the greatest number of elements for vector registers of so many bytes (VLMAX), or the number that an immediate gave if that is smaller; 0 if
// the configuration is not known.
func (t VType) Elements(bytes int) int {
	if t.SEW == 0 {
		return 0
	}
	n := bytes * 8 / int(t.SEW)
	if t.LMUL < 4 {
		n <<= t.LMUL
	} else {
		n >>= 8 - t.LMUL
	}
	if t.AVL > 0 {
		n = min(n, int(t.AVL))
	}
	return n
}

// The bits of VType.Keep: the undisturbed policies tu and mu. Agnostic policies need no old value.
const (
	KeepTail   = 1 << iota // elements past vl
	KeepMasked             // elements that the mask switches off
)

// AddReg, AddImm, AddExpr and Add append an operand; none beyond MaxOps.
func (in *Inst) AddReg(r Reg)    { in.add(Operand{Kind: OpReg, Reg: r}) }
func (in *Inst) AddImm(v int64)  { in.add(Operand{Kind: OpImm, Imm: v}) }
func (in *Inst) AddExpr(e *Expr) { in.add(Operand{Kind: OpExpr, Expr: e, Imm: e.Add}) }
func (in *Inst) Add(o Operand)   { in.add(o) }

func (in *Inst) add(o Operand) {
	if int(in.NOps) < MaxOps {
		in.Ops[in.NOps] = o
		in.NOps++
	}
}

// Reg returns MC operand i if it is a register, else NoReg.
func (in *Inst) Reg(i int) Reg {
	if i < int(in.NOps) && in.Ops[i].Kind == OpReg {
		return in.Ops[i].Reg
	}
	return NoReg
}

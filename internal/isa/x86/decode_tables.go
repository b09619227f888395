package x86

import (
	"sync"

	"incore/internal/base/blob"
	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// codec holds the encoding tables, unpacked for speed.
type codec struct {
	forms []formCode // by FormID
	sigs  []sigInfo
	plans [][]enc.Step
	roots []uint32 // map<<8|opcode → offset in tree
	tree  []uint16
	table *isa.FormTable
	regs  *isa.RegTable
}

// formCode is the encoding of a form; sig 0 means it has none.
type formCode struct {
	sig, plan uint16
	opcode    uint8
	branch    bool // jump, call or return
}

// sigInfo is a signature with the decoder's key that it requires.
type sigInfo struct {
	enc.Sig
	mask, value uint32
}

// codes returns the encoding tables, unpacked on first use (about a quarter of a millisecond).
var codes = sync.OnceValue(func() *codec {
	b := blob.MustOpen(tables)
	c := new(codec)
	c.table, c.regs, _ = isa.Load(tables)
	sig, plan, op := b.U16("x86.sig"), b.U16("x86.plan"), b.U8("x86.opcode")
	flags := b.U32("form.flags")
	c.forms = make([]formCode, sig.Len())
	for i := range c.forms {
		branch := isa.FormFlags(flags.At(i))&(isa.Branch|isa.Call|isa.Return) != 0
		c.forms[i] = formCode{sig.At(i), plan.At(i), op.At(i), branch}
	}
	lo, hi := b.U32("x86.siga"), b.U32("x86.sigb")
	c.sigs = make([]sigInfo, lo.Len())
	for i := range c.sigs {
		s := enc.Unpack(lo.At(i), hi.At(i))
		m, v := s.Key()
		c.sigs[i] = sigInfo{s, m, v}
	}
	steps := b.Lists("x86.step")
	c.plans = make([][]enc.Step, steps.Len())
	for i := range c.plans {
		l := steps.At(i)
		for k := 0; k < l.Len(); k++ {
			c.plans[i] = append(c.plans[i], enc.Step(l.At(k)))
		}
	}
	c.roots, c.tree = words32(b.U32("x86.root")), words16(b.U16("x86.tree"))
	return c
})

func words32(col blob.U32) []uint32 {
	out := make([]uint32, col.Len())
	for i := range out {
		out[i] = col.At(i)
	}
	return out
}

func words16(col blob.U16) []uint16 {
	out := make([]uint16, col.Len())
	for i := range out {
		out[i] = col.At(i)
	}
	return out
}

// find walks the decision tree of an opcode and returns the form, NoForm if the encoding is undefined.
func (c *codec) find(root int, key uint32) isa.FormID {
	tree := c.tree[c.roots[root]:]
	w := tree[0]
	for w != 0 && w < enc.TreeLeaf {
		n := tree[w]
		bits := key >> (n & 31) & (1<<(n>>8) - 1)
		w = tree[uint32(w)+1+bits]
	}
	return isa.FormID(w &^ enc.TreeLeaf)
}

// classRegs are the registers of each class by their number in machine code.
var classRegs = [enc.NumClasses][32]isa.Reg{
	enc.Class8: {AL, CL, DL, BL, SPL, BPL, SIL, DIL, R8B, R9B, R10B, R11B, R12B, R13B, R14B, R15B,
		R16B, R17B, R18B, R19B, R20B, R21B, R22B, R23B, R24B, R25B, R26B, R27B, R28B, R29B, R30B, R31B},
	enc.Class16: {AX, CX, DX, BX, SP, BP, SI, DI, R8W, R9W, R10W, R11W, R12W, R13W, R14W, R15W,
		R16W, R17W, R18W, R19W, R20W, R21W, R22W, R23W, R24W, R25W, R26W, R27W, R28W, R29W, R30W, R31W},
	enc.Class32: {EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, R8D, R9D, R10D, R11D, R12D, R13D, R14D, R15D,
		R16D, R17D, R18D, R19D, R20D, R21D, R22D, R23D, R24D, R25D, R26D, R27D, R28D, R29D, R30D, R31D},
	enc.Class64: {RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15,
		R16, R17, R18, R19, R20, R21, R22, R23, R24, R25, R26, R27, R28, R29, R30, R31},
	enc.ClassMMX: seq32(MM0, 8, MM0, 8, MM0, 8, MM0, 8),
	enc.ClassXMM: seq32(XMM0, 16, XMM16, 16),
	enc.ClassYMM: seq32(YMM0, 16, YMM16, 16),
	enc.ClassZMM: seq32(ZMM0, 32),
	enc.ClassK:   seq32(K0, 8),
	// a pair is named by either of its registers
	enc.ClassKPair: {K0_K1, K0_K1, K2_K3, K2_K3, K4_K5, K4_K5, K6_K7, K6_K7},
	enc.ClassSeg:   {ES, CS, SS, DS, FS, GS},
	enc.ClassCR:    seq32(CR0, 16),
	enc.ClassDR:    seq32(DR0, 16),
	enc.ClassST:    seq32(ST0, 8, ST0, 8, ST0, 8, ST0, 8),
	enc.ClassTile:  seq32(TMM0, 8),
}

// highBytes are the 8-bit registers 4 to 7 of instructions without a REX prefix.
var highBytes = [4]isa.Reg{AH, CH, DH, BH}

// seq32 makes a class from runs of registers (first, length).
func seq32(runs ...isa.Reg) (out [32]isa.Reg) {
	n := 0
	for i := 0; i < len(runs); i += 2 {
		for k := isa.Reg(0); k < runs[i+1]; k++ {
			out[n] = runs[i] + k
			n++
		}
	}
	return out
}

// wider reports whether MC operand op, a 32-bit register, may be written as a
// 64-bit one without a change in meaning (pextrw, movmskps).
func (c *codec) wider(f isa.FormID, op int) bool {
	class := c.table.OperandClass(f, op)
	return class != nil && (class.Name == "GR32orGR64" || class.Name == "GR16orGR32orGR64")
}

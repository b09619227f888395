package x86

import (
	"strings"

	"incore/internal/isa"
)

// flowOf classifies the control flow of a form.
func flowOf(name string, flags isa.FormFlags) isa.FlowKind {
	switch {
	case flags&isa.Return != 0:
		return isa.FlowReturn
	case flags&isa.Call != 0, strings.HasPrefix(name, "FARCALL"):
		return isa.FlowCall
	case flags&isa.IndirectBranch != 0, strings.HasPrefix(name, "FARJMP"):
		return isa.FlowIndirect
	case flags&isa.Branch != 0 && flags&isa.Barrier != 0:
		return isa.FlowJump
	case flags&isa.Branch != 0, strings.HasPrefix(name, "XBEGIN"):
		return isa.FlowCond
	}
	switch name {
	case "TRAP", "UD1Wr", "UD1Lr", "UD1Qr", "UD1Wm", "UD1Lm", "UD1Qm", "HLT", "INT3", "UD2", "UD2B":
		return isa.FlowTrap
	}
	return isa.FlowNext
}

// flow says how an instruction changes control flow: isa.ISA.Flow.
func flow(in *isa.Inst) isa.Flow {
	if in.Form == isa.NoForm {
		return isa.Flow{}
	}
	t := traitsOf(in.Form)
	f := isa.Flow{Kind: t.flow}
	switch f.Kind {
	case isa.FlowJump, isa.FlowCond, isa.FlowCall:
		if in.NOps > 0 && t.mem < 0 && in.Ops[0].Kind != isa.OpReg {
			f.Target = in.Ops[0]
		}
	}
	return f
}

// fuseOp is the first instruction of a pair that cores fuse with a conditional jump.
type fuseOp uint8

const (
	fuseNone fuseOp = iota
	fuseCmp
	fuseTest
	fuseAdd
	fuseSub
	fuseAnd
	fuseInc
	fuseDec
	fuseOr
	fuseXor
	fuseJcc // the jump itself
	numFuseOps
)

var fuseNames = [numFuseOps]string{fuseCmp: "cmp", fuseTest: "test", fuseAdd: "add", fuseSub: "sub", fuseAnd: "and", fuseInc: "inc",
	fuseDec: "dec", fuseOr: "or", fuseXor: "xor"}

func fuseOf(name string) fuseOp {
	if strings.HasPrefix(name, "JCC_") {
		return fuseJcc
	}
	fam := strings.ToLower(family(name))
	for op := fuseCmp; op < fuseJcc; op++ {
		if fuseNames[op] == fam && len(name) > len(fam) && name[len(fam)] >= '0' && name[len(fam)] <= '9' && !strings.Contains(name, "_NF") && !strings.Contains(name, "_ND") {
			return op
		}
	}
	return fuseNone
}

// Suffixes of the kinds that fusesWith returns: which flags the jump needs
// beyond what every fusing core allows, and what the first instruction's
// operands are.
const (
	fuseCarry   = 1 << iota // .c: inc or dec, and a condition that needs the carry
	fuseSign                // .sop: condition on sign, overflow or parity alone
	fuseImm                 // .imm: memory operand and immediate
	fuseRIP                 // .rip: memory operand relative to rip
	numFuseKind = 1 << 4
)

var fuseKinds = func() (k [numFuseOps][numFuseKind]string) {
	for op := range k {
		for bits := range k[op] {
			s := fuseNames[op] + "+jcc"
			for i, suffix := range [...]string{".c", ".sop", ".imm", ".rip"} {
				if bits>>i&1 != 0 {
					s += suffix
				}
			}
			k[op][bits] = s
		}
	}
	return k
}()

// fusesWith names the kind of pair that an arithmetic instruction and a
// conditional jump make: isa.ISA.FusesWith. Kinds are "cmp+jcc", "test+jcc",
// "add+jcc", "sub+jcc", "and+jcc", "inc+jcc", "dec+jcc", "or+jcc", "xor+jcc",
// with the suffixes above, in that order, where a core may decline such a pair:
// Intel does not fuse .imm, .rip with .imm, .c, nor .sop except after test and
// and (SDM optimisation manual 2.5.2.1 in older, 3.4.2.2 in newer editions).
// Instructions that write memory never fuse.
func fusesWith(first, second *isa.Inst) (kind string) {
	if first.Form == isa.NoForm || second.Form == isa.NoForm {
		return ""
	}
	a, b := traitsOf(first.Form), traitsOf(second.Form)
	if a.fuse == fuseNone || a.fuse == fuseJcc || b.fuse != fuseJcc || a.store {
		return ""
	}
	bits := a.fuseOperands(first)
	switch cc := second.Ops[b.cond].Imm & 15; {
	case conditionReads[cc]&flagCF != 0 && (a.fuse == fuseInc || a.fuse == fuseDec):
		bits |= fuseCarry
	case cc <= 1 || cc >= 8 && cc <= 11: // o, s, p
		bits |= fuseSign
	}
	return fuseKinds[a.fuse][bits]
}

// fusesFirst is the kind of pair that an instruction begins if a suitable jump follows: isa.ISA.FusesFirst.
func fusesFirst(first *isa.Inst) (kind string) {
	if first.Form == isa.NoForm {
		return ""
	}
	a := traitsOf(first.Form)
	if a.fuse == fuseNone || a.fuse == fuseJcc || a.store {
		return ""
	}
	return fuseKinds[a.fuse][a.fuseOperands(first)]
}

// joinFamilies are the operations that AMD names for the pair of a move and an operation (GCC, x86-tune-sched.cc: "ADD ADC AND XOR OR SUB SBB INC DEC NOT SAL SHL SHR SAR").
var joinFamilies = map[string]bool{"ADD": true, "ADC": true, "AND": true, "XOR": true, "OR": true, "SUB": true, "SBB": true,
	"INC": true, "DEC": true, "NOT": true, "SHL": true, "SHR": true, "SAR": true}

// joinsMoveOf reports whether a form is an operation on a register that it overwrites, of those that join a move.
func joinsMoveOf(name string, mem int8) bool {
	fam := family(name)
	return joinFamilies[fam] && mem < 0 && len(name) > len(fam) && name[len(fam)] >= '0' && name[len(fam)] <= '9' && !strings.Contains(name, "_NF") && !strings.Contains(name, "_ND")
}

// joinsMove reports whether an operation joins the move whose result it overwrites: isa.ISA.JoinsMove.
func joinsMove(in *isa.Inst, dst isa.Reg) bool {
	if in.Form == isa.NoForm || in.NOps == 0 || in.Reg(0) != dst || !traitsOf(in.Form).joins {
		return false
	}
	for i := 2; i < int(in.NOps); i++ { // behind the result and what it overwrites
		if in.Reg(i) == dst {
			return false
		}
	}
	return true
}

// fuseOperands are the bits of a pair's kind that the first instruction's memory operand and immediate decide.
func (a *traits) fuseOperands(first *isa.Inst) (bits int) {
	if a.mem >= 0 {
		if last := first.Ops[first.NOps-1]; first.NOps > uint8(a.mem)+5 && last.Kind != isa.OpReg {
			bits |= fuseImm
		}
		if first.Reg(int(a.mem)) == RIP {
			bits |= fuseRIP
		}
	}
	return bits
}

// lengthChanging reports whether the operand-size prefix shortens the instruction's immediate to 16 bits: isa.ISA.LengthChanging.
func lengthChanging(in *isa.Inst) bool { return in.Form != isa.NoForm && traitsOf(in.Form).imm16 }

// opcodeOffset counts the legacy, REX and VEX or EVEX prefix bytes of an instruction: isa.ISA.OpcodeOffset.
func opcodeOffset(in *isa.Inst) int {
	code, err := encode(nil, in, 0)
	if err != nil {
		return 0
	}
	n := 0
	for n < len(code) && isPrefix(code[n]) {
		n++
	}
	switch {
	case n >= len(code):
		return 0
	case code[n]&0xf0 == 0x40: // REX
		return n + 1
	case code[n] == 0xc5:
		return n + 2
	case code[n] == 0xc4:
		return n + 3
	case code[n] == 0x62:
		return n + 4
	}
	return n
}

// encodedConstants counts the immediates and displacements of an instruction: isa.ISA.EncodedConstants. A base of rbp or r13 and an address
// without a base have a displacement even where it is zero; a quadword counts as two.
func encodedConstants(in *isa.Inst) int {
	if in.Form == isa.NoForm {
		return 0
	}
	t, d, n := traitsOf(in.Form), db(), 0
	if t.flow != isa.FlowNext {
		return 0
	}
	mem := int(t.mem)
	end := mem + int(t.memOps)
	if t.lea {
		end = mem + 5
	}
	for i := 0; i < int(in.NOps); i++ {
		o := &in.Ops[i]
		if mem >= 0 && i >= mem && i < end {
			continue
		}
		if c := d.forms.OperandClass(in.Form, i); (o.Kind == isa.OpImm || o.Kind == isa.OpExpr) && i != int(t.cond) && c != nil {
			n++
			if c.Name == "i64imm" && (o.Imm != int64(int32(o.Imm)) || o.Kind == isa.OpExpr) {
				n++
			}
		}
	}
	if mem < 0 || end-mem != 5 || int(in.NOps) < end {
		return n
	}
	base, disp := in.Reg(mem), &in.Ops[mem+3]
	if disp.Kind == isa.OpExpr || disp.Imm != 0 || base == isa.NoReg || base == RBP || base == R13 || base == RIP {
		n++
	}
	return n
}

// vectorBits is the size of the widest of an instruction's xmm, ymm and zmm registers: isa.ISA.VectorBits.
func vectorBits(in *isa.Inst) int {
	d, all := db(), regBit(0)
	for i := range int(in.NOps) {
		all |= d.class[in.Reg(i)]
	}
	switch {
	case all&isZMM != 0:
		return 512
	case all&isYMM != 0:
		return 256
	case all&isXMM != 0:
		return 128
	}
	return 0
}

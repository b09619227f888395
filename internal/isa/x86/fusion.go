package x86

import (
	"strings"

	"incore/internal/isa"
)

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

// Suffixes of the kinds that fusesWith returns: properties of the jump's
// condition and of the first instruction's operands that prevent fusion on some cores.
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
// with the suffixes above, in that order, if some cores do not fuse the pair:
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

// fusesFirst returns the kind of pair that an instruction forms with a suitable next jump: isa.ISA.FusesFirst.
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

// fuseOperands returns the bits of a pair's kind that depend on the first instruction's memory operand and immediate.
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

// joinFamilies are the operations that AMD cores fuse with a preceding move (GCC, x86-tune-sched.cc: "ADD ADC AND XOR OR SUB SBB INC DEC NOT SAL SHL SHR SAR").
var joinFamilies = map[string]bool{"ADD": true, "ADC": true, "AND": true, "XOR": true, "OR": true, "SUB": true, "SBB": true,
	"INC": true, "DEC": true, "NOT": true, "SHL": true, "SHR": true, "SAR": true}

// joinsMoveOf reports whether a form belongs to joinFamilies and overwrites its first source register.
func joinsMoveOf(name string, mem int8) bool {
	fam := family(name)
	return joinFamilies[fam] && mem < 0 && len(name) > len(fam) && name[len(fam)] >= '0' && name[len(fam)] <= '9' && !strings.Contains(name, "_NF") && !strings.Contains(name, "_ND")
}

// joinsMove reports whether an operation fuses with the move whose result it overwrites: isa.ISA.JoinsMove.
func joinsMove(in *isa.Inst, dst isa.Reg) bool {
	if in.Form == isa.NoForm || in.NOps == 0 || in.Reg(0) != dst || !traitsOf(in.Form).joins {
		return false
	}
	for i := 2; i < int(in.NOps); i++ { // operands after the result and its tied source
		if in.Reg(i) == dst {
			return false
		}
	}
	return true
}

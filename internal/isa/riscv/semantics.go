package riscv

import (
	"strings"

	"incore/internal/blob"
	"incore/internal/isa"
)

// semForms are the forms that the questions below are about.
type semForms struct {
	csrrw, csrrwi, vsetvli, vsetivli, vsetvl isa.FormID
	base                                     []baseOp // form → the operation it is, compressed or not
}

// baseOp names operations that more than one form performs.
type baseOp uint8

const (
	bOther baseOp = iota
	bAddi
	bAdd
	bMv
	bLi
	bLui
	bAuipc
	bXor
	bSub
	bAnd
	bOr
	bSll
	bSrl
	bSlt
	bFSgnj
	bVMv
	bVXor
	bLoad
	bJal
	bJalr
	bJr
	bJ
	bBranch
	bTrap
	bCallSym
	bTailSym
	bReturn
	bTable
)

var baseNames = map[baseOp]string{
	bAddi: "ADDI ADDIW C_ADDI C_ADDIW", bAdd: "ADD C_ADD", bMv: "C_MV", bLi: "C_LI", bLui: "LUI C_LUI", bAuipc: "AUIPC",
	bXor: "XOR C_XOR", bSub: "SUB SUBW C_SUB C_SUBW", bAnd: "AND C_AND", bOr: "OR C_OR", bSll: "SLLI C_SLLI", bSrl: "SRLI C_SRLI",
	bSlt: "SLT SLTU", bFSgnj: "FSGNJ_H FSGNJ_S FSGNJ_D", bVMv: "VMV_V_V VMV1R_V VMV2R_V VMV4R_V VMV8R_V", bVXor: "VXOR_VV VMXOR_MM VSUB_VV",
	bLoad: "LB LBU LH LHU LW LWU LD FLH FLW FLD C_LW C_LD C_FLD C_LBU C_LHU C_LH",
	bJal:  "JAL", bJalr: "JALR", bJr: "C_JR", bJ: "C_J", bBranch: "BEQ BNE BLT BGE BLTU BGEU C_BEQZ C_BNEZ",
	bTrap: "EBREAK C_EBREAK UNIMP C_UNIMP", bCallSym: "PseudoCALL PseudoCALLReg PseudoTLSDESCCall", bTailSym: "PseudoTAIL PseudoJump",
	bReturn: "MRET SRET DRET MNRET CM_POPRET CM_POPRETZ", bTable: "CM_JT CM_JALT",
}

func (n *semForms) resolve(t *isa.FormTable) {
	n.csrrw, n.csrrwi = t.Named("CSRRW"), t.Named("CSRRWI")
	n.vsetvli, n.vsetivli, n.vsetvl = t.Named("VSETVLI"), t.Named("VSETIVLI"), t.Named("VSETVL")
	n.base = make([]baseOp, t.Len())
	for op, names := range baseNames {
		for _, f := range strings.Fields(names) {
			n.base[t.Named(f)] = op
		}
	}
	n.base[isa.NoForm] = bOther
}

// flow implements isa.ISA.Flow.
func (s *semantics) flow(in *isa.Inst) isa.Flow {
	last := isa.Operand{}
	if in.NOps > 0 {
		last = in.Ops[in.NOps-1]
	}
	link := func(r isa.Reg) bool { return r == s.regs.x[1] || r == s.regs.x[5] }
	switch s.names.base[in.Form] {
	case bJal:
		if s.regs.isX0(in.Reg(0)) {
			return isa.Flow{Kind: isa.FlowJump, Target: last}
		}
		return isa.Flow{Kind: isa.FlowCall, Target: last}
	case bJ, bTailSym:
		return isa.Flow{Kind: isa.FlowJump, Target: last}
	case bCallSym:
		return isa.Flow{Kind: isa.FlowCall, Target: last}
	case bBranch:
		if s.alwaysTaken(in) {
			return isa.Flow{Kind: isa.FlowJump, Target: last}
		}
		return isa.Flow{Kind: isa.FlowCond, Target: last}
	case bJalr:
		switch {
		case !s.regs.isX0(in.Reg(0)):
			return isa.Flow{Kind: isa.FlowCall}
		case link(in.Reg(1)):
			return isa.Flow{Kind: isa.FlowReturn}
		}
		return isa.Flow{Kind: isa.FlowIndirect}
	case bJr:
		if link(in.Reg(0)) {
			return isa.Flow{Kind: isa.FlowReturn}
		}
		return isa.Flow{Kind: isa.FlowIndirect}
	case bReturn:
		return isa.Flow{Kind: isa.FlowReturn}
	case bTrap:
		return isa.Flow{Kind: isa.FlowTrap}
	case bTable:
		if in.Ops[0].Imm >= 32 {
			return isa.Flow{Kind: isa.FlowCall}
		}
		return isa.Flow{Kind: isa.FlowIndirect}
	}
	if s.Forms.Flags(in.Form)&isa.Call != 0 {
		return isa.Flow{Kind: isa.FlowCall}
	}
	return isa.Flow{}
}

// alwaysTaken reports branches like beq zero, zero.
func (s *semantics) alwaysTaken(in *isa.Inst) bool {
	n := s.Forms.Name(in.Form)
	return (n == "BEQ" || n == "BGE" || n == "BGEU") && in.Reg(0) == in.Reg(1)
}

// regMove implements isa.ISA.RegMove.
func (s *semantics) regMove(in *isa.Inst) (dst, src isa.Reg, ok bool) {
	r := in.Reg
	zero := s.regs.isX0
	move := func(d, s isa.Reg) (isa.Reg, isa.Reg, bool) { return d, s, !zero(d) && !zero(s) && s != isa.NoReg }
	switch s.names.base[in.Form] {
	case bMv:
		return move(r(0), r(1))
	case bAddi:
		if in.Ops[2].Kind == isa.OpImm && in.Ops[2].Imm == 0 && !s.is32(in.Form) {
			return move(r(0), r(1))
		}
	case bAdd, bOr, bXor:
		if zero(r(2)) {
			return move(r(0), r(1))
		}
		if zero(r(1)) {
			return move(r(0), r(2))
		}
	case bFSgnj:
		return r(0), r(1), r(1) == r(2)
	case bVMv:
		return s.vectorMove(in)
	}
	return
}

// vectorMove is regMove for vectors: whole registers, and vmv.v.v where the elements past vl
// need not be kept, over the group in force.
func (s *semantics) vectorMove(in *isa.Inst) (dst, src isa.Reg, ok bool) {
	dst, src = in.Reg(0), in.Reg(1)
	if !s.facts.of(in.Form).vector {
		return dst, src, true
	}
	if in.VType.Keep&isa.KeepTail != 0 {
		return isa.NoReg, isa.NoReg, false
	}
	k := log2[gLMUL.registers(in.VType, 0)]
	_, d := s.regs.of(dst)
	_, r := s.regs.of(src)
	dst, src = s.regs.v[d][k], s.regs.v[r][k]
	return dst, src, dst != isa.NoReg && src != isa.NoReg
}

// is32 reports forms whose result is a sign-extended 32-bit value.
func (s *semantics) is32(f isa.FormID) bool { return strings.HasSuffix(s.Forms.Name(f), "W") }

// zeroIdiom implements isa.ISA.ZeroIdiom: the result is zero whatever the operands are.
func (s *semantics) zeroIdiom(in *isa.Inst) bool {
	r, zero := in.Reg, s.regs.isX0
	imm0 := func(i int) bool { return in.Ops[i].Kind == isa.OpImm && in.Ops[i].Imm == 0 }
	switch s.names.base[in.Form] {
	case bAddi:
		return zero(r(1)) && imm0(2) && !zero(r(0))
	case bLi, bLui:
		return imm0(1) && !zero(r(0))
	case bXor, bSub, bSlt:
		return r(1) == r(2) && !zero(r(0))
	case bAnd:
		return (zero(r(1)) || zero(r(2))) && !zero(r(0))
	case bVXor:
		return r(1) == r(2) && r(1) != isa.NoReg && (in.NOps < 4 || r(3) == isa.NoReg)
	}
	return false
}

// fusesWith implements isa.ISA.FusesWith: the pairs that RISC-V cores are known to fuse, by
// the names of LLVM's tuning features where it has one. The second instruction overwrites the first's result.
func (s *semantics) fusesWith(first, second *isa.Inst) string {
	a, b := s.names.base[first.Form], s.names.base[second.Form]
	rd := first.Reg(0)
	if rd == isa.NoReg || s.regs.isX0(rd) || second.Reg(0) != rd && b != bJalr && b != bJr {
		return ""
	}
	imm := func(in *isa.Inst, i int) int64 { return in.Ops[i].Imm }
	switch {
	case a == bLui && b == bAddi && second.Reg(1) == rd:
		return "lui+addi"
	case a == bAuipc && b == bAddi && second.Reg(1) == rd:
		return "auipc+addi"
	case a == bAuipc && b == bLoad && second.Reg(1) == rd:
		return "auipc+load"
	case a == bLui && b == bLoad && second.Reg(1) == rd:
		return "lui+load"
	case a == bAuipc && b == bJalr && second.Reg(1) == rd:
		return "auipc+jalr"
	case a == bSll && b == bSrl && second.Reg(1) == rd:
		if imm(first, 2) == 32 && imm(second, 2) == 32 {
			return "zextw"
		}
		if imm(first, 2) == 48 && imm(second, 2) == 48 {
			return "zexth"
		}
		if imm(first, 2) == 32 {
			return "shifted-zextw"
		}
		return "slli+srli"
	case a == bSll && b == bAdd && (second.Reg(1) == rd || second.Reg(2) == rd) && imm(first, 2) <= 3:
		return "slli+add"
	case a == bAdd && b == bLoad && second.Reg(1) == rd && imm(second, 2) == 0 && second.Ops[2].Kind == isa.OpImm:
		return "add+load"
	}
	return ""
}

// context implements isa.ISA.Context: it follows vset*vli and notes the vtype in force
// on every instruction. At a loop's start what its end leaves is in force.
func (s *semantics) context(code []isa.Inst, loop bool) {
	var v isa.VType
	if loop {
		for i := range code {
			v = s.after(&code[i], v)
		}
	}
	for i := range code {
		v = s.after(&code[i], v)
		code[i].VType = v
	}
}

// configure implements isa.ISA.Configure.
func (s *semantics) configure(in *isa.Inst, before isa.VType) (after isa.VType, uses bool) {
	return s.after(in, before), s.facts.of(in.Form).vector
}

// after returns the vtype after an instruction.
func (s *semantics) after(in *isa.Inst, v isa.VType) isa.VType {
	switch in.Form {
	case s.names.vsetvli, s.names.vsetivli:
		if in.NOps <= 2 || in.Ops[2].Kind != isa.OpImm {
			return isa.VType{}
		}
		set := vtypeOf(in.Ops[2].Imm)
		switch asked := &in.Ops[1]; {
		case set.SEW == 0:
		case asked.Kind == isa.OpImm:
			set.AVL = uint8(asked.Imm)
		case s.regs.isX0(asked.Reg) && s.regs.isX0(in.Reg(0)): // vl stays
			set.AVL = v.AVL
		}
		return set
	case s.names.vsetvl:
		return isa.VType{} // from a register, not known
	}
	if s.flow(in).Kind == isa.FlowCall {
		return isa.VType{} // vl and vtype don't survive calls
	}
	return v
}

// vtypeOf decodes a vtype immediate; the zero value if it is reserved.
func vtypeOf(imm int64) isa.VType {
	sew, lmul := uint(imm>>3&7), uint8(imm&7)
	if sew > 3 || lmul == 4 || imm>>8 != 0 {
		return isa.VType{}
	}
	v := isa.VType{SEW: 8 << sew, LMUL: lmul}
	if imm&vtypeTA == 0 {
		v.Keep |= isa.KeepTail
	}
	if imm&vtypeMA == 0 {
		v.Keep |= isa.KeepMasked
	}
	return v
}

// schedClasses holds the scheduling classes of vector forms by LMUL and SEW.
type schedClasses struct {
	row   []uint16 // form → list + 1
	lists blob.Lists
}

func newSchedClasses(t *isa.FormTable) schedClasses {
	b := blob.MustOpen(tables)
	c := schedClasses{row: make([]uint16, t.Len()), lists: b.Lists("rvv.class")}
	for i, forms := 0, b.U16("rvv.form"); i < forms.Len(); i++ {
		c.row[forms.At(i)] = uint16(i + 1)
	}
	return c
}

// emulCode returns the encoding of EMUL = LMUL × EEW/SEW, -1 if there is none.
func emulCode(v isa.VType, eew uint8) int {
	n := lmulEighths[v.LMUL&7] * int(eew)
	for code, l := range lmulEighths {
		if code != 4 && l*int(v.SEW) == n {
			return code
		}
	}
	return -1
}

// schedClass implements isa.ISA.SchedClass: the class for the LMUL and SEW in force, for plain
// and strided loads and stores for the EMUL and EEW of the access, else the form's own (worst) one.
func (s *semantics) schedClass(c *schedClasses, in *isa.Inst) int {
	v, row := in.VType, c.row[in.Form]
	if row == 0 || v.SEW == 0 {
		return s.Forms.SchedClass(in.Form)
	}
	x := s.facts.of(in.Form)
	if x.eew != 0 && x.fields == 1 && (x.mem == memUnit || x.mem == memStrided) {
		emul := emulCode(v, x.eew)
		if emul < 0 {
			return s.Forms.SchedClass(in.Form)
		}
		v = isa.VType{SEW: x.eew, LMUL: uint8(emul)}
	}
	l, any := c.lists.At(int(row-1)), -1
	for i := 0; i+2 < l.Len(); i += 3 {
		if uint8(l.At(i)) != v.LMUL {
			continue
		}
		switch uint8(l.At(i + 1)) {
		case v.SEW:
			return int(l.At(i + 2))
		case 0:
			any = int(l.At(i + 2))
		}
	}
	if any >= 0 {
		return any
	}
	return s.Forms.SchedClass(in.Form)
}

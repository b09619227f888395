package riscv

import (
	"strings"

	"incore/internal/isa"
)

// semForms are the forms that the semantic functions of this package test for.
type semForms struct {
	csrrw, csrrwi, vsetvli, vsetivli, vsetvl isa.FormID
	base                                     []baseOp // form → its operation, the same for compressed forms
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

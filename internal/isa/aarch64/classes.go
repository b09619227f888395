package aarch64

import (
	"incore/internal/isa"
)

// formClass groups forms of the same meaning.
type formClass uint8

const (
	fcNone formClass = iota
	fcBranch
	fcCondBranch
	fcCompareBranch // CBZ, CBNZ
	fcTestBranch
	fcCall
	fcReturn
	fcIndirect
	fcTrap
	fcMoveZ
	fcMoveK
	fcMoveImmZero // MOVI: the result is zero if the immediate is zero
	fcOrrReg
	fcOrrVec
	fcFMov
	fcFMovGPR
	fcMovprfx
	fcMovprfxZero
	fcMovprfxMerge
	fcSubsImm
	fcSubsReg
	fcAddsImm
	fcAddsReg
	fcAndsImm
	fcAndsReg
	fcBicsReg
	fcCsel
	fcCsinc
	fcAdrp
	fcAddImm
	fcAlu
	fcAESE
	fcAESMC
	fcAESD
	fcAESIMC
	fcPMULL
	fcEorVec
	fcLoadImm
	fcMrs
	fcMsr
	fcISB
	fcTSB
)

var formClasses = map[formClass][]string{
	fcBranch:        {"B"},
	fcCondBranch:    {"Bcc", "BCcc"},
	fcCompareBranch: {"CBZW", "CBZX", "CBNZW", "CBNZX"},
	fcTestBranch:    {"TBZW", "TBZX", "TBNZW", "TBNZX"},
	fcCall:          {"BL", "BLR", "BLRAA", "BLRAAZ", "BLRAB", "BLRABZ"},
	fcReturn:        {"RET", "RETAA", "RETAB", "RETAASPPCi", "RETABSPPCi", "RETAASPPCr", "RETABSPPCr", "ERET", "ERETAA", "ERETAB", "DRPS"},
	fcIndirect:      {"BR", "BRAA", "BRAAZ", "BRAB", "BRABZ"},
	fcTrap:          {"BRK", "HLT", "UDF"},
	fcMoveZ:         {"MOVZWi", "MOVZXi"},
	fcMoveK:         {"MOVKWi", "MOVKXi"},
	fcMoveImmZero:   {"MOVID", "MOVIv2d_ns", "MOVIv16b_ns", "MOVIv8b_ns", "MOVIv2i32", "MOVIv4i32", "MOVIv4i16", "MOVIv8i16"},
	fcOrrReg:        {"ORRWrs", "ORRXrs"},
	fcOrrVec:        {"ORRv8i8", "ORRv16i8", "ORR_ZZZ"},
	fcFMov:          {"FMOVHr", "FMOVSr", "FMOVDr"},
	fcFMovGPR:       {"FMOVWHr", "FMOVXHr", "FMOVWSr", "FMOVXDr"},
	fcMovprfx:       {"MOVPRFX_ZZ"},
	fcMovprfxZero:   {"MOVPRFX_ZPzZ_B", "MOVPRFX_ZPzZ_H", "MOVPRFX_ZPzZ_S", "MOVPRFX_ZPzZ_D"},
	fcMovprfxMerge:  {"MOVPRFX_ZPmZ_B", "MOVPRFX_ZPmZ_H", "MOVPRFX_ZPmZ_S", "MOVPRFX_ZPmZ_D"},
	fcSubsImm:       {"SUBSWri", "SUBSXri"}, fcSubsReg: {"SUBSWrs", "SUBSXrs"},
	fcAddsImm: {"ADDSWri", "ADDSXri"}, fcAddsReg: {"ADDSWrs", "ADDSXrs"},
	fcAndsImm: {"ANDSWri", "ANDSXri"}, fcAndsReg: {"ANDSWrs", "ANDSXrs"}, fcBicsReg: {"BICSWrs", "BICSXrs"},
	fcCsel: {"CSELWr", "CSELXr", "CSINVWr", "CSINVXr", "CSNEGWr", "CSNEGXr"}, fcCsinc: {"CSINCWr", "CSINCXr"},
	fcAdrp: {"ADRP"}, fcAddImm: {"ADDXri"}, fcLoadImm: {"LDRXui", "LDRWui", "LDRDui", "LDRSui", "LDRQui", "LDRBBui", "LDRHHui", "LDRSWui"},
	fcAlu: {"ADDWri", "ADDWrs", "ADDXrs", "SUBWri", "SUBXri", "SUBWrs", "SUBXrs", "ANDWri", "ANDXri", "ANDWrs", "ANDXrs",
		"ORRWri", "ORRXri", "EORWri", "EORXri", "EORWrs", "EORXrs", "BICWrs", "BICXrs"},
	fcAESE: {"AESErr"}, fcAESMC: {"AESMCrr"}, fcAESD: {"AESDrr"}, fcAESIMC: {"AESIMCrr"},
	fcPMULL: {"PMULLv8i8", "PMULLv16i8", "PMULLv1i64", "PMULLv2i64"}, fcEorVec: {"EORv16i8"},
	fcMrs: {"MRS"}, fcMsr: {"MSR"}, fcISB: {"ISB"}, fcTSB: {"TSB"},
}

// classify fills the class of every form.
func (a *arch) classify() {
	a.class = make([]formClass, a.t.Forms.Len())
	for c, names := range formClasses {
		for _, n := range names {
			if f := a.t.Forms.Named(n); f != isa.NoForm {
				a.class[f] = c
			}
		}
	}
}

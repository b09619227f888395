package feature

import "incore/internal/isa"

// ARM64 returns the table of AArch64.
func ARM64(set *isa.ISA) *Table {
	t := &Table{arch: "arm64", needs: predicates(set.Forms, armFeature)}
	for _, c := range armCaps {
		t.Names = append(t.Names, c.linux)
	}
	return t
}

// armCap is an Arm feature by its LLVM name and its Linux name (with its bit of AT_HWCAP, or from 64 on of
// AT_HWCAP2: asm/hwcap.h).
type armCap struct {
	llvm, linux string
	bit         uint8
}

var armCaps = []armCap{
	{"FPARMv8", "fp", 0}, {"NEON", "asimd", 1}, {"AES", "aes", 3}, {"SHA2", "sha2", 6}, {"CRC", "crc32", 7}, {"LSE", "atomics", 8}, {"FullFP16", "asimdhp", 10},
	{"RDM", "asimdrdm", 12}, {"JS", "jscvt", 13}, {"ComplxNum", "fcma", 14}, {"RCPC", "lrcpc", 15}, {"CCPP", "dcpop", 16}, {"SHA3", "sha3", 17}, {"SM4", "sm4", 19},
	{"DotProd", "asimddp", 20}, {"SVE", "sve", 22}, {"FP16FML", "asimdfhm", 23}, {"RCPC_IMMO", "ilrcpc", 26}, {"FlagM", "flagm", 27}, {"SB", "sb", 29}, {"PAuth", "paca", 30},
	{"SVE2", "sve2", 65}, {"SVE2AES", "sveaes", 66}, {"SVE2BitPerm", "svebitperm", 68}, {"SVE2SHA3", "svesha3", 69}, {"SVE2SM4", "svesm4", 70}, {"AltNZCV", "flagm2", 71},
	{"FRInt3264", "frint", 72}, {"MatMulFP32", "svef32mm", 74}, {"MatMulFP64", "svef64mm", 75}, {"MatMulInt8", "i8mm", 77}, {"BF16", "bf16", 78}, {"RandGen", "rng", 80},
	{"MTE", "mte", 82}, {"SME", "sme", 87}, {"SMEI16I64", "smei16i64", 88}, {"SMEF64F64", "smef64f64", 89}, {"WFxT", "wfxt", 95}, {"CSSC", "cssc", 98}, {"SVE2p1", "sve2p1", 100}, {"SME2", "sme2", 101},
	{"SME2p1", "sme2p1", 102}, {"MOPS", "mops", 107}, {"HBC", "hbc", 108}, {"B16B16", "sveb16b16", 109}, {"RCPC3", "lrcpc3", 110}, {"LSE128", "lse128", 111}, {"FPMR", "fpmr", 112}, {"LUT", "lut", 113},
	{"FAMINMAX", "faminmax", 114}, {"FP8", "f8cvt", 115}, {"FP8FMA", "f8fma", 116}, {"FP8DOT4", "f8dp4", 117}, {"FP8DOT2", "f8dp2", 118},
	// Not in those two words: only running their instructions shows whether a CPU has them.
	{"LS64", "ls64", untold}, {"D128", "d128", untold}, {"THE", "the", untold}, {"CPA", "cpa", untold}, {"GCS", "gcs", untold}, {"SSVE_FP8FMA", "smesf8fma", untold}, {"PAuthLR", "pauthlr", untold}, {"ITE", "ite", untold}, {"SPECRES2", "specres2", untold},
	{"SMEF16F16", "smef16f16", untold}, {"SME_LUTv2", "smelutv2", untold}, {"SMEF8F16", "smef8f16", untold}, {"SMEF8F32", "smef8f32", untold}, {"TME", "tme", untold}, {"XS", "xs", untold}, {"SSVE_FP8DOT2", "smesf8dp2", untold}, {"SSVE_FP8DOT4", "smesf8dp4", untold},
}

// armFeature returns the Linux name of an LLVM feature, "" if no source says whether a CPU has it.
func armFeature(llvm string) string {
	for _, c := range armCaps {
		if c.llvm == llvm {
			return c.linux
		}
	}
	return ""
}

// untold is the bit number of features that are not in the auxiliary vector.
const untold = 255

// Arm64 returns the features in the two words AT_HWCAP and AT_HWCAP2 of the auxiliary vector, and all features that
// these words cannot report; nil if there are no words.
func Arm64(hwcap, hwcap2 uint64) Set {
	if hwcap == 0 {
		return nil
	}
	has := Set{}
	for _, c := range armCaps {
		word, bit := hwcap, c.bit
		if bit == untold {
			has[c.linux] = true
			continue
		}
		if bit >= 64 {
			word, bit = hwcap2, bit-64
		}
		if word>>bit&1 != 0 {
			has[c.linux] = true
		}
	}
	return has
}

package plan

import (
	"regexp"
	"strings"
	"sync"

	"incore/internal/bench/block"
	"incore/internal/bench/feature"
	"incore/internal/isa"
)

// onesHalf is 1.0 in every half-precision element.
const onesHalf = 0x3c003c003c003c00

// ARM64 is the target for measuring on AArch64. The registers that some encodings are restricted to (V0 to V7, P0 to P7) are
// the constant ones, because the restricted operands are sources.
var ARM64 = sync.OnceValue(func() *Target {
	t := &Target{Arch: block.ARM64(), base: "X27", index: "X26", clear: "and %R, %R, x26", step: "add %W, %W, %R", Nop: "nop", Zeroing: "movz x12, #0", MacroOps: true}
	t.files = [kinds]string{GPR: "GPR64", Vec: "ZPR", Mask: "PPR"}
	t.tuples[GPR] = []string{"XSeqPairsClass", "WSeqPairsClass"}
	t.tuples[Vec] = []string{"DD", "DDD", "DDDD", "QQ", "QQQ", "QQQQ", "ZPR2", "ZPR3", "ZPR4", "ZPR2Strided", "ZPR4Strided"}
	t.tuples[Mask] = []string{"PPR2"}
	for i := range 24 {
		t.spare[GPR] = append(t.spare[GPR], "X"+itoa(i))
		t.spare[Vec] = append(t.spare[Vec], "Z"+itoa(i+8))
	}
	t.constant[GPR] = []string{"X24", "X25"}
	t.constant[Vec] = []string{"Z4", "Z0", "Z6", "Z2"}
	t.spare[Mask] = []string{"P2", "P3", "P4", "P5", "P6", "P7", "P9", "P10", "P11", "P12", "P13", "P14", "P15"}
	t.constant[Mask] = []string{"P0", "P1", "P8"}
	t.turn = [kinds]int{GPR: 4, Vec: 4, Mask: 1}
	t.flagRegs = map[string]bool{"NZCV": true}
	t.helpers = []helper{
		{from: GPR, to: GPR, text: "add %R, %W, %C"},
		{from: Vec, to: Vec, text: "rev64 %Rv.4s, %Wv.4s"},
		{from: Vec, to: Vec, text: "fabs %Rv.4s, %Wv.4s"}, // for results of floating-point units
		{from: Mask, to: Mask, text: "rev %R.b, %W.b"},
		{from: GPR, to: Vec, text: "fmov %Rd, %W"},
		{from: Vec, to: GPR, text: "fmov %R, %Wd"},
		{from: GPR, to: Mask, text: "whilelo %R.b, xzr, %W"},
		{from: Mask, to: GPR, text: "cntp %R, p0, %W.b"},
		{from: Vec, to: Mask, text: "cmpne %R.b, p0/z, %W.b, #0"},
		{from: Mask, to: Vec, text: "mov %R.b, %W/z, #1"},
		{from: GPR, to: Flags, text: "cmp %W, %C"},
		{from: Flags, to: GPR, text: "csel %R, %C, x25, eq", flag: "NZCV"},
	}
	t.break_ = [kinds]string{GPR: "mov %W, #1", Vec: "movi %Wv.2d, #0", Mask: "ptrue %W.b", Flags: "cmp %C, #0"}
	t.reload[GPR] = map[int]string{64: "ldr %R, [%W, #%O]", 32: "ldr %Rw, [%W, #%O]", 16: "ldrh %Rw, [%W, #%O]", 8: "ldrb %Rw, [%W, #%O]"}
	t.reload[Vec] = map[int]string{128: "ldr %Rq, [%W, #%O]", 64: "ldr %Rd, [%W, #%O]", 32: "ldr %Rs, [%W, #%O]", 16: "ldr %Rh, [%W, #%O]", 8: "ldr %Rb, [%W, #%O]"}
	t.aligned = regexp.MustCompile(`^(LDA|LDLA|STL)`) // Arm Architecture Reference Manual, B2.5.2
	t.Memory = regexp.MustCompile(`^((LD|ST)R(BB?|HH?|[SDQWX]|S[BH][WX]|SW)(ui|ro[XW]|pre|post)|(LD|ST)UR[SDQWX]i|(LD|ST)(P[SDQWX]|PSW)(i|pre|post)|` +
		`(LD|ST)1(One|Two|Four)v16b|LD1Rv4s|(LD|ST)1[BHWD](_D)?(_IMM)?|(LD|ST)R_[ZP]XI|(LDADD|SWP|CAS)(AL)?[WX]|CASP(AL)?X|LDA(P|)R[WX]|STLR[WX])$`)
	t.always = map[int]uint64{26: 0}
	t.states = map[string]string{"FFR": "setffr"}
	t.sooner = [kinds]bool{GPR: true, Vec: true}
	t.exclude = armExcluded
	t.families = map[Kind]string{GPR: "base", Vec: "simd", Mask: "sve"}
	t.setup, t.immediates = armState, armImmediates
	t.features = feature.ARM64(t.ISA)
	t.spell = func(r isa.Reg, view byte) string { return armSpelling(t.ISA.Regs.Name(r), view) }
	return t.prepare()
})

// armSpelling returns the name of a root in a statement: the root's own, or that of a part (w0, v8, d8).
func armSpelling(name string, view byte) string {
	switch name {
	case "":
		return ""
	case "FP":
		name = "X29"
	case "LR":
		name = "X30"
	}
	s := strings.ToLower(name)
	if view != 0 {
		s = string(view) + s[1:]
	}
	return s
}

// armExcluded are name prefixes of forms that are not planned: forms that need privileges or a streaming mode, wait,
// trap, or change state that the measurement relies on (system registers, the stack pointer's check), and instructions
// that belong together in pairs (exclusives, memory copies).
var armExcluded = []string{"LDXR", "LDAXR", "LDXP", "LDAXP", "STXR", "STLXR", "STXP", "STLXP", "SVC", "HVC", "SMC", "DCPS", "HINT", "WFE", "WFI", "MSR", "MRS", "MRRS", "MSRR", "SYS", "TSTART", "TCOMMIT", "TCANCEL", "TTEST",
	"AUT", "LDRAA", "LDRAB", "CPYE", "CPYF", "CPYM", "CPYP", "SETE", "SETM", "SETP", "SETGE", "SETGM", "SETGP", "GCS", "LD64B", "ST64B", "TLBI", "BRB", "CHKFEAT", "SMSTART", "SMSTOP", "LDGM", "STGM", "STZGM", "LDR_ZA", "STR_ZA",
	"LDR_TX", "STR_TX", "ZERO_", "RCW", "HLT", "STGPre", "LDTR", "LDTRS", "STTR", "TSB", "PSB", "GMI_", "ERET", "CLREX", "STILP", "LDIAPP", "STLP", "UDF"}

var armDouble = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(v2f64|v1i64|v2i64|v1f64|v2i64|_D$|_D_|^F[A-Z]+D[a-z]*$|[SU]CVTF[SU][WX]D|FCVT[A-Z]*[US][WX]D|FCVTSD|FCVTHD|64$|FMOVDX)`)
})

var armHalf = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(v[48]f16|v4i16|v8i16|_H$|_H_|^F[A-Z]+H[a-z]*$|[SU]CVTF[SU][WX]H|FCVT[A-Z]*[US][WX]H|16$|FCVTSH|FCVTDH)`)
})

// armState returns the initial state for a form: 1.0 in the form's element width, small numbers for dividers, addresses in vectors of
// addresses.
func armState(name string) state {
	usual := map[int]uint64{24: 0x5003, 25: 0x7003, 26: 0}
	switch {
	case strings.HasPrefix(name, "UDIVW"), strings.HasPrefix(name, "SDIVW"), strings.HasPrefix(name, "UDIVX"), strings.HasPrefix(name, "SDIVX"):
		return state{values: map[int]uint64{24: 100, 25: 3, 26: 0}, hold: true, note: "100 divided by 3"}
	case strings.HasPrefix(name, "UDIV"), strings.HasPrefix(name, "SDIV"):
		return state{fill: 3, values: usual, note: "3 divided by 3"}
	case armGather().MatchString(name):
		if addresses := strings.HasSuffix(name, "_IMM") || strings.HasSuffix(name, "_PZI"); addresses && !strings.Contains(name, "_D_") && !strings.Contains(name, "1D_") {
			return state{fill: block.FillWord<<32 | block.FillWord, values: usual, note: "vectors of addresses"}
		} else if addresses {
			return state{fill: block.FillWord, values: usual, note: "vectors of addresses"}
		}
		return state{values: usual, note: "indices of zero"}
	case armHalf().MatchString(name):
		return state{fill: onesHalf, values: usual}
	case armDouble().MatchString(name):
		return state{fill: onesDouble, values: usual}
	}
	return state{fill: onesSingle, values: usual}
}

var armGather = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(GLD|SST|LDNT1.*ZZR|STNT1.*ZZR|PRF._[SD]_(PZI|.XTW|.*SCALED))`)
})

// armImmediates returns immediate values by operand class: no shift, no extension, all lanes, lane 1, 1.0, and
// otherwise small numbers that are no special case.
func armImmediates(c *isa.OpClass) []int64 {
	n := c.Name
	switch {
	case strings.HasSuffix(n, "_extended_reg32_i32 part"), strings.HasSuffix(n, "_extended_reg32_i64 part"), strings.HasSuffix(n, "_extended_reg32to64_i64 part"):
		return []int64{16} // uxtw
	case strings.HasSuffix(n, " part"), strings.Contains(n, "extend"), strings.HasSuffix(n, "_shift"), n == "ccode":
		return []int64{0}
	case strings.HasPrefix(n, "arith_extendlsl"):
		return []int64{24} // uxtx
	case strings.HasPrefix(n, "VectorIndex"):
		return []int64{1}
	case strings.HasPrefix(n, "fpimm"):
		return []int64{0x70}
	case n == "sve_pred_enum":
		return []int64{31}
	}
	return []int64{3}
}

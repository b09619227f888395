package plan

import (
	"regexp"
	"strings"
	"sync"

	"incore/internal/bench/block"
	"incore/internal/bench/feature"
	"incore/internal/isa"
)

// RISCV64 is the target for measuring on RISC-V. Compressed instructions can name only x8 to x15 and f8 to f15, so
// constant, spare and base registers are among these. Vector groups are single registers (LMUL 1) of 32-bit
// elements unless the form requires others.
var RISCV64 = sync.OnceValue(func() *Target {
	t := &Target{Arch: block.RISCV64(), base: "X9", index: "X7", clear: "and %R, %R, t1", step: "add %W, %W, %R", Nop: "nop"}
	t.files = [kinds]string{GPR: "GPR", FPR: "FPR64", Vec: "VR"}
	t.tuples[GPR] = []string{"GPRPair"}
	t.tuples[Vec] = []string{"VRM2", "VRM4", "VRM8"}
	for _, i := range []int{10, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 5} {
		t.spare[GPR] = append(t.spare[GPR], "X"+itoa(i))
	}
	t.constant[GPR] = []string{"X8", "X13", "X11"}
	for _, i := range []int{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31} {
		t.spare[FPR] = append(t.spare[FPR], "F"+itoa(i)+"_D")
	}
	t.constant[FPR] = []string{"F8_D", "F9_D", "F0_D"}
	for i := range 24 {
		t.spare[Vec] = append(t.spare[Vec], "V"+itoa(i+8))
	}
	t.constant[Vec] = []string{"V4", "V2", "V6", "V0"}
	t.turn = [kinds]int{GPR: 1, FPR: 1, Vec: 8}
	t.absent = map[string]bool{"VMaskOp": true}
	t.helpers = []helper{
		{from: GPR, to: GPR, text: "add %R, %W, %C"},
		{from: FPR, to: FPR, text: "fsgnj.d %R, %W, fs0"},
		{from: Vec, to: Vec, text: "vadd.vi %R, %W, 1"},
		{from: GPR, to: FPR, text: "fmv.d.x %R, %W"},
		{from: FPR, to: GPR, text: "fmv.x.d %R, %W"},
		{from: GPR, to: Vec, text: "vmv.v.x %R, %W"},
		{from: Vec, to: GPR, text: "vmv.x.s %R, %W"},
		{from: FPR, to: Vec, text: "vfmv.v.f %R, %W"},
		{from: Vec, to: FPR, text: "vfmv.f.s %R, %W"},
	}
	t.break_ = [kinds]string{GPR: "li %W, 1", FPR: "fmv.d.x %W, s0", Vec: "vmv.v.i %W, 0"}
	t.reload[GPR] = map[int]string{64: "ld %R, %O(%W)", 32: "lw %R, %O(%W)", 16: "lhu %R, %O(%W)", 8: "lbu %R, %O(%W)"}
	t.reload[FPR] = map[int]string{64: "fld %R, %O(%W)", 32: "flw %R, %O(%W)"}
	t.Memory = regexp.MustCompile(`^(L[BHW]U?|LD|S[BHWD]|F[LS][HWD]|C_[LS][WD]|C_F[LS]D|V[LS]E(8|16|32|64)_V|V[LS][1248]R(E8)?_V|AMO(ADD|SWAP|CAS)_[WD](_AQ_RL)?|TH_F?L(R|UR)[BHWD]U?|TH_F?S(R|UR)[BHWD])$`)
	t.sooner = [kinds]bool{GPR: true, FPR: true, Vec: true}
	t.always = map[int]uint64{6: 0, 7: 8, 2: aligned}
	t.exclude = riscvExcluded
	t.families = map[Kind]string{GPR: "base", FPR: "fp", Vec: "vector"}
	t.setup, t.immediates = riscvState, riscvImmediates
	t.features = feature.RISCV64(t.ISA)
	t.spell = func(r isa.Reg, _ byte) string {
		s, _, _ := strings.Cut(strings.ToLower(t.ISA.Regs.Name(r)), "_")
		return s
	}
	return t.prepare()
})

// riscvExcluded are name prefixes of forms that are not planned: forms that need privileges, wait, trap, change the stack, or belong
// together in pairs; cache operations; accesses to control and status registers; formats of .insn.
var riscvExcluded = []string{"LR_", "SC_", "CSRR", "ECALL", "EBREAK", "C_EBREAK", "MRET", "SRET", "DRET", "MNRET", "WFI", "WRS_", "SFENCE", "HFENCE", "HINVAL", "SINVAL", "HLV", "HSV", "UNIMP", "C_UNIMP", "CM_", "CBO_", "Insn",
	"SSPUSH", "SSPOP", "SSRDP", "SSAMO", "C_SSP", "TH_DCACHE", "TH_ICACHE", "TH_L2CACHE", "TH_SYNC", "TH_SFENCE", "SF_C", "CV_ELW", "C_ADDI16SP", "MOP_", "C_MOP", "FENCE_I"}

var (
	riscvWide  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`VF8$|EI?64(_|FF|$)|^VSHA2|^VCLMUL|RE64`) })
	riscvHalf  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`EI?16(_|FF|$)|RE16`) })
	riscvByte  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`EI?8(_|FF|$)|^VLM|^VSM_`) })
	riscvFloat = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_D(_|$)|_D_[A-Z]+$|^FSD|^FLD`) })
)

// riscvState returns the initial state for a form: 1.0 in floating-point registers, elements of the size of the
// form's accesses, small numbers for dividers.
func riscvState(name string) state {
	s := state{fill: 0xffffffff3f800000, values: map[int]uint64{8: 0x5003, 13: 0x7003, 11: 0x9003, 6: 0, 7: 8, 2: aligned}, vtype: isa.VType{SEW: 32}}
	switch {
	case riscvWide().MatchString(name):
		s.vtype.SEW = 64
	case riscvHalf().MatchString(name):
		s.vtype.SEW = 16
	case riscvByte().MatchString(name):
		s.vtype.SEW = 8
	}
	indexed := strings.HasPrefix(name, "V") && (strings.Contains(name, "XEI") || strings.Contains(name, "XSEG"))
	switch {
	case name == "DIV", name == "DIVU", name == "REM", name == "REMU", name == "DIVW", name == "DIVUW", name == "REMW", name == "REMUW":
		s.values[8], s.values[13], s.hold, s.note = 100, 3, true, "100 divided by 3"
	case strings.HasPrefix(name, "VDIV"), strings.HasPrefix(name, "VREM"):
		s.fill, s.note = 0x0000000300000003, "3 divided by 3"
	case indexed:
		s.fill, s.note = 0, "indices of zero"
	case strings.HasPrefix(name, "VF"):
		s.fill = onesSingle
	case riscvFloat().MatchString(name):
		s.fill = onesDouble
	}
	return s
}

// riscvImmediates returns immediate values by operand class: the dynamic rounding mode, and otherwise small numbers that are no
// special case.
func riscvImmediates(c *isa.OpClass) []int64 {
	switch c.Name {
	case "frmarg", "frmarglegacy":
		return []int64{7}
	case "rtzarg":
		return []int64{1}
	case "VTypeIOp10", "VTypeIOp11":
		return []int64{0xd0} // e32, m1, ta, ma
	}
	return []int64{3}
}

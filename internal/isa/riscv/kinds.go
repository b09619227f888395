package riscv

import (
	"math"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// kindCode is the test of an operand kind of the match table that is neither a
// token nor a register class.
type kindCode uint8

const (
	kPlain      kindCode = iota // token or register class
	kRange                      // constants lo..hi that are multiples of align
	kAnyReg                     // .insn: any register
	kAnyRegC                    // .insn: register that compressed instructions can name
	kAsFPR                      // Zfinx: integer register in a floating-point role
	kRegPair                    // even integer register with its neighbour
	kZeroOffset                 // "(reg)" or "0(reg)"
	kRegReg                     // "reg(reg)"
	kMask                       // "v0.t"
	kFRM                        // rounding mode
	kRTZ                        // the rounding mode rtz
	kFence
	kCSR
	kFPImm
	kRegList
	kStackAdj
	kVType
	kAnyImm
	kOpcode  // .insn: major opcode, number or name
	kLI      // any 64-bit constant
	kBare    // symbol without modifier; registers' names are symbols here, as in kCall and kJump
	kCall    // symbol, with @plt perhaps
	kJump    // the same, or a distance
	kTPRel   // %tprel_add(symbol)
	kTLSDesc // %tlsdesc_call(symbol)
)

// kindInfo is one operand kind.
type kindInfo struct {
	code          kindCode
	optional      bool
	defaultValue  int64 // of an optional operand
	lo, hi, align int64
	lo2, hi2      int64    // a second range (c.lui's negative values); none if lo2 > hi2
	nonzero       bool     // zero is not in the range
	mods          []string // symbolic values are accepted under these modifiers ("" = without)
}

var (
	lowMods   = []string{"lo", "pcrel_lo", "tprel_lo", "tlsdesc_load_lo", "tlsdesc_add_lo"}
	highMods  = []string{"hi", "tprel_hi"}
	pcrelMods = []string{"pcrel_hi", "got_pcrel_hi", "tls_ie_pcrel_hi", "tls_gd_pcrel_hi", "tlsdesc_hi"}
	bareMods  = []string{""}
	callMods  = []string{"", "plt"}
)

// namedKinds are the predicates whose name does not state the range.
var namedKinds = map[string]kindInfo{
	"isAnyReg":               {code: kAnyReg},
	"isAnyRegC":              {code: kAnyRegC},
	"isGPRAsFPR":             {code: kAsFPR},
	"isGPRPair":              {code: kRegPair},
	"isGPR":                  {code: kZeroOffset},
	"isRegReg":               {code: kRegReg},
	"isV0Reg":                {code: kMask, optional: true},
	"isFRMArg":               {code: kFRM, optional: true, defaultValue: 7}, // dynamic
	"isFRMArgLegacy":         {code: kFRM, optional: true},                  // exact conversions: rne, as GNU as writes it
	"isRTZArg":               {code: kRTZ},
	"isFenceArg":             {code: kFence},
	"isCSRSystemRegister":    {code: kCSR},
	"isLoadFPImm":            {code: kFPImm},
	"isRlist":                {code: kRegList},
	"isSpimm":                {code: kStackAdj},
	"isVTypeI10":             {code: kVType, hi: 1<<10 - 1},
	"isVTypeI11":             {code: kVType, hi: 1<<11 - 1},
	"isImm":                  {code: kAnyImm},
	"isImmXLenLI":            {code: kLI},
	"isImmXLenLI_Restricted": {code: kRange, lo: math.MinInt64, hi: math.MaxInt64, align: 1},
	"isBareSymbol":           {code: kBare, mods: bareMods},
	"isCallSymbol":           {code: kCall, mods: callMods},
	"isPseudoJumpSymbol":     {code: kCall, mods: callMods},
	"isTPRelAddSymbol":       {code: kTPRel, mods: []string{"tprel_add"}},
	"isTLSDESCCallSymbol":    {code: kTLSDesc, mods: []string{"tlsdesc_call"}},
	"isImmZero":              {code: kRange, align: 1},
	"isRnumArg":              {code: kRange, hi: 10, align: 1},
	"isCLUIImm":              {code: kRange, lo: 1, hi: 31, align: 1, lo2: 0xfffe0, hi2: 0xfffff},
	"isUImmLog2XLen":         {code: kRange, hi: 63, align: 1},
	"isUImmLog2XLenNonZero":  {code: kRange, lo: 1, hi: 63, align: 1},
	"isUImmLog2XLenHalf":     {code: kRange, hi: 31, align: 1},
	"isSImm12":               {code: kRange, lo: -2048, hi: 2047, align: 1, mods: lowMods},
	"isUImm20LUI":            {code: kRange, hi: 1<<20 - 1, align: 1, mods: highMods},
	"isUImm20AUIPC":          {code: kRange, hi: 1<<20 - 1, align: 1, mods: pcrelMods},
	// Branch targets are addresses, as in GNU as and all disassemblers; only the encoder knows the distance.
	"isSImm21Lsb0JAL":        {code: kJump, lo: math.MinInt64, hi: math.MaxInt64, align: 2, mods: callMods},
	"isSImm13Lsb0":           {code: kRange, lo: math.MinInt64, hi: math.MaxInt64, align: 2, mods: bareMods},
	"isSImm12Lsb0":           {code: kRange, lo: math.MinInt64, hi: math.MaxInt64, align: 2, mods: bareMods},
	"isSImm9Lsb0":            {code: kRange, lo: math.MinInt64, hi: math.MaxInt64, align: 2, mods: bareMods},
	"isSImm5Plus1":           {code: kRange, lo: -15, hi: 16, align: 1},
	"isUImm8GE32":            {code: kRange, lo: 32, hi: 255, align: 1},
	"isSImm10Lsb0000NonZero": {code: kRange, lo: -512, hi: 496, align: 16, nonzero: true},
	"isUImm10Lsb00NonZero":   {code: kRange, lo: 4, hi: 1020, align: 4},
	"isSImm6NonZero":         {code: kRange, lo: -32, hi: 31, align: 1, nonzero: true},
}

// kinds makes the table of operand kinds from the match table's predicate names.
func kinds(m *isa.MatchTable) []kindInfo {
	out := make([]kindInfo, m.NumKinds())
	for k := range out {
		pred := m.KindPredicate(isa.Kind(k))
		info, ok := namedKinds[pred]
		if !ok {
			info = rangeKind(pred)
		}
		if name := m.KindName(isa.Kind(k)); strings.HasSuffix(name, "DirectiveOpcode") {
			info.code = kOpcode
			info.hi = 127
			if strings.Contains(name, "InsnC") {
				info.hi = 2
			}
		}
		if info.lo2 == 0 && info.hi2 == 0 {
			info.lo2, info.hi2 = 1, 0
		}
		out[k] = info
	}
	return out
}

// rangeKind reads predicates like isSImm5 and isUImm8Lsb000: signedness, bits, low zero bits.
func rangeKind(pred string) kindInfo {
	signed := strings.HasPrefix(pred, "isSImm")
	if !signed && !strings.HasPrefix(pred, "isUImm") {
		return kindInfo{}
	}
	width, zeros, _ := strings.Cut(pred[len("isSImm"):], "Lsb")
	n, err := strconv.Atoi(width)
	if err != nil || strings.Trim(zeros, "0") != "" {
		return kindInfo{}
	}
	k := kindInfo{code: kRange, hi: 1<<n - 1, align: 1 << len(zeros)}
	if signed {
		k.lo, k.hi = -1<<(n-1), 1<<(n-1)-1
	}
	return k
}

// holds reports whether a constant is in the kind's range.
func (k *kindInfo) holds(v int64) bool {
	if k.nonzero && v == 0 {
		return false
	}
	return v >= k.lo && v <= k.hi && v%k.align == 0 || v >= k.lo2 && v <= k.hi2
}

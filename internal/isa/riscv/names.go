package riscv

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// roundingModes holds the assembler's names of the frm field (RISC-V unprivileged ISA, table of rounding modes).
var roundingModes = [8]string{"rne", "rtz", "rdn", "rup", "rmm", "", "", "dyn"}

func roundingMode(s string) (int64, bool) {
	for i, n := range roundingModes {
		if n != "" && n == s {
			return int64(i), true
		}
	}
	return 0, false
}

// fenceLetters are the bits of a fence's predecessor and successor sets, highest first.
const fenceLetters = "iorw"

// fenceSet reads "iorw" in that order, each letter at most once, or 0.
func fenceSet(s string) (int64, bool) {
	if s == "0" {
		return 0, true
	}
	set, last := int64(0), -1
	for i := 0; i < len(s); i++ {
		b := strings.IndexByte(fenceLetters, s[i])
		if b <= last {
			return 0, false
		}
		set, last = set|8>>b, b
	}
	return set, set != 0
}

// opcodeNames are the major opcodes that .insn accepts by name (RISC-V unprivileged ISA,
// table "RISC-V base opcode map"; C0..C2 are the compressed quadrants).
var opcodeNames = map[string]int64{
	"LOAD": 0x03, "LOAD_FP": 0x07, "CUSTOM_0": 0x0b, "MISC_MEM": 0x0f, "OP_IMM": 0x13, "AUIPC": 0x17, "OP_IMM_32": 0x1b,
	"STORE": 0x23, "STORE_FP": 0x27, "CUSTOM_1": 0x2b, "AMO": 0x2f, "OP": 0x33, "LUI": 0x37, "OP_32": 0x3b,
	"MADD": 0x43, "MSUB": 0x47, "NMSUB": 0x4b, "NMADD": 0x4f, "OP_FP": 0x53, "OP_V": 0x57, "CUSTOM_2": 0x5b,
	"BRANCH": 0x63, "JALR": 0x67, "JAL": 0x6f, "SYSTEM": 0x73, "OP_P": 0x77, "OP_VE": 0x77, "CUSTOM_3": 0x7b,
	"C0": 0, "C1": 1, "C2": 2,
}

// fpImms are the constants of fli, by encoding (Zfa, table "immediate values"); entry 1 is
// the smallest normal number of the format, written "min".
var fpImms = [32]float64{
	-1, 0, 1.0 / (1 << 16), 1.0 / (1 << 15), 1.0 / (1 << 8), 1.0 / (1 << 7), 0.0625, 0.125,
	0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75, 0.875,
	1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 8, 16, 128, 256, 1 << 15, 1 << 16,
}

const (
	fpMin = 1
	fpInf = 30
	fpNaN = 31
)

// fpImm reads an operand of fli.
func fpImm(s string) (int64, bool) {
	switch strings.ToLower(s) {
	case "min":
		return fpMin, true
	case "inf":
		return fpInf, true
	case "nan":
		return fpNaN, true
	}
	if len(s) > 2 && s[:2] == "0x" && !strings.ContainsAny(s, "pP") {
		s += "p0"
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false
	}
	for i, v := range fpImms[:fpInf] {
		if v == f && i != fpMin {
			return int64(i), true
		}
	}
	return 0, false
}

// vtype fields (RISC-V V 1.0, section 3.4): vlmul 2:0, vsew 5:3, vta 6, vma 7.
var (
	lmulNames = [8]string{"m1", "m2", "m4", "m8", "", "mf8", "mf4", "mf2"}
	sewNames  = [4]string{"e8", "e16", "e32", "e64"}
)

const (
	vtypeTA = 1 << 6
	vtypeMA = 1 << 7
)

// vtype reads the vtype operand that starts at item i: "e32, m1, ta, ma", of which only the
// element width is mandatory (as in GNU as), or a constant up to limit.
func (p *parser) vtype(s *statement, i int, limit int64) (int64, bool) {
	if v, ok := s.items[i].isConst(); ok {
		return v, i == len(s.items)-1 && v >= 0 && v <= limit
	}
	v, rest := int64(0), s.items[i:]
	take := func(names []string, shift int) bool {
		if len(rest) == 0 {
			return true
		}
		for n, name := range names {
			if name != "" && name == rest[0].text {
				v |= int64(n) << shift
				rest = rest[1:]
				return true
			}
		}
		return false
	}
	if !take(sewNames[:], 3) {
		return 0, false
	}
	ok := take(lmulNames[:], 0) && take([]string{"tu", "ta"}, 6) && take([]string{"mu", "ma"}, 7)
	return v, ok && len(rest) == 0
}

// Zcmp register lists: 4 is {ra}, 5 {ra, s0}, … 14 {ra, s0-s9}, 15 {ra, s0-s11}.
const (
	rlistRA    = 4
	rlistS0S11 = 15
)

// regList reads a Zcmp register list.
func (p *parser) regList(s string) (int64, bool) {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return 0, false
	}
	var seen uint32
	for _, part := range strings.Split(s[1:len(s)-1], ",") {
		lo, hi, isRange := strings.Cut(part, "-")
		if !isRange {
			hi = lo
		}
		a, b := p.savedIndex(lo), p.savedIndex(hi)
		if a < 0 || b < a {
			return 0, false
		}
		for ; a <= b; a++ {
			if seen>>a&1 != 0 {
				return 0, false
			}
			seen |= 1 << a
		}
	}
	n := 0 // registers of the list ra, s0, s1 … in order
	for seen>>n&1 != 0 {
		n++
	}
	switch {
	case n == 0 || seen>>n != 0 || n == 12: // s10 never without s11
		return 0, false
	case n == 13:
		return rlistS0S11, true
	}
	return int64(rlistRA + n - 1), true
}

// savedIndex numbers ra, s0 … s11 from 0; -1 for other registers.
func (p *parser) savedIndex(name string) int {
	file, n := p.regs.of(p.register(strings.Trim(name, " \t"), false))
	if file != fileX {
		return -1
	}
	return savedOrder(n)
}

func savedOrder(n int) int {
	switch {
	case n == 1:
		return 0
	case n == 8 || n == 9:
		return n - 7
	case n >= 18 && n <= 27:
		return n - 15
	}
	return -1
}

// rlistStack is the least stack adjustment of a register list in bytes on RV64: a
// multiple of 16 that holds 8 bytes per register (Zcmp, stack_adj_base).
func rlistStack(rlist int64) int64 {
	n := rlist - rlistRA + 1
	if rlist == rlistS0S11 {
		n++
	}
	return (8*n + 15) &^ 15
}

// stackAdj turns the stack adjustment of cm.push and cm.pop* into the MC operand: the
// bytes beyond the least adjustment, a multiple of 16 up to 48.
func (p *parser) stackAdj(in *isa.Inst, it *item) (int64, bool) {
	v, ok := it.isConst()
	if !ok || in.NOps == 0 {
		return 0, false
	}
	if in.Form == p.forms.cmPush {
		v = -v
	}
	extra := v - rlistStack(in.Ops[0].Imm)
	return extra, extra >= 0 && extra <= 48 && extra%16 == 0
}

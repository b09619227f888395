package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// form is one instruction of the measurements, found among our forms.
type form struct {
	inst isa.Inst // with a register of its own for every operand
	// operand maps the measurements' names of explicit operands (in Intel order: 0 is
	// the destination) to the register that stands for them, or to memory.
	regs []isa.Reg // explicit operand → register; NoReg for memory and immediates
	mem  int       // explicit operand that is memory, -1 none
}

var sizeRE = regexp.MustCompile(`\b[a-z]+ ptr `)

var nameRE = regexp.MustCompile(`^([^ ]+)(?: \((.*)\))?$`)

// resolve finds the forms that a uops.info name ("VADDPD_Z (ZMM, K, ZMM, M512)") stands for, by
// writing the instruction in Intel syntax and letting incore's own parser match it. The first result
// is what the text matches; further ones are its other encodings.
func resolve(name string) (*form, error) {
	m := nameRE.FindStringSubmatch(name)
	if m == nil {
		return nil, fmt.Errorf("unexpected name %q", name)
	}
	parts := strings.Split(m[1], "_")
	var ops []string
	if m[2] != "" {
		ops = strings.Split(m[2], ", ")
	}
	var firstErr error
	for _, masked := range []bool{true, false} {
		f, err := try(parts, ops, masked)
		if err == nil {
			return f, nil
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	return nil, firstErr
}

// rename maps XED's mnemonics to the assembler's where they differ.
var rename = map[string]string{
	"CALL": "call", "JMP": "jmp", "RET": "ret", "MOVSD": "movsd", "CMPSD": "cmpsd", "XLAT": "xlatb", "PAUSE": "pause",
	"FWAIT": "fwait", "CBW": "cbw", "CDQE": "cdqe", "SYSRET": "sysretq", "IRETQ": "iretq", "INT3": "int3", "SAL": "shl",
}

// prefixes are the parts of a name that stand before a statement, roundings those that stand behind it.
var (
	prefixes  = map[string]string{"LOCK": "lock ", "REPE": "rep ", "REPNE": "repne ", "EVEX": "{evex} ", "VEX": "{vex} "}
	roundings = map[string]string{"ER": ", {rn-sae}", "SAE": ", {sae}"}
)

// try writes one reading of a name as text and parses it; masked: a K in second place is the write mask.
func try(parts, ops []string, masked bool) (*form, error) {
	mnem, prefix, tail := strings.ToLower(parts[0]), "", ""
	if r, ok := rename[parts[0]]; ok {
		mnem = r
	}
	zero := slices.Contains(parts[1:], "Z")
	for _, p := range parts[1:] {
		prefix, tail = cmp.Or(prefixes[p], prefix), cmp.Or(roundings[p], tail)
	}
	f := &form{mem: -1}
	var text []string
	next := map[string]int{}
	if parts[0] == "LEA" && len(parts) > 1 {
		ops = append(ops, leaAddress(parts[1:]))
	}
	high := slices.Contains(ops, "R8h") // with a high byte register no other may need a REX prefix
	for i, o := range ops {
		if high && (o == "R8l" || o == "R16" || o == "R32") {
			o += " legacy"
		}
		if masked && i == 1 && o == "K" && len(ops) > 2 && !strings.HasPrefix(mnem, "k") && len(text) == 1 {
			text[0] += " {k7}"
			if zero {
				text[0] += " {z}"
			}
			f.regs = append(f.regs, x86.ISA().Regs.Spelled("k7"))
			continue
		}
		t, reg := operand(o, next)
		if t == "" {
			return nil, fmt.Errorf("operand %q is not of a kind that we know", o)
		}
		if strings.HasPrefix(o, "M") && o != "MM" || strings.HasPrefix(o, "VSIB") {
			f.mem = i
		}
		f.regs = append(f.regs, x86.ISA().Regs.Spelled(reg))
		text = append(text, t)
	}
	stmt := prefix + mnem
	if len(text) > 0 {
		stmt += " " + strings.Join(text, ", ")
	}
	// the rounding operand stands before an immediate
	if tail != "" {
		if n := len(ops); n > 0 && strings.HasPrefix(ops[n-1], "I") {
			k := strings.LastIndex(stmt, ",")
			stmt = stmt[:k] + tail + stmt[k:]
		} else {
			stmt += tail
		}
	}
	insts, err := x86.ISA().Parse(nil, stmt, "intel")
	if err != nil { // prefetches, clflush and the like: the size of what they touch is not written
		insts, err = x86.ISA().Parse(nil, sizeRE.ReplaceAllString(stmt, ""), "intel")
	}
	if err != nil {
		return nil, err
	}
	if len(insts) != 1 {
		return nil, fmt.Errorf("%q is %d instructions", stmt, len(insts))
	}
	f.inst = insts[0]
	return f, nil
}

// Registers that stand for operands. rsi and rdi are left to addresses, rax … rdx and cl to implicit operands.
var pool = map[string][]string{
	"XMM": {"xmm1", "xmm2", "xmm3", "xmm4"}, "YMM": {"ymm1", "ymm2", "ymm3", "ymm4"}, "ZMM": {"zmm1", "zmm2", "zmm3", "zmm4"},
	"R8h": {"dh", "bh"}, "R8l legacy": {"dl", "bl"}, "R16 legacy": {"cx"}, "R32 legacy": {"ecx"}, "R8l": {"r8b", "r9b", "r10b", "r11b"}, "R16": {"r8w", "r9w", "r10w", "r11w"}, "R32": {"r8d", "r9d", "r10d", "r11d"}, "R64": {"r8", "r9", "r10", "r11"},
	"K": {"k1", "k2", "k3", "k4"}, "MM": {"mm1", "mm2", "mm3"}, "BND": {"bnd1", "bnd2"}, "SEG": {"es"}, "CR": {"cr8"}, "DR": {"dr7"}, "TMM": {"tmm1", "tmm2", "tmm3"},
}

var fixed = map[string]string{"AL": "al", "AX": "ax", "EAX": "eax", "RAX": "rax", "CL": "cl", "DX": "dx", "XMM0": "xmm0", "FS": "fs", "GS": "gs"}

var sizes = map[string]string{"8": "byte", "16": "word", "32": "dword", "64": "qword", "80": "tbyte", "128": "xmmword", "256": "ymmword", "512": "zmmword"}

// leaAddress writes the address that the parts of a LEA's name describe: B base, I index, IS scaled
// index, R rip-relative, D8 and D32 displacements.
func leaAddress(parts []string) string {
	var terms []string
	for _, p := range parts {
		if t := map[string]string{"B": "rsi", "I": "rdi", "IS": "rdi*4", "R": "rip", "D8": "8", "D32": "100000"}[p]; t != "" {
			terms = append(terms, t)
		}
	}
	return "[" + strings.Join(terms, "+") + "]"
}

var memRE = regexp.MustCompile(`^M(\d+)(?:_(1to\d+))?$`)

// operand writes one operand; reg is the register that stands for it, if it is one.
func operand(o string, next map[string]int) (text, reg string) {
	if r, ok := fixed[o]; ok {
		return r, r
	}
	if p, ok := pool[o]; ok {
		k := next[o]
		if o == "XMM" || o == "YMM" || o == "ZMM" { // one numbering: xmm1 and ymm1 are one register
			k = next["vector"]
			next["vector"]++
		}
		if strings.HasPrefix(o, "R") { // likewise r8b … r8
			k = next["gpr"]
			next["gpr"]++
		} else {
			next[o]++
		}
		if k >= len(p) {
			return "", ""
		}
		return p[k], p[k]
	}
	if m := memRE.FindStringSubmatch(o); m != nil {
		s := sizes[m[1]]
		if s == "" {
			return "[rsi]", ""
		}
		t := s + " ptr [rsi]"
		if m[2] != "" {
			t += "{" + m[2] + "}"
		}
		return t, ""
	}
	if o[0] == '[' {
		return o, ""
	}
	switch o {
	case "VSIB_XMM":
		return "[rsi+xmm9]", ""
	case "VSIB_YMM":
		return "[rsi+ymm9]", ""
	case "VSIB_ZMM":
		return "[rsi+zmm9]", ""
	case "I8":
		return "3", ""
	case "I16":
		return "1000", ""
	case "I32":
		return "100000", ""
	case "I64":
		return "0x1122334455667788", ""
	case "0", "1":
		return o, ""
	case "Rel8", "Rel32":
		return "target", ""
	}
	return "", ""
}

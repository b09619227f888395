package osaca

import (
	"fmt"
	"slices"
	"strings"
)

// splitOperands splits at commas outside of brackets. A value after a memory operand's bracket and a comma (post-indexing) belongs to the memory operand.
func splitOperands(s string) (out []string) {
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if t := strings.TrimSpace(s[start:]); t != "" {
		out = append(out, t)
	}
	for i := 1; i < len(out); i++ {
		if before := out[i-1]; strings.HasPrefix(before, "[") && strings.HasSuffix(before, "]") {
			out[i-1] += ", " + out[i]
			return slices.Delete(out, i, i+1)
		}
	}
	return out
}

// attOperand returns the kind of an operand of x86 in AT&T syntax. General-purpose registers are one kind, since the
// mnemonic's suffix states the width. It returns false for masked and broadcast operands.
func attOperand(s string) ([]operand, bool) {
	one := func(class string, attrs ...string) ([]operand, bool) {
		return []operand{{class, attrs}}, true
	}
	switch {
	case s == ".L1":
		return one("identifier")
	case strings.HasPrefix(s, "$"):
		return one("immediate", "imd: int")
	case strings.Contains(s, "{"), strings.HasPrefix(s, "*"), strings.Contains(s, ":"): // masked, broadcast; OSACA would use the entry for the plain form
		return nil, false
	case strings.Contains(s, "(%r"):
		index := "index: ~"
		if strings.Contains(s, ",") {
			index = "index: '*'"
		}
		return one("memory", "base: '*'", "offset: '*'", index, "scale: '*'")
	case strings.HasPrefix(s, "%"):
		name := s[1:]
		stem := strings.TrimRight(name, "0123456789")
		switch stem {
		case "xmm", "ymm", "zmm", "mm", "k":
			return one("register", "name: "+stem)
		case "st", "cr", "dr", "es", "cs", "ss", "ds", "fs", "gs", "bnd", "tmm":
			return nil, false
		}
		if strings.HasPrefix(name, "st(") {
			return nil, false
		}
		return one("register", "name: gpr")
	}
	return nil, false
}

// isShift reports an operand that OSACA counts as part of the register or value before it.
func isShift(s string) bool {
	for _, p := range []string{"lsl", "lsr", "asr", "ror", "uxt", "sxt", "msl"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

var a64Conditions = strings.Fields("eq ne hs lo mi pl vs vc hi ls ge lt gt le al nv")

// a64Operand returns the kind of an operand of A64: registers by prefix and element size (not by the number of
// elements), addresses by indexing.
func a64Operand(s string) ([]operand, bool) {
	one := func(class string, attrs ...string) ([]operand, bool) {
		return []operand{{class, attrs}}, true
	}
	switch {
	case s == ".L1":
		return one("identifier")
	case strings.HasPrefix(s, "#"):
		if strings.Contains(s, ".") {
			return one("immediate", "imd: double")
		}
		return one("immediate", "imd: int")
	case strings.HasPrefix(s, "["):
		return a64Memory(s)
	case strings.HasPrefix(s, "{"):
		return a64List(s)
	case slices.Contains(a64Conditions, s):
		return one("condition", "ccode: '*'")
	}
	r, ok := a64Register(s)
	return []operand{r}, ok
}

// a64Register reads "x1", "wzr", "v1.4s", "z2.d[1]", "p0/z".
func a64Register(s string) (operand, bool) {
	s, predicated, _ := strings.Cut(s, "/")
	name, shape, shaped := strings.Cut(s, ".")
	name, _, _ = strings.Cut(name, "[")
	stem := strings.TrimRight(name, "0123456789")
	if name == "xzr" || name == "wzr" || name == "sp" || name == "wsp" {
		stem = map[bool]string{true: "w", false: "x"}[name[0] == 'w' || name == "wsp"]
	} else if stem == name || len(stem) != 1 || !strings.Contains("xwbhsdqvzp", stem) {
		return operand{}, false
	}
	attrs := []string{"prefix: " + stem}
	if shaped {
		shape, _, _ = strings.Cut(strings.TrimLeft(shape, "0123456789"), "[")
		attrs = append(attrs, "shape: "+shape)
	}
	if predicated == "z" || predicated == "m" {
		attrs = append(attrs, "predication: "+predicated)
	}
	return operand{"register", attrs}, true
}

// a64Memory reads an address; its base must be an x register.
func a64Memory(s string) ([]operand, bool) {
	inside, after, _ := strings.Cut(s[1:], "]")
	parts := strings.Split(inside, ",")
	if !strings.HasPrefix(parts[0], "x") && parts[0] != "sp" {
		return nil, false
	}
	index, scale := "index: ~", "scale: '*'"
	if len(parts) > 1 && !strings.HasPrefix(strings.TrimSpace(parts[1]), "#") {
		index = "index: " + strings.TrimSpace(parts[1])[:1]
	}
	return []operand{{"memory", []string{"base: x", "offset: '*'", index, scale,
		fmt.Sprintf("pre_indexed: %t", after == "!"), fmt.Sprintf("post_indexed: %t", strings.HasPrefix(after, ","))}}}, true
}

// a64List reads "{ v0.4s, v1.4s }"; each register is an operand.
func a64List(s string) (out []operand, ok bool) {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "{"), "}")
	if strings.Contains(s, "-") {
		return nil, false
	}
	for _, r := range strings.Split(s, ",") {
		o, ok := a64Register(strings.TrimSpace(r))
		if !ok {
			return nil, false
		}
		out = append(out, o)
	}
	return out, true
}

// attSuffixes are the suffixes of AT&T mnemonics; a mnemonic without suffix means the widest possible form.
const attSuffixes = "qlwb"

// attConditions are the other spellings of condition codes (Intel's manual, volume 2, appendix B).
var attConditions = map[string][]string{"ae": {"nb", "nc"}, "b": {"c", "nae"}, "e": {"z"}, "ne": {"nz"}, "be": {"na"}, "a": {"nbe"}, "p": {"pe"}, "np": {"po"},
	"l": {"nge"}, "ge": {"nl"}, "le": {"ng"}, "g": {"nle"}}

func attSynonyms(name string, round int) (out []string) {
	if stem, ok := strings.CutSuffix(name, attSuffixes[round:round+1]); ok && stem != "" {
		out = append(out, stem)
	}
	if width, ok := strings.CutPrefix(name, "shl"); ok {
		out = append(out, "sal"+width)
	}
	for _, stem := range []string{"j", "set", "cmov"} {
		if cond, ok := strings.CutPrefix(name, stem); ok {
			suffix := ""
			if attConditions[cond] == nil && cond != "" && strings.Contains(attSuffixes, cond[len(cond)-1:]) {
				cond, suffix = cond[:len(cond)-1], cond[len(cond)-1:]
			}
			for _, c := range attConditions[cond] {
				out = append(out, stem+c+suffix)
			}
		}
	}
	return out
}

func a64Synonyms(name string, _ int) []string {
	cond, ok := strings.CutPrefix(name, "b.")
	if !ok {
		return nil
	}
	out := []string{"b" + cond}
	switch cond {
	case "hs":
		out = append(out, "b.cs", "bcs")
	case "lo":
		out = append(out, "b.cc", "bcc")
	}
	return out
}

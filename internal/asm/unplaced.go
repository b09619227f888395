package asm

import (
	"strconv"
	"strings"

	"incore/internal/base/regex"
)

// This file reads listings of objdump that have neither addresses nor machine code (--no-addresses or --no-leading-addr, with --no-show-raw-insn). Their jumps name the
// bytes between a function's beginning and their target, which the sizes of the instructions tell (place.go).

var (
	// unplacedRow is an instruction there: "\tje     <dot+0x28>"; unplacedLabel is a function's beginning.
	unplacedRow   = regex.Lazy(`^(?: {8,}|)\t([a-z(][^;{}"]*)$`)
	unplacedLabel = regex.Lazy(`^(?:[0-9a-f]{8,16} )?<(.+)>:$`)
	// unplacedTarget is the target of a jump, behind its address in the file if llvm-objdump knows it.
	unplacedTarget = regex.Lazy(`^(\S+[ \t]+(?:[^<>]*, *)?)(?:(?:0x)?[0-9a-f]+ )?<(.+)>$`)
)

// unplaced makes assembly text of such a listing.
func unplaced(text string) (out string, ok bool) {
	labels, rows := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		addr, _, colon := strings.Cut(line, ":")
		switch {
		case prefixed().MatchString(line), isTargetName(strings.TrimSuffix(line, ":")):
			return "", false
		case unplacedLabel().MatchString(line):
			labels++
		case colon && isHex(strings.TrimSpace(addr)), strings.HasPrefix(line, "\t") && hasCode(line):
			return "", false
		case unplacedRow().MatchString(line):
			rows++
		}
	}
	if labels == 0 || rows == 0 {
		return "", false
	}
	starts := map[string]string{} // the local label of each function's beginning
	for line := range strings.Lines(text) {
		if m := unplacedLabel().FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			starts[m[1]] = ".Lstart" + strconv.Itoa(len(starts))
		}
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := unplacedLabel().FindStringSubmatch(line); m != nil {
			b.WriteString(quoted(m[1]) + ":" + starts[m[1]] + ":")
		} else if m := unplacedRow().FindStringSubmatch(line); m != nil {
			b.WriteString("\t" + unplacedInst(m[1], starts))
		}
		b.WriteByte('\n')
	}
	return b.String(), true
}

// hasCode reports whether a line begins with machine code.
func hasCode(line string) bool {
	bytes, _, ok := strings.Cut(strings.TrimSpace(line), "\t")
	return ok && isByteColumn(bytes) && !isLetters(bytes)
}

// unplacedInst returns an instruction whose jump leads to bytes behind a label.
func unplacedInst(text string, starts map[string]string) string {
	text = strings.TrimSpace(cutListingComment(text))
	m := unplacedTarget().FindStringSubmatch(text)
	if m == nil || !isBranchWord(text) {
		return text
	}
	name, offset, inside := strings.Cut(m[2], "+0x")
	start, ok := starts[name]
	l := listed{inst: m[1], target: "0"}
	l.plainJump()
	switch {
	case !ok:
		return l.inst + strings.ReplaceAll(m[2], " ", "_")
	case inside:
		return l.inst + start + "+0x" + offset
	}
	return l.inst + quoted(name)
}

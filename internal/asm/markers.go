package asm

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/base/source"
)

// A mark begins or ends a region of code.
type mark struct {
	end  bool
	name string // "LLVM-MCA-BEGIN name"; "" otherwise
	tool string // "IACA", "OSACA", "LLVM-MCA"
	at   int    // index of the first instruction after the mark
	move int    // IACA: index of the instruction that is part of the mark; -1 otherwise
	pos  source.Pos
}

// commentMarks are the comments that mark regions, by tool.
var commentMarks = []struct {
	text, tool string
	end        bool
}{
	{"LLVM-MCA-BEGIN", "LLVM-MCA", false},
	{"LLVM-MCA-END", "LLVM-MCA", true},
	{"OSACA-BEGIN", "OSACA", false},
	{"OSACA-END", "OSACA", true},
}

// markerAt returns the index of a region marker in a comment, -1 without a
// marker. It must be the first word of the comment.
func markerAt(comment string) int {
	i := 0
	for i < len(comment) && strings.IndexByte("#/;*@! \t", comment[i]) >= 0 {
		i++
	}
	for _, m := range commentMarks {
		if rest, ok := strings.CutPrefix(comment[i:], m.text); ok && (rest == "" || !isName(rest[0]) && rest[0] != '-') {
			return i
		}
	}
	return -1
}

// commentMark reads the text of a marker statement.
func commentMark(text string) mark {
	for _, m := range commentMarks {
		if rest, ok := strings.CutPrefix(text, m.text); ok {
			return mark{end: m.end, tool: m.tool, name: strings.TrimSpace(rest), move: -1}
		}
	}
	return mark{}
}

// iacaBytes are the byte sequences after the marking move, one per instruction
// set: fs addr32 nop (x86), nop (A64, either byte order), nop (RISC-V).
var iacaBytes = [][]byte{{100, 103, 144}, {213, 3, 32, 31}, {31, 32, 3, 213}, {19, 0, 0, 0}}

// IACA's marks put these values into a scratch register.
const (
	iacaBegin = 111
	iacaEnd   = 222
)

// iacaValue returns 111 or 222 if a statement moves that constant into a
// register ("movl $111,%ebx", "mov ebx, 111", "mov x1, #111", "li a1, 111"), else 0.
func iacaValue(text string) int {
	if len(text) > 40 || !strings.Contains(text, "111") && !strings.Contains(text, "222") && !strings.Contains(text, "6f") && !strings.Contains(text, "de") {
		return 0
	}
	mnemonic, operands := word(text)
	m := strings.ToLower(mnemonic)
	if !strings.HasPrefix(m, "mov") && m != "li" && m != "orr" {
		return 0
	}
	for _, op := range strings.Split(operands, ",") {
		v, err := strconv.ParseInt(strings.TrimLeft(strings.TrimSpace(op), "$#"), 0, 32)
		if err == nil && (v == iacaBegin || v == iacaEnd) {
			return int(v)
		}
	}
	return 0
}

// dataSize is the size in bytes of a value of each data directive that may hold code.
var dataSize = map[string]int{".byte": 1, ".2byte": 2, ".short": 2, ".hword": 2, ".value": 2, ".4byte": 4, ".word": 4, ".long": 4, ".int": 4, ".inst": 4, ".insn": 4}

// appendData appends the values of a data directive, little-endian; ok is false if a value is not constant.
func appendData(dst []byte, size int, values string, symbols func(string) (int64, bool)) (out []byte, ok bool) {
	for v := range strings.SplitSeq(values, ",") {
		n, ok := integer(strings.TrimSpace(v))
		if !ok {
			if n, ok = evaluate(v, symbols); !ok {
				return dst, false
			}
		}
		if len(dst) > maxData {
			continue
		}
		for i := range size {
			dst = append(dst, byte(n>>(8*i)))
		}
	}
	return dst, true
}

// isIACABytes reports whether data is one of IACA's marking sequences (full),
// or the beginning of one (prefix).
func isIACABytes(data []byte) (full, prefix bool) {
	for _, m := range iacaBytes {
		if len(data) <= len(m) && string(m[:len(data)]) == string(data) {
			if len(data) == len(m) {
				return true, false
			}
			prefix = true
		}
	}
	return false, prefix
}

// region is a piece of marked code: instructions first to end-1.
type region struct {
	name, tool string
	first, end int
	pos        source.Pos // of the beginning mark
}

// moves are the instructions that are part of IACA's marks, not of any region.
func (p *Program) moves() map[int32]bool {
	out := map[int32]bool{}
	for _, m := range p.marks {
		if m.move >= 0 {
			out[int32(m.move)] = true
		}
	}
	return out
}

// marked holds the instructions of a region.
type marked struct {
	region
	insts []int32
}

// merge lists the instructions of regions without the instructions of marks. Regions with the same instructions, enclosed by marks of several
// tools, become one region with the first name and all tools.
func merge(regions []region, moves map[int32]bool) (out []marked) {
	at := map[[2]int32]int{} // by first and last instruction
	for _, r := range regions {
		m := marked{region: r}
		for i := int32(r.first); i < int32(r.end); i++ {
			if !moves[i] {
				m.insts = append(m.insts, i)
			}
		}
		if len(m.insts) == 0 {
			out = append(out, m)
			continue
		}
		key := [2]int32{m.insts[0], m.insts[len(m.insts)-1]}
		n, again := at[key]
		if !again {
			at[key] = len(out)
			out = append(out, m)
			continue
		}
		first := &out[n]
		if !strings.Contains(first.tool, r.tool) {
			first.tool = strings.Replace(first.tool, " and ", ", ", 1) + " and " + r.tool
		}
		if first.name == "" {
			first.name = r.name
		}
	}
	return out
}

// pair joins marks to regions, ordered by their beginnings. Named regions may overlap and
// nest; an end mark without a name closes the innermost open region of its tool.
func pair(marks []mark) ([]region, source.ErrorList) {
	var regions []region
	var errs source.ErrorList
	var open []int // indices of regions
	for _, m := range marks {
		if !m.end {
			open = append(open, len(regions))
			regions = append(regions, region{m.name, m.tool, m.at, -1, m.pos})
			continue
		}
		k := len(open) - 1
		for k >= 0 && (regions[open[k]].tool != m.tool || m.name != "" && regions[open[k]].name != m.name) {
			k--
		}
		if k < 0 {
			what := m.tool + " end marker"
			if m.name != "" {
				what += fmt.Sprintf(" %q", m.name)
			}
			errs = append(errs, source.Diagnostic{Pos: m.pos, Msg: what + " without a beginning", Hint: "put the begin marker before the loop's label"})
			continue
		}
		regions[open[k]].end = m.at
		open = append(open[:k], open[k+1:]...)
	}
	closed := regions[:0]
	for _, r := range regions {
		if r.end < 0 {
			errs = append(errs, source.Diagnostic{Pos: r.pos, Msg: r.tool + " begin marker without an end", Hint: "put the end marker behind the loop's last instruction"})
			continue
		}
		closed = append(closed, r)
	}
	return closed, errs
}

package predict

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// Format is how the lines of a corpus are laid out.
type Format struct {
	Separator byte     // '\t', ',', or 0: the whole line is the block
	Header    []string // names of the columns; nil: there is no header line
	Block     int      // column of the block, from 0
	Hex       bool     // machine code; else assembly
}

// sample is how many lines decide about the format.
const sample = 8

// Detect finds out a corpus's format from its beginning. block chooses the column of the block by name or
// by number from 1; "" is the one that a header says holds code, else the first one.
func Detect(r *bufio.Reader, a *isa.ISA, block string) (f Format, err error) {
	lines, err := peekLines(r, a)
	if err != nil {
		return Format{}, err
	}
	if len(lines) == 0 {
		return Format{}, fmt.Errorf("no blocks: the input is empty")
	}
	if strings.IndexByte(lines[0], '\t') >= 0 {
		f.Separator = '\t'
	} else if block != "" || commas(lines) {
		f.Separator = ','
	}
	f.header(lines, a)
	if f.Block, err = f.Column(block); err != nil {
		return f, err
	}
	f.Hex = f.isHex(lines)
	return f, nil
}

// peekLines returns the first lines of the input, without waiting for more of it than needed.
func peekLines(r *bufio.Reader, a *isa.ISA) (lines []string, err error) {
	for need := 1; ; need = r.Buffered() + 1 {
		_, err := r.Peek(min(need, r.Size()))
		if err != nil && err != io.EOF {
			return nil, err
		}
		full := err == nil && need >= r.Size()
		last := err == io.EOF || full
		head, err := r.Peek(r.Buffered())
		if err != nil {
			return nil, err
		}
		lines = lines[:0]
		for len(head) > 0 && len(lines) < sample {
			line, rest, found := bytes.Cut(head, []byte("\n"))
			if !found && !last {
				break // cut off
			}
			s := strings.TrimRight(string(line), "\r")
			if even := s[:len(s)&^1]; full && !found && isHex(even) {
				s = even + "," // code longer than the buffer: what stands behind it is another field, if anything does
			}
			if !isComment(s) {
				lines = append(lines, s)
			}
			head = rest
		}
		if last || len(lines) > 1 {
			return lines, nil
		}
		if len(lines) == 1 {
			first, _, _ := strings.Cut(lines[0], "\t")
			if first, _, _ = strings.Cut(first, ","); isData(first, a) || isData(lines[0], a) {
				return lines, nil // no header: nothing more to wait for
			}
		}
	}
}

// isComment reports whether a line holds nothing to predict.
func isComment(s string) bool { return strings.TrimSpace(s) == "" || s[0] == '#' }

// commas reports whether lines without tabs are fields separated by commas, which assembly has, too.
func commas(lines []string) bool {
	for name := range strings.SplitSeq(lines[0], ",") {
		if headings[strings.ToLower(unquote(bare(name)))] == ofCode && strings.Contains(lines[0], ",") {
			return true
		}
	}
	for _, l := range lines {
		first, _, found := strings.Cut(l, ",")
		if found && isHex(first) || quoted(l) {
			return true
		}
	}
	return false
}

// quoted reports whether a line begins with a field in quotes, with or without others behind it.
func quoted(l string) bool {
	if l[0] != '"' {
		return false
	}
	for i := 1; i < len(l); i++ {
		switch {
		case l[i] != '"':
		case i+1 == len(l) || l[i+1] == ',':
			return true
		case l[i+1] == '"': // a quote of the field
			i++
		default:
			return false
		}
	}
	return false
}

// bare takes off what programs that write tables leave around a field.
func bare(s string) string { return strings.Trim(s, " \t\x00") }

// isHex reports whether a field can only be machine code (HEX or HEX@OFFSET).
func isHex(s string) bool {
	s, _, _ = strings.Cut(strings.TrimPrefix(bare(s), "0x"), "@")
	for i := range len(s) {
		if digit(s[i]) > 15 {
			return false
		}
	}
	return s != "" && len(s)%2 == 0
}

// headings are usual names of columns, and what they hold.
var headings = map[string]content{"hex": ofCode, "block": ofCode, "code": ofCode, "bytes": ofCode, "asm": ofCode, "att": ofCode, "intel": ofCode, "text": ofCode, "cycles": ofFigures}

type content int

const (
	ofFigures content = iota + 1
	ofCode
)

// header finds out whether the first line names the columns: it does if no field of it is a
// block or a number, but some field of a later line is; or by the names themselves.
func (f *Format) header(lines []string, a *isa.ISA) {
	first := f.Split(lines[0], nil)
	named := false
	for _, s := range first {
		if isData(s, a) {
			return
		}
		named = named || headings[strings.ToLower(s)] != 0
	}
	for _, l := range lines[1:] {
		for _, s := range f.Split(l, nil) {
			named = named || isData(s, a)
		}
	}
	if named && len(first) > 0 {
		f.Header = first
	}
}

// isData reports whether a field is a block or a number.
func isData(s string, a *isa.ISA) bool {
	if isHex(s) && len(s) > 2 {
		return true
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return true
	}
	r := Reader{ISA: a}
	_, err := r.Text(s)
	return err == nil
}

// isHex reports whether the blocks are machine code: most of those seen.
func (f *Format) isHex(lines []string) bool {
	if f.Header != nil {
		lines = lines[1:]
	}
	yes, all := 0, 0
	var fields []string
	for _, l := range lines {
		if fields = f.Split(l, fields[:0]); f.Block < len(fields) {
			all++
			if isHex(fields[f.Block]) {
				yes++
			}
		}
	}
	return yes*2 > all
}

// Column finds a column by name or by number from 1; "" is the first that the header says holds code, or the first of all.
func (f *Format) Column(name string) (int, error) {
	if name == "" {
		return max(0, slices.IndexFunc(f.Header, func(h string) bool { return headings[strings.ToLower(h)] == ofCode })), nil
	}
	for i, h := range f.Header {
		if h == name {
			return i, nil
		}
	}
	n, err := strconv.Atoi(name)
	switch {
	case err == nil && n > 0:
		return n - 1, nil
	case f.Header == nil:
		return 0, fmt.Errorf("no column %q: the input names no columns; give a number from 1", name)
	}
	return 0, fmt.Errorf("no column %q; the columns are %s", name, strings.Join(f.Header, ", "))
}

// Split appends the fields of a line to dst.
func (f *Format) Split(line string, dst []string) []string {
	switch f.Separator {
	case 0:
		return append(dst, strings.TrimSpace(line))
	case '\t':
		for {
			field, rest, found := strings.Cut(line, "\t")
			if dst = append(dst, unquote(field)); !found {
				return dst
			}
			line = rest
		}
	}
	for {
		field, rest, found := cutQuoted(line, f.Separator)
		if dst = append(dst, field); !found {
			return dst
		}
		line = rest
	}
}

// unquote takes quotes off a field that is in quotes.
func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	return s
}

// cutQuoted takes the first field off a line of CSV (RFC 4180; a field does not go over line ends).
func cutQuoted(line string, sep byte) (field, rest string, found bool) {
	end := 0
	if strings.HasPrefix(line, `"`) {
		for end = 1; end < len(line); end++ {
			if line[end] != '"' {
				continue
			}
			if end+1 == len(line) || line[end+1] != '"' {
				break
			}
			end++
		}
	}
	i := strings.IndexByte(line[min(end, len(line)):], sep)
	if i < 0 {
		return unquote(line), "", false
	}
	return unquote(line[:end+i]), line[end+i+1:], true
}

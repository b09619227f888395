package asm

import (
	"fmt"

	"incore/internal/base/source"
	"incore/internal/isa"
)

// data collects the values of data directives since the last instruction or label: one of IACA's marks,
// or instructions written as numbers.
type data struct {
	bytes []byte
	first stmt
	code  bool // .inst, .insn: always instructions
	words bool // values of more than a byte
}

// maxData is the largest number of bytes of data that are decoded as instructions.
const maxData = 256

// watch collects a data directive; it reports whether the directive has constant values.
func (r *reader) watch(s stmt, name, args string) bool {
	size := dataSize[name]
	if size == 0 || r.otherMode || r.isData && name[1] != 'i' {
		return false
	}
	d := &r.data
	n := len(d.bytes)
	var ok bool
	if d.bytes, ok = appendData(d.bytes, size, r.substitute(args), r.lookup); !ok {
		d.bytes = d.bytes[:n]
		r.endData()
		return false
	}
	if n == 0 {
		d.first = s
	}
	d.code = d.code || name == ".inst" || name == ".insn"
	d.words = d.words || size > 1
	full, _ := isIACABytes(d.bytes)
	switch {
	case full && r.iaca():
		*d = data{bytes: d.bytes[:0]}
	case d.code:
		r.endData()
	case len(d.bytes) > maxData:
		d.bytes = d.bytes[:maxData+1]
	}
	return true
}

// endData adds the collected data as instructions if control falls into them and they
// decode to whole instructions without a rest. Other data are skipped.
func (r *reader) endData() {
	d := r.data
	if len(d.bytes) == 0 {
		return
	}
	r.data = data{bytes: d.bytes[:0]}
	p := r.p
	n := len(p.insts)
	if len(d.bytes) > maxData || !d.code && (n == 0 || !fallsThrough(p.insts[n-1].flow) || d.words && r.labelBehind(n)) {
		return
	}
	texts, ok := r.decode(d.bytes)
	switch {
	case ok:
		for _, t := range texts {
			r.decoded(d.first, t)
		}
	case d.code:
		r.instruction(d.first)
	case len(d.bytes) > 2: // one or two bytes are prefixes of the next instruction
		p.Notes = append(p.Notes, source.Diagnostic{Pos: p.pos(d.first.line, d.first.col), Severity: source.Note,
			Msg: fmt.Sprintf("%d bytes of data among instructions are no %s instructions; they are passed over", len(d.bytes), p.Language.ISA.Name)})
	}
}

// labelBehind reports whether a label follows instruction n-1: words after it are a table.
func (r *reader) labelBehind(n int) bool {
	l := r.p.labels
	return len(l) > 0 && int(l[len(l)-1].inst) == n
}

// decode disassembles machine code to text that resolves to the same forms.
func (r *reader) decode(code []byte) (texts []string, ok bool) {
	a := r.p.Language.ISA
	if a.Decode == nil || a.Print == nil {
		return nil, false
	}
	syntax := r.p.syntaxes[r.syntax]
	for len(code) > 0 {
		var in isa.Inst
		n, err := a.Decode(code, 0, &in)
		if err != nil || n <= 0 || n > len(code) {
			return nil, false
		}
		code = code[n:]
		text := string(a.Print(nil, &in, syntax))
		if r.buf, err = a.Parse(r.buf[:0], text, syntax); err != nil || len(r.buf) != 1 {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// decoded adds an instruction that the text contains as data on the line of s.
func (r *reader) decoded(s stmt, text string) {
	p := r.p
	base := uint32(len(p.text))
	if n := len(p.expanded); n > 0 {
		base = p.expanded[n-1].base + uint32(len(p.expanded[n-1].text))
	}
	p.expanded = append(p.expanded, expansion{base, text})
	r.instruction(stmt{off: base, end: base + uint32(len(text)), line: s.line, col: s.col, kind: kindInst})
}

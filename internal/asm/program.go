package asm

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/source"
)

// Program is an assembly text read: its instructions with their control flow. Instructions are
// kept as places in the text and resolved again for the kernels that need them,
// so that a program of a million lines fits into little memory.
type Program struct {
	File     *source.File
	Language Language
	// Errors are the statements that could not be resolved, at most maxErrors of them; Unresolved counts all.
	Errors     source.ErrorList
	Unresolved int
	Functions  []Function

	text    string
	insts   []inst
	labels  []label          // in order of the text
	byName  map[string]int32 // label → index into labels; numeric ones are not in it
	numeric map[string][]int32
	marks   []mark
	markErr source.ErrorList
	blocks  []block
	loops   []Loop

	predStart []int32 // block → first of its predecessors by jumps in predList
	predList  []int32
}

// maxErrors limits the diagnostics kept of a program.
const maxErrors = 1000

// inst is one instruction statement.
type inst struct {
	off, end   uint32
	line, col  int32
	target     int32 // instruction jumped to, -1 if none or unknown
	flow       isa.FlowKind
	syntax     uint8 // index into ISA.Syntaxes
	unresolved bool
	cold       bool // in a section for unlikely code
}

// label is a name and the instruction behind it (len(insts) at the end).
type label struct {
	name string
	inst int32
	line int32
}

// Function is a function of the text: instructions First to End-1.
type Function struct {
	Name       string
	Line       int // of its label
	First, End int
}

// Options of Parse; the zero value detects everything.
type Options struct {
	ISA    *isa.ISA // nil: detect among ISAs
	Syntax string   // "": detect
	ISAs   []*isa.ISA
}

// Parse reads a program. Statements that cannot be resolved are collected in
// Program.Errors; the error is for texts that cannot be read at all.
func Parse(f *source.File, o Options) (*Program, error) {
	text, listing := fromListing(f.Text)
	src := &source.File{Name: f.Name, Text: text}
	lang := Language{ISA: o.ISA, Syntax: o.Syntax, Why: "given"}
	switch {
	case o.ISA == nil:
		var err error
		if lang, err = Detect(src, o.ISAs); err != nil {
			if listing && strings.Contains(f.Text, "(SB)") {
				err = emptyError(f)
			}
			return nil, err
		}
		if o.Syntax != "" {
			lang.Syntax = o.Syntax
		}
	case o.Syntax == "":
		lang.Syntax = SyntaxOf(o.ISA, src)
	}
	if lang.ISA.Parse == nil {
		return nil, fmt.Errorf("%s: this build cannot read %s assembly", f.Name, lang.ISA.Name)
	}
	p := &Program{File: f, Language: lang, text: text, byName: map[string]int32{}, numeric: map[string][]int32{}}
	d := dialectOf(text, lang.ISA)
	if listing {
		d.masm = false
	}
	p.read(d, listing)
	if len(p.insts) == 0 {
		return nil, emptyError(f)
	}
	if p.hopeless() {
		e := p.Errors[0]
		return nil, source.Diagnostic{Pos: e.Pos, Hint: "is it " + lang.ISA.Name + " code? --isa, --syntax and --arch override what was detected",
			Msg: fmt.Sprintf("%d of the first %d statements are no known %s instructions; the first: %s", p.Unresolved, len(p.insts), strings.TrimSpace(lang.ISA.Name+" "+lang.Syntax), e.Msg)}
	}
	p.Language.Syntax = lang.ISA.Syntaxes[p.insts[0].syntax]
	p.findFunctions()
	p.findBlocks()
	p.findLoops()
	return p, nil
}

// Len is the number of instructions.
func (p *Program) Len() int { return len(p.insts) }

// reader is the state of reading a program's statements.
type reader struct {
	p        *Program
	syntax   uint8
	buf      []isa.Inst
	jumps    []jump
	cold     bool
	sections []bool // cold, of .pushsection
	skip     string // directive that ends skipping (".endm")
	macros   map[string]bool
	repeats  []repeat
	bytes    []byte // data since the last instruction, to find IACA's marks
	byteAt   source.Pos
	declared map[string]bool // names declared as functions
	full     bool            // .rept blocks were cut short
}

// jump is a control transfer whose target label is to be found.
type jump struct {
	inst   int32
	symbol string
}

// repeat is an open .rept block.
type repeat struct {
	times int
	stmts []stmt
}

// read reads all statements, then links jumps with labels. In a listing every named label is a function.
func (p *Program) read(d dialect, listing bool) {
	p.insts = make([]inst, 0, strings.Count(p.text, "\n")*3/4+1)
	r := &reader{p: p, macros: map[string]bool{}, declared: map[string]bool{}}
	for i, s := range p.Language.ISA.Syntaxes {
		if s == p.Language.Syntax {
			r.syntax = uint8(i)
		}
	}
	scan(p.text, d, func(s stmt) bool { r.statement(s); return len(p.insts) < maxInsts && !p.hopeless() })
	for _, j := range r.jumps {
		p.insts[j.inst].target = p.find(j)
	}
	if listing {
		for _, l := range p.labels {
			r.declared[l.name] = !isLocal(l.name)
		}
	}
	p.declare(r.declared)
}

// maxRepeated bounds the instructions of a program that has .rept blocks.
const maxRepeated = 1_000_000

// hopeless reports whether a text is surely none of the instruction set and syntax it is read in.
func (p *Program) hopeless() bool {
	return p.Unresolved > maxErrors && 2*p.Unresolved > len(p.insts)
}

// maxInsts bounds the instructions of a program, .rept blocks expanded.
const maxInsts = 20_000_000

func (p *Program) slice(s stmt) string { return clean(p.text[s.off:s.end]) }

// clean removes block comments from a statement.
func clean(s string) string {
	if strings.Contains(s, "/*") {
		return stripBlocks(s)
	}
	return s
}

func (p *Program) pos(line, col int32) source.Pos {
	return source.Pos{File: p.File.Name, Line: int(line), Col: int(col)}
}

// statement takes one statement in.
func (r *reader) statement(s stmt) {
	if r.skip != "" {
		if s.kind == kindDirective {
			if name, _ := word(r.p.slice(s)); strings.EqualFold(name, r.skip) {
				r.skip = ""
			}
		}
		return
	}
	if n := len(r.repeats); n > 0 && !r.isDirective(s, ".endr") {
		r.repeats[n-1].stmts = append(r.repeats[n-1].stmts, s)
		if r.isDirective(s, ".rept") {
			r.repeats[n-1].stmts = r.repeats[n-1].stmts[:len(r.repeats[n-1].stmts)-1]
			r.directive(s)
		}
		return
	}
	switch s.kind {
	case kindLabel:
		r.label(s)
	case kindDirective:
		r.directive(s)
	case kindMarker:
		m := commentMark(r.p.slice(s))
		m.at, m.pos = len(r.p.insts), r.p.pos(s.line, s.col)
		r.p.marks = append(r.p.marks, m)
	case kindInst:
		r.instruction(s)
	}
}

func (r *reader) isDirective(s stmt, name string) bool {
	if s.kind != kindDirective {
		return false
	}
	w, _ := word(r.p.slice(s))
	return strings.EqualFold(w, name)
}

func (r *reader) label(s stmt) {
	p := r.p
	l := label{name: p.text[s.off:s.end], inst: int32(len(p.insts)), line: s.line}
	if isNumber(l.name) {
		p.numeric[l.name] = append(p.numeric[l.name], int32(len(p.labels)))
	} else if _, dup := p.byName[l.name]; !dup {
		p.byName[l.name] = int32(len(p.labels))
	}
	p.labels = append(p.labels, l)
}

func isNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// directive acts on the directives that matter and passes over all others.
func (r *reader) directive(s stmt) {
	text := r.p.slice(s)
	name, args := word(text)
	switch name = strings.ToLower(name); name {
	case ".macro":
		m, _ := word(args)
		r.macros[strings.TrimRight(m, ",")] = true
		r.skip = ".endm"
	case ".rept":
		n, err := strconv.ParseInt(strings.TrimSpace(args), 0, 32)
		if err != nil || n < 0 || n > 1<<20 {
			r.fail(s, "cannot expand .rept "+args, "a count up to 1048576 is needed")
			n = 1
		}
		r.repeats = append(r.repeats, repeat{times: int(n)})
	case ".endr":
		r.repeat()
	case ".text", ".code":
		r.cold = false
	case ".section", ".pushsection", ".csect":
		if name == ".pushsection" {
			r.sections = append(r.sections, r.cold)
		}
		r.cold = strings.Contains(args, "unlikely") || strings.Contains(args, "cold")
	case ".popsection", ".previous":
		r.cold = false
		if n := len(r.sections); n > 0 && name == ".popsection" {
			r.cold, r.sections = r.sections[n-1], r.sections[:n-1]
		}
	case ".type":
		if sym, kind, ok := strings.Cut(args, ","); ok && strings.Contains(kind, "function") {
			r.declared[unquote(sym)] = true
		}
	case ".globl", ".global", ".def", ".ent":
		sym, _, _ := strings.Cut(args, ";")
		if _, known := r.declared[unquote(sym)]; !known {
			r.declared[unquote(sym)] = false
		}
	case ".cfi_startproc", ".seh_proc":
		if n := len(r.p.labels); n > 0 && int(r.p.labels[n-1].inst) == len(r.p.insts) {
			r.declared[r.p.labels[n-1].name] = true
		}
	default:
		if to := syntaxDirective(text); to != "" {
			r.setSyntax(s, to)
			return
		}
		if !r.data(s, text) && (name == ".inst" || name == ".insn") {
			r.instruction(s) // an instruction all the same, if an unknown one
		}
	}
}

func unquote(s string) string { return strings.Trim(strings.TrimSpace(s), "\"") }

// setSyntax follows .intel_syntax and .att_syntax.
func (r *reader) setSyntax(s stmt, to string) {
	for i, have := range r.p.Language.ISA.Syntaxes {
		if have == to {
			r.syntax = uint8(i)
			return
		}
	}
	r.fail(s, "syntax "+strconv.Quote(to)+" is not known for "+r.p.Language.ISA.Name, "")
}

// repeat ends a .rept block and takes its statements in as often as it says.
func (r *reader) repeat() {
	n := len(r.repeats)
	if n == 0 {
		return
	}
	b := r.repeats[n-1]
	r.repeats = r.repeats[:n-1]
	for i := 0; i < b.times; i++ {
		if len(r.p.insts) > maxRepeated {
			if !r.full && len(b.stmts) > 0 {
				r.full = true
				r.fail(b.stmts[0], fmt.Sprintf(".rept blocks are expanded to %d instructions at most", maxRepeated), "")
			}
			return
		}
		for _, s := range b.stmts {
			r.statement(s)
		}
	}
}

// data watches data directives for IACA's marks; it reports whether it found one.
func (r *reader) data(s stmt, text string) (mark bool) {
	var ok bool
	if r.bytes, ok = directiveBytes(r.bytes, text); !ok {
		return false
	}
	full, prefix := isIACABytes(r.bytes)
	if full {
		mark = r.iaca()
	}
	if !prefix {
		r.bytes = r.bytes[:0]
	}
	return mark
}

// iaca ends an IACA mark, whose move is the instruction before; it reports whether there is one.
func (r *reader) iaca() bool {
	p := r.p
	last := len(p.insts) - 1
	if last < 0 {
		return false
	}
	m := mark{tool: "IACA", pos: p.pos(p.insts[last].line, p.insts[last].col)}
	switch iacaValue(p.instText(last)) {
	case iacaBegin:
		m.at = last + 1
	case iacaEnd: // the move is no part of the region
		m.at, m.end = last, true
	default:
		return false
	}
	p.marks = append(p.marks, m)
	return true
}

// instruction resolves a statement and takes it in.
func (r *reader) instruction(s stmt) {
	p := r.p
	r.bytes = r.bytes[:0]
	text := p.slice(s)
	if text == "" {
		return
	}
	in := inst{off: s.off, end: s.end, line: s.line, col: s.col, target: -1, syntax: r.syntax, cold: r.cold}
	a := p.Language.ISA
	var err error
	if r.buf, err = a.Parse(r.buf[:0], text, a.Syntaxes[r.syntax]); err != nil {
		in.unresolved = true
		r.unresolved(s, text, err)
	} else if a.Flow != nil {
		for i := range r.buf {
			fl := a.Flow(&r.buf[i])
			if fl.Kind == isa.FlowNext {
				continue
			}
			in.flow = fl.Kind
			if fl.Target.Kind == isa.OpExpr && fl.Target.Expr != nil && fl.Kind != isa.FlowCall {
				r.jumps = append(r.jumps, jump{int32(len(p.insts)), fl.Target.Expr.Sym})
			}
		}
	}
	p.insts = append(p.insts, in)
}

// unresolved notes a statement that no form fits.
func (r *reader) unresolved(s stmt, text string, err error) {
	p := r.p
	p.Unresolved++
	if len(p.Errors) >= maxErrors {
		return
	}
	d := source.Diagnostic{Pos: p.pos(s.line, s.col), Severity: source.Warning, Msg: err.Error()}
	if m, _ := word(text); r.macros[m] {
		d.Msg, d.Hint = fmt.Sprintf("macro %q is not expanded", m), "assemble the file and give the listing of objdump -d"
	}
	var syn *isa.SyntaxError
	if errors.As(err, &syn) && d.Hint == "" {
		if syn.Col > 0 {
			d.Pos.Col += syn.Col - 1
		}
		d.Msg = fmt.Sprintf("%s in '%s'", syn.Msg, syn.Stmt)
		if len(syn.Nearest) > 0 {
			d.Hint = "nearest known: " + strings.Join(syn.Nearest, ", ")
		}
	}
	p.Errors = append(p.Errors, d)
}

func (r *reader) fail(s stmt, msg, hint string) {
	r.p.Errors = append(r.p.Errors, source.Diagnostic{Pos: r.p.pos(s.line, s.col), Severity: source.Warning, Msg: msg, Hint: hint})
}

// find returns the instruction that a jump goes to, -1 if its label is not in the text.
func (p *Program) find(j jump) int32 {
	target := int32(-1)
	if n := len(j.symbol); n > 1 && isNumber(j.symbol[:n-1]) {
		here := j.inst
		for _, l := range p.numeric[j.symbol[:n-1]] {
			at := p.labels[l].inst
			switch {
			case j.symbol[n-1] == 'b' && at <= here:
				target = at
			case j.symbol[n-1] == 'f' && at > here:
				return p.within(at)
			}
		}
	} else if l, ok := p.byName[j.symbol]; ok {
		target = p.labels[l].inst
	}
	return p.within(target)
}

// within maps a label behind the last instruction to -1.
func (p *Program) within(i int32) int32 {
	if int(i) >= len(p.insts) {
		return -1
	}
	return i
}

// instText returns instruction i as written.
func (p *Program) instText(i int) string { return clean(p.text[p.insts[i].off:p.insts[i].end]) }

// Lines appends instruction i, resolved, to dst: one line, or several for a pseudo-instruction.
func (p *Program) Lines(dst []isa.Line, i int) []isa.Line {
	in := &p.insts[i]
	a := p.Language.ISA
	text := p.instText(i)
	l := isa.Line{Text: text, File: p.File.Name, No: int(in.line)}
	var buf [4]isa.Inst
	insts, err := a.Parse(buf[:0], text, a.Syntaxes[in.syntax])
	if err != nil {
		l.Err = err
		return append(dst, l)
	}
	for k := range insts {
		l.Inst, l.Part = insts[k], k
		dst = append(dst, l)
	}
	return dst
}

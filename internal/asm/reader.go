package asm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/source"
	"incore/internal/isa"
)

// reader is the state of reading a program's statements.
type reader struct {
	p         *Program
	dialect   dialect
	syntax    uint8
	buf       []isa.Inst
	plain     plainStatements
	jumps     []jump
	unknown   []int32 // instructions that could not be resolved, at most maxErrors of them
	cold      bool
	isData    bool            // in a section for data
	sections  []sectionState  // of .pushsection
	options   []uint8         // syntaxes, of .option push
	otherMode bool            // in code for another mode of the processor, which is skipped
	declared  map[string]bool // names declared as functions
	symbols   map[string]symbol
	macros    map[string]macro
	open      *openBlock // .macro, .rept … being skipped
	conds     []condition
	fixedLine int32 // of the macro's call, 0 outside
	nested    int   // expansions within expansions
	count     int   // expansions
	spent     int   // bytes of text read by expanding
	full      bool  // expansion was cut short
	exit      bool  // .exitm
	alt       bool  // .altmacro
	locals    int   // names that LOCAL has made
	cpp       bool  // a line of the C preprocessor was seen
	data      data  // since the last instruction
	tables    tables
}

// sectionState holds the properties of a section.
type sectionState struct{ cold, isData bool }

// section handles a change of sections.
func (r *reader) section(cold, isData bool) {
	r.endData()
	r.cold, r.isData = cold, isData
	r.tables.end()
}

// isCode reports whether the arguments of .section describe a section with code, by its name or its flags.
func isCode(args string) bool {
	name, rest, _ := strings.Cut(args, ",")
	if strings.Contains(name, "text") || strings.Contains(name, "TEXT") || strings.Contains(name, "init") || strings.Contains(name, "fini") {
		return !strings.Contains(rest, "__const") && !strings.Contains(rest, "__cstring") && !strings.Contains(rest, "__literal")
	}
	flags, _, _ := strings.Cut(rest, ",")
	return strings.Contains(flags, "x")
}

// jump is a control transfer whose target label is not resolved yet.
type jump struct {
	inst   int32
	symbol string
	add    int64 // bytes behind it
}

// read reads all statements, then links jumps with labels. In a listing every named label is a function.
func (p *Program) read(d dialect, listing bool) {
	p.insts = make([]inst, 0, strings.Count(p.text, "\n")*3/4+1)
	p.substituted = map[int32]string{}
	r := &reader{p: p, dialect: d, macros: map[string]macro{}, symbols: map[string]symbol{}, declared: map[string]bool{}}
	r.syntax, _ = p.syntaxIndex(p.Language.Syntax)
	r.plain.size(len(p.text))
	scan(p.text, d, func(s stmt) bool { r.statement(s); return r.goOn() })
	r.endData()
	if r.open != nil {
		r.fail(r.open.start, r.open.name+" without "+closers[r.open.name], "what follows it is not read")
	}
	r.forward()
	for _, j := range r.jumps {
		if l, ok := p.byName[j.symbol]; ok {
			p.labels[l].jump = true
		}
		p.insts[j.inst].target = p.find(j)
	}
	p.place(r.jumps, listing)
	if listing {
		for _, l := range p.labels {
			r.declared[l.name] = !isLocal(l.name)
		}
	}
	p.declare(r.declared)
	p.findFunctions()
	p.linkTables(r.tables.list)
}

// goOn reports whether the reader should continue.
func (r *reader) goOn() bool { return len(r.p.insts) < maxInsts && !r.p.hopeless() }

// syntaxIndex returns the number of a syntax. It adds a syntax that a mode of the instruction set selects.
func (p *Program) syntaxIndex(name string) (n uint8, ok bool) {
	if p.syntaxes == nil {
		p.syntaxes = append(p.syntaxes, p.Language.ISA.Syntaxes...)
	}
	i := slices.Index(p.syntaxes, name)
	if i < 0 {
		return 0, false
	}
	return uint8(i), true
}

// hopeless reports whether more than maxErrors instructions, and more than half, are unresolved: the text is not of the instruction set and syntax.
func (p *Program) hopeless() bool {
	return p.Unresolved > maxErrors && 2*p.Unresolved > len(p.insts)
}

// maxInsts bounds the instructions of a program, .rept blocks expanded.
const maxInsts = 20_000_000

func (p *Program) slice(s stmt) string { return clean(p.at(s.off, s.end)) }

// clean removes block comments and line continuations from a statement.
func clean(s string) string {
	if strings.Contains(s, "/*") {
		s = stripBlocks(s)
	}
	if strings.IndexByte(s, '\n') >= 0 { // lines joined by a backslash
		s = strings.NewReplacer("\\\r\n", " ", "\\\n", " ").Replace(s)
	}
	return s
}

func (p *Program) pos(line, col int32) source.Pos {
	return source.Pos{File: p.File.Name, Line: int(line), Col: int(col)}
}

// statement handles one statement.
func (r *reader) statement(s stmt) {
	if s.kind == kindPreprocessor {
		r.unprocessed(s)
		return
	}
	if r.open != nil {
		r.passOver(s)
		return
	}
	if n := len(r.conds); n > 0 && !r.conds[n-1].active {
		if s.kind == kindDirective {
			name, args := word(r.p.slice(s))
			r.conditional(s, strings.ToLower(name), args)
		}
		return
	}
	switch s.kind {
	case kindLabel:
		r.label(s)
	case kindDirective:
		r.directive(s)
	case kindMarker:
		r.endData()
		m := commentMark(r.p.slice(s))
		m.at, m.pos = len(r.p.insts), r.p.pos(s.line, s.col)
		r.p.marks = append(r.p.marks, m)
	case kindInst:
		r.instruction(s)
	}
}

func (r *reader) label(s stmt) {
	r.endData()
	p := r.p
	r.tables.label(p.at(s.off, s.end))
	l := label{name: p.at(s.off, s.end), inst: int32(len(p.insts)), line: s.line}
	if strings.IndexByte(l.name, '\\') >= 0 {
		l.name = strings.ReplaceAll(l.name, `\"`, `"`)
	}
	if isNumber(l.name) {
		p.numeric[l.name] = append(p.numeric[l.name], int32(len(p.labels)))
	} else if _, dup := p.byName[l.name]; !dup {
		p.byName[l.name] = int32(len(p.labels))
	}
	p.labels = append(p.labels, l)
	if strings.IndexByte(l.name, '(') > 0 { // a function's name of C++
		r.declared[l.name] = true
	}
}

func isNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// directive handles the directives that matter and skips all others.
func (r *reader) directive(s stmt) {
	text := r.p.slice(s)
	name, args := word(text)
	switch name = strings.ToLower(name); name {
	case ".macro", ".rept", ".rep", ".irp", ".irpc":
		r.begin(s, name, strings.TrimSpace(args))
	case ".include":
		r.fail(s, "what "+name+" names is not read", "put its text in the place of this line, or give the object file")
	case ".nasm":
		report := r.cut
		if first, _ := word(args); first == "%include" || first == "%define" || first == "%xdefine" { // what uses them is unknown by name
			report = r.fail
		}
		report(s, "NASM's "+args+" is not known", "run 'nasm -e' and give its output, or the object file")
	case ".fasm":
		r.cut(s, "FASM's "+args+" is not known", "write its instructions, or give the object file")
	case ".altmacro", ".noaltmacro":
		r.alt = name == ".altmacro"
	case ".masm":
		r.cut(s, "MASM's "+args+" is not known", "write its instructions, or give the object file or the assembler's listing (ml64 /Fl)")
	case ".loc":
		r.loc(args)
	case ".file":
		r.file(args)
	case ".exitm":
		r.exit = r.nested > 0
	case ".purgem":
		delete(r.macros, strings.ToLower(strings.TrimSpace(args)))
	case ".set", ".equ", ".equiv", ".eqv":
		sym, expr, _ := strings.Cut(args, ",")
		r.define(sym, expr)
		if expr = strings.ReplaceAll(expr, " ", ""); expr == "." || expr == ".+0" { // gcc's anchors of sections
			r.tables.label(unquote(sym))
		}
	case ".unreq":
		delete(r.symbols, strings.ToLower(strings.TrimSpace(args)))
	case ".option":
		r.option(s, strings.TrimSpace(args))
	case ".text", ".code":
		r.section(false, false)
		r.tables.none = false
		if name == ".code" {
			r.mode(s, name, args)
		}
	case ".data", ".bss", ".rodata":
		r.section(false, true)
		r.tables.none = false
	case ".section", ".pushsection", ".csect":
		if name == ".pushsection" {
			r.sections = append(r.sections, sectionState{r.cold, r.isData})
		}
		r.section(strings.Contains(args, "unlikely") || strings.Contains(args, "cold"), !isCode(args))
		r.tables.none = strings.Contains(args, "debug")
	case ".popsection", ".previous":
		was := sectionState{}
		if n := len(r.sections); n > 0 && name == ".popsection" {
			was, r.sections = r.sections[n-1], r.sections[:n-1]
		}
		r.section(was.cold, was.isData)
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
		for n := len(r.p.labels); n > 0 && int(r.p.labels[n-1].inst) == len(r.p.insts); n-- {
			if name := r.p.labels[n-1].name; !isLocal(name) { // debugging information has labels behind the function's
				r.declared[name] = true
				break
			}
		}
	case ".p2align", ".p2alignw", ".p2alignl", ".balign", ".balignw", ".balignl", ".align", "align":
		r.align(name, args)
	default:
		r.tables.data(name, args)
		switch {
		case name[0] != '.':
			r.assignment(text)
		case r.conditional(s, name, args), r.mode(s, name, args), r.watch(s, name, args):
		case name == ".inst" || name == ".insn":
			r.instruction(s) // an instruction all the same, if an unknown one
		}
	}
}

// align notes to how many bytes a directive aligns the next instruction.
func (r *reader) align(name, args string) {
	first, _, _ := strings.Cut(args, ",")
	n, err := strconv.ParseUint(strings.TrimSpace(first), 0, 16)
	if err != nil || r.isData {
		return
	}
	if power := strings.HasPrefix(name, ".p2") || name == ".align" && !r.p.Language.ISA.AlignsToBytes; power {
		n = 1 << min(n, 12)
	}
	if r.p.aligned == nil {
		r.p.aligned = map[int32]int{}
	}
	at := int32(len(r.p.insts))
	r.p.aligned[at] = max(r.p.aligned[at], int(n))
}

func unquote(s string) string { return strings.Trim(strings.TrimSpace(s), "\"") }

// iaca ends an IACA mark, whose move is the instruction before; it reports whether there is one.
func (r *reader) iaca() bool {
	p := r.p
	last := len(p.insts) - 1
	if last < 0 {
		return false
	}
	m := mark{tool: "IACA", move: last, pos: p.pos(p.insts[last].line, p.insts[last].col)}
	switch iacaValue(p.instText(last)) {
	case iacaBegin:
		m.at = last + 1
	case iacaEnd: // the move does not belong to the region
		m.at, m.end = last, true
	default:
		return false
	}
	p.marks = append(p.marks, m)
	return true
}

// mode handles directives that switch the syntax or the processor's mode (isa.ISA.Modes); it
// reports whether the directive is one of them.
func (r *reader) mode(s stmt, name, args string) bool {
	if to := syntaxDirective(name); to != "" {
		r.setSyntax(s, to)
		return true
	}
	m := r.p.Language.ISA.Modes
	if m == nil {
		return false
	}
	to, ok := m[name]
	if !ok && args != "" {
		to, ok = m[name+" "+args]
	}
	if !ok {
		return false
	}
	if r.otherMode = to == isa.OtherMode; !r.otherMode {
		r.setSyntax(s, to)
	} else if !r.p.otherMode {
		r.p.otherMode = true
		r.p.Notes = append(r.p.Notes, source.Diagnostic{Pos: r.p.pos(s.line, s.col), Severity: source.Note,
			Msg: "the code behind " + strings.TrimSpace(name+" "+args) + " is for another mode of the processor and is passed over"})
	}
	return true
}

// option handles .option of RISC-V: push and pop save and restore the syntax, other options are modes.
func (r *reader) option(s stmt, args string) {
	switch n := len(r.options); {
	case args == "push":
		r.options = append(r.options, r.syntax)
	case args == "pop" && n > 0:
		r.syntax, r.options = r.options[n-1], r.options[:n-1]
	default:
		r.mode(s, ".option", args)
	}
}

// setSyntax handles .intel_syntax and .att_syntax, and the syntaxes of modes.
func (r *reader) setSyntax(s stmt, to string) {
	p, a := r.p, r.p.Language.ISA
	n, known := p.syntaxIndex(to)
	switch {
	case known:
		r.syntax = n
	case to == "":
	case !slices.Contains(slices.Collect(maps.Values(a.Modes)), to):
		r.fail(s, "syntax "+strconv.Quote(to)+" is not known for "+a.Name, "")
	default:
		r.syntax = uint8(len(p.syntaxes))
		p.syntaxes = append(p.syntaxes, to)
	}
}

// instruction resolves a statement and appends it to the program.
func (r *reader) instruction(s stmt) {
	r.endData()
	p := r.p
	text := p.slice(s)
	if text == "" || r.otherMode || r.alias(text) {
		return
	}
	r.tables.end()
	if len(r.macros) > 0 && r.call(s, text) || r.times(s, text) {
		return
	}
	n := int32(len(p.insts))
	in := inst{off: s.off, end: s.end, line: s.line, col: s.col, target: -1, syntax: r.syntax, cold: r.cold}
	if with, ok := r.operands(text); ok {
		p.substituted[n] = with
		text = with
	}
	if r.prefixed(n) {
		text = r.join(&in, text)
		n--
	}
	known := r.plain.at(text, r.syntax)
	if known.text == text && known.syntax == r.syntax {
		p.insts = append(p.insts, in)
		return
	}
	var err error
	r.buf, err = p.Language.ISA.Parse(r.buf[:0], text, p.syntaxes[r.syntax])
	in.unresolved = err != nil
	p.insts = append(p.insts, in)
	if err != nil {
		r.unresolved(s, text, err)
	} else if r.flow(n) {
		*known = plainStatement{text, r.syntax}
	}
}

// prefixed reports whether the statement before instruction n is only a prefix of it, without a label between them.
func (r *reader) prefixed(n int32) bool {
	p := r.p
	if p.Language.ISA.Prefix == nil || n == 0 || !p.Language.ISA.Prefix(p.instText(int(n-1))) {
		return false
	}
	return len(p.labels) == 0 || p.labels[len(p.labels)-1].inst != n
}

// join merges the last instruction, which is a prefix, and in into one instruction; if both are on one line, it is shown as written.
func (r *reader) join(in *inst, text string) string {
	p := r.p
	last := len(p.insts) - 1
	prefix := p.insts[last]
	text = p.instText(last) + "; " + text
	delete(p.substituted, int32(last+1))
	p.substituted[int32(last)] = text
	if prefix.line == in.line {
		in.off, in.col = prefix.off, prefix.col
	}
	p.insts = p.insts[:last]
	return text
}

// unresolved records a statement that matches no form.
func (r *reader) unresolved(s stmt, text string, err error) {
	p := r.p
	p.Unresolved++
	if len(p.Errors) >= maxErrors {
		return
	}
	r.unknown = append(r.unknown, int32(len(p.insts)-1))
	d := source.Diagnostic{Pos: p.pos(s.line, s.col), Severity: source.Warning, Msg: err.Error()}
	var syn *isa.SyntaxError
	if errors.As(err, &syn) {
		if syn.Col > 0 {
			d.Pos.Col += syn.Col - 1
		}
		d.Msg = fmt.Sprintf("%s in '%s'", syn.Msg, isa.Brief(syn.Stmt))
		if len(syn.Nearest) > 0 {
			d.Hint = "nearest known: " + strings.Join(syn.Nearest, ", ")
		}
	}
	p.Errors = append(p.Errors, d)
}

// cut records that a repetition is not expanded.
func (r *reader) cut(s stmt, msg, hint string) {
	d := source.Diagnostic{Pos: r.p.pos(s.line, s.col), Severity: source.Error, Msg: msg, Hint: hint}
	if n := len(r.p.Cut); n == 0 || r.p.Cut[n-1].Pos != d.Pos || r.p.Cut[n-1].Msg != msg { // once for a macro that is called again and again
		r.p.Cut = append(r.p.Cut, d)
	}
}

func (r *reader) fail(s stmt, msg, hint string) {
	r.p.Errors = append(r.p.Errors, source.Diagnostic{Pos: r.p.pos(s.line, s.col), Severity: source.Warning, Msg: msg, Hint: hint})
}

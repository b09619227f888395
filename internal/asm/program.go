package asm

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"incore/internal/base/source"
	"incore/internal/isa"
)

// Program is a parsed assembly text: its instructions with their control flow. It stores the
// positions of instructions in the text and resolves them again for the kernels that need them,
// so that a program of a million lines fits into little memory.
type Program struct {
	File     *source.File
	Language Language
	// Errors are the statements that could not be resolved, at most maxErrors of them; Unresolved counts all.
	Errors source.ErrorList
	// Cut are the repetitions that are not expanded: the program is not what the text says.
	Cut        source.ErrorList
	Unresolved int
	Notes      source.ErrorList // parts of the text that were skipped
	Functions  []Function

	text        string
	insts       []inst
	labels      []label          // in the text's order
	byName      map[string]int32 // label → index into labels, without numeric labels
	numeric     map[string][]int32
	marks       []mark
	locs        []loc                 // by instruction
	files       map[string]sourceFile // of .file, by number
	compiledIn  string                // the folder in which the compiler ran, by .file 0; "" if unknown
	expanded    []expansion           // texts of expanded macros
	aligned     map[int32]int         // bytes to which directives align instructions; nil: the text has none
	substituted map[int32]string      // statements in which symbols were replaced, as resolved, by instruction
	syntaxes    []string              // ISA.Syntaxes, and those of modes
	otherMode   bool                  // a note says that code for another mode was skipped
	blocks      []block
	loops       []Loop
	tables      map[int32]*table // of indirect jumps, by instruction
	more        [][]int32        // block → blocks to which its last instruction jumps through a table; nil without tables

	anywhere map[int]bool // by first instruction of a function: jumpsAnywhere
	mu       sync.Mutex   // protects anywhere, because several kernels may be built concurrently

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

// label is a name and the instruction after it (len(insts) at the end).
type label struct {
	name string
	inst int32
	line int32
	jump bool // a jump targets it
}

// Function is a function of the text: instructions First to End-1.
type Function struct {
	Name       string // demangled
	Symbol     string // the label
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
func Parse(f *source.File, o Options) (*Program, error) { return NewInput(f).Parse(o) }

// Parse reads the program as the function Parse does.
func (in *Input) Parse(o Options) (*Program, error) {
	lang := Language{ISA: o.ISA, Syntax: o.Syntax, Why: "given"}
	switch {
	case o.ISA == nil:
		var err error
		if lang, err = in.Detect(o.ISAs); err != nil {
			return nil, err
		}
		if o.Syntax != "" {
			lang.Syntax = o.Syntax
		}
	case o.Syntax == "":
		lang.Syntax = in.syntax(o.ISA)
	}
	f := in.file
	if lang.ISA.Parse == nil {
		return nil, fmt.Errorf("%s: this build cannot read %s assembly", f.Name, lang.ISA.Name)
	}
	p := &Program{File: f, Language: lang, text: in.text, byName: map[string]int32{}, numeric: map[string][]int32{}}
	d := in.look(lang.ISA).dialect
	if in.listing {
		d.masm = false
	} else if err := plan9(f); err != nil {
		return nil, err
	}
	p.read(d, in.listing)
	if len(p.insts) == 0 {
		return nil, emptyError(f)
	}
	if p.hopeless() {
		e, hint, settings := p.Errors[0], "is it "+lang.ISA.Name+" code? What was detected can be overridden", Detected
		if other := otherLanguage(f.Text); other != "" {
			hint, settings = other, nil
		}
		return nil, source.Diagnostic{Pos: e.Pos, Hint: hint, Settings: settings,
			Msg: fmt.Sprintf("%d of the first %d statements are no known %s instructions; the first: %s", p.Unresolved, len(p.insts), strings.TrimSpace(lang.ISA.Name+" "+lang.Syntax), e.Msg)}
	}
	if first := int(p.insts[0].syntax); first < len(lang.ISA.Syntaxes) {
		p.Language.Syntax = lang.ISA.Syntaxes[first]
	}
	p.findBlocks()
	p.findLoops()
	return p, nil
}

// Len is the number of instructions.
func (p *Program) Len() int { return len(p.insts) }

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

// within maps a label after the last instruction to -1.
func (p *Program) within(i int32) int32 {
	if int(i) >= len(p.insts) {
		return -1
	}
	return i
}

// instText returns instruction i as written.
func (p *Program) instText(i int) string { return clean(p.at(p.insts[i].off, p.insts[i].end)) }

// Lines appends instruction i, resolved, to dst: one line, or several for a pseudo-instruction.
func (p *Program) Lines(dst []isa.Line, i int) []isa.Line {
	in := &p.insts[i]
	a := p.Language.ISA
	text := p.instText(i)
	l := isa.Line{Text: text, File: p.File.Name, No: int(in.line)}
	parsed := text
	if with, ok := p.substituted[int32(i)]; ok {
		parsed = with
	}
	var buf [4]isa.Inst
	insts, err := a.Parse(buf[:0], parsed, p.syntaxes[in.syntax])
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

// OnLine returns the instructions on a line of the text, the first and the one after the last.
func (p *Program) OnLine(line int) (first, end int) {
	first = sort.Search(len(p.insts), func(i int) bool { return int(p.insts[i].line) >= line })
	for end = first; end < len(p.insts) && int(p.insts[end].line) == line; end++ {
	}
	return first, end
}

package lsp

import (
	"context"
	"slices"
	"strings"
	"sync"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/web/api"
)

// maxItems is the number of completions that are sent at once.
const maxItems = 200

// complete completes machines in a comment that names one, mnemonics at the start of a statement, registers and labels behind it.
func (s *snapshot) complete(_ context.Context, p *documentParams) (any, error) {
	line := s.text.line(p.Position.Line)
	at := s.text.bytes(line, p.Position.Character)
	lo, _ := word(line, at)
	head, prefix := line[:lo], line[lo:at]
	var list []completionItem
	switch m := machineComment().FindStringIndex(line[:at]); {
	case m != nil:
		lo = max(lo, m[1])
		list = named(machine.Names(), kindEnum, line[lo:at])
	case !s.assembly():
		return nil, nil
	default:
		list = s.ofCode(head, prefix)
	}
	r := Range{s.text.at(p.Position.Line, lo), p.Position}
	out := completionList{IsIncomplete: len(list) > maxItems, Items: append([]completionItem{}, list[:min(len(list), maxItems)]...)}
	for i := range out.Items {
		out.Items[i].TextEdit = &edit{r, out.Items[i].Label}
	}
	return out, nil
}

// ofCode completes a word of the code; head is the line before it.
func (s *snapshot) ofCode(head, prefix string) []completionItem {
	a, syntax := s.written()
	for _, mark := range a.LineComments {
		if strings.Contains(head, mark) {
			return nil
		}
	}
	statement := head
	if i := strings.LastIndexByte(head, ':'); i >= 0 {
		statement = head[i+1:]
	}
	if i := strings.LastIndexAny(statement, a.Separators); i >= 0 && a.Separators != "" {
		statement = statement[i+1:]
	}
	if strings.TrimSpace(statement) == "" {
		if prefix == "" || strings.HasPrefix(prefix, ".") {
			return nil
		}
		return named(mnemonics(a), kindKeyword, prefix)
	}
	if strings.HasSuffix(head, "%") { // AT&T syntax: the sign is not part of the word
		return named(registers(a), kindVariable, prefix)
	}
	list := named(s.labels(), kindReference, prefix)
	if syntax != "att" && prefix != "" {
		list = append(named(registers(a), kindVariable, prefix), list...)
	}
	return list
}

// written returns the instruction set and syntax of a text. If it cannot be read, as an empty one, they are those of the settings' machine.
func (s *snapshot) written() (*isa.ISA, string) {
	if c, err := s.read(); err == nil {
		return c.Program.Language.ISA, c.Program.Language.Syntax
	}
	o := s.options()
	a := catalog.ISA(o.ISA)
	for _, name := range o.Archs {
		if m, err := machine.Get(name); a == nil && err == nil {
			a = catalog.ISA(m.ISA)
		}
	}
	if a == nil {
		a = catalog.ISAs()[0]
	}
	if o.Syntax != "" {
		return a, o.Syntax
	}
	return a, a.Syntaxes[0]
}

// named makes items of the names with a prefix, in their order.
func named(names []string, kind int, prefix string) []completionItem {
	out := []completionItem{}
	prefix = strings.ToLower(prefix)
	for _, n := range names {
		if strings.HasPrefix(strings.ToLower(n), prefix) {
			out = append(out, completionItem{Label: n, Kind: kind})
		}
	}
	return out
}

// words holds the sorted mnemonics and registers of instruction sets.
var words sync.Map // of *isa.ISA → *vocabulary

type vocabulary struct {
	once                 sync.Once
	mnemonics, registers []string
}

func vocabularyOf(a *isa.ISA) *vocabulary {
	x, _ := words.LoadOrStore(a, &vocabulary{})
	v := x.(*vocabulary)
	v.once.Do(func() {
		v.mnemonics = api.Mnemonics(a)
		a.Regs.Spellings(func(name string, _ isa.Reg) { v.registers = append(v.registers, strings.ToLower(name)) })
		slices.Sort(v.registers)
		v.registers = slices.Compact(v.registers)
	})
	return v
}

func mnemonics(a *isa.ISA) []string { return vocabularyOf(a).mnemonics }
func registers(a *isa.ISA) []string { return vocabularyOf(a).registers }

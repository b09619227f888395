package isa

import (
	"sort"

	"incore/internal/base/blob"
)

// AliasTable holds the aliases under which a disassembler prints instructions: an
// assembly string and the pattern of MC operands that it stands for.
type AliasTable struct {
	form    blob.U16 // sorted; per form the aliases in falling priority
	asm     blob.Strings
	pred    blob.Lists
	preds   blob.Strings
	pattern blob.Lists
	names   blob.Strings
	imms    blob.I64
}

// AliasKind is the kind of an element of an alias's pattern.
type AliasKind uint16

// The kinds of pattern elements.
const (
	AliasOperand AliasKind = iota // any operand of an operand class, named; equal names mean equal operands
	AliasReg                      // this register (NoReg: none)
	AliasImm                      // this value
)

// AliasNoClass is the class of named operands whose class no form has; it covers one MC operand.
const AliasNoClass = 0xffff

// aliasLen is the length of a pattern element: kind, argument, name.
const aliasLen = 3

// LoadAliases opens the aliases in an ISA's embedded tables.
func LoadAliases(data string) *AliasTable {
	b := blob.MustOpen(data)
	return &AliasTable{form: b.U16("alias.form"), asm: b.Strings("alias.asm"), pred: b.Lists("alias.pred"), preds: b.Strings("alias.predname"),
		pattern: b.Lists("alias.pattern"), names: b.Strings("alias.name"), imms: b.I64("alias.imm")}
}

// Of returns the range of a form's aliases, best first.
func (t *AliasTable) Of(f FormID) (first, end int) {
	n := t.form.Len()
	first = sort.Search(n, func(i int) bool { return FormID(t.form.At(i)) >= f })
	for end = first; end < n && FormID(t.form.At(end)) == f; end++ {
	}
	return first, end
}

// Asm returns the assembly string of an alias ("mv\t$rd, $rs").
func (t *AliasTable) Asm(i int) string { return t.asm.At(i) }

// Predicates lists the conditions under which alias i exists.
func (t *AliasTable) Predicates(i int) []string {
	l := t.pred.At(i)
	out := make([]string, l.Len())
	for k := range out {
		out[k] = t.preds.At(int(l.At(k)))
	}
	return out
}

// Match reports whether an instruction has the pattern of alias i: fixed registers and
// values, equal operands under equal names, and every named operand of its class, which
// legal decides (the operand is in.Ops[mc] and those after it that the class covers; c
// is nil for a class that no form has).
func (t *AliasTable) Match(f *FormTable, i int, in *Inst, legal func(c *OpClass, in *Inst, mc int) bool) bool {
	l, mc := t.pattern.At(i), 0
	for k := 0; k < l.Len(); k += aliasLen {
		if mc >= int(in.NOps) {
			return false
		}
		op, arg := &in.Ops[mc], l.At(k+1)
		switch AliasKind(l.At(k)) {
		case AliasReg:
			if op.Kind != OpReg || op.Reg != Reg(arg) {
				return false
			}
		case AliasImm:
			if op.Kind != OpImm || op.Imm != t.imms.At(int(arg)) {
				return false
			}
		default:
			if first := t.operand(f, l, l.At(k+2)); first < mc && in.Ops[first] != *op {
				return false
			}
			c := aliasClass(f, arg)
			if !legal(c, in, mc) {
				return false
			}
			mc += aliasSub(c) - 1
		}
		mc++
	}
	return mc == int(in.NOps)
}

// Operand returns the MC operand and class that a name in the assembly string of alias i
// stands for; mc is -1 if there is no such name.
func (t *AliasTable) Operand(f *FormTable, i int, name string) (mc int, c *OpClass) {
	l := t.pattern.At(i)
	for k := 0; k < l.Len(); k += aliasLen {
		op := AliasKind(l.At(k)) == AliasOperand
		if op && t.names.At(int(l.At(k+2))) == name {
			return mc, aliasClass(f, l.At(k+1))
		}
		if op {
			mc += aliasSub(aliasClass(f, l.At(k+1))) - 1
		}
		mc++
	}
	return -1, nil
}

// operand is the first MC operand that has a name in a pattern.
func (t *AliasTable) operand(f *FormTable, l blob.U16, name uint16) (mc int) {
	for k := 0; k < l.Len(); k += aliasLen {
		if AliasKind(l.At(k)) == AliasOperand {
			if l.At(k+2) == name {
				return mc
			}
			mc += aliasSub(aliasClass(f, l.At(k+1))) - 1
		}
		mc++
	}
	return mc
}

func aliasClass(f *FormTable, class uint16) *OpClass {
	if class == AliasNoClass {
		return nil
	}
	return &f.classes[class]
}

func aliasSub(c *OpClass) int {
	if c == nil {
		return 1
	}
	return c.Sub
}

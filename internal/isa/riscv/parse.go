package riscv

import (
	"slices"
	"strings"
	"sync"

	"incore/internal/isa"
)

// parser resolves statements. It is immutable once made.
type parser struct {
	*isa.ISA
	regs    *registers
	kinds   []kindInfo
	usable  []bool // feature set of match rows → rows apply
	only32  []bool // feature set of match rows → rows are for RV32
	ext     func(name string) bool
	renders []renderCode
	forms   pseudoForms
}

func newParser(a *isa.ISA, regs *registers, ext func(string) bool) *parser {
	p := &parser{ISA: a, regs: regs, kinds: kinds(a.Match), ext: ext}
	for f := range a.Match.NumFeatures() {
		usable, rv32 := true, false
		for _, name := range a.Match.Features(uint16(f)) {
			usable = usable && holds(name, ext)
			rv32 = rv32 || name == "IsRV32"
		}
		p.usable, p.only32 = append(p.usable, usable), append(p.only32, rv32)
	}
	p.renders = make([]renderCode, a.Match.NumRenders())
	for i := range p.renders {
		p.renders[i] = renderNames[a.Match.RenderName(uint16(i))]
	}
	p.forms.resolve(a.Forms)
	return p
}

// holds evaluates one of LLVM's predicates on subtarget features. All extensions are
// available, except those that change the meaning of a text: the machine model states
// which of them a core has.
func holds(pred string, ext func(string) bool) bool {
	switch pred {
	case "IsRV32":
		return false
	case "HasStdExtZba", "HasStdExtZbb", "HasStdExtZbs":
		return ext(strings.ToLower(strings.TrimPrefix(pred, "HasStdExt")))
	case "NoStdExtZbb":
		return !ext("zbb") && ext("zbkb") // only Zbkb's rows for zext.h have this predicate
	}
	return true
}

// parse implements isa.ISA.Parse.
//
// The syntax "pic" means that ".option pic" is set: "la" loads the address
// from the global offset table.
func (p *parser) parse(dst []isa.Inst, text, syntax string) ([]isa.Inst, error) {
	s := statementPool.Get().(*statement)
	defer statementPool.Put(s)
	p.split(s, text)
	if s.mnemonic == "" {
		return dst, &isa.SyntaxError{Stmt: text, Msg: "empty statement"}
	}
	mn := s.mnemonic
	if a := p.Match.Alias(mn, "", func(string) bool { return true }); a != "" {
		mn = a
	}
	if out, ok, err := p.special(dst, mn, s); ok {
		return out, err
	}
	m := p.Match.Mnemonic(mn)
	if m < 0 {
		return dst, &isa.SyntaxError{Stmt: text, Col: s.column(), Msg: "unknown instruction " + quote(s.mnemonic),
			Nearest: p.nearest(s.mnemonic), Unknown: true}
	}
	n := len(dst)
	dst = append(dst, isa.Inst{})
	in := &dst[n]
	rv32, far := false, 0
	first, end := p.Match.Rows(0, m)
	// Rows of absent extensions are tried second: the text is taken to be valid, and
	// the extensions only decide between two readings.
	for _, present := range [2]bool{true, false} {
		for r := first; r < end; r++ {
			row := p.Match.Row(0, r)
			if p.usable[row.Feature] != present {
				continue
			}
			at, ok := p.match(row, s)
			if p.only32[row.Feature] {
				rv32 = rv32 || ok
				continue
			}
			if !ok {
				far = max(far, at)
				continue
			}
			if err := p.convert(in, row, s); err != nil {
				return dst[:n], err
			}
			return p.expand(dst, n, syntax == "pic")
		}
	}
	return dst[:n], p.mismatch(s, rv32, far)
}

// statementPool keeps statements for reuse: they are too large to allocate one per line.
var statementPool = sync.Pool{New: func() any { return new(statement) }}

// mismatch returns the error that no row of a known mnemonic accepts the operands.
func (p *parser) mismatch(s *statement, rv32 bool, far int) error {
	e := &isa.SyntaxError{Stmt: s.text, Msg: "operands do not fit " + quote(s.mnemonic)}
	switch {
	case rv32:
		e.Msg = quote(s.mnemonic) + " with these operands exists in RV32 only"
	case far < len(s.items):
		e.Msg = "operand " + quote(s.items[far].text) + " does not fit " + quote(s.mnemonic)
		e.Col = s.items[far].pos + 1
	case far == len(s.items):
		e.Msg = "too few operands for " + quote(s.mnemonic)
	}
	first, end := p.Match.Rows(0, p.Match.Mnemonic(s.mnemonic))
	for r := first; r < end && len(e.Nearest) < 3; r++ {
		asm := strings.ReplaceAll(p.Forms.Asm(p.Match.Row(0, r).Form, 0), "\t", " ")
		if asm != "" && !slices.Contains(e.Nearest, asm) {
			e.Nearest = append(e.Nearest, asm)
		}
	}
	return e
}

func quote(s string) string { return "'" + s + "'" }

// column is the 1-based column of the mnemonic.
func (s *statement) column() int { return len(s.text) - len(strings.TrimLeft(s.text, " \t")) + 1 }

// absent marks an optional operand that the text leaves out.
const absent = -1

// match tests a row against the statement; s.at then holds the item of each operand
// kind. On failure the result is the first item that did not fit.
func (p *parser) match(row isa.Row, s *statement) (at int, ok bool) {
	i := 0
	if row.Kinds.Len() >= len(s.at) {
		return 0, false
	}
	for k := 0; k < row.Kinds.Len(); k++ {
		kind := isa.Kind(row.Kinds.At(k))
		if n := p.accept(kind, s, i); n > 0 {
			s.at[k+1] = int8(i)
			i += n
		} else if p.kinds[kind].optional {
			s.at[k+1] = absent
		} else {
			return i, false
		}
	}
	return i, i == len(s.items)
}

// accept returns the number of items from number i on that form an operand of a kind, 0 if they do not.
func (p *parser) accept(kind isa.Kind, s *statement, i int) int {
	if i >= len(s.items) {
		return 0
	}
	it, k := &s.items[i], &p.kinds[kind]
	one := func(ok bool) int {
		if ok {
			return 1
		}
		return 0
	}
	if it.tok != 0 {
		if t, _ := p.Match.Token(it.text); t == kind {
			return 1
		}
		if k.code == kZeroOffset && it.tok == '(' && i+2 < len(s.items) && p.isX(s.items[i+1].reg) {
			return 3
		}
		return 0
	}
	switch k.code {
	case kPlain:
		return one(p.asKind(it.reg, kind) != isa.NoReg)
	case kAnyReg:
		return one(it.reg != isa.NoReg)
	case kAnyRegC:
		_, n := p.regs.of(it.reg)
		return one(it.reg != isa.NoReg && n >= 8 && n <= 15)
	case kAsFPR:
		return one(p.isX(it.reg))
	case kRegPair:
		_, n := p.regs.of(it.reg)
		return one(p.isX(it.reg) && n%2 == 0)
	case kZeroOffset:
		if v, ok := it.isConst(); ok && v == 0 && i+3 < len(s.items) && s.items[i+1].tok == '(' && p.isX(s.items[i+2].reg) {
			return 4
		}
		return 0
	case kRegReg:
		return 4 * one(p.isX(it.reg) && i+3 < len(s.items) && s.items[i+1].tok == '(' && p.isX(s.items[i+2].reg))
	case kMask:
		return one(it.reg == p.regs.v[0][0])
	case kVType:
		if _, ok := p.vtype(s, i, k.hi); ok {
			return len(s.items) - i
		}
		return 0
	case kCall, kBare:
		return one(it.symbolic(k.mods...) || it.reg != isa.NoReg)
	case kJump:
		_, ok := p.immediate(k, it)
		return one(ok || it.symbolic(k.mods...) || it.reg != isa.NoReg)
	case kLI:
		return one(it.number() == isConst && it.reg == isa.NoReg || it.symbolic("") && it.val.diff)
	}
	_, ok := p.immediate(k, it)
	return one(ok || len(k.mods) > 0 && it.symbolic(k.mods...))
}

// immediate returns the encoded value of an item of an immediate kind.
func (p *parser) immediate(k *kindInfo, it *item) (int64, bool) {
	v, isNum := it.isConst()
	if isNum && it.val.mod != "" && !slices.Contains(k.mods, it.val.mod) {
		return 0, false // %lo(0x1234) as an operand that is no part of an address
	}
	switch k.code {
	case kRange, kJump:
		return v, isNum && k.holds(v)
	case kFRM:
		return roundingMode(it.text)
	case kRTZ:
		return 1, it.text == "rtz"
	case kFence:
		return fenceSet(it.text)
	case kCSR:
		if isNum {
			return v, v >= 0 && v < 1<<12
		}
		v, isNum = csrNumber(it.text)
		return v, isNum && !onlyRV32(it.text)
	case kFPImm:
		return fpImm(it.text)
	case kRegList:
		return p.regList(it.text)
	case kStackAdj, kAnyImm, kLI:
		return v, isNum
	case kOpcode:
		if !isNum {
			v, isNum = opcodeNames[it.text]
		}
		return v, isNum && v >= 0 && v <= k.hi
	}
	return 0, false
}

func (p *parser) isX(r isa.Reg) bool {
	f, _ := p.regs.of(r)
	return f == fileX
}

// asKind returns a register under the name it has in a register class kind (fa0 is
// F10_D, F10_F or F10_H, v8 may be V8M4), NoReg if it is not in it.
func (p *parser) asKind(r isa.Reg, kind isa.Kind) isa.Reg {
	file, n := p.regs.of(r)
	var names []isa.Reg
	switch file {
	case fileX:
		if p.Match.RegIs(r, kind) {
			return r
		}
	case fileF:
		names = p.regs.f[n][:]
	case fileV:
		names = p.regs.v[n][:]
	}
	for _, c := range names {
		if c != isa.NoReg && p.Match.RegIs(c, kind) {
			return c
		}
	}
	return isa.NoReg
}

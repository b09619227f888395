package aarch64

import (
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"incore/internal/isa"
)

// arch is the instruction set with its tables made ready for use.
type arch struct {
	t         *isa.ISA
	m         *isa.MatchTable
	r         *registers
	kinds     []kindSpec
	renders   []render
	class     []formClass // by form
	specs     specCache
	enc       *isa.FixedEnc
	plans     []atomic.Pointer[plan]     // by encoding
	templates []atomic.Pointer[template] // by form
	aliases   []alias                    // by form
	skip      []bool                     // encodings that the decoder passes over
}

func newArch(t *isa.ISA) *arch {
	a := &arch{t: t, m: t.Match, r: newRegisters(t.Regs)}
	a.kindSpecs()
	a.renderSpecs()
	a.classify()
	a.specs = make(specCache, t.Forms.Len())
	a.templates = make([]atomic.Pointer[template], t.Forms.Len())
	a.aliasTable()
	a.enc = isa.LoadFixedEnc(tables)
	a.plans, a.skip = make([]atomic.Pointer[plan], a.enc.Len()), make([]bool, a.enc.Len())
	for i := range a.skip {
		// forms for the compiler or the parser alone repeat the encodings of other forms
		a.skip[i] = t.Forms.Flags(a.enc.Form(i))&(isa.CodeGenOnly|isa.Pseudo|isa.AsmParserOnly) != 0
	}
	return a
}

// parse resolves one statement; see isa.ISA.Parse.
func (a *arch) parse(dst []isa.Inst, text, _ string) ([]isa.Inst, error) {
	text = trim(text)
	if text == "" {
		return dst, &isa.SyntaxError{Msg: "empty statement"}
	}
	i := strings.IndexAny(text, " \t")
	head, rest := text, ""
	if i >= 0 {
		head, rest = text[:i], text[i+1:]
	}
	s := stmts.Get().(*stmt)
	defer stmts.Put(s)
	s.a, s.n, s.full = a, 0, false
	s.mnemonic(lower(head))
	if bad, ok := s.operands(rest, true); !ok || s.full {
		if bad == "" {
			bad = "(missing)"
		}
		return dst, a.failure(text, s, bad)
	}
	var in isa.Inst
	if a.resolve(s, &in) {
		return append(dst, in), nil
	}
	return dst, a.failure(text, s, "")
}

// stmts recycles the scratch space of parse.
var stmts = sync.Pool{New: func() any { return new(stmt) }}

func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i]-'A' < 26 {
			return strings.ToLower(s)
		}
	}
	return s
}

// mnemonic splits off the suffixes that are operands of the match table: ".ne" of
// a conditional branch, the arrangement of Apple's short form ("fadd.4s v0, v1, v2").
func (s *stmt) mnemonic(m string) {
	head, suf, dotted := strings.Cut(m, ".")
	if !dotted {
		if len(m) == 3 && m[0] == 'b' {
			if cc, ok := condNames[m[1:]]; ok {
				s.mnem = "b"
				s.addTok(".")
				s.add(elem{kind: elCC, imm: cc})
				return
			}
		}
		s.mnem = m
		return
	}
	s.mnem = head
	if head == "b" || head == "bc" {
		if cc, ok := condNames[suf]; ok {
			s.addTok(".")
			s.add(elem{kind: elCC, imm: cc})
			return
		}
	}
	for more := true; more; {
		var t string
		t, suf, more = strings.Cut(suf, ".")
		s.addTok("." + t)
	}
}

// resolve finds the form of the statement as written, else with the operands
// grouped as some rows require.
func (a *arch) resolve(s *stmt, in *isa.Inst) bool {
	if rewrite := rewrites[s.mnem]; rewrite != nil {
		rewrite(s)
	}
	if a.match(s, in) {
		return true
	}
	alt := *s
	if alt.mergeShifts() && a.match(&alt, in) {
		return true
	}
	alt = *s
	if alt.dropZeroOffset() && a.match(&alt, in) {
		return true
	}
	alt = *s
	if alt.mergePairs() && a.match(&alt, in) {
		return true
	}
	alt = *s
	return alt.symbols() && a.match(&alt, in)
}

// symbols treats words that look like extensions as symbols (b uxtb).
func (s *stmt) symbols() bool {
	found := false
	for i := range s.el[:s.n] {
		if e := &s.el[i]; e.kind == elShift && !e.amount {
			*e, found = elem{kind: elWord, word: e.word}, true
		}
	}
	return found
}

// mergeShifts joins a value and the shift after it into one element.
func (s *stmt) mergeShifts() bool {
	n, merged := 0, false
	for i := 0; i < s.n; i++ {
		e := &s.el[i]
		if e.kind == elShift && n > 0 {
			p := &s.el[n-1]
			to := elNone
			switch {
			case p.kind == elImm && e.sh == shLSL:
				to = elImmSh
			case (p.kind == elSym || p.kind == elWord) && e.sh == shLSL:
				to = elSymSh
				if p.expr == nil {
					p.expr = &isa.Expr{Text: p.word, Sym: p.word}
				}
			case p.kind == elReg:
				to = elRegExt
			case p.kind == elZ:
				to = elZExt
			}
			if to != elNone {
				p.kind, p.sh, p.amt, p.amount, merged = to, e.sh, e.amt, e.amount, true
				continue
			}
		}
		s.el[n] = *e
		n++
	}
	s.n = n
	return merged
}

// dropZeroOffset turns [x0, #0] into [x0].
func (s *stmt) dropZeroOffset() bool {
	for i := 1; i+1 < s.n; i++ {
		if e := &s.el[i]; e.kind == elImm && e.imm == 0 && s.el[i-1].kind == elReg && s.el[i+1].kind == elTok && s.el[i+1].word == "]" {
			copy(s.el[i:], s.el[i+1:s.n])
			s.n--
			return true
		}
	}
	return false
}

// mergePairs joins two consecutive registers, the first even, into one element
// (CASP, SYSP, 128-bit atomics).
func (s *stmt) mergePairs() bool {
	r, n, merged := s.a.r, 0, false
	for i := 0; i < s.n; i++ {
		e := s.el[i]
		if e.kind == elReg && i+1 < s.n && s.el[i+1].kind == elReg {
			x, y := e.reg, s.el[i+1].reg
			f := r.file[x]
			if (f == fileW || f == fileX) && f == r.file[y] && (r.num[x]%2 == 0 && r.num[y] == r.num[x]+1 || x == r.xzr && y == x) {
				e.kind, merged = elPair, true
				i++
			}
		}
		s.el[n] = e
		n++
	}
	s.n = n
	return merged
}

// match tries the rows of the mnemonic: GNU's first, then the additional ones of Apple's syntax.
func (a *arch) match(s *stmt, in *isa.Inst) bool {
	m := a.m.Mnemonic(s.mnem)
	if m < 0 {
		return false
	}
	for v := 0; v < a.m.Variants(); v++ {
		first, end := a.m.Rows(v, m)
	rows:
		for i := first; i < end; i++ {
			row := a.m.Row(v, i)
			if row.Kinds.Len() != s.n {
				continue
			}
			for j := 0; j < s.n; j++ {
				if !a.accept(isa.Kind(row.Kinds.At(j)), &s.el[j], s) {
					continue rows
				}
			}
			if a.build(s, row, in) {
				return true
			}
		}
	}
	return false
}

// build makes the instruction of a matched row; it fails if operands that must be the same register differ.
func (a *arch) build(s *stmt, row isa.Row, in *isa.Inst) bool {
	for l, i := a.m.TiedPairs(row.Conv), 0; i < l.Len(); i += 2 {
		x, y := &s.el[l.At(i)-1], &s.el[l.At(i+1)-1]
		if !a.sameReg(x, y) {
			return false
		}
	}
	*in = isa.Inst{Form: row.Form}
	a.m.Steps(row.Conv, func(st isa.Step) bool {
		switch st.Op {
		case isa.StepImm:
			in.AddImm(a.m.Imm(st.Arg))
		case isa.StepReg:
			in.AddReg(isa.Reg(st.Arg))
		case isa.StepTied:
			if int(st.Arg) < int(in.NOps) {
				in.Add(in.Ops[st.Arg])
			}
		case isa.StepRender:
			k := isa.Kind(row.Kinds.At(int(st.Src) - 1))
			a.render(in, a.renders[st.Arg], &s.el[st.Src-1], k)
			a.sysRegister(in, a.renders[st.Arg], &s.el[st.Src-1], k)
		}
		return true
	})
	return true
}

// sysRegister replaces the operand just rendered by the number of a system register.
func (a *arch) sysRegister(in *isa.Inst, rd render, e *elem, k isa.Kind) {
	if rd.op != rdSysRead && rd.op != rdSysWrite {
		return
	}
	o := &in.Ops[in.NOps-1]
	if v, ok := sysRegister(e.word, a.kinds[k].access()); ok {
		*o = isa.Operand{Kind: isa.OpImm, Imm: v}
	} else {
		*o = isa.Operand{Kind: isa.OpExpr, Expr: &isa.Expr{Text: e.word, Sym: e.word}}
	}
}

func (a *arch) sameReg(x, y *elem) bool {
	switch {
	case x.kind == elReg && y.kind == elReg:
		return x.reg == y.reg || a.r.xOf(x.reg) == a.r.xOf(y.reg)
	case x.kind == y.kind:
		return x.num == y.num && x.count == y.count && x.reg == y.reg
	}
	return x.num == y.num
}

// failure explains why a statement has no form.
func (a *arch) failure(text string, s *stmt, bad string) error {
	e := &isa.SyntaxError{Stmt: text}
	m := a.m.Mnemonic(s.mnem)
	if _, special := rewrites[s.mnem]; m < 0 && !special {
		e.Msg, e.Unknown, e.Nearest = "unknown mnemonic '"+s.mnem+"'", true, a.nearestMnemonics(s.mnem)
		return e
	}
	if bad != "" {
		e.Msg, e.Col = "cannot read operand '"+bad+"'", max(0, 1+strings.LastIndex(text, bad))
	} else {
		e.Msg = "operands do not fit '" + s.mnem + "'"
	}
	e.Nearest = a.nearestForms(m)
	return e
}

// nearestMnemonics lists up to three known mnemonics by edit distance.
func (a *arch) nearestMnemonics(m string) []string {
	type cand struct {
		name string
		d    int
	}
	var c []cand
	limit := len(m)/2 + 1
	for i := 0; i < a.m.Mnemonics(); i++ {
		n := a.m.MnemonicAt(i)
		if abs(len(n)-len(m)) > limit {
			continue
		}
		if d := editDistance(m, n); d <= limit {
			c = append(c, cand{n, d})
		}
	}
	sort.SliceStable(c, func(i, j int) bool { return c[i].d < c[j].d })
	var out []string
	for i := 0; i < len(c) && i < 3; i++ {
		out = append(out, c[i].name)
	}
	return out
}

func abs(x int) int { return max(x, -x) }

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			sub := diag
			if a[i-1] != b[j-1] {
				sub++
			}
			diag = row[j]
			row[j] = min(sub, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// nearestForms shows how a mnemonic's operands may look: the asm strings of its first forms.
func (a *arch) nearestForms(m int) []string {
	var out []string
	first, end := a.m.Rows(0, m)
	for i := first; i < end && len(out) < 3; i++ {
		f := a.t.Forms.Asm(a.m.Row(0, i).Form, 0)
		f = strings.Map(func(r rune) rune {
			switch r {
			case '$':
				return -1
			case '\t':
				return ' '
			}
			return r
		}, f)
		if f != "" && (len(out) == 0 || out[len(out)-1] != f) {
			out = append(out, f)
		}
	}
	return out
}

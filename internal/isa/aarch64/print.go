package aarch64

import (
	"strings"

	"incore/internal/isa"
)

// template is a form's assembly string cut into literals and operands.
type template []piece

// piece is a literal, or the operand that starts at MC operand op.
type piece struct {
	lit  string
	op   int8 // -1: literal
	opt  optional
	show printer
	arg  [3]int32 // of LLVM's print method
}

// optional is the condition under which a piece and the comma before it are omitted.
type optional uint8

const (
	optNever    optional = iota
	optZero              // an offset of 0
	optWithLast          // literal: omitted together with the operand before it
	optCount             // the pattern of a count: omitted if it is "all" and the multiplier, the last operand, is 1
	optTimesOne          // the literal and the multiplier after the pattern: omitted if the multiplier is 1
)

// printer writes operand op of an instruction.
type printer func(p *piece, a *arch, dst []byte, in *isa.Inst) []byte

// print writes an instruction in GNU syntax with the alias that disassemblers
// prefer; the text assembles to the same bytes. PC-relative operands are
// written as addresses.
func (a *arch) print(dst []byte, in *isa.Inst, _ string) []byte {
	if in.Form == isa.NoForm || int(in.Form) >= len(a.templates) {
		return append(dst, "<unknown>"...)
	}
	if f := a.aliases[in.Form]; f != nil {
		if out, ok := f(a, dst, in); ok {
			return out
		}
	}
	return a.expand(dst, a.template(in.Form), in)
}

func (a *arch) template(f isa.FormID) template {
	if t := a.templates[f].Load(); t != nil {
		return *t
	}
	t := a.cut(f, a.t.Forms.Asm(f, 0))
	a.templates[f].Store(&t)
	return t
}

// expand writes a template.
func (a *arch) expand(dst []byte, t template, in *isa.Inst) []byte {
	dropped := false
	for i := range t {
		p := &t[i]
		if p.op < 0 {
			if !(dropped && p.opt == optWithLast) && !(p.opt == optTimesOne && in.Ops[in.NOps-1].Imm == 1) {
				dst = append(dst, p.lit...)
			}
			continue
		}
		if p.op >= int8(in.NOps) {
			continue
		}
		o := &in.Ops[p.op]
		switch p.opt {
		case optZero:
			dropped = o.Kind == isa.OpImm && o.Imm == 0
		case optCount:
			dropped = o.Imm == patternAll && in.Ops[in.NOps-1].Imm == 1
		case optTimesOne:
			dropped = o.Imm == 1
		default:
			dropped = false
		}
		n := len(dst)
		if !dropped {
			dst = p.show(p, a, dst, in)
		}
		if len(dst) == n {
			dst = trimComma(dst)
		}
	}
	return dst
}

// patternAll is SVE's predicate pattern "all".
const patternAll = 31

func trimComma(dst []byte) []byte {
	if n := len(dst); n > 2 && dst[n-2] == ',' && dst[n-1] == ' ' {
		return dst[:n-2]
	}
	return dst
}

// cut splits an assembly string at its operands.
func (a *arch) cut(f isa.FormID, asm string) template {
	var t template
	ops := a.t.Forms.Operands(f)
	asm = strings.NewReplacer("\\{", "{", "\\}", "}", "\t", " ").Replace(asm)
	for asm != "" {
		lit, rest, found := strings.Cut(asm, "$")
		if lit != "" {
			t = append(t, literals(lit)...)
		}
		if !found {
			break
		}
		n := 0
		for n < len(rest) && (rest[n]|0x20-'a' < 26 || rest[n]-'0' <= 9 || rest[n] == '_') {
			n++
		}
		name := rest[:n]
		asm = rest[n:]
		o := findOperand(ops, name)
		for i := 0; o == nil && i < len(ops); i++ {
			if strings.Contains(ops[i].Name, "+") { // Rm_and_shift
				o = &ops[i]
			}
		}
		if o == nil {
			continue
		}
		p := piece{op: int8(o.MC)}
		p.method(o.Class)
		open := strings.LastIndexByte(lit, '[')
		switch {
		case o.Class.Sub == 1 && lit == ", " && inAddress(t) && (asm == "]" || strings.HasPrefix(asm, ", mul vl]")):
			p.opt = optZero
		case strings.HasPrefix(asm, ", mul $imm"):
			p.opt = optCount
		case strings.HasSuffix(lit, ", mul ") && open < 0:
			p.opt = optTimesOne
			t[len(t)-1].opt = optTimesOne
		}
		t = append(t, p)
	}
	return t
}

// literals splits off ", mul vl", which is omitted together with the offset before it.
func literals(lit string) template {
	if rest, ok := strings.CutPrefix(lit, ", mul vl"); ok && rest != "" {
		return template{{lit: ", mul vl", op: -1, opt: optWithLast}, {lit: rest, op: -1}}
	}
	return template{{lit: lit, op: -1}}
}

// inAddress reports whether the template so far ends in "[base, ": a memory operand rather than an index of ZA or of a predicate.
func inAddress(t template) bool {
	if len(t) < 3 || t[len(t)-3].op >= 0 {
		return false
	}
	l := t[len(t)-3].lit
	return strings.HasSuffix(l, " [") || strings.HasSuffix(l, ", [")
}

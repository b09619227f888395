package main

import (
	"sort"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// printAliases writes the aliases that a disassembler prints ("ret" for "jalr x0, 0(x1)"):
// per alias its assembly string and the pattern of MC operands it stands for,
// ordered by form and falling priority. isa.AliasTable reads them.
func (b *builder) printAliases() {
	type alias struct {
		form    uint16
		pri     int
		asm     string
		preds   []uint16
		pattern []uint16
	}
	var names, preds intern[string]
	var imms intern[int64]
	classID := map[string]uint16{}
	for i, c := range sortedKeys(b.src.forms.Operands) {
		classID[c] = uint16(i)
	}
	var list []alias
	for _, a := range b.src.aliases.Inst {
		if a.Pri == 0 {
			continue // the alias is only parsed
		}
		form, rest, _ := strings.Cut(strings.Trim(a.Res, "()"), " ")
		id, ok := b.formID[form]
		if !ok {
			continue
		}
		x := alias{form: id, pri: a.Pri, asm: a.Asm}
		for _, p := range a.P {
			x.preds = append(x.preds, preds.of(p))
		}
		for _, e := range splitPattern(rest) {
			kind, arg, name := isa.AliasOperand, uint16(0), uint16(0)
			class, n, named := strings.Cut(e, ":$")
			switch v, err := strconv.ParseInt(e, 0, 64); {
			case named:
				cid, ok := classID[class]
				if !ok {
					cid = isa.AliasNoClass
				}
				arg, name = cid, names.of(n)
			case err == nil:
				kind, arg = isa.AliasImm, imms.of(v)
			case strings.HasPrefix(e, "{"):
				kind, arg = isa.AliasImm, imms.of(bitList(e))
			case e == "zero_reg":
				kind = isa.AliasReg
			default:
				kind, arg = isa.AliasReg, b.reg(e)
			}
			x.pattern = append(x.pattern, uint16(kind), arg, name)
		}
		list = append(list, x)
	}
	sort.SliceStable(list, func(i, j int) bool {
		return list[i].form < list[j].form || list[i].form == list[j].form && list[i].pri > list[j].pri
	})
	var form []uint16
	var asm []string
	var pred, pattern [][]uint16
	for _, a := range list {
		form, asm = append(form, a.form), append(asm, a.asm)
		pred, pattern = append(pred, a.preds), append(pattern, a.pattern)
	}
	b.w.U16("alias.form", form)
	b.w.Strings("alias.asm", asm)
	b.w.Lists("alias.pred", pred)
	b.w.Strings("alias.predname", preds.list)
	b.w.Lists("alias.pattern", pattern)
	b.w.Strings("alias.name", names.list)
	b.w.I64("alias.imm", imms.list)
}

// splitPattern cuts at commas outside braces.
func splitPattern(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ',' && depth == 0:
			if e := strings.TrimSpace(s[start:i]); e != "" {
				out = append(out, e)
			}
			start = i + 1
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		}
	}
	return out
}

// bitList reads "{ 1, 0, 1 }", most significant bit first.
func bitList(s string) (v int64) {
	for _, c := range s {
		if c == '0' || c == '1' {
			v = v<<1 | int64(c-'0')
		}
	}
	return v
}

package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"incore/internal/isa"
)

func (b *builder) matchTable() {
	m, w := &b.src.match, b.w
	w.Strings("mt.mnem", m.Mnemonics)
	if !sort.StringsAreSorted(m.Mnemonics) {
		b.fail("mnemonics are not sorted")
	}
	w.Strings("mt.kind", m.Kinds)
	kindID := map[string]uint16{}
	preds := make([]string, len(m.Kinds))
	for i, k := range m.Kinds {
		kindID[k] = uint16(i)
		preds[i] = m.Pred[k]
	}
	w.Strings("mt.pred", preds)
	toks := sortedKeys(m.Tokens)
	var tk []uint16
	for _, t := range toks {
		tk = append(tk, kindID[m.Tokens[t]])
	}
	w.Strings("mt.tok", toks)
	w.U16("mt.tokkind", tk)
	rk := make([]uint16, len(b.src.regs.Regs)+1+8)
	for r, k := range m.RegKind {
		rk[b.reg(r)] = kindID[k]
	}
	w.U16("mt.regkind", rk)
	n := len(m.Kinds)
	super := make([]byte, (n*n+7)/8)
	for sub, sups := range m.Sup {
		for _, s := range sups {
			bit := int(kindID[sub])*n + int(kindID[s])
			super[bit>>3] |= 1 << (bit & 7)
		}
	}
	w.Raw("mt.super", super)
	b.features()
	b.conversions()
	b.rows()
	b.mnemonicAliases()
}

func (b *builder) features() {
	var preds intern[string]
	var lists [][]uint16
	for _, f := range b.src.match.Features {
		var names []string
		if err := json.Unmarshal(f[1], &names); err != nil {
			b.fail("features: %v", err)
		}
		var l []uint16
		for _, p := range names {
			l = append(l, preds.of(p))
		}
		lists = append(lists, l)
	}
	b.w.Lists("mt.feat", lists)
	b.w.Strings("mt.featpred", preds.list)
}

func (b *builder) conversions() {
	m := &b.src.match
	var renders intern[string]
	var imms intern[int64]
	var conv, tied [][]uint16
	for _, c := range m.Conv {
		var steps [][]any
		if err := json.Unmarshal(c[1], &steps); err != nil {
			b.fail("conv: %v", err)
		}
		var l, ties []uint16
		for _, s := range steps {
			name := s[0].(string)
			if name == "Tied" {
				t := m.Tied[s[1].(string)]
				l = append(l, uint16(isa.StepTied), uint16(t[0]), 0)
				if t[1] != t[2] {
					ties = append(ties, uint16(t[1]), uint16(t[2]))
				}
				continue
			}
			src := uint16(s[1].(float64))
			sem, ok := m.ConvSem[name]
			switch {
			case !ok:
				l = append(l, uint16(isa.StepRender), renders.of(unmangle(name)), src)
			case sem[0] == "op":
				l = append(l, uint16(isa.StepRender), renders.of(sem[1].(string)), src)
			case sem[0] == "imm":
				l = append(l, uint16(isa.StepImm), imms.of(int64(sem[1].(float64))), src)
			case sem[0] == "reg":
				r := uint16(0)
				if n := fmt.Sprint(sem[1]); n != "0" {
					r = b.reg(n)
				}
				l = append(l, uint16(isa.StepReg), r, src)
			default:
				b.fail("conversion step %v", sem)
			}
		}
		conv, tied = append(conv, l), append(tied, ties)
	}
	b.w.Lists("mt.conv", conv)
	b.w.Lists("mt.tied", tied)
	b.w.Strings("mt.render", renders.list)
	b.w.I64("mt.imm", imms.list)
}

func (b *builder) rows() {
	m := &b.src.match
	var tuples intern[string]
	var tupleList [][]uint16
	inFirst := map[string]bool{}
	for v, table := range m.Tables {
		if v > 0 && b.target == "RISCV" {
			break
		}
		start := make([]uint32, len(m.Mnemonics)+1)
		var form, conv, feat, tuple []uint16
		at := 0
		for _, r := range table {
			for at <= r[0] {
				start[at] = uint32(len(form))
				at++
			}
			id, ok := b.byOp[r[1]]
			if !ok {
				continue // pseudo without its own form
			}
			if b.target == "AArch64" {
				// the second variant is Apple's, which repeats most rows of GNU's: keep only its additional rows ("fadd.4s
				// v0, v1, v2")
				k := fmt.Sprint(r)
				if v > 0 && inFirst[k] {
					continue
				}
				inFirst[k] = true
			}
			var kinds []uint16
			for _, k := range r[4:] {
				kinds = append(kinds, uint16(k))
			}
			t := tuples.of(key(kinds))
			if int(t) == len(tupleList) {
				tupleList = append(tupleList, kinds)
			}
			form, conv, feat, tuple = append(form, id), append(conv, uint16(r[2])), append(feat, uint16(r[3])), append(tuple, t)
		}
		for ; at <= len(m.Mnemonics); at++ {
			start[at] = uint32(len(form))
		}
		p := fmt.Sprintf("mt.row%d", v)
		b.w.U32(p+".start", start)
		b.w.U16(p+".form", form)
		b.w.U16(p+".conv", conv)
		b.w.U16(p+".feat", feat)
		b.w.U16(p+".tuple", tuple)
	}
	b.w.Lists("mt.tuple", tupleList)
}

func (b *builder) mnemonicAliases() {
	type alias struct{ key, val string }
	var l []alias
	for _, a := range b.src.match.Aliases {
		var from, to, variant string
		var preds []string
		for i, dst := range []any{&from, &to, &variant, &preds} {
			if err := json.Unmarshal(a[i], dst); err != nil {
				b.fail("mnemonic aliases: %v", err)
			}
		}
		l = append(l, alias{variant + ":" + from, strings.Join(append([]string{to}, preds...), "\x00")})
	}
	sort.SliceStable(l, func(i, j int) bool { return l[i].key < l[j].key })
	var k, v []string
	for _, a := range l {
		k, v = append(k, a.key), append(v, a.val)
	}
	b.w.Strings("mt.aliask", k)
	b.w.Strings("mt.aliasv", v)
}

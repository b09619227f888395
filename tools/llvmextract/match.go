package main

import (
	"slices"
	"sort"
)

func (t *tables) writeAliases(w *writer) {
	insts := []object{}
	for _, r := range t.dump.aliases {
		var result reference
		r.get("ResultInst", &result)
		att, alt := flatten(r.str("AsmString"), 0), flatten(r.str("AsmString"), 1)
		o := object{"n": r.name, "asm": att, "res": result.Printable, "pri": r.num("EmitPriority")}
		if alt != att {
			o["alt"] = alt
		}
		if v := r.str("AsmVariantName"); v != "" {
			o["vn"] = v
		}
		if p := r.defs("Predicates"); len(p) > 0 {
			o["p"] = p
		}
		insts = append(insts, o)
	}
	tokens := [][]string{}
	for _, r := range t.dump.tokens {
		tokens = append(tokens, []string{r.str("FromToken"), r.str("ToToken")})
	}
	w.file("aliases-"+t.target, object{"instAliases": insts, "mnemonicAliases": t.mnemonicAliases(), "tokenAliases": tokens})
}

func (t *tables) mnemonicAliases() [][]any {
	out := [][]any{}
	for _, r := range t.dump.mnemonics {
		out = append(out, []any{r.str("FromMnemonic"), r.str("ToMnemonic"), r.str("AsmVariantName"), r.defs("Predicates")})
	}
	return out
}

func (t *tables) writeRegs(w *writer) {
	regs := [][]any{}
	for _, r := range t.regs.regs {
		regs = append(regs, []any{r.name, r.subs, r.units})
	}
	classes := object{}
	for _, c := range t.regs.classes {
		classes[c.name] = object{"size": c.bits, "m": c.members}
	}
	w.file("regs-"+t.target, object{"regs": regs, "classes": classes, "names": t.matcher.regNames})
}

// variantNames are the syntax variants of a target's match tables.
var variantNames = map[string][]string{"X86": {"att", "intel"}, "AArch64": {"generic", "apple"}, "RISCV": {"default"}}

func (t *tables) writeMatch(w *writer) {
	m := t.matcher
	number := func(n int, name func(int) string) map[string]int {
		ids := map[string]int{}
		for i := range n {
			ids[name(i)] = i
		}
		return ids
	}
	kind := number(len(m.kinds), func(i int) string { return m.kinds[i] })
	conv := number(len(m.conv), func(i int) string { return m.conv[i].name })
	feature := number(len(m.features), func(i int) string { return m.features[i][0].(string) })
	var mnemonics []string
	for _, table := range m.tables {
		for _, r := range table {
			mnemonics = append(mnemonics, r.mnemonic)
		}
	}
	sort.Strings(mnemonics)
	mnemonics = slices.Compact(mnemonics)
	mnemonic := number(len(mnemonics), func(i int) string { return mnemonics[i] })
	tables := [][][]int{}
	for _, table := range m.tables {
		rows := [][]int{}
		for _, r := range table {
			row := []int{mnemonic[r.mnemonic], t.insts.opcode[r.opcode], conv[r.conv], feature[r.feature]}
			for _, k := range r.kinds {
				row = append(row, kind[k])
			}
			rows = append(rows, row)
		}
		tables = append(tables, rows)
	}
	sup := object{}
	for k, v := range m.super {
		if len(v) > 0 {
			sup[k] = v
		}
	}
	convs := [][]any{}
	for _, c := range m.conv {
		convs = append(convs, []any{c.name, c.steps})
	}
	w.file("match-"+t.target, object{"variants": variantNames[t.target], "mnemonics": mnemonics, "kinds": m.kinds, "tokens": m.tokens, "sup": sup,
		"pred": m.pred, "regKind": m.regKind, "features": m.features, "conv": convs, "convSem": m.meaning, "tied": m.tied,
		"mnemonicAliases": t.mnemonicAliases(), "tables": tables})
}

// implied adds the names of the features that a feature record implies, including its own.
func (t *tables) implied(def string, into map[string]bool) {
	f := t.dump.features[def]
	if f == nil || into[f.str("Name")] {
		return
	}
	into[f.str("Name")] = true
	for _, g := range f.defs("Implies") {
		t.implied(g, into)
	}
}

func sorted(set map[string]bool) []string {
	out := []string{}
	for k := range set {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func (t *tables) writeCPUs(w *writer) {
	features := map[string][]string{}
	for _, r := range t.dump.processors {
		set := map[string]bool{}
		for _, f := range r.defs("Features") {
			t.implied(f, set)
		}
		features[r.str("Name")] = sorted(set)
	}
	cpus := object{}
	for c, model := range t.sched.cpus {
		f := features[c]
		if f == nil {
			f = []string{}
		}
		cpus[c] = object{"model": model, "features": f}
	}
	aliases := object{}
	for _, r := range t.dump.cpuAliases {
		aliases[r.str("Name")] = r.str("Alias")
	}
	defs := object{}
	for def, f := range t.dump.features {
		set := map[string]bool{}
		t.implied(def, set)
		delete(set, f.str("Name"))
		defs[f.str("Name")] = sorted(set)
	}
	w.file("cpus-"+t.target, object{"cpus": cpus, "aliases": aliases, "featureDefs": defs})
}

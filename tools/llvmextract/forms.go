package main

import (
	"regexp"
	"slices"
	"sort"
	"strings"
)

// flagOrder are the LLVM instruction flags that are kept, in the order of their bits, without those that no
// instruction of the target has. extraFlags follow.
var (
	flagOrder = strings.Fields(`MayLoad MayStore UnmodeledSideEffects Branch Call Return IndirectBranch Barrier Terminator Compare
		MoveImm MoveReg Select Trap MayRaiseFPException Commutable Predicable Variadic Pseudo Meta Add Authenticated HasPostISelHook`)
	extraFlags = strings.Fields(`CodeGenOnly AsmParserOnly NoSchedInfo LockPrefix REPPrefix EVEX_K EVEX_Z EVEX_B EVEX_RC EVEX_NF`)
)

// recordFlags are the fields of a record that set a flag.
var recordFlags = map[string]string{"isCodeGenOnly": "CodeGenOnly", "isAsmParserOnly": "AsmParserOnly", "hasNoSchedulingInfo": "NoSchedInfo",
	"isPseudo": "Pseudo", "hasLockPrefix": "LockPrefix", "hasREPPrefix": "REPPrefix", "hasEVEX_K": "EVEX_K", "hasEVEX_Z": "EVEX_Z",
	"hasEVEX_B": "EVEX_B", "hasEVEX_RC": "EVEX_RC", "hasEVEX_NF": "EVEX_NF"}

var (
	x86Encoding = map[string]string{"EncVEX": "V", "EncXOP": "X", "EncEVEX": "E"}
	x86Prefix   = map[string]string{"ExplicitREX2": "2", "ExplicitVEX": "V", "ExplicitEVEX": "E"}
	tiedTo      = regexp.MustCompile(`TIED_TO\((\d+)\)`)
)

// flagNames returns the names of the flag bits of this target.
func (t *tables) flagNames() []string {
	seen := map[string]bool{}
	for _, i := range t.insts.byName {
		for _, f := range i.flags {
			seen[f] = true
		}
	}
	var out []string
	for _, f := range flagOrder {
		if seen[f] {
			out = append(out, f)
		}
	}
	return append(out, extraFlags...)
}

func (t *tables) writeForms(w *writer) {
	names := t.flagNames()
	bit := map[string]int{}
	for i, f := range names {
		bit[f] = 1 << i
	}
	forms := []object{}
	used := map[string]bool{}
	for _, r := range t.dump.insts {
		d := t.insts.byName[r.name]
		if d == nil || t.dump.vpseudo[r.name] {
			continue
		}
		outs, ins := r.operands("OutOperandList"), r.operands("InOperandList")
		for _, o := range slices.Concat(outs, ins) {
			used[o.class] = true
		}
		forms = append(forms, t.form(r, d, outs, ins, bit))
	}
	slices.SortFunc(forms, func(a, b object) int { return a["op"].(int) - b["op"].(int) })
	o := object{"flags": names, "operands": t.operandClasses(used), "asmOperandClasses": t.asmClasses(), "predicates": t.predicates(),
		"schedClasses": t.insts.classes, "forms": forms}
	if rvv := t.rvv(); len(rvv) > 0 {
		o["rvv"] = rvv
	}
	w.file("forms-"+t.target, o)
}

func (t *tables) form(r named, d *instr, outs, ins []operand, bit map[string]int) object {
	f := object{"n": r.name, "op": d.opcode, "o": declarations(outs), "i": declarations(ins), "mc": []int{d.ops, d.defs}, "sc": d.class}
	att, alt := flatten(r.str("AsmString"), 0), flatten(r.str("AsmString"), 1)
	f["asm"] = att
	if alt != att {
		f["alt"] = alt
	}
	set := func(key string, v any, present bool) {
		if present {
			f[key] = v
		}
	}
	ties := [][]int{}
	mem := -1
	for i, o := range d.operands {
		if m := tiedTo.FindStringSubmatch(o.constraint); m != nil {
			ties = append(ties, []int{i, atoi(m[1])})
		}
		if mem < 0 && strings.HasSuffix(o.typ, "OPERAND_MEMORY") {
			mem = i
		}
	}
	flags := 0
	for _, x := range d.flags {
		flags |= bit[x]
	}
	for field, x := range recordFlags {
		if r.num(field) != 0 {
			flags |= bit[x]
		}
	}
	preds := r.defs("Predicates")
	set("vn", r.str("AsmVariantName"), r.str("AsmVariantName") != "")
	set("tie", ties, len(ties) > 0)
	set("mem", mem, mem >= 0)
	set("u", d.uses, len(d.uses) > 0)
	set("d", d.sets, len(d.sets) > 0)
	set("f", flags, flags != 0)
	set("sz", d.size, d.size != 0)
	set("p", preds, len(preds) > 0)
	enc, prefix := x86Encoding[r.def("OpEnc")], x86Prefix[r.def("explicitOpPrefix")]
	set("enc", enc, enc != "")
	set("xp", prefix, prefix != "")
	return f
}

// declarations formats operands as "name:class".
func declarations(l []operand) []string {
	out := []string{}
	for _, o := range l {
		out = append(out, o.name+":"+o.class)
	}
	return out
}

// flatten selects a variant of an asm string: "mov{l}\t{$src, $dst|$dst, $src}".
func flatten(s string, variant int) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "${"): // an operand, kept
			end := i + strings.IndexByte(s[i:], '}') + 1
			out.WriteString(s[i:end])
			i = end
		case s[i] == '\\' && i+1 < len(s):
			out.WriteString(s[i : i+2])
			i += 2
		case s[i] == '{':
			alts, end := alternativesOf(s, i)
			if variant < len(alts) {
				out.WriteString(alts[variant])
			}
			i = end
		default:
			out.WriteByte(s[i])
			i++
		}
	}
	return out.String()
}

// alternativesOf splits the alternatives in the braces at s[i] and returns their end.
func alternativesOf(s string, i int) (alts []string, end int) {
	depth, from := 0, i+1
	for j := i; j < len(s); j++ {
		switch {
		case strings.HasPrefix(s[j:], "${"):
			j += strings.IndexByte(s[j:], '}')
		case s[j] == '{':
			depth++
		case s[j] == '|' && depth == 1:
			alts, from = append(alts, s[from:j]), j+1
		case s[j] == '}':
			if depth--; depth == 0 {
				return append(alts, s[from:j]), j + 1
			}
		}
	}
	return append(alts, s[from:]), len(s)
}

var operandKinds = map[string]string{"OPERAND_MEMORY": "mem", "OPERAND_PCREL": "pcrel", "OPERAND_REGISTER": "reg"}

// operandClasses describes the used operand classes and their members.
func (t *tables) operandClasses(used map[string]bool) object {
	out := object{}
	var todo []string
	for c := range used {
		todo = append(todo, c)
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, done := out[c]; done {
			continue
		}
		if r, ok := t.dump.operands[c]; ok {
			o := operandClass(r, t.dump.super[c])
			out[c] = o
			if sub, ok := o["sub"].([]string); ok {
				todo = append(todo, sub...)
			}
		}
	}
	return out
}

func operandClass(r named, super []string) object {
	is := func(c string) bool { return slices.Contains(super, c) }
	o := object{}
	set := func(key, v string) {
		if v != "" {
			o[key] = v
		}
	}
	if is("RegisterClass") {
		return object{"k": "reg", "rc": r.name}
	}
	if is("PointerLikeRegClass") && !is("RegisterOperand") {
		return object{"k": "ptr", "rc": r.name}
	}
	set("m", r.def("ParserMatchClass"))
	if p := r.str("PrintMethod"); p != "printOperand" {
		set("print", p)
	}
	set("rc", r.def("RegClass"))
	if is("RegisterOperand") {
		o["k"] = "reg"
		return o
	}
	o["k"] = "imm"
	if k, ok := operandKinds[r.str("OperandType")]; ok {
		o["k"] = k
	}
	var typ string
	if r.get("OperandType", &typ) {
		o["t"] = typ
	}
	set("vt", r.def("Type"))
	if sub := r.operands("MIOperandInfo"); len(sub) > 0 {
		var names []string
		for _, s := range sub {
			names = append(names, s.class)
		}
		o["sub"] = names
	}
	if n := r.num("Size"); n != 0 {
		o["size"] = n
	}
	return o
}

func (t *tables) asmClasses() object {
	out := object{}
	for _, r := range t.dump.asmClasses {
		// a method without a value is an unset record field
		field := func(name string) any {
			var s string
			var n int
			if r.get(name, &s) {
				return s
			}
			if r.get(name, &n) {
				return n
			}
			return nil
		}
		out[r.name] = object{"name": r.str("Name"), "sup": r.defs("SuperClasses"), "pred": field("PredicateMethod"), "render": field("RenderMethod"),
			"parser": field("ParserMethod"), "opt": field("IsOptional")}
	}
	return out
}

func (t *tables) predicates() object {
	out := object{}
	for _, r := range t.dump.predicates {
		var cond reference
		r.get("AssemblerCondDag", &cond)
		out[r.name] = cond.Printable
	}
	return out
}

// rvv maps RISC-V's vector instructions to [LMUL, SEW, scheduling class], by the pseudos that represent them:
// the first one by name counts.
func (t *tables) rvv() object {
	pseudos := []named{}
	for _, r := range t.dump.insts {
		if t.dump.vpseudo[r.name] && t.insts.byName[r.name] != nil {
			pseudos = append(pseudos, r)
		}
	}
	sort.Slice(pseudos, func(i, j int) bool { return pseudos[i].name < pseudos[j].name })
	type key struct {
		base      string
		lmul, sew int
	}
	seen := map[key]bool{}
	out := map[string][][]int{}
	for _, r := range pseudos {
		base := r.str("BaseInstr")
		if base == "" {
			base = r.def("BaseInstr")
		}
		k := key{base, r.num("VLMul"), r.num("SEW")}
		if !seen[k] {
			seen[k] = true
			out[base] = append(out[base], []int{k.lmul, k.sew, t.insts.byName[r.name].class})
		}
	}
	o := object{}
	for b, l := range out {
		o[b] = l
	}
	return o
}

package main

import (
	"encoding/json"
	"sort"
)

// x86Fields are the record fields that determine x86 prefixes, opcode and operand bytes.
var x86Fields = []string{"OpEnc", "OpMap", "OpPrefix", "Opcode", "Form", "FormBits", "ImmT", "OpSize", "AdSize", "hasREX_W", "hasVEX_4V",
	"hasVEX_L", "hasEVEX_L2", "hasEVEX_K", "hasEVEX_Z", "hasEVEX_B", "hasEVEX_RC", "hasEVEX_NF", "hasEVEX_U", "CD8_Scale", "CD8_EltSize",
	"CD8_Form", "VectSize", "IgnoresW", "ignoresVEX_L", "ExplicitOpPrefix", "ExplicitVEXPrefix", "hasLockPrefix", "hasREPPrefix",
	"hasTwoConditionalOps", "isMemoryFoldable", "hasNoTrackPrefix", "isCodeGenOnly", "isAsmParserOnly", "ForceDisassemble", "DecoderNamespace"}

func (t *tables) writeEncodings(w *writer) {
	forms := object{}
	for _, r := range t.dump.encoded {
		if r.num("isPseudo") != 0 {
			continue
		}
		if t.target == "X86" {
			if _, ok := r.record["Opcode"]; ok {
				forms[r.name] = x86Encoded(r)
			}
		} else if e := fixedEncoded(r); e != nil {
			forms[r.name] = e
		}
	}
	w.file("encodings-"+t.target, object{"forms": forms, "schema": "encodings/1"})
}

func x86Encoded(r named) object {
	e := object{}
	for _, k := range x86Fields {
		if s := r.def(k); s != "" {
			e[k] = s
		} else if s := r.str(k); s != "" {
			e[k] = s
		} else if n := r.num(k); n != 0 {
			e[k] = n
		}
	}
	return e
}

// fixedEncoded returns the fixed bits of an instruction word and, for each operand, the runs [lowest
// instruction bit, lowest operand bit, width]; nil for records without fixed bits.
func fixedEncoded(r named) object {
	var word []json.RawMessage
	if !r.get("Inst", &word) {
		return nil
	}
	mask, value := 0, 0
	fields := map[string][][]int{}
	for i, raw := range word {
		var b *int
		if json.Unmarshal(raw, &b) == nil {
			if b != nil {
				mask, value = mask|1<<i, value|*b<<i
			}
			continue
		}
		var v reference
		if json.Unmarshal(raw, &v) != nil || v.Kind != "varbit" && v.Kind != "var" {
			continue
		}
		name, bit := v.Var, v.Index // a whole variable is one bit, number 0
		runs := fields[name]
		if n := len(runs) - 1; n >= 0 && runs[n][0]+runs[n][2] == i && runs[n][1]+runs[n][2] == bit {
			runs[n][2]++
		} else {
			fields[name] = append(runs, []int{i, bit, 1})
		}
	}
	if mask == 0 {
		return nil
	}
	for _, runs := range fields {
		sort.Slice(runs, func(i, j int) bool { return runs[i][0] < runs[j][0] })
	}
	e := object{"size": r.num("Size"), "mask": mask, "value": value, "fields": fields}
	if d := r.str("DecoderNamespace"); d != "" {
		e["dec"] = d
	}
	if r.num("isCodeGenOnly") != 0 {
		e["codegenonly"] = 1
	}
	if r.num("isAsmParserOnly") != 0 {
		e["asmparseronly"] = 1
	}
	return e
}

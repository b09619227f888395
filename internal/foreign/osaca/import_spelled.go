package osaca

import (
	"fmt"
	"math"
	"strings"
)

// maxSpellings is the number of texts that are made of an entry.
const maxSpellings = 64

// spelled adds forms that are written otherwise than they are printed (asr is a case of sbfm): an instruction is made of each entry that no form has, and read.
func (x *importer) spelled() {
	for _, e := range x.file.Forms {
		if e.used {
			continue
		}
		for _, name := range e.names {
			for _, text := range x.spellings(name, e) {
				insts, err := x.set.Parse(nil, text, x.set.Syntaxes[0])
				if err != nil || len(insts) != 1 {
					continue
				}
				e.used = true
				if f := insts[0].Form; !x.have[f] {
					g := figures{pressure: e.Pressure, latency: math.NaN(), load: math.NaN()}
					if e.Latency != nil {
						g.latency = *e.Latency
					}
					x.add(f, x.rowText(g))
				}
			}
		}
	}
}

// spellings makes instructions of an entry: one for each combination of operands of its kinds. Gathers and scatters of x86 have an index register of vectors, those with two
// operands a mask, which entries do not name.
func (x *importer) spellings(name string, e *sourceForm) []string {
	out := []string{""}
	vectors := x.dialect.isa == "x86" && (strings.Contains(name, "gather") || strings.Contains(name, "scatter"))
	for i, o := range e.Operands {
		var next []string
		for _, head := range out {
			texts := x.operandTexts(o, i)
			if vectors && o["class"] == "memory" {
				texts = []string{"8(%rax,%xmm9,8)", "8(%rax,%ymm9,8)", "8(%rax,%zmm9,8)"}
			}
			for _, text := range texts {
				if i > 0 {
					text = head + ", " + text
				}
				if len(next) < maxSpellings {
					next = append(next, text)
				}
			}
		}
		out = next
	}
	for i := range out {
		if out[i] = strings.TrimSpace(name + " " + out[i]); vectors && len(e.Operands) == 2 {
			out[i] += " {%k1}"
		}
	}
	return out
}

// operandTexts are operands of the kind of an entry's operand.
func (x *importer) operandTexts(o map[string]any, n int) []string {
	get := func(key string) string { return strings.Trim(strings.TrimSpace(fmt.Sprint(o[key])), "'") }
	x86 := x.dialect.isa == "x86"
	switch get("class") {
	case "identifier":
		return []string{".L1"}
	case "condition":
		return []string{"eq"}
	case "immediate":
		if x86 {
			return []string{"$1"}
		}
		return []string{"#1", ".L1", "#1.0"}
	case "memory":
		if x86 {
			return []string{"8(%rax)", "8(%rax,%rcx,8)"}
		}
		if o["post_indexed"] == true {
			return []string{"[x9], #16"}
		}
		if o["pre_indexed"] == true {
			return []string{"[x9, #16]!"}
		}
		return []string{"[x9]", "[x9, #16]", "[x9, x10]"}
	case "register":
		if x86 {
			return attTexts(get("name"), n)
		}
		return a64Texts(get("prefix"), get("shape"), get("predication"), n)
	}
	return nil
}

// attTexts are registers of a kind in AT&T syntax.
func attTexts(name string, n int) []string {
	switch name {
	case "gpr", "*":
		return [][]string{{"%rax", "%eax", "%ax", "%al"}, {"%rcx", "%ecx", "%cx", "%cl"}, {"%rdx", "%edx", "%dx", "%dl"}, {"%rbx", "%ebx", "%bx", "%bl"}}[n%4]
	case "xmm", "ymm", "zmm", "mm", "k":
		return []string{fmt.Sprintf("%%%s%d", name, n+1)}
	}
	return []string{"%" + name}
}

// a64Texts are registers of a kind in A64.
func a64Texts(prefix, shape, predication string, n int) (out []string) {
	elements := map[string][]string{"b": {"16b", "8b"}, "h": {"8h", "4h"}, "s": {"4s", "2s"}, "d": {"2d"}, "q": {"1q"}}
	prefixes := []string{prefix}
	if prefix == "*" {
		prefixes = []string{"x", "w", "d", "s", "q"}
	}
	for _, p := range prefixes {
		r := fmt.Sprintf("%s%d", p, n+1)
		switch {
		case p == "v" && (shape == "*" || shape == "<nil>"):
			for _, l := range []string{"b", "h", "s", "d"} {
				out = append(out, r+"."+elements[l][0])
			}
		case p == "v":
			for _, el := range elements[shape] {
				out = append(out, r+"."+el)
			}
			out = append(out, r+"."+shape+"[0]")
		case p == "z" && shape != "<nil>" && shape != "*", p == "p" && shape != "<nil>" && shape != "*":
			out = append(out, r+"."+shape)
		case p == "p" && predication != "<nil>" && predication != "*":
			out = append(out, r+"/"+predication)
		default:
			out = append(out, r)
		}
	}
	return out
}

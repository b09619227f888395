package x86

import (
	"strings"

	"incore/internal/isa"
)

// placeholder stands for a demangled name while its statement is parsed again.
const placeholder = "incore_demangled_name"

// parseDemangled parses a statement with a demangled name, after the first try failed: viewers of
// compiler output replace symbols by C++ or Rust names with blanks, commas and
// brackets ("call std::vector<int, A>::push_back(int&&)", "mov rax, QWORD PTR
// vtable for B[rip+16]"). ok is false if the statement has no demangled name.
func parseDemangled(dst []isa.Inst, stmt, syntax string) (out []isa.Inst, ok bool) {
	from, to := demangledName(stmt, syntax == "intel")
	if from >= to || !strings.ContainsAny(stmt[from:to], ":<( ") || strings.ContainsAny(stmt[from:to], "%[") {
		return dst, false
	}
	name := stmt[from:to]
	out, err := parseOnce(dst, stmt[:from]+placeholder+stmt[to:], syntax)
	if err != nil {
		return dst, false
	}
	for i := len(dst); i < len(out); i++ {
		for j := range out[i].Ops[:out[i].NOps] {
			if e := out[i].Ops[j].Expr; e != nil && e.Sym == placeholder {
				e.Text, e.Sym = strings.Replace(e.Text, placeholder, name, 1), name
			}
		}
	}
	return out, true
}

// demangledName finds where a statement may hold a demangled name: the operand of
// a call or jump, or the displacement relative to the instruction pointer.
func demangledName(stmt string, intel bool) (from, to int) {
	body := len(stmt) - len(strings.TrimLeft(stmt, " \t"))
	blank := strings.IndexAny(stmt[body:], " \t")
	if blank <= 0 {
		return 0, 0
	}
	mnemonic := strings.ToLower(stmt[body : body+blank])
	start := body + blank
	operands := strings.TrimRight(stmt[start:], " \t")
	switch {
	case !intel && strings.Contains(operands, "(%rip)"):
		from, to = attRelative(operands)
	case intel && strings.Contains(operands, "[rip"):
		from, to = intelRelative(operands)
	case (mnemonic[0] == 'j' || strings.HasPrefix(mnemonic, "call")) && !strings.Contains(operands, "[") && !strings.HasPrefix(strings.TrimLeft(operands, " \t"), "*"):
		from, to = 0, len(operands)
	}
	for from < to && isSpace(operands[from]) {
		from++
	}
	return start + from, start + to
}

// attRelative finds foo::bar+8 in "*foo::bar+8(%rip)" or "%rax, foo::bar+8(%rip)".
func attRelative(s string) (from, to int) {
	to = strings.LastIndex(s, "(%rip)")
	first := strings.TrimLeft(s[:to], " \t")
	from = to - len(first)
	switch {
	case first == "":
	case first[0] == '*':
		from++
	case first[0] == '%', first[0] == '$':
		from += strings.IndexByte(first, ',') + 1
	}
	return from, to
}

// intelRelative finds foo::bar in "rax, qword ptr [rip + foo::bar]", "rax, QWORD
// PTR foo::bar[rip+8]" or "rax, foo::bar[rip]".
func intelRelative(s string) (from, to int) {
	rip := strings.Index(s, "[rip")
	inside := rip + len("[rip")
	if end := strings.LastIndexByte(s, ']'); end > inside {
		sum := strings.TrimLeft(s[inside:end], " ")
		if sum != "" && sum[0] == '+' && strings.Trim(sum, "+ 0123456789") != "" {
			return end - len(sum) + 1, end
		}
	}
	if ptr := strings.LastIndex(strings.ToLower(s[:rip]), " ptr "); ptr >= 0 {
		return ptr + len(" ptr "), rip
	}
	if comma := strings.IndexByte(s[:rip], ','); comma >= 0 && db().spelled.find(strings.TrimSpace(s[:comma])) != 0 {
		return comma + 1, rip
	}
	return 0, rip
}

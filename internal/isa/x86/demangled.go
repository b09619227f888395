package x86

import (
	"strings"

	"incore/internal/isa"
)

// placeholder stands for a demangled name while its statement is parsed again.
const placeholder = "incore_demangled_name"

// parseDemangled is the second try on a statement that did not parse: viewers of
// compiler output replace symbols by C++ or Rust names with blanks, commas and
// brackets ("call std::vector<int, A>::push_back(int&&)", "mov rax, QWORD PTR
// vtable for B[rip+16]"). ok is false if the statement holds no such name.
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
// a call or jump, or what is added to the instruction pointer.
func demangledName(stmt string, intel bool) (from, to int) {
	body := len(stmt) - len(strings.TrimLeft(stmt, " \t"))
	blank := strings.IndexAny(stmt[body:], " \t")
	if blank < 0 {
		return 0, 0
	}
	mnemonic := strings.ToLower(stmt[body : body+blank])
	from, to = body+blank, len(strings.TrimRight(stmt, " \t"))
	skip := func(n int) {
		for from += n; from < to && isSpace(stmt[from]); from++ {
		}
	}
	skip(0)
	if rip := strings.LastIndex(stmt, "(%rip)"); !intel && rip > from { // foo::bar+8(%rip), possibly after another operand
		if stmt[from] == '*' {
			skip(1)
		}
		if comma := strings.IndexByte(stmt[from:rip], ','); comma >= 0 && (stmt[from] == '%' || stmt[from] == '$') {
			skip(comma + 1)
		}
		return from, rip
	}
	if rip := strings.Index(stmt, "[rip"); intel && rip >= from {
		if end := strings.LastIndexByte(stmt, ']'); end > rip { // [rip + foo::bar]
			if sum := rip + len("[rip"); strings.HasPrefix(strings.TrimLeft(stmt[sum:end], " "), "+") {
				from = sum + strings.IndexByte(stmt[sum:end], '+')
				to = end
				skip(1)
				if strings.Trim(stmt[from:to], "0123456789") != "" {
					return from, to
				}
			}
		}
		at := from
		if ptr := strings.LastIndex(strings.ToLower(stmt[:rip]), " ptr "); ptr >= 0 { // PTR foo::bar[rip+8]
			at = ptr + len(" ptr ")
		} else if comma := strings.IndexByte(stmt[at:rip], ','); comma >= 0 && db().spelled.find(stmt[at:at+comma]) != 0 {
			skip(comma + 1)
			at = from
		}
		return at, rip
	}
	if (mnemonic[0] == 'j' || strings.HasPrefix(mnemonic, "call")) && from < to && stmt[from] != '*' && !strings.Contains(stmt, "[") {
		return from, to
	}
	return 0, 0
}

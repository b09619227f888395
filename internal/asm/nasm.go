package asm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/regex"
)

// This file rewrites what NASM's preprocessor and Microsoft's assembler have of their own in the words of GNU as, line by line: macros, repetitions, constants,
// and anonymous labels. What it does not know stays in the text, and the reader names it.

var (
	nasmUsed  = regex.Lazy(`(?mi)^\s*%(i?macro|rep|define|xdefine|assign|if\w*|include|push|rotate)\b`)
	nasmLine  = regex.Lazy(`^(\s*)%(\w+)\s*(.*)$`)
	nasmParam = regex.Lazy(`%\{?(\d+)\}?`)
	nasmLocal = regex.Lazy(`%%(\w+)`)
	nasmArity = regex.Lazy(`^(\d+)(?:-(\d+|\*))?(\+?)\s*(.*)$`)
	nasmEqu   = regex.Lazy(`(?mi)^[ \t]*([a-z_.?][\w.?$#@~]*)(?:[ \t]*:)?[ \t]+equ[ \t]+([^;\r\n]+)`)
	nasmJoin  = regex.Lazy(`[ \t]*%\+[ \t]*`)
	nasmName  = regex.Lazy(`[A-Za-z_.?][\w.?$#@~]*`)

	// nasmSection are directives that NASM writes without a dot.
	nasmSection = regex.Lazy(`(?mi)^[ \t]*(?:(?:section|segment)[ \t]+\.\w+|global[ \t]+\w|extern[ \t]+\w|default[ \t]+rel\b|bits[ \t]+64\b|cpu[ \t]+\w).*$`)

	// cppLabel is a label with a name of C++: "std::vector<int>::sum(int const*) const:"; cppCall a jump to one, cppData an address of one.
	cppLabel = regex.Lazy(`(?m)^((?:[A-Za-z_~$]|\(anonymous )(?:[^\t\n"'#;%]|""|'[a-z-]+[0-9]*')*(?:\(|::)(?:[^\n"';%]|""|'[a-z-]+[0-9]*')*):([ \t]*(?:[#;@/].*)?\r?)$`)
	cppCall  = regex.Lazy(`(?m)^[ \t]+(?:callq?|jmpq?|bl?|tail|call|j[a-z]+)[ \t]+(?:[A-Za-z_~]|\(anonymous )[^"%#;\n]*(?:\(|::|<)[^"%;\n]*$`)
	cppData  = regex.Lazy(`(?:OFFSET FLAT:|PTR )(?:[A-Za-z_]\w* for |[A-Za-z_]\w*::)[^\[,\n]*|\b(?:vtable|typeinfo|typeinfo name|VTT|guard variable) for [^\[,\n":]*(?:::[^\[,\n":]*)*`)

	masmAnonymous = regex.Lazy(`(?m)^(\s*)@@:`)
	masmNear      = regex.Lazy(`(?i)@([bf])\b`)
)

// fromAssembler rewrites a text of NASM or Microsoft's assembler, or one with names of C++ as Compiler Explorer prints them; it keeps the numbers of lines.
func fromAssembler(text string) string {
	if hasAny(text, "format", "FORMAT", "use64", "segment", "section", "SECTION") && fasmMade().MatchString(text) {
		text = fromFASM(text)
	}
	has := signsOf(text)
	if has.bar && armasmMade().MatchString(text) && armasmSure().MatchString(text) {
		text = fromArmasm(text)
	}
	if has.section && nasmSection().MatchString(text) {
		text = nasmSection().ReplaceAllStringFunc(text, section)
	}
	if has.cpp && cppLabel().MatchString(text) {
		text = cppLabel().ReplaceAllStringFunc(text, func(s string) string {
			m := cppLabel().FindStringSubmatch(s)
			return quoted(m[1]) + ":" + m[2]
		})
		text = cppCall().ReplaceAllStringFunc(text, plainName)
		text = cppData().ReplaceAllStringFunc(text, plainName)
	}
	if has.anonymous && masmAnonymous().MatchString(text) {
		text = anonymousLabels(text)
	}
	if hasAny(text, "ENDP", "endp", "ENDM", "endm") && masmMade().MatchString(text) && masmUsed().MatchString(text) {
		text = fromMASM(text)
	}
	if hasAny(text, " equ ", "\tequ\t", "\tequ ", " equ\t", " EQU ", "\tEQU\t") {
		text = nasmEqu().ReplaceAllString(text, ".set $1, $2")
	}
	if has.structure {
		text = structures(text)
	}
	if has.percent && nasmUsed().MatchString(text) {
		n := nasm{constants: map[string]string{}}
		lines := strings.SplitAfter(text, "\n")
		for i := range lines {
			lines[i] = n.line(lines[i])
		}
		text = strings.Join(lines, "")
	}
	return text
}

// signs are what a text may have of other assemblers, by the first letters of its lines: most texts have none, and need no search by patterns.
type signs struct{ percent, section, anonymous, bar, cpp, structure bool }

func signsOf(text string) (has signs) {
	for rest := text; rest != ""; {
		line := rest
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = ""
		}
		bare := strings.TrimLeft(line, " \t")
		if bare == "" {
			continue
		}
		switch c := bare[0]; {
		case c == '%':
			has.percent = true
		case c == '@':
			has.anonymous = true
		case c == '|', c == 'A' && strings.HasPrefix(bare, "AREA"):
			has.bar = true
		case len(bare) == len(line) && (strings.Contains(line, "(") || strings.Contains(line, "::")) && strings.Contains(line, ":"):
			has.cpp = true
		case strings.IndexByte("sSgGeEdDbBcC", c) >= 0:
			word, _ := word(bare)
			switch strings.ToLower(word) {
			case "section", "segment", "global", "extern", "default", "bits", "cpu":
				has.section = true
			case "struc":
				has.structure = true
			}
		}
	}
	return has
}

// section writes a directive of NASM as GNU as has it.
func section(line string) string {
	first, rest := word(strings.TrimSpace(line))
	switch strings.ToLower(first) {
	case "section", "segment":
		name, _ := word(rest)
		return ".section " + name
	case "global":
		return ".globl " + rest
	}
	return ""
}

// plainName writes a name of C++ in an operand with the signs that names have everywhere.
func plainName(s string) string {
	head := ""
	for _, h := range []string{"OFFSET FLAT:", "PTR "} {
		if strings.HasPrefix(s, h) {
			head, s = h, s[len(h):]
		}
	}
	if head == "" && (s[0] == ' ' || s[0] == '\t') { // a jump
		i := len(s) - len(strings.TrimLeft(s, " \t"))
		m, _ := word(s[i:])
		head, s = s[:i]+m+" ", strings.TrimLeft(s[i+len(m):], " \t")
	}
	add := ""
	if i := strings.LastIndexByte(s, '+'); i > 0 && isNumber(s[i+1:]) && s[i-1] != 'r' {
		s, add = s[:i], s[i:]
	}
	return head + strings.Map(func(r rune) rune {
		if r < 0x80 && (!isName(byte(r)) || r == '@') {
			return '_'
		}
		return r
	}, strings.TrimRight(s, " \t\r")) + add
}

// anonymousLabels numbers the labels "@@:"; @B and @F are the one before and the one behind.
func anonymousLabels(text string) string {
	at := 0
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if masmAnonymous().MatchString(line) {
			at++
			line = masmAnonymous().ReplaceAllString(line, fmt.Sprintf("${1}@@%d:", at))
		}
		lines[i] = masmNear().ReplaceAllStringFunc(line, func(s string) string {
			if strings.EqualFold(s, "@b") {
				return fmt.Sprintf("@@%d", at)
			}
			return fmt.Sprintf("@@%d", at+1)
		})
	}
	return strings.Join(lines, "")
}

// nasm is the state of rewriting a text.
type nasm struct {
	macros    []string
	constants map[string]string // %define NAME VALUE
	inside    bool              // a macro's definition
	branches  []branch          // open conditions
	spent     int               // bytes that constants have added
}

// branch is an open condition: whether its present branch is read, and whether one was. Only definitions ask it.
type branch struct{ active, taken bool }

// branch follows a condition; holds is what is known of it before the text is read.
func (n *nasm) branch(name, condition string) {
	k := len(n.branches) - 1
	v, known := evaluate(condition, func(string) (int64, bool) { return 0, false })
	holds := !known || v != 0
	switch {
	case strings.HasPrefix(name, "if"):
		n.branches = append(n.branches, branch{holds, holds})
	case k < 0:
	case name == "endif":
		n.branches = n.branches[:k]
	default:
		b := &n.branches[k]
		b.active = !b.taken && (name == "else" || holds)
		b.taken = b.taken || b.active
	}
}

// reads reports whether definitions are valid here.
func (n *nasm) reads() bool {
	return !slices.ContainsFunc(n.branches, func(b branch) bool { return !b.active })
}

// Limits of constants: characters of one, and bytes that all together add to a text.
const (
	maxConstant  = 512
	maxConstants = 16 << 20
)

// line rewrites a line.
func (n *nasm) line(s string) string {
	code, comment, _ := strings.Cut(s, ";")
	if comment != "" {
		comment = ";" + comment
	}
	end := ""
	if strings.HasSuffix(code, "\n") {
		code, end = strings.TrimSuffix(code, "\n"), "\n"
	}
	if m := nasmLine().FindStringSubmatch(code); m != nil && m[2] != "" && !isNumber(m[2]) {
		return m[1] + n.directive(strings.ToLower(m[2]), strings.TrimSpace(m[3]), strings.TrimSpace(code)) + comment + end
	}
	code = n.replace(code)
	if n.inside {
		code = parameter(code)
	}
	return n.call(code) + comment + end
}

// directive rewrites a directive of the preprocessor.
func (n *nasm) directive(name, args, whole string) string {
	switch name {
	case "macro", "imacro":
		macro, rest := word(args)
		m := nasmArity().FindStringSubmatch(strings.TrimSpace(rest))
		if m == nil {
			break
		}
		n.inside = true
		n.macros = append(n.macros, strings.ToLower(macro))
		return ".macro " + macro + " p0, " + parameters(m)
	case "endmacro":
		n.inside = false
		return ".endm"
	case "rep":
		return ".rept " + n.inMacro(n.replace(args))
	case "endrep":
		return ".endr"
	case "assign", "iassign":
		constant, value := word(args)
		return ".set " + constant + ", " + n.inMacro(n.replace(value))
	case "if", "elif":
		condition := n.inMacro(n.replace(args))
		n.branch(name, condition)
		return map[string]string{"if": ".if ", "elif": ".elseif "}[name] + condition
	case "ifdef", "ifndef", "ifmacro", "ifnmacro":
		kind, negated := strings.CutPrefix(strings.TrimPrefix(name, "if"), "n")
		_, known := n.constants[args]
		if word, _ := word(args); kind == "macro" {
			known = slices.Contains(n.macros, strings.ToLower(word))
		}
		condition := strconv.Itoa(btoi(known != negated))
		n.branch(name, condition)
		return ".if " + condition
	case "ifidn", "ifidni", "ifnidn", "ifnidni":
		n.branch(name, "")
		a, b, _ := strings.Cut(n.inMacro(n.replace(args)), ",")
		return map[bool]string{true: ".ifnc ", false: ".ifc "}[strings.HasPrefix(name, "ifn")] + strings.TrimSpace(a) + "," + strings.TrimSpace(b)
	case "ifempty", "ifnempty":
		n.branch(name, "")
		return map[bool]string{true: ".ifnb ", false: ".ifb "}[name == "ifnempty"] + n.inMacro(args)
	case "else", "endif":
		n.branch(name, "")
		return "." + name
	case "define", "xdefine":
		if constant, value := word(args); !strings.Contains(constant, "(") {
			if value = n.replace(value); len(value) <= maxConstant {
				if n.reads() {
					n.constants[constant] = value
				}
				return ""
			}
		}
	case "undef":
		delete(n.constants, args)
		return ""
	case "rotate":
		if n.inside {
			return rotate + " " + n.inMacro(n.replace(args))
		}
	case "line", "use", "pragma", "error", "warning", "fatal", "exitmacro":
		return ""
	}
	return ".nasm " + whole // refused by name
}

// parameters returns the parameters of a macro: "p1, p2=default".
func parameters(m []string) string {
	least, most := 0, 0
	fmt.Sscan(m[1], &least)
	const many = 32
	if most = least; m[2] == "*" {
		most = many
	} else if m[2] != "" {
		fmt.Sscan(m[2], &most)
	}
	var defaults, out []string
	if strings.TrimSpace(m[4]) != "" {
		defaults = strings.Split(m[4], ",")
	}
	for i := range min(most, many) {
		p := fmt.Sprintf("p%d", i+1)
		if k := i - least; k >= 0 && k < len(defaults) {
			p += "=" + strings.TrimSpace(defaults[k])
		}
		if i+1 == most && m[3] == "+" {
			p += ":vararg"
		}
		out = append(out, p)
	}
	return strings.Join(out, ", ")
}

// replace puts the values of constants in the place of their names.
func (n *nasm) replace(s string) string {
	if len(n.constants) == 0 {
		return s
	}
	return nasmName().ReplaceAllStringFunc(s, func(w string) string {
		if v, ok := n.constants[w]; ok && n.spent <= maxConstants {
			n.spent += len(v)
			return v
		}
		return w
	})
}

// inMacro writes the parameters in a macro's definition as GNU as has them.
func (n *nasm) inMacro(s string) string {
	if n.inside {
		return parameter(s)
	}
	return s
}

// parameter writes "%1", the number of arguments "%0", and the local label "%%l" of a macro as GNU as has them.
func parameter(s string) string {
	return nasmParam().ReplaceAllString(nasmLocal().ReplaceAllString(s, "..@\\@.$1"), "\\p$1\\()")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// call quotes the arguments of a macro's call, which only commas separate, behind their number.
func (n *nasm) call(s string) string {
	label, text := "", strings.TrimSpace(s)
	if l, rest, ok := strings.Cut(text, ":"); ok && strings.TrimSpace(l) == l && nasmName().FindString(l) == l {
		label, text = l+": ", strings.TrimSpace(rest)
	}
	name, args := word(text)
	if !slices.Contains(n.macros, strings.ToLower(name)) {
		return s
	}
	var list []string
	if strings.TrimSpace(args) != "" {
		list = strings.Split(args, ",")
	}
	out := strconv.Itoa(len(list))
	for _, a := range list {
		out += `, "` + strings.Trim(strings.TrimSpace(a), "{}") + `"`
	}
	return label + " " + name + " " + out
}

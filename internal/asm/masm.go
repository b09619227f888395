package asm

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/regex"
)

// This file rewrites what Microsoft's assembler has of its own in the words of GNU as, line by line: macros, repetitions, constants and sizes. What it does not
// know is refused by name.

var (
	// masmMade is a line that only Microsoft's assembler has, masmUsed one that is rewritten here.
	masmMade  = regex.Lazy(`(?mi)^[ \t]*(?:endm|[\w@$?]+[ \t]+(?:endp|proc|macro))\b`)
	masmUsed  = regex.Lazy(`(?mi)^[ \t]*(?:endm|endif|\.(?:while|repeat|if)[ \t].*|\w+[ \t]+(?:equ|textequ)[ \t].*)\b|\b(?:sizeof|lengthof|type)[ \t]+[a-z]\w*[ \t]*(?:[;\]\r\n]|$)`)
	masmSize  = regex.Lazy(`(?i)\b(sizeof|lengthof|size|length|type)[ \t]+([a-z_@$?][\w@$?]*)`)
	masmArray = regex.Lazy(`(?mi)^[ \t]*([a-z_@$?][\w@$?]*)[ \t]+(byte|sbyte|word|sword|dword|sdword|qword|sqword|real4|real8|xmmword|ymmword|zmmword|oword|db|dw|dd|dq)[ \t]+([^;\n]*)`)
	masmCount = regex.Lazy(`(?i)^(\w+)[ \t]+dup\b`)
	masmWord  = regex.Lazy(`&?[A-Za-z_@$?][\w@$?]*&?`)
	// masmBlock are statements that make code of their own.
	masmBlock = regex.Lazy(`(?i)^(?:\.(?:while|endw|repeat|until|untilcxz|if|else|elseif|endif|break|continue)|invoke|while|forc|irpc|goto)\b`)
)

// masmBytes are the sizes of the types.
var masmBytes = map[string]int{"byte": 1, "sbyte": 1, "db": 1, "word": 2, "sword": 2, "dw": 2, "dword": 4, "sdword": 4, "dd": 4, "real4": 4,
	"qword": 8, "sqword": 8, "dq": 8, "real8": 8, "xmmword": 16, "oword": 16, "ymmword": 32, "zmmword": 64}

// masmOperators are those of conditions.
var masmOperators = strings.NewReplacer(" EQ ", " == ", " NE ", " != ", " LT ", " < ", " GT ", " > ", " LE ", " <= ", " GE ", " >= ", " AND ", " && ", " OR ", " || ", " MOD ", " % ",
	" eq ", " == ", " ne ", " != ", " lt ", " < ", " gt ", " > ", " le ", " <= ", " ge ", " >= ", " and ", " && ", " or ", " || ", " mod ", " % ")

func hasAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// masm is the state of rewriting a text.
type masm struct {
	macros []string
	texts  map[string]string // NAME TEXTEQU <text>
	arrays map[string][2]int // name → elements, bytes of one
	open   []masmOpen        // macros and repetitions that are being defined
	spent  int               // bytes that texts have added
}

// masmOpen is a block up to ENDM: what ends it in GNU as, and its parameters and local labels.
type masmOpen struct {
	end           string
	params, local []string
}

// fromMASM rewrites a text.
func fromMASM(text string) string {
	m := masm{texts: map[string]string{}, arrays: map[string][2]int{}}
	for _, a := range masmArray().FindAllStringSubmatch(text, -1) {
		n := 1 + strings.Count(a[3], ",")
		if dup := masmCount().FindStringSubmatch(strings.TrimSpace(a[3])); dup != nil {
			n, _ = strconv.Atoi(dup[1])
		}
		m.arrays[strings.ToLower(a[1])] = [2]int{n, masmBytes[strings.ToLower(a[2])]}
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		code, comment, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ";")
		if comment != "" {
			comment = ";" + comment
		}
		lines[i] = m.line(code) + comment + line[len(strings.TrimRight(line, "\r\n")):]
	}
	return strings.Join(lines, "")
}

// line rewrites a line without its comment.
func (m *masm) line(s string) string {
	bare := strings.TrimSpace(s)
	first, rest := word(bare)
	second, args := word(rest)
	switch strings.ToLower(second) {
	case "macro":
		m.macros = append(m.macros, strings.ToLower(first))
		m.open = append(m.open, masmOpen{end: ".endm"})
		return ".macro " + first + " " + m.params(args)
	case "equ":
		if strings.HasPrefix(args, "<") {
			m.texts[strings.ToLower(first)] = angled(args)
			return ""
		}
		return ".set " + first + ", " + m.sizes(args)
	case "textequ":
		m.texts[strings.ToLower(first)] = angled(args)
		return ""
	}
	switch strings.ToLower(first) {
	case "rept", "repeat":
		m.open = append(m.open, masmOpen{end: ".endr"})
		return ".rept " + m.words(rest)
	case "for", "irp":
		name, list, _ := strings.Cut(rest, ",")
		m.open = append(m.open, masmOpen{end: ".endr"})
		return ".irp " + m.params(name) + "," + angled(strings.TrimSpace(list))
	case "while", "forc", "irpc":
		m.open = append(m.open, masmOpen{end: ""})
		return ".masm " + bare
	case "local":
		if n := len(m.open); n > 0 {
			for _, l := range strings.Split(rest, ",") {
				m.open[n-1].local = append(m.open[n-1].local, strings.ToLower(strings.TrimSpace(l)))
			}
			return ""
		}
	case "endm":
		if n := len(m.open); n > 0 {
			end := m.open[n-1].end
			m.open = m.open[:n-1]
			return end
		}
	case "exitm":
		return ".exitm"
	case "if", "elseif":
		return map[string]string{"if": ".if ", "elseif": ".elseif "}[strings.ToLower(first)] + masmOperators.Replace(m.words(m.sizes(rest)))
	case "ifdef", "ifndef", "ifb", "ifnb", "else", "endif":
		return "." + strings.ToLower(first) + " " + strings.Trim(m.words(rest), "<>")
	}
	if masmBlock().MatchString(bare) {
		return ".masm " + bare
	}
	s = m.words(m.sizes(s))
	first, rest = word(strings.TrimSpace(s))
	if rest == "" || !slices.Contains(m.macros, strings.ToLower(first)) {
		return s
	}
	list := angledList(rest)
	for i := range list {
		list[i] = `"` + angled(strings.TrimSpace(list[i])) + `"`
	}
	return " " + first + " " + strings.Join(list, ", ")
}

// params returns the parameters of the block that was opened last: "a, b=1, c:req".
func (m *masm) params(s string) string {
	var out []string
	open := &m.open[len(m.open)-1]
	for _, p := range strings.Split(s, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(p), ":")
		if name = strings.ToLower(strings.TrimSpace(name)); name == "" || len(open.params) >= maxNested {
			continue
		}
		open.params = append(open.params, name)
		if def, ok := strings.CutPrefix(kind, "="); ok {
			name += "=" + angled(strings.TrimSpace(def))
		} else if kind != "" {
			name += ":" + strings.ToLower(kind)
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// words puts texts in the place of their names, and names of parameters and local labels as GNU as writes them.
func (m *masm) words(s string) string {
	if len(m.texts) == 0 && len(m.open) == 0 {
		return s
	}
	return masmWord().ReplaceAllStringFunc(s, func(w string) string {
		name := strings.ToLower(strings.Trim(w, "&"))
		for _, o := range m.open[max(0, len(m.open)-maxNested):] {
			if slices.Contains(o.params, name) {
				return `\` + name + `\()`
			}
			if slices.Contains(o.local, name) {
				return `..@\@.` + name
			}
		}
		if t, ok := m.texts[name]; ok && len(t) <= maxConstant && m.spent <= maxConstants {
			m.spent += len(t)
			return t
		}
		return w
	})
}

// sizes computes the sizes of types and arrays. Other names stay, and the instruction is refused.
func (m *masm) sizes(s string) string {
	return replaceSubmatches(masmSize(), s, func(whole, what, name string) string {
		what, name = strings.ToLower(what), strings.ToLower(name)
		a, ok := m.arrays[name]
		if size := masmBytes[name]; !ok && size > 0 {
			a, ok = [2]int{1, size}, true
		}
		switch {
		case !ok:
			return whole
		case what == "type":
			return strconv.Itoa(a[1])
		case strings.HasPrefix(what, "length"):
			return strconv.Itoa(a[0])
		}
		return strconv.Itoa(a[0] * a[1])
	})
}

// replaceSubmatches replaces each match of a pattern with two groups.
func replaceSubmatches(re *regexp.Regexp, s string, with func(whole, a, b string) string) string {
	return re.ReplaceAllStringFunc(s, func(whole string) string {
		m := re.FindStringSubmatch(whole)
		return with(whole, m[1], m[2])
	})
}

// angled returns what stands between < and >.
func angled(s string) string {
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		return s[1 : len(s)-1]
	}
	return s
}

// angledList splits a list at commas outside of < and >.
func angledList(s string) (list []string) {
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			if depth <= 0 {
				list = append(list, s[start:i])
				start = i + 1
			}
		}
	}
	return append(list, s[start:])
}

package serve

import (
	"strings"

	"incore/internal/base/regex"
)

var (
	section    = regex.Lazy(`^\s*\.(section|text|data|bss|pushsection|popsection|previous)\b\s*"?([.\w$-]*)`)
	unread     = regex.Lazy(`^\s*\.(cfi_|ident|size|type|addrsig|note|file\s+"|file\s+0\b)`)
	localLabel = regex.Lazy(`^\s*(\.L\w+):`)
	localName  = regex.Lazy(`\.L\w+`)
)

// tidy removes unwinding and debug information, and the labels that only these use, from a compiler's assembly. It keeps the source lines (.loc).
func tidy(text string) string {
	var kept []string
	debug := false
	used := map[string]bool{}
	for l := range strings.Lines(text) {
		if m := section().FindStringSubmatch(l); m != nil {
			debug = strings.HasPrefix(m[2], ".debug") || strings.HasPrefix(m[2], ".note")
		}
		if debug || unread().MatchString(l) {
			continue
		}
		kept = append(kept, l)
		rest := l
		if m := localLabel().FindString(l); m != "" {
			rest = l[len(m):]
		}
		for _, name := range localName().FindAllString(rest, -1) {
			used[name] = true
		}
	}
	var b strings.Builder
	for _, l := range kept {
		if m := localLabel().FindStringSubmatch(l); m == nil || used[m[1]] {
			b.WriteString(l)
		}
	}
	return b.String()
}

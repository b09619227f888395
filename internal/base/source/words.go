package source

import "strings"

// Words splits a command as a POSIX shell does, without expansions.
func Words(s string) (out []string) {
	var b strings.Builder
	quote, open := byte(0), false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '\\':
			b.WriteByte(c)
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case c == '"' || c == '\'':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if open || b.Len() > 0 {
				out = append(out, b.String())
			}
			b.Reset()
			open = false
		default:
			b.WriteByte(c)
		}
	}
	if open || b.Len() > 0 {
		out = append(out, b.String())
	}
	return out
}

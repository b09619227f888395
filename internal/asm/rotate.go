package asm

import (
	"strings"
)

// rotate is NASM's %rotate in a macro, as fromAssembler writes it: its count follows.
const rotate = ".nasmrotate"

// turning is a macro's text in which %rotate moves the arguments.
type turning struct {
	r      *reader
	params []param
	out    strings.Builder
	full   bool
}

// rotated returns the body of a macro of NASM with its arguments put in where %rotate moves them, repetitions around a %rotate written out.
// params begins with the number of arguments.
func (r *reader) rotated(s stmt, body string, params []param) string {
	t := turning{r: r, params: append([]param(nil), params...)}
	t.lines(strings.SplitAfter(body, "\n"))
	if t.full {
		r.cut(s, "a macro with %rotate is expanded in part", "run 'nasm -e' and give its output, or the object file")
	}
	return t.out.String()
}

// lines appends some lines.
func (t *turning) lines(lines []string) {
	for i := 0; i < len(lines) && !t.full; i++ {
		name, args := word(strings.TrimSpace(lines[i]))
		switch name {
		case rotate:
			t.turn(args)
		case ".rept":
			end := i + closing(lines[i:])
			body := lines[i+1 : end]
			if !strings.Contains(strings.Join(body, ""), rotate) {
				t.write(strings.Join(lines[i:min(end+1, len(lines))], ""))
			} else if n, ok := evaluate(t.r.substitute(t.put(args)), t.r.lookup); ok && n >= 0 {
				for range n {
					if t.lines(body); t.full {
						break
					}
				}
			} else {
				t.full = true
			}
			i = end
		default:
			t.write(lines[i])
		}
	}
}

// closing returns the index of the line that ends the repetition which begins the lines; their number if none does.
func closing(lines []string) int {
	depth := 0
	for i, l := range lines {
		switch name, _ := word(strings.TrimSpace(l)); name {
		case ".rept":
			depth++
		case ".endr":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(lines)
}

// turn moves the arguments n places to the left, so that the first one is the last.
func (t *turning) turn(args string) {
	n, ok := evaluate(t.r.substitute(t.put(args)), t.r.lookup)
	count, known := evaluate(t.params[0].value, t.r.lookup)
	if !ok || !known || count < 1 || count >= int64(len(t.params)) {
		t.full = t.full || !ok || !known || count >= int64(len(t.params))
		return
	}
	by := int(((n % count) + count) % count)
	old := append([]param(nil), t.params[1:1+count]...)
	for i := range old {
		t.params[1+i].value = old[(i+by)%len(old)].value
	}
}

// put puts the arguments into a text.
func (t *turning) put(s string) string {
	for _, p := range t.params {
		s = strings.ReplaceAll(s, "\\"+p.name+"\\()", p.value)
	}
	return s
}

func (t *turning) write(s string) {
	s = t.put(s)
	if t.r.spent += len(s); t.out.Len()+len(s) > maxConstants || t.r.spent > maxExpanded {
		t.full = true
		return
	}
	t.out.WriteString(s)
}

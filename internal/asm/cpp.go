package asm

import (
	"slices"
	"strings"

	"incore/internal/source"
)

// cppDirectives are those of the C preprocessor that decide what the code is.
var cppDirectives = []string{"define", "elif", "else", "if", "ifdef", "ifndef", "include", "undef"}

// unprocessed warns of a text for the C preprocessor (.S files): a line that begins with '#' is a comment to an assembler, so that macros stay as they are and all
// branches of an #if are read. Behind '#' and a blank stand comments.
func (p *Program) unprocessed() {
	text, line := p.File.Text, 1
	for rest := text; rest != ""; line++ {
		l, more, _ := strings.Cut(rest, "\n")
		rest = more
		if len(l) < 2 || l[0] != '#' {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimRight(l[1:], "\r"), " ")
		word, _, _ = strings.Cut(word, "\t")
		if slices.Contains(cppDirectives, word) {
			p.Notes = append(p.Notes, source.Diagnostic{Pos: p.pos(int32(line), 1), Severity: source.Warning, Hint: "preprocess the file first (gcc -E, clang -E)",
				Msg: "'#" + word + "' is the C preprocessor's, whose lines are passed over here: macros stay as they are, and all branches of an #if are read"})
			return
		}
	}
}

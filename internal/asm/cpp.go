package asm

import (
	"slices"
	"strings"

	"incore/internal/base/source"
)

// cppDirectives are the directives of the C preprocessor that change the code.
var cppDirectives = []string{"define", "elif", "else", "if", "ifdef", "ifndef", "include", "undef"}

// cppDirective returns the directive of the C preprocessor in a line that begins with '#', "" if it has none. '#' and a blank start a comment.
func cppDirective(line string) string {
	word := line[1:]
	if i := strings.IndexAny(word, " \t\r"); i >= 0 {
		word = word[:i]
	}
	if !slices.Contains(cppDirectives, word) {
		return ""
	}
	return word
}

// unprocessed warns of a text that needs the C preprocessor (.S files): for an assembler a line that begins with '#' is a comment, so macros are not expanded and all
// branches of an #if are read.
func (r *reader) unprocessed(s stmt) {
	if p := r.p; !r.cpp {
		r.cpp = true
		p.Notes = append(p.Notes, source.Diagnostic{Pos: p.pos(s.line, 1), Severity: source.Warning, Hint: "preprocess the file first (gcc -E, clang -E)",
			Msg: "'" + p.at(s.off, s.end) + "' is the C preprocessor's, whose lines are passed over here: macros stay as they are, and all branches of an #if are read"})
	}
}

package dyndeps

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTextFits checks that the text has at most 120 columns whatever the places are called, and that short rows keep their lines.
func TestTextFits(t *testing.T) {
	long := Place{Object: "ld-linux-x86-64.so.2", Symbol: strings.Repeat("_dl_map_object", 8), Offset: 0x861, File: "/x/get-dynamic-info.h", Line: 68}
	short := Place{Symbol: "f", Offset: 4, File: "f.c", Line: 3}
	for _, c := range []struct {
		from, want string
		p          Place
	}{{"long", "…", long}, {"short", "f+0x4 (f.c:3)", short}} {
		r := Report{Program: "p", Dependences: []Dependence{{From: c.p, To: short, Count: 7}}}
		var b strings.Builder
		if err := r.Text(&b, 0); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: no %s in\n%s", c.from, c.want, b.String())
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > maxWidth {
				t.Errorf("%s: %d columns: %s", c.from, n, line)
			}
		}
	}
}

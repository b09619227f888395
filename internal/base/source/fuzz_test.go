package source

import (
	"slices"
	"testing"
)

// FuzzParseRanges reads lists of lines: what is read is ascending, and is read the same when it is written.
func FuzzParseRanges(f *testing.F) {
	for _, s := range []string{"1", "1,2,8-18,20:24", "3-1", "1-9223372036854775807,2", " 1 - 2 ", ",", "9223372036854775807"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRanges(s)
		if err != nil {
			return
		}
		for i := range r {
			if r[i].First < 1 || r[i].Last < r[i].First || i > 0 && r[i].First <= r[i-1].Last+1 {
				t.Fatalf("%q: %v", s, r)
			}
		}
		again, err := ParseRanges(r.String())
		if err != nil || !slices.Equal(again, r) {
			t.Fatalf("%q: %v, written %q, read %v, %v", s, r, r, again, err)
		}
	})
}

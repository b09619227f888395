package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestListing: lines come from the files named and nothing else, cleaned and bounded.
func TestListing(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.c": "one\n\t two\t+\x1b[31mred  \n" + strings.Repeat("é", 500) + "\n", "binary": "a\x00b\n", "large": strings.Repeat("x\n", maxListed/2+1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := Listing{Read: ReadFrom(filepath.Join(dir, "none"), dir)}
	for _, c := range []struct {
		path string
		n    int
		want string
	}{{"a.c", 1, "one"}, {"a.c", 2, "two + [31mred"}, {filepath.Join(dir, "a.c"), 1, "one"}, {"a.c", 0, ""}, {"a.c", 9, ""}, {"binary", 1, ""}, {"large", 1, ""}, {"nosuch", 1, ""}, {".", 1, ""}, {"", 1, ""}} {
		if got := l.Line(c.path, c.n); got != c.want {
			t.Errorf("%s:%d is %q, want %q", c.path, c.n, got, c.want)
		}
	}
	if got := []rune(l.Line("a.c", 3)); len(got) != maxLine || got[maxLine-1] != '…' {
		t.Errorf("a long line has %d characters", len(got))
	}
	if now := time.Now(); !l.Newer("a.c", now.Add(-time.Hour)) || l.Newer("a.c", now.Add(time.Hour)) || l.Newer("nosuch", now.Add(-time.Hour)) || l.Newer("a.c", time.Time{}) {
		t.Error("which files are newer")
	}
	var none *Listing
	if none.Line("a.c", 1) != "" || (&Listing{}).Line("a.c", 1) != "" {
		t.Error("a listing of nothing has lines")
	}
	given := Listing{Read: Given(map[string]string{"<stdin>": "x = 1;"})}
	if given.Line("/tmp/<stdin>", 1) != "x = 1;" || given.Line("/etc/passwd", 1) != "" {
		t.Error("texts that were given")
	}
}

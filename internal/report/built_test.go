package report

import (
	"strings"
	"testing"
)

// TestVersionText: the line on the commit has what is known of it.
func TestVersionText(t *testing.T) {
	for _, c := range []struct {
		of   Built
		want string // the second line; "": none
	}{
		{Built{Version: "1", Commit: "abc", Date: "2026-01-02T03:04:05Z"}, "commit    abc of 2026-01-02T03:04:05Z"},
		{Built{Version: "1", Commit: "abc"}, "commit    abc"},
		{Built{Version: "1"}, ""},
	} {
		var b strings.Builder
		if err := c.of.Text(&b, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(b.String(), "\n"); c.want != "" && lines[1] != c.want || c.want == "" && strings.Contains(b.String(), "commit") {
			t.Errorf("%+v: %q, want %q", c.of, b.String(), c.want)
		}
	}
}

package source

import (
	"errors"
	"fmt"
	"testing"
)

// TestNames: an error names those settings that its readers have, however deep it lies.
func TestNames(t *testing.T) {
	cause := errors.New("cause")
	err := fmt.Errorf("file: %w", About(cause, "isa", "arch"))
	for _, c := range []struct {
		names Names
		want  string
	}{
		{nil, "file: cause"},
		{func(string) string { return "" }, "file: cause"},
		{func(s string) string { return "--" + s }, "file: cause (--isa, --arch)"},
		{func(s string) string { return map[string]string{"arch": "field"}[s] }, "file: cause (field)"},
	} {
		if got := c.names.Text(err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if !errors.Is(err, cause) || err.Error() != "file: cause" {
		t.Error(err)
	}
}

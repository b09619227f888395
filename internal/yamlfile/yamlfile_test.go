package yamlfile

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	type file struct {
		Name   string   `yaml:"name"`
		Levels []string `yaml:"levels"`
	}
	for _, c := range []struct {
		text   string
		strict bool
		want   string // of the error
	}{
		{"name: a\nlevels: [b, c]\n", true, ""},
		{"name: a\nother: 1\n", false, ""},
		{"name: a\nother: 1\n", true, "other"},
		{"name: a\nlevels:\n  - b\n c\n", false, "f.yaml: [4:2]"},
		{"00000000008: 0\n0008: 0\nlevels:\n  ! 0000000000000", false, "f.yaml: the YAML parser cannot cope"}, // it panics
	} {
		var f file
		err := Read("f.yaml", []byte(c.text), &f, c.strict)
		switch {
		case c.want == "" && (err != nil || f.Name != "a"):
			t.Errorf("%q: %v, %v", c.text, f, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

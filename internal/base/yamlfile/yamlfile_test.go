package yamlfile

import (
	"fmt"
	"strings"
	"testing"
)

// bomb is a text whose last line stands for 10^n values.
func bomb(n int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [1, 1]\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	type file struct {
		Name   string   `yaml:"name"`
		Levels []string `yaml:"levels"`
		Clock  float64  `yaml:"clock"`
		Ways   int      `yaml:"ways"`
		On     bool     `yaml:"on"`
		Sizes  []int    `yaml:"sizes"`
		Caches []struct {
			Ways *uint8 `yaml:"ways"`
		} `yaml:"caches"`
		Bits map[string]int64 `yaml:"bits"`
	}
	for _, c := range []struct {
		text   string
		strict bool
		want   string // of the error
	}{
		{"name: a\nlevels: [b, c]\n", true, ""},
		{"name: a\nother: 1\n", false, ""},
		{"name: a\nother: 1\n", true, "other"},
		{"name: a\nlevels:\n  - b\n c\n", false, "f.yaml:4: "},
		{"00000000008: 0\n0008: 0\nlevels:\n  ! 0000000000000", false, "f.yaml: the YAML parser cannot cope"}, // it panics
		{"\xef\xbb\xbfname: a\n", true, ""},                                                                   // a byte order mark
		{"# of a machine\n---\nname: a\n", true, ""},
		{"name: a\n---\nname: b\n", false, "f.yaml:2: a second document"},
		{"name: a\nclock: fast\n", false, "f.yaml:2: \"fast\" stands where a number is needed"},
		{"name: a\nclock: [1]\n", false, "f.yaml:2: a list stands where a number is needed"},
		{"name: a\nways: 99999999999999999999\n", false, "f.yaml:2: 99999999999999999999 is too large"},
		{"name: a\nways: 8.5\n", false, "f.yaml:2: \"8.5\" stands where a whole number is needed"},
		{"clock: 8.5\nname: a\nways: 8.5\n", false, "f.yaml:3: \"8.5\" stands where a whole number"},
		{"name: a\nways: \"8.5\"\n", false, "f.yaml:2: \"8.5\" stands where a whole number"},
		{"name: a\nways: 8.0\n", false, ""},
		{"name: a\nways: 1e3\n", false, ""},
		{"name: a\nways: 1e-3\n", false, "f.yaml:2: \"1e-3\" stands where a whole number"},
		{"name: a\nclock: 1.5\n", false, ""},
		{"sizes: [128, 256.25]\n", false, "f.yaml:1: \"256.25\" stands where a whole number"},
		{"sizes:\n  - 1\n  - 0.5\n", false, "f.yaml:3: \"0.5\" stands where a whole number"},
		{"caches:\n  - ways: 8\n  - ways: 8.25\n", false, "f.yaml:3: \"8.25\" stands where a whole number"},
		{"bits:\n  a: &x 1.5\n  b: 2\n", false, "f.yaml:2: \"1.5\" stands where a whole number"},
		{"on: 7\nname: a\n", false, "f.yaml:1: \"7\" stands where true or false is needed"},
		{"name: {b: 1}\n", false, "f.yaml:1: a mapping stands where a text is needed"},
		{"name: a\nname: b\n", false, "f.yaml:2: "},
		{"name: a\nlevels:\n\t- b\n", false, `f.yaml:3: found character '\t'`},
		{"a: &x b\nname: a\nlevels: [*x, *x]\n", false, ""},
		{bomb(12) + "name: a\n", false, "f.yaml:13: with its aliases the file has more than 2000000 values"},
		{bomb(5) + "name: a\n", false, ""},
		{"- 1\n", false, "f.yaml:1: "},
		{"name: a\nx: " + strings.Repeat("[", 150) + strings.Repeat("]", 150), false, ""},
		{"name: a\nx: " + strings.Repeat("[", 1000000), false, "f.yaml:2: lists and mappings nest"},
		{"name: a\nx: " + strings.Repeat("{y: ", 100000), false, "f.yaml:2: lists and mappings nest"},
		{"name: a\nx:\n " + strings.Repeat("- ", 100000) + "y", false, "f.yaml:3: lists and mappings nest"},
		{"name: a\nx: [ " + strings.Repeat("y", 100000), false, "f.yaml:2: "},
		{"name: a\n" + strings.Repeat("y", 100000) + ": 1\n", true, "f.yaml:2: "},
	} {
		var f file
		err := Read("f.yaml", []byte(c.text), &f, c.strict)
		switch {
		case c.want == "" && (err != nil || f.Name != "a"):
			t.Errorf("%q: %v, %v", c.text, f, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%.100q: %v, want %q", c.text, err, c.want)
		}
		if err != nil && (len(err.Error()) > 500 || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%.100q: the error has %d bytes, or several lines", c.text, len(err.Error()))
		}
	}
}

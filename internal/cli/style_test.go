package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestOneStyle calls every command wrongly, with a file that is not there and with a text that is none: every line of standard error begins with "incore: ".
func TestOneStyle(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.s")
	if err := os.WriteFile(bad, []byte("\tfrobnicate %rax\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		for _, more := range [][]string{{"--no-such-option"}, {"no-such-file"}, {bad, bad}, {"--arch", "no-such-core", bad}} {
			if long := len(path) > 0 && slices.Contains([]string{"serve", "bench", "completion"}, path[0]); long && more[0] != "--no-such-option" {
				continue // would begin its work
			}
			args := append(slices.Concat([]string{"incore"}, path), more...)
			var stdout, stderr bytes.Buffer
			if Main(args, strings.NewReader(""), &stdout, &stderr) == exitOK {
				continue
			}
			for l := range strings.Lines(stderr.String()) {
				if !strings.HasPrefix(l, "incore: ") || strings.Contains(l, "error:") {
					t.Errorf("%v: %q", args, l)
				}
			}
		}
		for _, s := range c.Commands() {
			walk(s, append(slices.Clone(path), s.Name()))
		}
	}
	walk(newRoot(&env{stdout: io.Discard, stderr: io.Discard}), nil)
}

// TestFlagGroups: each option of analyze stands in the help once, under one of the groups and not under "Flags:".
func TestFlagGroups(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"incore", "analyze", "--help"}, nil, &stdout, &stderr); code != exitOK {
		t.Fatal(code, stderr.String())
	}
	text := stdout.String()
	for _, g := range flagGroups {
		if strings.Count(text, "\n"+g.title+"\n") != 1 {
			t.Errorf("group %q stands %d times", g.title, strings.Count(text, "\n"+g.title+"\n"))
		}
	}
	if strings.Contains(text, "\nFlags:\n") {
		t.Error("an option of analyze has no group")
	}
	newAnalyze(&env{}).Flags().VisitAll(func(f *pflag.Flag) {
		if n := len(regexp.MustCompile(`(?m)^ +(-\w, )?--`+f.Name+`[ \[]`).FindAllString(text, -1)); n != 1 {
			t.Errorf("--%s stands %d times in the help", f.Name, n)
		}
	})
}

// TestNoTemplates: no command sets a template of the flag library: they are executed by reflection, for which the
// linker keeps all methods, 2.7 MB of code.
func TestNoTemplates(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	template := regexp.MustCompile(`\.Set\w+Template\(`)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if found := template.Find(text); found != nil {
			t.Errorf("%s calls %s…", name, found)
		}
	}
}

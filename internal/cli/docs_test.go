package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocExamples runs the calls of incore that the documentation shows with their output ("$ incore …"): each line shown is a line of the output, in the
// same order. Lines may be left out.
func TestDocExamples(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("COLUMNS", "120")
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range append(files, "README.md", "examples/README.md") {
		if filepath.Base(file) == filepath.Base(tutorial) {
			continue // TestTutorial runs it, step by step
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			call, ok := strings.CutPrefix(strings.TrimSpace(line), "$ incore ")
			if !ok || strings.Contains(call, "|") {
				continue
			}
			count++
			var out, errs bytes.Buffer
			if code := Main(append([]string{"incore"}, words(call)...), strings.NewReader(""), &out, &errs); code != 0 {
				t.Errorf("%s:%d: incore %s: %s", file, i+1, call, errs.String())
				continue
			}
			left := strings.Split(out.String(), "\n")
			for n := i + 1; n < len(lines) && lines[n] != "```" && lines[n] != ""; n++ {
				if left, ok = behind(left, lines[n]); !ok {
					t.Errorf("%s:%d: 'incore %s' does not say this: %s", file, n+1, call, lines[n])
					break
				}
			}
		}
	}
	if count < 5 {
		t.Errorf("only %d calls found", count)
	}
}

// words splits a command line; quotes are single ones.
func words(line string) (out []string) {
	for _, w := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		out = append(out, strings.Trim(w, "'"))
	}
	return out
}

// behind returns the lines behind the first that is want, but for the white space around it; "…" is any.
func behind(lines []string, want string) ([]string, bool) {
	if want = strings.TrimSpace(want); want == "…" {
		return lines, true
	}
	for i, l := range lines {
		if strings.TrimSpace(l) == want {
			return lines[i+1:], true
		}
	}
	return nil, false
}

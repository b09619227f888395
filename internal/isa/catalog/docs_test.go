package catalog

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	linkRE    = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	headingRE = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	pathRE    = regexp.MustCompile("`((?:cmd|internal|tools|docs|examples)/[\\w./-]*\\w)`")
	noAnchor  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// TestDocLinks checks that what the pages refer to exists: files that they link to, headings in these, and paths of this tree.
func TestDocLinks(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "internal/*.md", "internal/*/*.md", "internal/*/*/*.md", "examples/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	if len(pages) < 15 {
		t.Fatalf("only %d pages found", len(pages))
	}
	for _, page := range pages {
		text := read(t, page)
		for _, m := range linkRE.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", page, m[1])
			} else if m[2] != "" && !anchors(read(t, to))[m[2]] {
				t.Errorf("%s: %s has no heading %s", page, to, m[2])
			}
		}
		for _, m := range pathRE.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil && !strings.Contains(m[1], "NAME") {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// anchors are those of a page's headings, as GitHub makes them: lower case, hyphens for blanks, no punctuation.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range headingRE.FindAllStringSubmatch(text, -1) {
		out["#"+strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return out
}

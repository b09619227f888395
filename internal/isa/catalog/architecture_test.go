package catalog

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quoted is what a text has in backticks.
var quoted = regexp.MustCompile("`([^`]+)`")

// TestArchitectureFinds holds the answers of docs/architecture.md to "where do I find…" to the tree: each path that it names exists, and each name stands in a file of those.
func TestArchitectureFinds(t *testing.T) {
	page, err := os.ReadFile("../../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "## Where to find it")
	table, _, ended := strings.Cut(table, "| to add")
	if !found || !ended {
		t.Fatal("there is no such table")
	}
	rows := 0
	for _, row := range strings.Split(table, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 4 || strings.HasPrefix(cells[1], "---") || cells[1] == " question " {
			continue
		}
		rows++
		text := ""
		var names []string
		for _, q := range quoted.FindAllStringSubmatch(cells[2], -1) {
			if path := existing(q[1]); path != "" {
				text += source(t, path)
			} else if strings.Contains(q[1], "/") || strings.HasSuffix(q[1], ".go") {
				t.Errorf("%s: %s does not exist", strings.TrimSpace(cells[1]), q[1])
			} else {
				names = append(names, q[1])
			}
		}
		for _, n := range names {
			n = n[strings.LastIndex(n, ".")+1:] // machine.Core
			if !regexp.MustCompile(`\b`+regexp.QuoteMeta(n)+`\b`).MatchString(text) && n != "grep" && n != "sim" {
				t.Errorf("%s: %s is in none of the row's files", strings.TrimSpace(cells[1]), n)
			}
		}
	}
	if rows < 8 {
		t.Errorf("%d rows", rows)
	}
}

// existing is the path in the repository of a file or folder that a page names, "" if there is none. Files without a folder are those of the pages' packages.
func existing(name string) string {
	for _, folder := range []string{"", "internal/analysis/sim", "internal/analyze"} {
		path := filepath.Join("../../..", folder, name)
		if _, err := os.Stat(path); err == nil && (folder == "" || strings.HasSuffix(name, ".go")) {
			return path
		}
	}
	return ""
}

// source is the text of a file, or of the files of a folder.
func source(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		b.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestArchitectureLists: every package stands in internal/README.md.
func TestArchitectureLists(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for _, q := range quoted.FindAllStringSubmatch(line, -1) {
			before, after, _ := strings.Cut(q[1], "{") // `internal/isa/{x86,aarch64,riscv}`
			for _, n := range strings.Split(strings.TrimSuffix(after, "}"), ",") {
				named[before+n] = true
			}
		}
	}
	err = filepath.WalkDir("../../../internal", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || d.Name() == "testdata" {
			return err
		}
		files, err := filepath.Glob(filepath.Join(p, "*.go"))
		if pkg := strings.TrimPrefix(filepath.ToSlash(p), "../../../"); len(files) > 0 && !named[pkg] {
			t.Errorf("%s is not there", pkg)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

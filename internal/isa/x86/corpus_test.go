package x86

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	asmComment = regexp.MustCompile(`/\*.*?\*/|//.*|#.*`)
	asmLabel   = regexp.MustCompile(`^[\w.$]+:\s*`)
)

// statementsOf reads the distinct instruction statements of assembly files.
func statementsOf(t testing.TB, files []string) (att, intel []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		isIntel := strings.Contains(text, ".intel_syntax") || strings.Contains(text, "x86-asm-syntax=intel")
		if strings.Contains(text, ".macro") || strings.Contains(text, ".code16") || strings.Contains(text, ".code32") {
			continue
		}
		for _, l := range strings.Split(text, "\n") {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "//") || strings.HasPrefix(l, ".") || strings.Contains(l, ".ascii") || strings.Contains(l, ".string") {
				continue
			}
			for _, l := range strings.Split(asmComment.ReplaceAllString(l, ""), ";") {
				l = strings.TrimSpace(asmLabel.ReplaceAllString(strings.TrimSpace(l), ""))
				key := l
				if isIntel {
					key = "i" + l
				}
				if l == "" || strings.ContainsRune(".@!%=\"", rune(l[0])) || strings.Contains(l, "=") && !strings.Contains(l, "dfv=") || seen[key] {
					continue
				}
				seen[key] = true
				if isIntel {
					intel = append(intel, l)
				} else {
					att = append(att, l)
				}
			}
		}
	}
	return att, intel
}

// What TestCorpus demands: the shares of statements that resolve, and that have llvm-mc's forms and operands.
const (
	minResolved = 0.9995
	minSame     = 0.999
)

// TestCorpus compares with llvm-mc over the assembly files below the folders in
// INCORE_X86_CORPUS (list separated as PATH is), such as tools/corpus's.
func TestCorpus(t *testing.T) {
	dirs := os.Getenv("INCORE_X86_CORPUS")
	if dirs == "" {
		t.Skip("INCORE_X86_CORPUS is not set")
	}
	for _, dir := range filepath.SplitList(dirs) {
		var files []string
		err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".s") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		att, intel := statementsOf(t, files)
		for _, c := range []struct {
			syntax string
			stmts  []string
		}{{"att", att}, {"intel", intel}} {
			a := compare(t, c.stmts, c.syntax)
			t.Logf("%s %s: %v", dir, c.syntax, a)
			if n := float64(a.valid); float64(a.resolved) < minResolved*n || float64(a.sameOps) < minSame*n {
				t.Errorf("%s %s: %v; the first difference: %s", dir, c.syntax, a, a.diffs[0])
			}
			if out := os.Getenv("INCORE_X86_DIFFS"); out != "" {
				a.diffs = append(a.diffs, a.ours...)
				if err := os.WriteFile(out+"."+c.syntax, []byte(strings.Join(a.diffs, "\n")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

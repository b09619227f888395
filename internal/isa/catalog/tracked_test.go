package catalog

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTracked: the repository holds sources, tables and examples, no program that a build left behind and nothing so large that every clone feels it.
func TestTracked(t *testing.T) {
	const largest = 4 << 20 // bytes; the tables of x86 have less than half of it
	root := filepath.Join("..", "..", "..")
	_, _ = os.ReadFile(filepath.Join(root, ".git", "index")) // so that go test runs this anew when the list has changed
	list, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("no checkout of git here: ", err)
	}
	names := strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 })
	if len(names) < 1000 {
		t.Fatalf("only %d files", len(names))
	}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // removed, and not yet committed
		}
		if len(b) > largest {
			t.Errorf("%s has %d MB", name, len(b)>>20)
		}
		for _, magic := range []string{"\x7fELF", "MZ\x90", "\xcf\xfa\xed\xfe"} {
			if bytes.HasPrefix(b, []byte(magic)) && !strings.Contains(name, "testdata/") {
				t.Errorf("%s is a program or library", name)
			}
		}
	}
}

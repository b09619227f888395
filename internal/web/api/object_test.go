package api

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/report"
)

// TestListedFor: a list of loops for one machine of several says so.
func TestListedFor(t *testing.T) {
	dir := t.TempDir()
	s, o := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(s, []byte(".globl f\nf:\n1: imul %rax, %rax\n dec %ecx\n jne 1b\n ret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("as", "--64", "-o", o, s).CombinedOutput(); err != nil {
		t.Skipf("no assembler for x86-64: %v: %s", err, out)
	}
	data, err := os.ReadFile(o)
	if err != nil {
		t.Fatal(err)
	}
	for arch, want := range map[string]bool{"": false, "zen4": false, "zen4,skx": true, "skx zen4 spr": true} {
		v, err := new(Options).Answer(context.Background(), "object", url.Values{"arch": {arch}}, data)
		if err != nil {
			t.Fatal(err)
		}
		told := false
		for _, d := range v.(*report.Loops).Diagnostics {
			told = told || strings.Contains(d.Message, "listed for "+v.(*report.Loops).Arch)
		}
		if told != want {
			t.Errorf("%q: told %v", arch, told)
		}
	}
}

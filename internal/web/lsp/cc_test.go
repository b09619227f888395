package lsp

import (
	"os/exec"
	"runtime"
	"testing"
)

// compile runs gcc for x86-64, or skips the test.
func compile(t *testing.T, dir string, args ...string) {
	t.Helper()
	cc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no gcc for x86-64")
	}
	cmd := exec.Command(cc, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("gcc %v: %v\n%s", args, err, out)
	}
}

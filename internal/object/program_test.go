package object

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLookProgram: the error names what stands where a program was expected.
func TestLookProgram(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"runs": 0o700, "text": 0o600} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	t.Chdir(dir)
	if path, err := LookProgram("./runs"); err != nil || filepath.Base(path) != "runs" {
		t.Errorf("%q, %v", path, err)
	}
	for name, want := range map[string]string{
		"runs": "one here: ./runs", "./text": "chmod +x", "none": "no such file", "./none": "no such file", "runs/x": "not a directory", dir: "is a directory",
	} {
		if _, err := LookProgram(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", name, err, want)
		}
	}
}

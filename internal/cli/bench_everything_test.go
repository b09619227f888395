package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStages: a stage is done once its line is whole, also where an earlier line was cut short by an interruption.
func TestStages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "here.results")
	for _, text := range []string{"", "row\n", "# stage core is do"} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if done, err := stageDone(file, "core"); done || err != nil {
			t.Errorf("%q: done %t, %v", text, done, err)
		}
		if err := endStage(file, "core"); err != nil {
			t.Fatal(err)
		}
		if done, err := stageDone(file, "core"); !done || err != nil {
			t.Errorf("%q, ended: done %t, %v", text, done, err)
		}
	}
}

// TestEverythingIntoDirectory: a directory is refused before anything is measured.
func TestEverythingIntoDirectory(t *testing.T) {
	dir := t.TempDir()
	f := everythingFlags{output: dir}
	if err := f.run(new(env)); err == nil || !strings.Contains(err.Error(), "a directory") {
		t.Errorf("a directory as output: %v", err)
	}
}

package cli

import (
	"bytes"
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

// TestBadResults: a row of results that is none is named by its file and line.
func TestBadResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "here.results")
	if err := os.WriteFile(file, []byte("name: measured\nisa: x86-64\nbase: zen5\nsource: measured\nNO ROW\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"incore", "model", "build", file}, strings.NewReader(""), &out, &errs); code != 1 || !strings.HasPrefix(errs.String(), "incore: "+file+":5: not a row") {
		t.Errorf("status %d: %s", code, errs.String())
	}
}

// TestEverythingOverBadResults: results that make no model are refused before more is measured.
func TestEverythingOverBadResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "here.results")
	if err := os.WriteFile(file, []byte("name: measured\nisa: x86-64\nbase: zen5\nsource: measured\nNO ROW\n# stage core is done\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := Main([]string{"incore", "bench", "everything", "-o", strings.TrimSuffix(file, "results") + "model"}, strings.NewReader(""), &out, &errs)
	if code != 1 || !strings.Contains(errs.String(), "here.results:5: not a row") || strings.Contains(errs.String(), "memory (") {
		t.Errorf("status %d: %s", code, errs.String())
	}
}

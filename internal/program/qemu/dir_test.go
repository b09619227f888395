package qemu

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"incore/internal/base/filelock"
)

// TestDir: directories of runs that were killed are removed by the next, those of runs that go on and those that are no run's stay.
func TestDir(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	running, remove, err := Dir("run-")
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	old := time.Now().Add(-time.Hour)
	made := func(name string, lock bool, age time.Time) string {
		dir := filepath.Join(os.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if lock {
			if err := os.WriteFile(filepath.Join(dir, lockName), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(dir, age, age); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	killed, new, other := made("run-killed", true, old), made("run-new", true, time.Now()), made("run-other", false, old)
	if err := os.Chtimes(running, old, old); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(os.TempDir(), "lockable"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	knows, _ := filelock.Try(f)
	second, removeSecond, err := Dir("run-")
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{running: true, second: true, killed: !knows, new: true, other: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(dir), err == nil, want)
		}
	}
	removeSecond()
	if _, err := os.Stat(second); err == nil {
		t.Error("its own directory is left")
	}
}

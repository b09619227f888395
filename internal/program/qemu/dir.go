package qemu

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"incore/internal/base/filelock"
)

// lockName is the file in a run's directory that the run's process keeps locked.
const lockName = "lock"

// young is the age below which a directory without a lock may still be in preparation.
const young = time.Minute

// Dir makes a directory for a run, whose name begins with prefix; remove removes it. First, Dir removes the directories of earlier
// runs that were killed: their lock is free.
func Dir(prefix string) (dir string, remove func(), err error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, d := range left {
		removeLeft(d)
	}
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		return "", nil, fmt.Errorf("making a directory for the run: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		if _, err = filelock.Try(f); errors.Is(err, errors.ErrUnsupported) {
			err = nil // what a killed run leaves stays
		}
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", nil, fmt.Errorf("making a directory for the run: %w", err)
	}
	return dir, func() {
		os.RemoveAll(dir)
		f.Close()
	}, nil
}

// removeLeft removes a directory that Dir made if its process has ended.
func removeLeft(dir string) {
	if i, err := os.Lstat(dir); err != nil || !i.IsDir() || time.Since(i.ModTime()) < young {
		return
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
	if err != nil {
		return // another user's, or not of Dir
	}
	defer f.Close()
	if free, err := filelock.Try(f); free && err == nil {
		os.RemoveAll(dir)
	}
}

//go:build unix && !solaris && !aix

package cli

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps a file from being written by two runs at a time, which would write over each other; it is free again when the file is closed, or the process ends. It reports false if
// another run has it. Where a file system has no locks, nothing is locked.
func lock(f *os.File) bool {
	return !errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

//go:build unix && !solaris && !aix

package cli

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file, so that no second run writes it at the same time. The lock ends when the file is closed or the process ends. lock returns false if
// another run holds the lock. It does nothing on a file system without locks.
func lock(f *os.File) bool {
	return !errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

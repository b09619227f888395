//go:build unix && !solaris && !aix

package suite

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps a second process from writing a file; where a file system has no locks, nothing is locked.
func lock(f *os.File) error {
	if errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return nil
}

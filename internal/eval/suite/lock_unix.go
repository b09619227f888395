//go:build unix && !solaris && !aix

package suite

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file, so that no second process writes it. It does nothing on a file system without locks.
func lock(f *os.File) error {
	if errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return nil
}

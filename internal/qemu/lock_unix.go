//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package qemu

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes a lock that ends with the process, if no other has it. Programs that are started do not inherit it.
func tryLock(f *os.File) (free bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

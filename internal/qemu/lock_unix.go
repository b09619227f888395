//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package qemu

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes a lock if no other process holds it; the kernel releases it when the process ends. Started programs
// do not inherit it.
func tryLock(f *os.File) (free bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

//go:build unix

package profile

import "syscall"

// makeFIFO makes a named pipe, through which the plugin in QEMU's process reports accesses.
func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }

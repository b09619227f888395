//go:build unix

package qemu

import "syscall"

// makeFIFO makes a named pipe, through which a plugin in the emulator's process reports events.
func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o600) }

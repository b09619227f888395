//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreFileLimit has a write beyond the limit of a file's size (ulimit -f) fail with an error, which is reported as any other,
// where the signal would end the program.
func ignoreFileLimit() { signal.Ignore(syscall.SIGXFSZ) }

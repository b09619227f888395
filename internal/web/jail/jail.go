// Package jail runs a compiler on untrusted source: without network, with read-only access to the system's programs, libraries and headers, with one
// temporary folder, and with limits on memory, time and disk. It works on Linux only and needs user namespaces.
package jail

import (
	"errors"
	"time"
)

// ErrUnavailable is the error of a system that cannot contain programs.
var ErrUnavailable = errors.New("programs cannot be contained here")

// Limits of one run.
const (
	Time     = 10 * time.Second
	memory   = 1 << 30  // bytes of address space of each process
	fileSize = 16 << 20 // bytes of a file that is written
	files    = 64
	tasks    = 64
	output   = 4 << 20 // bytes of standard output that are read
	messages = 64 << 10
)

// Result is the result of a contained program.
type Result struct {
	Output   []byte
	Messages string // of standard error
	Failed   string // reason of an unsuccessful end, "" if it succeeded
}

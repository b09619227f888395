// Package jail runs a compiler on a source that nobody vouches for: without network, in a file system that holds the system's programs, libraries and headers
// read-only and one temporary folder, with little memory, time and disk. Linux only; it needs user namespaces.
package jail

import (
	"errors"
	"time"
)

// ErrUnavailable is that programs cannot be contained here.
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

// Result is what a contained program left.
type Result struct {
	Output   []byte
	Messages string // of standard error
	Failed   string // how it ended where it did not end well, "" if it did
}

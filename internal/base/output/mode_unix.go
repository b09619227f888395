//go:build unix

package output

import (
	"io/fs"
	"sync"

	"golang.org/x/sys/unix"
)

// newFileMode is the mode that a new file gets: what the process's mask leaves of 0666. The mask can only be read by setting it.
var newFileMode = sync.OnceValue(func() fs.FileMode {
	mask := unix.Umask(0o077)
	unix.Umask(mask)
	return fs.FileMode(0o666 &^ mask)
})

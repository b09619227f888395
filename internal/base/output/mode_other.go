//go:build !unix

package output

import "io/fs"

// newFileMode is the mode that a new file gets.
func newFileMode() fs.FileMode { return 0o666 }

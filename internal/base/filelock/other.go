//go:build !unix || solaris || aix

package filelock

import (
	"errors"
	"os"
)

// Try returns errors.ErrUnsupported.
func Try(*os.File) (free bool, err error) { return false, errors.ErrUnsupported }

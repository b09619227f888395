//go:build !linux || !amd64

package probe

import (
	"context"
	"errors"

	"incore/internal/object"
)

// Run times the region on x86-64 Linux alone.
func Run(context.Context, *object.File, Options) (*Result, error) {
	return nil, errors.New("programs are timed on x86-64 Linux only")
}

//go:build !linux

package jail

import (
	"context"
	"fmt"
	"runtime"
)

// Enter does nothing: programs are contained on Linux only.
func Enter() {}

// Run refuses.
func Run(context.Context, []byte, string, ...string) (*Result, error) {
	return nil, fmt.Errorf("%w: only on Linux, not on %s", ErrUnavailable, runtime.GOOS)
}

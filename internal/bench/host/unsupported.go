//go:build !(linux && amd64)

package host

import (
	"context"
	"runtime"
)

func execute(context.Context, *Code, Options, int) ([]window, []uint64, error) {
	return nil, nil, reason("unsupported", "measuring needs linux/amd64; this is %s/%s", runtime.GOOS, runtime.GOARCH)
}

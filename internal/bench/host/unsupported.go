//go:build !(linux && (amd64 || arm64 || riscv64))

package host

import (
	"context"
	"runtime"
)

func execute(context.Context, *Code, Options, int) ([]window, []uint64, [32]uint64, error) {
	return nil, nil, [32]uint64{}, reason("unsupported", "measuring needs Linux on amd64, arm64 or riscv64; this is %s/%s", runtime.GOOS, runtime.GOARCH)
}

// allowed returns nil: the CPUs are not known here.
func allowed(int) []int { return nil }

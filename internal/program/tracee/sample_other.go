//go:build !linux

package tracee

import (
	"context"
	"errors"
	"os/exec"
	"time"
)

// Sample returns the error that programs are sampled under Linux only.
func Sample(context.Context, *exec.Cmd, time.Duration, func(path string, offset uint64)) (string, error) {
	return "", errors.New("without perf programs are sampled under Linux only")
}

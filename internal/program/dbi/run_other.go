//go:build !linux || !amd64

package dbi

import (
	"context"
	"errors"

	"incore/internal/isa"
)

func run(context.Context, *isa.ISA, Options) (*Result, error) {
	return nil, errors.New("programs are instrumented on x86-64 under Linux only")
}

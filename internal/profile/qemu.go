package profile

import (
	"context"
	"fmt"

	"incore/internal/object"
)

func runQEMU(_ context.Context, f *object.File, _ *Options) (*seen, error) {
	return nil, fmt.Errorf("programs for %s are not profiled under QEMU yet", f.ISA.Name)
}

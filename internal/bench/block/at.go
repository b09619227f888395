package block

import (
	"context"
	"encoding/hex"
	"fmt"

	"incore/internal/bench/host"
)

// At measures a loop of n instructions, whose first one lies at an offset in a page: code that does not jump, and the machine code that closes it. On x86-64 this is the
// loop's own, at its place. Elsewhere the driver closes the loop by a subtraction and a branch, which closing must equal in kind, and the offset counts modulo 128, in
// steps of four bytes. The error is a *host.Reason if the loop cannot be measured.
func At(ctx context.Context, code, closing []byte, n, offset int, s Setup) (*Figure, error) {
	a, err := Native()
	if err != nil {
		return nil, err
	}
	if host.Arch == "amd64" {
		p, _, err := a.PlaceHex(fmt.Sprintf("%s%s@%x", hex.EncodeToString(code), hex.EncodeToString(closing), offset))
		if err != nil {
			return nil, err
		}
		f, _, err := p.Loop(ctx, s)
		return f, err
	}
	c := newCode(code, s)
	c.Lead = offset % 128 &^ 3
	rough, err := Settle(ctx, c, 1)
	if err != nil {
		return nil, err
	}
	return Layout(ctx, c, 1, rough, s)
}

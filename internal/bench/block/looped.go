package block

import (
	"context"
	"encoding/hex"
	"fmt"

	"incore/internal/bench/host"
)

// Looped is a loop at a place in a page: code that does not jump, and the machine code that closes it.
type Looped struct {
	Code, Closing []byte
	Offset        int
}

// Measure measures the loop. On x86-64 this is the loop's own code, at its place. Elsewhere the driver closes the loop by a subtraction and a branch, which Closing must
// equal in kind, and the offset counts modulo 128, in steps of four bytes. The error is a *host.Reason if the loop cannot be measured.
func (l *Looped) Measure(ctx context.Context, s Setup) (*Figure, error) {
	a, err := Native()
	if err != nil {
		return nil, err
	}
	if host.Arch == "amd64" {
		p, _, err := a.PlaceHex(fmt.Sprintf("%s%s@%x", hex.EncodeToString(l.Code), hex.EncodeToString(l.Closing), l.Offset))
		if err != nil {
			return nil, err
		}
		f, _, err := p.Loop(ctx, s)
		return f, err
	}
	c := newCode(l.Code, s)
	c.Lead = l.Offset % 128 &^ 3
	rough, err := Settle(ctx, c, 1)
	if err != nil {
		return nil, err
	}
	return Layout(ctx, c, 1, rough, s)
}

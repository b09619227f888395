package frontend

import "incore/internal/machine"

// Bound returns the front end's bound of a kernel, 0 if there is none.
func Bound(b *machine.Bound, opt Layout) (float64, error) {
	if f := Of(b, opt); f != nil {
		return f.Bound(), nil
	}
	return 0, nil
}

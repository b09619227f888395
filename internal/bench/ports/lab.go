package ports

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"
)

// Measurement is an oracle's result for a mix.
type Measurement struct {
	Mix           Mix
	Parts         int
	Cycles, Doubt float64
	Err           error // the reason why there is no figure
}

// lab queries the oracle, once per mix.
type lab struct {
	forms  []Form
	oracle Oracle
	seen   map[string]*Measurement
	asked  int // number of queries to the oracle
	note   func(asked int)
	record func(Measurement, string)
}

// Key returns a mix in canonical order, with names, as in results files.
func Key(forms []Form, m Mix, parts int) string {
	var s []string
	for _, c := range m {
		s = append(s, fmt.Sprintf("%d*%s", c.N, forms[c.Form].Name))
	}
	sort.Strings(s[1:]) // the first subject sets the state of the machine
	return fmt.Sprintf("%s in %d", strings.Join(s, " + "), parts)
}

// errNoFigure is the error of mixes for which the oracle has no figure.
var errNoFigure = errors.New("no figure")

// ask returns the cycles of one round of a mix. An interruption or a failing oracle ends the inference; a mix that
// cannot be measured gives errNoFigure.
func (l *lab) ask(ctx context.Context, m Mix, parts int) (float64, error) {
	if err := ctx.Err(); err != nil { // also where all was measured before
		return 0, err
	}
	key := Key(l.forms, m, parts)
	r := l.seen[key]
	if r == nil {
		r = &Measurement{Mix: m, Parts: parts}
		r.Cycles, r.Doubt, r.Err = l.oracle(ctx, m, parts)
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		var no *NoFigure
		if r.Err != nil && !errors.As(r.Err, &no) {
			return 0, r.Err
		}
		l.seen[key] = r
		if l.record != nil {
			l.record(*r, key)
		}
		if l.asked++; l.note != nil {
			l.note(l.asked)
		}
	}
	if r.Err != nil || r.Cycles <= 0 || math.IsNaN(r.Cycles) {
		return 0, errNoFigure
	}
	return r.Cycles, nil
}

// NoFigure is the oracle's error for a mix that cannot be measured. It does not end the inference.
type NoFigure struct{ Why string }

func (e *NoFigure) Error() string { return e.Why }

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
	Err           error // why there is no figure
}

// lab asks the oracle, each question once.
type lab struct {
	forms  []Form
	oracle Oracle
	seen   map[string]*Measurement
	asked  int // of the oracle itself
	note   func(asked int)
	record func(Measurement, string)
}

// Key is a mix in canonical order, with names, as in files of results.
func Key(forms []Form, m Mix, parts int) string {
	var s []string
	for _, c := range m {
		s = append(s, fmt.Sprintf("%d*%s", c.N, forms[c.Form].Name))
	}
	sort.Strings(s[1:]) // the first one sets the state of the machine
	return fmt.Sprintf("%s in %d", strings.Join(s, " + "), parts)
}

// errNoFigure is the error of mixes that the oracle has none for.
var errNoFigure = errors.New("no figure")

// ask returns the cycles of one round of a mix. Only an interruption or a broken oracle is an error of the whole; a mix
// that cannot be measured is errNoFigure.
func (l *lab) ask(ctx context.Context, m Mix, parts int) (float64, error) {
	key := Key(l.forms, m, parts)
	r := l.seen[key]
	if r == nil {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
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

// NoFigure is an oracle's answer to a mix that cannot be measured: the mix's fault, not the end.
type NoFigure struct{ Why string }

func (e *NoFigure) Error() string { return e.Why }

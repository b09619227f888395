package plan

import (
	"fmt"
	"strings"
)

// Helpers describes the target's helpers in the numbering of Plan.Helpers: the statement, and the kinds of its source
// and its result.
func (t *Target) Helpers() (out []string) {
	for _, h := range t.helpers {
		text, _, _ := strings.Cut(h.text, " ")
		out = append(out, fmt.Sprintf("%s %s>%s", text, kindNames[h.from], kindNames[h.to]))
	}
	return out
}

// Equation is a plan whose cycles are the sum of some helpers' latencies.
type Equation struct {
	Plan    *Plan
	Helpers []int // of Target.Helpers
}

// Calibration plans the experiments that determine the helpers' latencies: each cycle of up to three helpers through
// different register files, and each helper's twin alone, if it has one.
func (t *Target) Calibration() (out []Equation, err error) {
	cycles := [][]int{}
	for i, h := range t.helpers {
		if h.from == h.to {
			cycles = append(cycles, []int{i})
		}
		for j, g := range t.helpers {
			if h.to == g.from && g.to == h.from && h.from < h.to && g.from != g.to {
				cycles = append(cycles, []int{i, j})
			}
			for k, f := range t.helpers {
				if h.to == g.from && g.to == f.from && f.to == h.from && h.from < h.to && h.from < g.to && h.to != g.to && h.from != g.to && h.from != f.from {
					cycles = append(cycles, []int{i, j, k})
				}
			}
		}
	}
	for _, c := range cycles {
		p := &Plan{Fill: onesSingle}
		at := t.named(t.spareOf(t.helpers[c[0]].from, 0))
		first := at
		for i, h := range c {
			next := first
			if i < len(c)-1 {
				next = t.named(t.spareOf(t.helpers[h].to, 1))
			}
			if err := p.text(t, t.helpers[h].text, next, at, t.named(t.constant[GPR][0])); err != nil {
				return nil, fmt.Errorf("helper %s: %w", t.helpers[h].text, err)
			}
			at = next
		}
		out = append(out, Equation{p, c})
	}
	for i, h := range t.helpers {
		if h.twin == "" {
			continue
		}
		p := &Plan{Fill: onesSingle}
		at := t.named(t.spareOf(h.to, 0))
		if err := p.text(t, h.twin, at, at, 0); err != nil {
			return nil, fmt.Errorf("helper %s: %w", h.twin, err)
		}
		out = append(out, Equation{p, []int{i}})
	}
	return out, nil
}

// spareOf returns spare register i of a kind, "" for flags.
func (t *Target) spareOf(k Kind, i int) string {
	if i >= len(t.spare[k]) {
		return ""
	}
	return t.spare[k][i]
}

// Clearing plans chains that measure the sum of the latencies of clear and step, one for each helper that copies an
// integer; one of them suffices. None are needed if clear and step take one cycle each on every core.
func (t *Target) Clearing() (out []*Plan, err error) {
	for i, h := range t.helpers {
		if t.oneCycle || h.from != GPR || h.to != GPR {
			continue
		}
		p, err := t.clearing(i)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// clearing plans a chain of the instructions that return a result as zero: a copy by the given helper, clear,
// and step.
func (t *Target) clearing(copy int) (*Plan, error) {
	p := &Plan{Helpers: []int{copy}, Extra: 2}
	r, w, c := t.named(t.spare[GPR][0]), t.named(t.spare[GPR][1]), t.named(t.constant[GPR][0])
	for _, text := range []string{t.helpers[copy].text, t.clear} {
		if err := p.text(t, text, r, w, c); err != nil {
			return nil, err
		}
	}
	return p, p.text(t, t.step, r, w, c)
}

package results

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/foreign/published"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// Agreement says how far a model agrees with what others measured.
type Agreement struct {
	Model    string    `json:"model"`
	File     string    `json:"file"`
	Kind     string    `json:"kind"`     // of the file: the tool that wrote it
	Compared int       `json:"compared"` // figures
	Unknown  int       `json:"unknown"`  // instructions without a known cost
	Differ   []Differs `json:"differ"`   // the largest differences first
	Left     []string  `json:"left"`     // instructions without a counterpart
}

// Differs is a figure of a form of which a model and another source differ.
type Differs struct {
	Form   string  `json:"form"`
	Name   string  `json:"name"` // of the form in the file
	What   string  `json:"what"` // "latency", "rec.tp"
	Source string  `json:"source"`
	Model  float64 `json:"model"`
	Other  float64 `json:"other"`
}

// ratio orders differences: how many times one is the other, counted from a least value.
func (d *Differs) ratio() float64 {
	const least = 0.05
	a, b := max(d.Model, least), max(d.Other, least)
	return max(a/b, b/a)
}

// Against compares a model with the measurements in a file.
func Against(m *machine.Model, set *isa.ISA, file string, data []byte) (*Agreement, error) {
	f, err := published.Read(data, set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t := plan.For(set)
	r := &Agreement{Model: m.Name, File: file, Kind: f.Kind, Differ: []Differs{}, Left: append([]string{}, f.Left...)}
	for i := range f.Figures {
		x := &f.Figures[i]
		in, err := t.Instance(x.Form)
		if err != nil {
			r.Unknown++
			continue
		}
		c := m.Cost(set, &in)
		if c.Flags&machine.Unknown != 0 {
			r.Unknown++
			continue
		}
		compare := func(what string, model, other, absolute float64) {
			if math.IsNaN(other) {
				return
			}
			r.Compared++
			if !within(model, other, absolute) {
				r.Differ = append(r.Differ, Differs{set.Forms.Name(x.Form), x.Name, what, c.Source, model, other})
			}
		}
		if len(c.Effects.Mem) == 0 {
			compare("latency", c.Latency, x.Latency, 0.5)
		}
		compare("rec.tp", c.Each, x.RThru, 0.1)
	}
	if r.Compared == 0 {
		have := report.Counted(len(f.Figures)+len(f.Left), "instruction")
		return nil, fmt.Errorf("%s: no known cost on %s of what it has: %s", file, m.Name, have)
	}
	slices.SortStableFunc(r.Differ, func(a, b Differs) int {
		return cmp.Or(cmp.Compare(b.ratio(), a.ratio()), strings.Compare(a.Form, b.Form))
	})
	return r, nil
}

// within reports whether two figures are the same within an error of measurement: an absolute one, or 5 %. Nothing
// agrees with what is no finite number.
func within(a, b, absolute float64) bool {
	apart := math.Abs(a - b)
	return apart <= absolute || !math.IsInf(apart, 0) && apart <= 0.05*max(a, b)
}

// Layout implements report.Result.
func (*Agreement) Layout() string { return "incore.model-against/1" }

// Text lists the first o.Most differences and instructions without a counterpart, all if it is 0.
func (r *Agreement) Text(w io.Writer, o report.TextOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s (%s): %s compared, %d differ; without a counterpart: %d, without a known cost: %d\n",
		r.Model, r.File, r.Kind, report.Counted(r.Compared, "figure"), len(r.Differ), len(r.Left), r.Unknown)
	if len(r.Differ) > 0 {
		const head = "%-8s %8s %8s  %-20s %-28s %s\n"
		fmt.Fprintf(&b, head, "figure", "model", "other", "form", "as named there", "the model's source")
	}
	differ, more := most(r.Differ, o)
	for _, d := range differ {
		fmt.Fprintf(&b, "%-8s %8.2f %8.2f  %-20s %-28s %s\n", d.What, d.Model, d.Other, d.Form, d.Name, d.Source)
	}
	if more > 0 {
		fmt.Fprintf(&b, "… and %d more; --rows 0 shows all\n", more)
	}
	left, more := most(r.Left, o)
	for _, s := range left {
		fmt.Fprintf(&b, "no counterpart: %s\n", s)
	}
	if more > 0 {
		fmt.Fprintf(&b, "… and %d more without a counterpart\n", more)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// most returns the first o.Most entries of a list, all if it is 0, and how many there are more.
func most[T any](list []T, o report.TextOptions) (first []T, more int) {
	if o.Most > 0 && len(list) > o.Most {
		return list[:o.Most], len(list) - o.Most
	}
	return list, 0
}

package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"incore/internal/base/source"
	"incore/internal/bench/plan"
	"incore/internal/foreign/published"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// difference is a figure of a form of which a model and another source differ.
type difference struct {
	form, name, what, source string
	model, other             float64
}

// ratio orders differences: how many times one is the other, counted from a least value.
func (d *difference) ratio() float64 {
	const least = 0.05
	a, b := max(d.model, least), max(d.other, least)
	return max(a/b, b/a)
}

// against compares a model with the measurements in a file, the largest differences first. At most rows are written, 0: all.
func against(w io.Writer, name, file string, rows int) error {
	m, err := openModel(name)
	if err != nil {
		return err
	}
	data, err := source.ReadBytes(file)
	if err != nil {
		return err
	}
	set := catalog.ISA(m.ISA)
	f, err := published.Read(data, set)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	t := plan.For(set)
	var list []difference
	compared, unknown := 0, 0
	for i := range f.Figures {
		x := &f.Figures[i]
		in, err := t.Instance(x.Form)
		if err != nil {
			unknown++
			continue
		}
		c := m.Cost(set, &in)
		if c.Flags&machine.Unknown != 0 {
			unknown++
			continue
		}
		form := set.Forms.Name(x.Form)
		if !math.IsNaN(x.Latency) && len(c.Effects.Mem) == 0 {
			compared++
			if !agree(c.Latency, x.Latency, 0.5) {
				list = append(list, difference{form, x.Name, "latency", c.Source, c.Latency, x.Latency})
			}
		}
		if !math.IsNaN(x.RThru) {
			compared++
			if !agree(c.Each, x.RThru, 0.1) {
				list = append(list, difference{form, x.Name, "rec.tp", c.Source, c.Each, x.RThru})
			}
		}
	}
	if compared == 0 {
		return fmt.Errorf("%s: no known cost on %s of what it has: %s", file, m.Name, counted(len(f.Figures)+len(f.Left), "instruction"))
	}
	slices.SortStableFunc(list, func(a, b difference) int {
		return cmp.Or(cmp.Compare(b.ratio(), a.ratio()), strings.Compare(a.form, b.form))
	})
	fmt.Fprintf(w, "%s against %s (%s): %s compared, %d differ; without a counterpart: %d, without a known cost: %d\n", m.Name, file, f.Kind, counted(compared, "figure"), len(list), len(f.Left), unknown)
	if len(list) > 0 {
		fmt.Fprintf(w, "%-8s %8s %8s  %-20s %-28s %s\n", "figure", "model", "other", "form", "as named there", "the model's source")
	}
	for i := range list {
		if rows > 0 && i == rows {
			fmt.Fprintf(w, "… and %d more; --rows 0 shows all\n", len(list)-rows)
			break
		}
		d := &list[i]
		fmt.Fprintf(w, "%-8s %8.2f %8.2f  %-20s %-28s %s\n", d.what, d.model, d.other, d.form, d.name, d.source)
	}
	for i, s := range f.Left {
		if rows > 0 && i == rows {
			fmt.Fprintf(w, "… and %d more without a counterpart\n", len(f.Left)-rows)
			break
		}
		fmt.Fprintf(w, "no counterpart: %s\n", s)
	}
	return nil
}

// agree reports whether two figures are the same within an error of measurement: an absolute one, or 5 %. Nothing agrees with what is no finite number.
func agree(a, b, absolute float64) bool {
	apart := math.Abs(a - b)
	return apart <= absolute || !math.IsInf(apart, 0) && apart <= 0.05*max(a, b)
}

package bench

import (
	"fmt"
	"io"
	"math"
	"sort"
	"strings"

	"incore/internal/isa"
	"incore/internal/machine"
)

// Difference is a form whose cost differs between two models.
type Difference struct {
	Form           isa.FormID
	Latency, RThru [2]float64 // NaN if a model doesn't know it
}

// size orders differences: by the latency's, relative to its own size from 4 cycles on.
func (d *Difference) size() float64 {
	return math.Abs(d.Latency[0]-d.Latency[1]) / math.Max(4, math.Min(d.Latency[0], d.Latency[1]))
}

// Differences compares the latency of all forms that both models know; same counts those that agree within the tolerance.
// Forms whose latency in a (or b) is not from a source that contains sources[0] (or sources[1]) are left out.
func Differences(t *Target, a, b *machine.Model, tolerance float64, sources [2]string) (list []Difference, same int) {
	for _, f := range t.Select(nil, nil) {
		_, in, err := t.first(f)
		if err != nil {
			continue
		}
		d := Difference{Form: f}
		unknown := false
		for i, m := range []*machine.Model{a, b} {
			c := m.Cost(t.ISA, &in)
			unknown = unknown || c.Flags&machine.Unknown != 0 || len(c.Rows) == 0 || !strings.Contains(c.Rows[len(c.Rows)-1], sources[i])
			d.Latency[i], d.RThru[i] = c.SourceLatency, c.RThroughput
		}
		if unknown || math.IsNaN(d.Latency[0]) || math.IsNaN(d.Latency[1]) {
			continue
		}
		if math.Abs(d.Latency[0]-d.Latency[1]) <= tolerance {
			same++
			continue
		}
		list = append(list, d)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].size() > list[j].size() })
	return list, same
}

// Diff writes the differences between two models, the largest first.
func Diff(w io.Writer, t *Target, a, b *machine.Model, tolerance float64, sources [2]string) error {
	list, same := Differences(t, a, b, tolerance, sources)
	_, err := fmt.Fprintf(w, "# %d forms agree in latency within %g cycles, %d differ\n# form\tlatency %s\tlatency %s\trthru %s\trthru %s\n", same, tolerance, len(list), a.Name, b.Name, a.Name, b.Name)
	for _, d := range list {
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.ISA.Forms.Name(d.Form), trim(d.Latency[0], 1), trim(d.Latency[1], 1), trim(d.RThru[0], 2), trim(d.RThru[1], 2))
		}
	}
	return err
}

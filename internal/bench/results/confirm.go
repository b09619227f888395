package results

import (
	"maps"
	"math"
	"slices"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// confirmTolerance is the largest difference, in cycles, between a measured latency and the latency that it confirms: the latencies
// of transfers between register files are rounded to half cycles.
const confirmTolerance = 0.5

// confirm removes a row's latency if the measurement agrees with the base for all pairs of operands, and for chains of the form. A row with its own latency would
// replace what the base knows in addition to the plain latency (a longer latency after an operation eliminated at rename, moves that are
// eliminated only if the registers differ). text is the model with the measured rows.
func confirm(text string, rows map[string]string, f *resultFile) (out, like map[string]string, grown []string, err error) {
	m, err := machine.Load(strings.NewReader(text), "the model")
	if err != nil {
		return nil, nil, nil, err
	}
	base := ""
	for l := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(l, "base: "); ok {
			base = strings.TrimSpace(name)
			break
		}
	}
	b, err := machine.Get(base)
	if err != nil || b.ISA != m.ISA { // the model has its own base
		return rows, nil, nil, nil
	}
	t := plan.For(&isa.ISA{Name: m.ISA})
	if t == nil {
		return rows, nil, nil, nil
	}
	out = maps.Clone(rows)
	for f := range rows {
		if agree(t, f, m, b) {
			fields := strings.SplitN(rows[f]+" |  | ", " | ", 4)
			fields[1] = "="
			out[f] = strings.TrimRight(strings.Join(fields[:3], " | "), " |")
			if out[f] == "= | =" { // the row has no other fields
				delete(out, f)
			}
		}
	}
	level(t, out, m, b)
	c := compose(t, out, f, m, b)
	refute(t, out, float64(m.Params.DispatchWidth), b)
	like = alike(t, rows, out, b)
	c.extend(like, rows)
	if len(c.grown) > 0 {
		slices.Sort(c.grown)
		grown = []string{"ports: " + strings.Join(c.grown, " ")}
	}
	return out, like, grown, nil
}

// agree reports whether two models have the same latency for all pairs of a form's operands.
func agree(t *plan.Target, form string, a, b *machine.Model) bool {
	f := t.ISA.Forms.Named(form)
	in, err := t.Instance(f)
	if err != nil {
		return false
	}
	x, y := a.Cost(t.ISA, &in), b.Cost(t.ISA, &in)
	if !known(x, "") || !known(y, "") {
		return false
	}
	d := difference(t, x, y, confirmTolerance)
	return len(d.pairs) == 0 && len(d.across) == 0 && forwardAlike(t, x, y)
}

// forwardAlike reports whether two costs of a form forward their results alike to another instance of the form.
func forwardAlike(t *plan.Target, x, y *machine.Cost) bool {
	for i, o := range measurable(t, &x.Effects) {
		in, out := indexOf(y.Effects.Reads, x.Effects.Reads, i), indexOf(y.Effects.Writes, x.Effects.Writes, o)
		other := 0.0
		if in >= 0 && out >= 0 {
			other = y.Forward(in, &y.Inst, out)
		}
		if math.Abs(x.Forward(i, &x.Inst, o)-other) >= confirmTolerance {
			return false
		}
	}
	return true
}

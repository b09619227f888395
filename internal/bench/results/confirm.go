package results

import (
	"maps"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// confirmTolerance is by how many cycles a measured latency may differ from what it confirms: half cycles are what transfers between
// register files are rounded to.
const confirmTolerance = 0.5

// confirm leaves the latency to the base where the measurement agrees with it for all pairs of operands. What a base knows beside the plain
// latency (what takes longer behind an operation done at rename, copies that are eliminated unless the registers are the same) a row with a
// latency of its own would replace. text is the model with the rows as measured.
func confirm(text string, rows map[string]string) (map[string]string, error) {
	m, err := machine.Load(strings.NewReader(text), "the model")
	if err != nil {
		return nil, err
	}
	base := ""
	for l := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(l, "base: "); ok {
			base = strings.TrimSpace(name)
			break
		}
	}
	b, err := machine.Get(base)
	if err != nil || b.ISA != m.ISA { // a model of its own
		return rows, nil
	}
	t := plan.For(&isa.ISA{Name: m.ISA})
	if t == nil {
		return rows, nil
	}
	out := maps.Clone(rows)
	for f := range rows {
		if agree(t, f, m, b) {
			fields := strings.SplitN(rows[f]+" |  | ", " | ", 4)
			fields[1] = "="
			out[f] = strings.TrimRight(strings.Join(fields[:3], " | "), " |")
			if out[f] == "= | =" { // nothing else to say
				delete(out, f)
			}
		}
	}
	refute(t, out, float64(m.Params.DispatchWidth), b)
	return out, nil
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
	return len(d.pairs) == 0 && len(d.across) == 0
}

package results

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Layer is a set of rows to be placed below a model: latencies between operands that differ from the model's and on
// which all runs agree.
type Layer struct {
	Rows map[string]string // by form: the fields after its name
	// Above are the forms whose differing latencies come from the model's own rows, which a row below cannot
	// correct. Apart are the forms on which the runs disagree.
	Above, Apart []string
	// Unfit are the forms of a complete layer whose measured throughput no change of their µops gives.
	Unfit []string
}

// NewLayer compares runs, each loaded over any model, with the model that load returns, which puts rows over its
// base; own is the file of that model's own rows.
func NewLayer(t *plan.Target, load func(rows string) (*machine.Model, error), own string, runs []*machine.Model) (*Layer, error) {
	m, err := load("")
	if err != nil {
		return nil, err
	}
	l := &Layer{Rows: map[string]string{}}
	want := map[string][]cyclesOf{}
	for _, f := range t.Select(nil, nil) {
		in, err := t.Instance(f)
		if err != nil {
			continue
		}
		base := m.Cost(t.ISA, &in)
		var measured []*machine.Cost
		for _, r := range runs {
			if c := r.Cost(t.ISA, &in); known(c, rowSource) {
				measured = append(measured, c)
			}
		}
		if len(measured) < len(runs) || !known(base, "") {
			continue
		}
		name := t.ISA.Forms.Name(f)
		pairs := otherwise(t, base, measured[0])
		switch {
		case len(pairs) == 0:
		case strings.HasPrefix(base.Rows[len(base.Rows)-1], own+":"):
			l.Above = append(l.Above, name)
		case slices.ContainsFunc(measured[1:], func(c *machine.Cost) bool { return !samePairs(pairs, otherwise(t, base, c)) }):
			l.Apart = append(l.Apart, name)
		default:
			want[name] = wanted(t, base, pairs)
			l.Rows[name] = row(base, want[name], nil)
		}
	}
	// A first pass without exceptions shows which exceptions a row needs.
	plain, err := load(l.text())
	if err != nil {
		return nil, err
	}
	for name, cycles := range want {
		in, _ := t.Instance(t.ISA.Forms.Named(name))
		l.Rows[name] = row(m.Cost(t.ISA, &in), cycles, plain.Cost(t.ISA, &in))
	}
	return l, nil
}

// text returns the layer's rows; forms with equal rows share one.
func (l *Layer) text() string {
	var b strings.Builder
	writeGroups(&b, l.Rows)
	return b.String()
}

// rowSource is the beginning of the source in rows that bench.Bench writes.
const rowSource = "incore bench"

// cyclesOf holds the cycles from an input to an output of an instruction.
type cyclesOf struct {
	input, output int
	cycles        float64
}

func samePairs(a, b []cyclesOf) bool {
	return slices.EqualFunc(a, b, func(x, y cyclesOf) bool {
		return x.input == y.input && x.output == y.output && math.Abs(x.cycles-y.cycles) <= confirmTolerance
	})
}

// otherwise returns the pairs of operands for which a measured cost differs from a base. Between integer and other
// registers only the sum of both directions can be measured, so that the base's division of the sum is kept unless
// the sum differs; half a cycle is the difference between the two divisions.
func otherwise(t *plan.Target, base, measured *machine.Cost) (out []cyclesOf) {
	const across, masks, least = 2.75, 0.75, 3 // cycles
	e := &base.Effects
	for i, o := range measurable(t, e) {
		r, w := &e.Reads[i], &e.Writes[o]
		x, ok := base.Pair(i, o)
		y, found := pairOf(measured, e, i, o)
		if !ok || !found || r.Role == isa.RoleData && unseen(t, measured, y, e, o) {
			continue
		}
		tolerance := confirmTolerance
		switch from, to := t.File(r.Reg), t.File(w.Reg); {
		case r.Role == isa.RoleAddr && (y < least || indexed(t, e, w)):
			if from != to { // no load is that fast; or the latency of the vector of indices shows it
				continue
			}
		case from == to:
		case from == plan.GPR:
			y, tolerance = y+transferShift, across
		case to == plan.GPR:
			y, tolerance = y-transferShift, across
		default:
			tolerance = masks
		}
		if math.Abs(x-y) > tolerance {
			out = append(out, cyclesOf{i, o, y})
		}
	}
	return out
}

// indexed reports whether an address has an index in the register file of a result, that is, a vector index.
func indexed(t *plan.Target, e *isa.Effects, w *isa.Access) bool {
	return t.File(w.Reg) != plan.GPR && slices.ContainsFunc(e.Reads, func(r isa.Access) bool { return r.Role == isa.RoleAddr && t.File(r.Reg) == plan.Vec })
}

// transferShift is the number of cycles by which measurements are below models for a transfer from an integer
// register, and above them for the way back: measurements halve the sum of both.
const transferShift = 0.5

// unseen reports whether a register operand of a form that loads has the same latency as the address, or exactly that
// latency minus the load's. Then no chain went through the operand, and the row's slowest pair stands for it. (Address
// latencies are measured in half cycles for vectors, so that a coincidence is rare.) y is the operand's latency to a
// write among e.
func unseen(t *plan.Target, c *machine.Cost, y float64, e *isa.Effects, write int) bool {
	for i := range e.Reads {
		x, ok := pairOf(c, e, i, write)
		if ok && e.Reads[i].Role == isa.RoleAddr && c.Load > 0 && x >= c.Load && (y >= x || y == x-c.Load && t.File(e.Writes[write].Reg) != plan.GPR) {
			return true
		}
	}
	return false
}

// wanted returns all latencies of a base, with those of some pairs replaced. All registers of an address have the
// same latency; an operand that waits for the loaded value has the address's latency minus the load's.
func wanted(t *plan.Target, base *machine.Cost, pairs []cyclesOf) (out []cyclesOf) {
	e := &base.Effects
	changed := func(i, o int) (float64, bool) {
		k := slices.IndexFunc(pairs, func(p cyclesOf) bool { return p.input == i && p.output == o })
		if k < 0 {
			return 0, false
		}
		return pairs[k].cycles, true
	}
	for i := range base.Inputs() {
		for o := range base.Outputs() {
			c, ok := base.Pair(i, o)
			if !ok || i < len(e.Reads) && t.Kind(e.Reads[i].Reg) == plan.Other {
				continue
			}
			if v, ok := changed(i, o); ok {
				c = v
			} else if o < len(e.Writes) && (i >= len(e.Reads) || e.Reads[i].Role == isa.RoleAddr) {
				of := slices.IndexFunc(pairs, func(p cyclesOf) bool {
					return p.output == o && p.input < len(e.Reads) && e.Reads[p.input].Role == isa.RoleAddr
				})
				switch {
				case of < 0:
				case i >= len(e.Reads) && e.Mem[0].Elems > 1:
					continue // the latency that the row's load implies
				case i >= len(e.Reads):
					c = max(0, pairs[of].cycles-base.Load)
				default:
					c = pairs[of].cycles
				}
			}
			out = append(out, cyclesOf{i, o, c})
		}
	}
	return out
}

// row writes latencies: the longest, and those that differ from what the row without exceptions implies, by its costs plain;
// nil: none.
func row(base *machine.Cost, cycles []cyclesOf, plain *machine.Cost) string {
	e := &base.Effects
	top := 0.0
	for _, p := range cycles {
		if p.output < len(e.Writes) {
			top = max(top, p.cycles)
		}
	}
	s := []string{Trim(top, 1)}
	for _, p := range cycles {
		if plain == nil {
			break
		}
		if c, ok := plain.Pair(p.input, p.output); ok && c == p.cycles {
			continue
		}
		from, to := "m", "m"
		if p.input < len(e.Reads) {
			from = operandName(e.Reads[p.input])
		}
		if p.output < len(e.Writes) {
			to = operandName(e.Writes[p.output])
		}
		if x := from + ">" + to + ":" + Trim(p.cycles, 1); !slices.Contains(s, x) {
			s = append(s, x)
		}
	}
	var attrs []string
	if load := min(base.Load, top); load > 0 {
		if slices.ContainsFunc(base.Uops, func(u machine.Uop) bool { return u.Kind == machine.UopExec && !u.Resource }) {
			load = min(load, top-1) // the operation after the load takes at least one cycle
			if e.Mem[0].Elems > 1 { // a gather: the registers' longest latency starts after its last load
				behind := 1.0
				for _, p := range cycles {
					if p.input < len(e.Reads) && e.Reads[p.input].Role == isa.RoleData && p.output == 0 {
						behind = max(behind, p.cycles)
					}
				}
				load = max(load, top-behind)
			}
		}
		attrs = append(attrs, "ld="+Trim(load, 1))
	}
	if slices.ContainsFunc(e.Mem, func(m isa.MemRef) bool { return m.Load && m.Store }) {
		attrs = append(attrs, "when=!prefix(lock)") // locked instructions are not measured
	}
	return strings.TrimRight("= | "+strings.Join(s, " ")+" | "+strings.Join(attrs, " "), " |")
}

// Write writes the layer's rows.
func (l *Layer) Write(w io.Writer) error {
	if _, err := io.WriteString(w, l.text()); err != nil {
		return fmt.Errorf("writing the layer: %w", err)
	}
	return nil
}

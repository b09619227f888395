package machine

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"incore/internal/isa"
)

// This file derives machines that differ a little from a model, for questions such as "what if it had one more load port?". The model itself never
// changes.

// With returns the model with other parameters and features, as if a model file on top of it stated them. A fact without value removes the parameter.
// Errors name the parameter.
func (m *Model) With(facts ...Fact) (*Model, error) {
	d := m.derived()
	for _, f := range facts {
		if o := OptionNamed(f.Name); o != nil && o.Feature {
			if _, err := strconv.ParseBool(f.Value); err != nil {
				return nil, fmt.Errorf("feature '%s' is 'true' or 'false', not '%s'", f.Name, clip(f.Value))
			}
		}
		value := f.Value
		if value == "" {
			value = "0"
		}
		if err := setParam(paramFields(&d.Params)[f.Name], value); err != nil {
			return nil, fmt.Errorf("parameter '%s': %w", f.Name, err)
		}
		d.Facts = slices.DeleteFunc(d.Facts, func(x Fact) bool { return x.Name == f.Name })
		if f.Value != "" {
			d.Facts = append(d.Facts, f)
		}
	}
	return d, d.readCore()
}

// derived copies the parts of a model that may change. It shares the rows, but not the cached costs of unknown forms, because these depend on the
// model's features.
func (m *Model) derived() *Model {
	d := *m
	d.Facts, d.Ports, d.Groups = slices.Clone(m.Facts), slices.Clone(m.Ports), slices.Clone(m.Groups)
	d.rows = &rows{}
	if m.rows != nil {
		d.rows.layers = m.rows.layers
		d.rows.compiled.Store(m.rows.compiled.Load())
	}
	return &d
}

// maxParam is the largest value of a parameter. Real cores have far smaller values, and the simulator can still run two iterations of that many
// cycles each.
const maxParam = 16_384

// setParam stores a parameter's value in its field of Params; with nil nothing is stored, and engines read the value from Facts.
func setParam(field any, value string) (err error) {
	switch to := field.(type) {
	case *int:
		if *to, err = strconv.Atoi(value); err == nil && (*to < 0 || *to > maxParam) {
			err = errors.New("out of range")
		}
	case *float64:
		if *to, err = strconv.ParseFloat(value, 64); err == nil && !(*to >= 0 && *to <= maxParam) {
			err = errors.New("out of range")
		}
	case *bool:
		*to, err = strconv.ParseBool(value)
	}
	if err != nil {
		return fmt.Errorf("bad value '%s'", clip(value))
	}
	return nil
}

// bounded holds a number to what its field of Core or of a record allows: the tag `most` is the largest value that
// the simulator has room for; with the tag `powers` a value is a power of two.
func bounded(f reflect.StructField, field any) error {
	n, ok := field.(*int)
	if !ok {
		return nil
	}
	if most, err := strconv.Atoi(f.Tag.Get("most")); err == nil && *n > most {
		return fmt.Errorf("bad value '%d': at most %d", *n, most)
	}
	if f.Tag.Get("powers") != "" && *n&(*n-1) != 0 {
		return fmt.Errorf("bad value '%d': not a power of two", *n)
	}
	return nil
}

// maxPorts is how many ports and resources a PortSet has room for.
const maxPorts = 64

// WithPorts returns the model with n more ports, and those ports. They are members of every group that contains all ports of set. No instruction uses
// them until Bound.Change says so.
func (m *Model) WithPorts(set PortSet, n int) (*Model, PortSet, error) {
	if n < 1 || len(m.Ports)+n > maxPorts {
		return nil, 0, fmt.Errorf("%d more ports: a machine has %d to %d", n, 1, maxPorts)
	}
	d := m.derived()
	resource := set != 0
	for i := range m.Ports {
		resource = resource && (set>>i&1 == 0 || m.Ports[i].Resource)
	}
	var added PortSet
	for i := range n {
		added |= 1 << len(d.Ports)
		d.Ports = append(d.Ports, Port{Name: fmt.Sprintf("%s+%d", m.SetName(set), i+1), Resource: resource})
	}
	for i := range d.Groups {
		if g := &d.Groups[i]; set != 0 && set&^g.Ports == 0 {
			g.Ports |= added
		}
	}
	return d, added, d.readCore()
}

// Units returns the sets of resources that µops of a kind use in addition to their ports: those of the rows whose µops are all of that kind (the load
// units of a plain load).
func (m *Model) Units(kind UopKind) []PortSet {
	var out []PortSet
	m.rows.each(func(r *row) {
		uops, only := r.uops, false
		for k := range uops {
			if !uops[k].Resource {
				if only = uops[k].Kind == kind; !only {
					break
				}
			}
		}
		if !only {
			return
		}
		for k := range uops {
			if uops[k].Resource && !slices.Contains(out, uops[k].Ports) {
				out = append(out, uops[k].Ports)
			}
		}
	})
	return out
}

// Uops reads µops in the notation of model files ("01 23/load"), and returns them with the dispatch slots that they take.
func (m *Model) Uops(text string) (uops []Uop, slots float64, err error) {
	p := &rowParser{sets: map[string]PortSet{}}
	for i, q := range m.Ports {
		p.sets[q.Name] = 1 << i
		if q.Resource {
			p.res |= 1 << i
		}
	}
	for _, g := range m.Groups {
		p.sets[g.Name] = g.Ports
	}
	if uops, err = p.uops(text); err != nil {
		return nil, 0, err
	}
	return uops, m.slots(&row{uops: uops, count: math.NaN(), slots: math.NaN()}), nil
}

// Change returns a copy of a bound kernel in which change may alter the costs of each instruction: its figures, the elements of Uops and Spare, the
// pair latencies. m is the same model with other parameters or ports.
func (b *Bound) Change(m *Model, change func(i int, in *Inst)) *Bound {
	out := &Bound{Kernel: b.Kernel, Model: m, Insts: slices.Clone(b.Insts), Foreign: b.Foreign}
	for i := range out.Insts {
		in := &out.Insts[i]
		in.Uops, in.lat = slices.Clone(in.Uops), slices.Clone(in.lat)
		change(i, in)
	}
	return out
}

// ShiftLatency adds cycles to the latency from every input to every output, except to the write-back of an address register. No latency falls below
// 0.
func (i *Inst) ShiftLatency(cycles float64) {
	i.mapLatency(func(c float64) float64 { return c + cycles })
}

// ScaleLatency multiplies the latencies that ShiftLatency changes by a factor.
func (i *Inst) ScaleLatency(factor float64) {
	i.mapLatency(func(c float64) float64 { return c * factor })
}

func (i *Inst) mapLatency(f func(float64) float64) {
	i.Latency, i.LowLatency, i.HighLatency = max(0, f(i.Latency)), max(0, f(i.LowLatency)), max(0, f(i.HighLatency))
	i.Load = min(i.Load, i.Latency)
	n := i.Outputs()
	for k := range i.lat {
		if o := k % n; !i.writesBack(o) {
			i.lat[k] = max(0, f(i.lat[k])) // NaN stays
		}
	}
}

// ShiftLoad adds cycles to the load's part of the latency, which only outputs that depend on the address have.
func (i *Inst) ShiftLoad(cycles float64) {
	if i.Load == 0 {
		return
	}
	cycles = max(cycles, -i.Load)
	i.Load, i.Latency, i.LowLatency, i.HighLatency = i.Load+cycles, i.Latency+cycles, i.LowLatency+cycles, i.HighLatency+cycles
	n := i.Outputs()
	for k := range i.lat {
		if in := k / n; i.address(in) && !i.writesBack(k%n) {
			i.lat[k] = max(0, i.lat[k]+cycles)
		}
	}
}

// writesBack reports whether output o is an address register that the instruction updates.
func (i *Inst) writesBack(o int) bool {
	return o < len(i.Effects.Writes) && i.Effects.Writes[o].Role == isa.RoleUpdate
}

// address reports whether an input is an address register.
func (i *Inst) address(in int) bool {
	return in < len(i.Effects.Reads) && i.Effects.Reads[in].Role == isa.RoleAddr
}

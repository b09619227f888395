package bench

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/winic"
)

// DiffWINIC writes the differences between a model and WINIC's measurements, the largest first. Forms count of which a latency and the
// throughput were measured. Of a measurement that is a range the value counts that is nearest to the model's.
func DiffWINIC(w io.Writer, t *Target, m *machine.Model, measured []winic.Form, name string, opt DiffOptions) error {
	c := &Comparison{}
	for i := range measured {
		f := t.ISA.Forms.Named(measured[i].Name)
		if f == isa.NoForm {
			continue
		}
		_, in, err := t.first(f)
		if err != nil {
			continue
		}
		cost := m.Cost(t.ISA, &in)
		if !known(cost, opt.Sources[0]) || opt.Registers && len(cost.Effects.Mem) > 0 {
			continue
		}
		if d := t.measuredDifference(cost, &measured[i], opt.Tolerance); d != nil {
			d.Form = f
			c.add(d)
		}
	}
	if c.Forms == 0 {
		return fmt.Errorf("no form that %s has latency and throughput of is one of %s with known costs", name, m.Name)
	}
	c.sort()
	return c.write(w, t, m.Name, name, opt.Tolerance)
}

// measuredDifference compares a form's cost with what was measured; nil if no latency or no throughput was.
func (t *Target) measuredDifference(c *machine.Cost, m *winic.Form, tolerance float64) *Difference {
	d := &Difference{Latency: [2]float64{math.NaN(), math.NaN()}, RThru: [2]float64{c.RThroughput, m.RThru.Nearest(c.RThroughput)}}
	if math.IsNaN(d.RThru[1]) {
		return nil
	}
	d.Slower = !sameThroughput(d.RThru[0], d.RThru[1])
	e := &c.Effects
	for i := range e.Reads {
		for o := range e.Writes {
			r, w := &e.Reads[i], &e.Writes[o]
			x, ok := c.Pair(i, o)
			x -= c.Forward(i, &c.Inst, o) // instances in a chain with themselves
			y := m.Latency(t.winicName(c.Line.Inst.Form, r), t.winicName(c.Line.Inst.Form, w)).Nearest(x)
			if !ok || math.IsNaN(y) {
				continue
			}
			d.Latency = [2]float64{greater(d.Latency[0], x), greater(d.Latency[1], y)}
			if math.Abs(x-y) > tolerance {
				d.Pairs = append(d.Pairs, PairDifference{*r, *w, [2]float64{x, y}})
			}
		}
	}
	if math.IsNaN(d.Latency[0]) {
		return nil
	}
	return d
}

// winicName is what WINIC calls an operand: a tied source has its result's number and does not count among the others.
func (t *Target) winicName(f isa.FormID, a *isa.Access) string {
	if a.Op < 0 {
		return t.ISA.Regs.Name(a.Reg)
	}
	if tied := t.ISA.Forms.TiedDef(f, int(a.Op)); tied >= 0 {
		return strconv.Itoa(tied)
	}
	n := int(a.Op)
	for op := range int(a.Op) {
		if t.ISA.Forms.TiedDef(f, op) >= 0 {
			n--
		}
	}
	return strconv.Itoa(n)
}

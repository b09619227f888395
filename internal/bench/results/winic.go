package results

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"incore/internal/bench/plan"
	"incore/internal/foreign/winic"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Published is a file of measurements by WINIC.
type Published struct {
	Name  string
	Forms []winic.Form
}

// DiffWINIC writes the differences between a model and WINIC's measurements, the largest first. It compares forms with a measured
// latency and a measured throughput. If a measurement is a range, it takes the value nearest to the model's.
func DiffWINIC(w io.Writer, t *plan.Target, m *machine.Model, file Published, opt DiffOptions) error {
	measured, name := file.Forms, file.Name
	c := &comparison{}
	for i := range measured {
		f := t.ISA.Forms.Named(measured[i].Name)
		if f == isa.NoForm {
			continue
		}
		in, err := t.Instance(f)
		if err != nil {
			continue
		}
		cost := m.Cost(t.ISA, &in)
		if !known(cost, opt.Sources[0]) || opt.Registers && len(cost.Effects.Mem) > 0 {
			continue
		}
		if d := measuredDifference(t, cost, &measured[i], opt.Tolerance); d != nil {
			d.form = f
			c.add(d)
		}
	}
	if c.forms == 0 {
		return fmt.Errorf("no form that %s has latency and throughput of is one of %s with known costs", name, m.Name)
	}
	c.sort()
	return c.write(w, t, m.Name, name, opt.Tolerance)
}

// measuredDifference compares a form's cost with its measurements; nil if latency or throughput is missing.
func measuredDifference(t *plan.Target, c *machine.Cost, m *winic.Form, tolerance float64) *formDifference {
	d := &formDifference{latency: [2]float64{math.NaN(), math.NaN()}, rthru: [2]float64{c.RThroughput, m.RThru.Nearest(c.RThroughput)}}
	if math.IsNaN(d.rthru[1]) {
		return nil
	}
	d.slower = !sameThroughput(d.rthru[0], d.rthru[1])
	e := &c.Effects
	for i := range e.Reads {
		for o := range e.Writes {
			r, w := &e.Reads[i], &e.Writes[o]
			x, ok := c.Pair(i, o)
			x -= c.Forward(i, &c.Inst, o) // WINIC's chains consist of instances of one form, which may forward faster to themselves
			y := m.Latency(winicName(t, c.Line.Inst.Form, r), winicName(t, c.Line.Inst.Form, w)).Nearest(x)
			if !ok || math.IsNaN(y) {
				continue
			}
			d.latency = [2]float64{greater(d.latency[0], x), greater(d.latency[1], y)}
			if math.Abs(x-y) > tolerance {
				d.pairs = append(d.pairs, pairDifference{*r, *w, [2]float64{x, y}})
			}
		}
	}
	if math.IsNaN(d.latency[0]) {
		return nil
	}
	return d
}

// winicName returns WINIC's name of an operand: a tied source has its result's number and is not counted among the
// others.
func winicName(t *plan.Target, f isa.FormID, a *isa.Access) string {
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

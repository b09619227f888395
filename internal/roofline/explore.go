package roofline

import (
	"fmt"
	"strconv"
	"strings"
)

// Design is a target machine with changes (vectors of another length, another main memory, another core), and the binary that runs on it.
type Design struct {
	Target     string   `json:"target,omitempty"`
	Binary     string   `json:"binary,omitempty"`
	WhatIf     string   `json:"what_if,omitempty"` // change of the core; "": unchanged
	To         *Machine `json:"-"`                 // nil: the common target of all designs
	VectorBits float64  `json:"vector_bits"`       // 0: unchanged
	Memory     string   `json:"memory"`            // "": unchanged
	Bandwidth  float64  `json:"bandwidth,omitempty"`
	Profile    *Profile `json:"-"` // of the target's binary at this vector length
}

// Explored is a design and its projection.
type Explored struct {
	Design
	Profile    string      `json:"profile"`
	Projection *Projection `json:"projection,omitempty"`
	Point      float64     `json:"point,omitempty"` // GFLOP/s with all refinements; 0: not known
	Error      string      `json:"error,omitempty"`
}

// Apply returns the changed machine: the peak is proportional to the vector length (section 3.3 of the paper), and main memory gets the design's bandwidth.
func (d *Design) Apply(m *Machine) (*Machine, error) {
	out := *m
	out.Levels = append([]Level(nil), m.Levels...)
	if d.VectorBits > 0 && d.VectorBits != m.VectorBits {
		by := d.VectorBits / m.VectorBits
		out.Peak = Peak{m.Peak.Double * by, m.Peak.Single * by, m.Peak.Half * by}
		out.VectorBits = d.VectorBits
		out.Name += fmt.Sprintf("+%g", d.VectorBits)
	}
	if d.Memory != "" {
		l := out.level(memoryName)
		if l == nil {
			return nil, fmt.Errorf("machine %s has no main memory to be exchanged", m.Name)
		}
		l.Bandwidth = d.Bandwidth
		out.Name += "+" + d.Memory
	}
	return &out, nil
}

// ParseMemory reads a main memory: a bandwidth in GB/s, or the name of a machine, which find looks up and whose main memory is used.
func ParseMemory(s string, find func(string) (*Machine, error)) (bandwidth float64, err error) {
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "GB/s"))
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		if !positive(v) {
			return 0, fmt.Errorf("a memory of %s GB/s: a positive number is needed", text)
		}
		return v, nil
	}
	m, err := find(s)
	if err != nil {
		return 0, err
	}
	if l := m.level(memoryName); l != nil && l.Bandwidth > 0 {
		return l.Bandwidth, nil
	}
	return 0, fmt.Errorf("the bandwidth of the main memory of machine %s is not known", m.Name)
}

// Explore projects to each design of a target. A design that cannot be projected has an error and does not stop the others.
// refine, if not nil, adds refined projections.
func Explore(source Side, to *Machine, designs []Design, perf float64, refine func(*Projection, *Machine, *Design) error) (out []Explored) {
	from, a, all := source.Machine, source.Profile, to
	for _, d := range designs {
		x := Explored{Design: d}
		if to = all; d.To != nil {
			to = d.To
		}
		if d.Profile == nil {
			x.Error = "no profile"
			out = append(out, x)
			continue
		}
		x.Profile = d.Profile.File
		if x.VectorBits == 0 {
			x.VectorBits = to.VectorBits
		}
		m, err := d.Apply(to)
		if err == nil {
			x.Projection, err = Project(from, m, a, d.Profile, perf)
		}
		if err == nil && refine != nil {
			if err = refine(x.Projection, m, &d); err == nil && len(x.Projection.Refined) > 0 {
				x.Point = x.Projection.Refined[len(x.Projection.Refined)-1].Point
			}
		}
		if err != nil {
			x.Error = err.Error()
		}
		out = append(out, x)
	}
	return out
}

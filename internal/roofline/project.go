package roofline

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"incore/internal/base/finite"
)

// Schema names the version of the layout of a projection; fields may be added to it.
const Schema = "incore.roofline.project/1"

// Projection is the interval of a program's performance on a target machine.
type Projection struct {
	Schema string  `json:"schema"`
	From   string  `json:"from"`
	To     string  `json:"to"`
	Perf   float64 `json:"perf"` // of the program on the source, GFLOP/s
	Low    float64 `json:"low"`  // on the target, GFLOP/s
	High   float64 `json:"high"`
	// SpeedupLow and SpeedupHigh are the source's time in the target's: 2 for half the time. They count the FLOPs of either binary.
	SpeedupLow  float64    `json:"speedup_low"`
	SpeedupHigh float64    `json:"speedup_high"`
	PeakSource  float64    `json:"weighted_peak_source"` // GFLOP/s (equation 2)
	PeakTarget  float64    `json:"weighted_peak_target"`
	LowBy       string     `json:"low_by"` // intensity and roof of the interval's ends
	HighBy      string     `json:"high_by"`
	Values      []Value    `json:"values"`
	Assumptions []string   `json:"assumptions"`
	Warnings    []string   `json:"warnings,omitempty"`
	Roofs       []RoofLine `json:"roofs"`       // of both machines, for plots
	FullSource  float64    `json:"peak_source"` // GFLOP/s, of full vectors of multiply-adds
	FullTarget  float64    `json:"peak_target"`
	// Refined are the projections with refinements beyond the paper; each adds one refinement.
	Refined   []*Refined `json:"refined,omitempty"`
	Unrefined []string   `json:"unrefined,omitempty"` // why some refinements are missing
}

// RoofLine is a level's bandwidth on one of the machines.
type RoofLine struct {
	Side      string  `json:"side"` // source, target
	Level     string  `json:"level"`
	Bandwidth float64 `json:"bandwidth"` // GB/s
}

// Value is the projection by one operational intensity under one level's roofline (equation 4).
type Value struct {
	OILevel    string   `json:"oi_level"`
	RoofLevel  string   `json:"roof_level"`
	OISource   *float64 `json:"oi_source"` // FLOP/byte; null: this level and the farther levels served no bytes
	OITarget   *float64 `json:"oi_target"`
	RoofSource float64  `json:"roof_source"` // GFLOP/s
	RoofTarget float64  `json:"roof_target"`
	Projected  float64  `json:"projected"`
}

// Weighted returns the peak of a machine for a program's mix of instructions (equation 2), whose instructions do fewer operations on average than a
// fused multiply-add of a full vector. It is at most the peak: instructions that do more operations are not the
// machine's.
func Weighted(m *Machine, p *Profile) (float64, error) {
	peak, err := m.peak(p.ElementBits)
	if err != nil {
		return 0, err
	}
	return peak * min(1, share(m, p)), nil
}

// share returns the mean operations of a program's floating-point instructions as a share of those of a multiply-add
// of full vectors of a machine.
func share(m *Machine, p *Profile) float64 {
	return p.Flops / p.FPInstructions / (2 * m.VectorBits / p.ElementBits)
}

// Roof returns the attainable performance at an operational intensity under a level's bandwidth and a peak (equation 1).
func Roof(bandwidth, peak, intensity float64) float64 {
	if math.IsInf(intensity, 1) {
		return peak
	}
	return math.Min(bandwidth*intensity, peak)
}

// SameBinary notes that nothing is known of the target's binary.
func (r *Projection) SameBinary() {
	r.Warnings = append(r.Warnings, "no --target-profile: the target's binary is taken to do the same as the source's")
}

// Project projects a performance of perf GFLOP/s from one machine to another. a is the profile of the source's binary, b of the target's binary. If perf is 0,
// it follows from the time in the source's profile.
func Project(from, to *Machine, a, b *Profile, perf float64) (*Projection, error) {
	r := &Projection{Schema: Schema, From: from.Name, To: to.Name, Perf: perf}
	var err error
	switch {
	case perf == 0 && a.Seconds > 0:
		r.Perf = a.Flops / a.Seconds / 1e9
	case perf == 0:
		return nil, fmt.Errorf("the performance on %s is needed (--perf GFLOP/s), or a profile with the time that was measured (seconds)", from.Name)
	case !positive(perf):
		return nil, fmt.Errorf("a performance of %v GFLOP/s: a number from %g to %g is needed", perf, finite.Least,
			finite.Most)
	}
	if r.PeakSource, err = Weighted(from, a); err != nil {
		return nil, err
	}
	if r.PeakTarget, err = Weighted(to, b); err != nil {
		return nil, err
	}
	intensities, err := shared(from, to, a, b)
	if err != nil {
		return nil, err
	}
	roofs, unknown := bothKnow(from, to)
	if len(roofs) == 0 {
		return nil, fmt.Errorf("no level of memory has a bandwidth in both machines: %s has %s, %s has %s", from.Name, from.known(), to.Name, to.known())
	}
	for _, oi := range intensities {
		for _, level := range roofs {
			r.add(from, to, oi, level)
		}
	}
	r.sum(a, b)
	r.FullSource, _ = from.peak(a.ElementBits)
	r.FullTarget, _ = to.peak(b.ElementBits)
	for _, l := range from.Levels {
		if l.Bandwidth > 0 {
			r.Roofs = append(r.Roofs, RoofLine{"source", l.Name, l.Bandwidth})
		}
	}
	for _, l := range to.Levels {
		if l.Bandwidth > 0 {
			r.Roofs = append(r.Roofs, RoofLine{"target", l.Name, l.Bandwidth})
		}
	}
	r.Assumptions = []string{
		"the program reaches the same share of a roof on " + to.Name + " as on " + from.Name,
		"bytes of levels are those of the profiles; the target's were counted on the caches that its profile names",
		"latency of memory, and what overlaps, are not in the method",
	}
	r.warn(from, a, b, unknown)
	for _, x := range []struct {
		m *Machine
		p *Profile
	}{{from, a}, {to, b}} {
		if share(x.m, x.p) > 1+1e-9 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the floating-point instructions of %s do %.3g operations each, more than the %g of a multiply-add of %s: a profile of a binary for %[4]s is needed", x.p.File, x.p.Flops/x.p.FPInstructions, 2*x.m.VectorBits/x.p.ElementBits, x.m.Name))
		}
	}
	return r, nil
}

// intensity is the operational intensity of one level for both binaries.
type intensity struct {
	level          string
	source, target float64
}

// shared returns the intensities of the levels that both profiles have.
func shared(from, to *Machine, a, b *Profile) (out []intensity, err error) {
	source, err := a.levels(from)
	if err != nil {
		return nil, err
	}
	target, err := b.levels(to) // counted with the target's caches …
	if err != nil {
		if order, other := b.levels(from); other == nil { // … or, as in the paper, with the source's
			target, err = order, nil
		}
	}
	if err != nil {
		return nil, err
	}
	for i, name := range source {
		for j, other := range target {
			if key(name) == key(other) {
				out = append(out, intensity{name, a.intensity(source, i), b.intensity(target, j)})
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the profiles have no level in common: %s has %s, %s has %s", a.File, strings.Join(source, ", "), b.File, strings.Join(target, ", "))
	}
	return out, nil
}

// bothKnow returns the levels whose bandwidth both machines know, and the levels whose bandwidth only one of them knows.
func bothKnow(from, to *Machine) (known, unknown []string) {
	for _, l := range from.Levels {
		switch t := to.level(l.Name); {
		case t != nil && t.Bandwidth > 0 && l.Bandwidth > 0:
			known = append(known, l.Name)
		default:
			unknown = append(unknown, l.Name)
		}
	}
	for _, l := range to.Levels {
		if from.level(l.Name) == nil {
			unknown = append(unknown, l.Name)
		}
	}
	return known, unknown
}

// known lists the levels of known bandwidth.
func (m *Machine) known() string {
	var out []string
	for _, l := range m.Levels {
		if l.Bandwidth > 0 {
			out = append(out, l.Name)
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

// add projects by one intensity under one level's roofs.
func (r *Projection) add(from, to *Machine, oi intensity, level string) {
	v := Value{OILevel: oi.level, RoofLevel: level, OISource: ifFinite(oi.source), OITarget: ifFinite(oi.target)}
	v.RoofSource = Roof(from.level(level).Bandwidth, r.PeakSource, oi.source)
	v.RoofTarget = Roof(to.level(level).Bandwidth, r.PeakTarget, oi.target)
	v.Projected = r.Perf / v.RoofSource * v.RoofTarget
	r.Values = append(r.Values, v)
}

func ifFinite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// sum computes the interval from all values.
func (r *Projection) sum(a, b *Profile) {
	r.Low, r.High = math.Inf(1), 0
	for i := range r.Values {
		v := &r.Values[i]
		by := fmt.Sprintf("intensity of %s under the roof of %s", v.OILevel, v.RoofLevel)
		if v.Projected < r.Low {
			r.Low, r.LowBy = v.Projected, by
		}
		if v.Projected > r.High {
			r.High, r.HighBy = v.Projected, by
		}
	}
	time := a.Flops / r.Perf // the source's time, up to a factor
	r.SpeedupLow, r.SpeedupHigh = time*r.Low/b.Flops, time*r.High/b.Flops
}

// warn adds warnings about properties that make the result doubtful.
func (r *Projection) warn(from *Machine, a, b *Profile, unknown []string) {
	const alike, above = 0.01, 1.02
	if off := math.Abs(a.Flops-b.Flops) / math.Max(a.Flops, b.Flops); off > alike {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the profiles do not compute the same: %.4g FLOP in %s, %.4g in %s (%.1f %% apart); were program and input the same?", a.Flops, a.File, b.Flops, b.File, 100*off))
	}
	if len(a.Program) > 1 || len(b.Program) > 1 {
		if x, y := strings.Join(a.arguments(), " "), strings.Join(b.arguments(), " "); x != y && len(a.Program) > 0 && len(b.Program) > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the profiles are of runs with different arguments: %q in %s, %q in %s", x, a.File, y, b.File))
		}
	}
	if a.Scope != b.Scope {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the profiles are of different parts: %s in %s, %s in %s", cmp.Or(a.Scope, "the whole program"), a.File, cmp.Or(b.Scope, "the whole program"), b.File))
	}
	if a.ElementBits != b.ElementBits {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the profiles differ in precision: elements of %v bits in %s, of %v in %s", a.ElementBits, a.File, b.ElementBits, b.File))
	}
	for _, p := range []*Profile{a, b} {
		if p.Partial != "" {
			r.Warnings = append(r.Warnings, fmt.Sprintf("profile %s is partial: %s", p.File, p.Partial))
		}
	}
	if len(unknown) > 0 {
		r.Warnings = append(r.Warnings, "no bandwidth in both machines, and so no roof: level "+strings.Join(unknown, ", "))
	}
	for i := range r.Values {
		if v := &r.Values[i]; r.Perf > above*v.RoofSource && v.OILevel == v.RoofLevel {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%.4g GFLOP/s are above the roof of %s on %s, %.4g: its bandwidth or peak is too low, or the bytes are too many", r.Perf, v.RoofLevel, from.Name, v.RoofSource))
		}
	}
}

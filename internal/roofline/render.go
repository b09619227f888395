package roofline

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"incore/internal/report"
)

// Layout implements report.Result.
func (*Projection) Layout() string { return Schema }

// Text writes the interval, the values that it holds, and a drawing of the roofs.
func (r *Projection) Text(w io.Writer, _ report.TextOptions) error {
	if err := r.figures(w); err != nil {
		return err
	}
	return r.drawing(w)
}

// figures writes a projection as text.
func (r *Projection) figures(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s GFLOP/s on %s → %s to %s on %s, %s to %s times as fast\n", figure(r.Perf), r.From, figure(r.Low), figure(r.High), r.To, figure(r.SpeedupLow), figure(r.SpeedupHigh))
	fmt.Fprintf(&b, "low by the %s; high by the %s\n", r.LowBy, r.HighBy)
	fmt.Fprintf(&b, "peaks weighted by the instruction mix: %s GFLOP/s on %s, %s on %s\n\n", figure(r.PeakSource), r.From, figure(r.PeakTarget), r.To)
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "intensity of\troof of\tFLOP/byte\tthere\troof\tthere\tprojected")
	for i := range r.Values {
		v := &r.Values[i]
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", v.OILevel, v.RoofLevel, ratio(v.OISource), ratio(v.OITarget), figure(v.RoofSource), figure(v.RoofTarget), figure(v.Projected))
	}
	tw.Flush()
	refinedText(&b, r)
	b.WriteString("\nassumed: " + strings.Join(r.Assumptions, "; ") + "\n")
	for _, s := range r.Warnings {
		b.WriteString("warning: " + s + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// refinedText writes the refined projections next to the paper's projection.
func refinedText(b *strings.Builder, r *Projection) {
	if len(r.Refined) == 0 {
		for _, s := range r.Unrefined {
			b.WriteString("\nnot refined: " + s + "\n")
		}
		return
	}
	b.WriteString("\nrefined:\n")
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "with\tGFLOP/s\tpoint\ttimes as fast\tby the model alone\t")
	fmt.Fprintf(tw, "the paper's method\t%s to %s\t\t%s to %s\t\t\n", figure(r.Low), figure(r.High), figure(r.SpeedupLow), figure(r.SpeedupHigh))
	for _, x := range r.Refined {
		fmt.Fprintf(tw, "%s\t%s to %s\t%s\t%s\t%s\t\n", strings.Join(x.With, ", "), figure(x.Low), figure(x.High), figure(x.Point), figure(x.Speedup), figure(x.Absolute))
	}
	tw.Flush()
	last := r.Refined[len(r.Refined)-1]
	if len(last.Loops) > 1 {
		const most = 8
		b.WriteString("\nloops on " + r.To + ", the longest first:\n")
		tw = tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "time %\tseconds\tcore\tchain\tdata\tbound by\tof the model\tloop")
		total := 0.0
		for i := range last.Loops {
			total += last.Loops[i].Seconds
		}
		for i := range last.Loops {
			m := &last.Loops[i]
			if i == most {
				fmt.Fprintf(tw, "… %d more\n", len(last.Loops)-most)
				break
			}
			bound := m.Bound
			if m.Bound == "core" && m.Limit != "" {
				bound = m.Limit
			}
			fmt.Fprintf(tw, "%.1f\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", percent(m.Seconds, total), figure(m.Seconds), figure(m.Core), figure(m.Chain), figure(m.Data), bound, figure(m.Share), m.Loop)
		}
		tw.Flush()
	}
	for _, s := range last.Notes {
		b.WriteString(s + "\n")
	}
	for _, s := range r.Unrefined {
		b.WriteString("not refined: " + s + "\n")
	}
}

// figure writes four significant digits.
func figure(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

func ratio(v *float64) string {
	if v == nil {
		return "no bytes"
	}
	return figure(*v)
}

// CSV writes the values of a projection.
func (r *Projection) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{"oi_level", "roof_level", "oi_source", "oi_target", "roof_source", "roof_target", "projected"})
	exact := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	oi := func(v *float64) string {
		if v == nil {
			return ""
		}
		return exact(*v)
	}
	for i := range r.Values {
		v := &r.Values[i]
		_ = c.Write([]string{v.OILevel, v.RoofLevel, oi(v.OISource), oi(v.OITarget), exact(v.RoofSource), exact(v.RoofTarget), exact(v.Projected)})
	}
	c.Flush()
	return c.Error()
}

// columns returns the columns for the properties in which the designs differ.
func columns(list []Explored) (names []string, cells func(x *Explored) []string) {
	var target, binary, whatIf, point bool
	for i := range list {
		x := &list[i]
		target, binary, whatIf, point = target || x.Target != "", binary || x.Binary != "", whatIf || x.WhatIf != "", point || x.Point > 0
	}
	add := func(on bool, name string) {
		if on {
			names = append(names, name)
		}
	}
	add(target, "target")
	add(binary, "binary")
	add(true, "vectors")
	add(true, "memory")
	add(whatIf, "core")
	add(point, "refined")
	return names, func(x *Explored) (out []string) {
		for _, n := range names {
			s := ""
			switch n {
			case "target":
				s = x.Target
			case "binary":
				s = x.Binary
			case "vectors":
				s = fmt.Sprintf("%g", x.VectorBits)
			case "memory":
				if s = x.Memory; s == "" {
					s = "as it is"
				}
			case "core":
				if s = x.WhatIf; s == "" {
					s = "as it is"
				}
			case "refined":
				if x.Point > 0 {
					s = figure(x.Point) + " GFLOP/s"
				}
			}
			out = append(out, s)
		}
		return out
	}
}

// Text writes the designs of an exploration, with a bar for each interval. The ratio of the times comes first: binaries may do different numbers of
// floating-point operations for the same work, as lanes that a longer vector does not use may count.
func (list Exploration) Text(w io.Writer, _ report.TextOptions) error {
	most := 0.0
	for i := range list {
		if p := list[i].Projection; p != nil {
			most = max(most, p.SpeedupHigh)
		}
	}
	names, cells := columns(list)
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, strings.Join(names, "\t")+"\ttimes as fast by the paper's method\tGFLOP/s\t")
	for i := range list {
		x := &list[i]
		fmt.Fprint(tw, strings.Join(cells(x), "\t")+"\t")
		if x.Projection == nil {
			fmt.Fprintf(tw, "not projected: %s\n", x.Error)
			continue
		}
		p := x.Projection
		fmt.Fprintf(tw, "%s to %s\t%s to %s\t%s\n", figure(p.SpeedupLow), figure(p.SpeedupHigh), figure(p.Low), figure(p.High), bar(p.SpeedupLow/most, p.SpeedupHigh/most))
	}
	tw.Flush()
	seen := map[string]bool{}
	for i := range list {
		if p := list[i].Projection; p != nil {
			for _, s := range p.Warnings {
				if !seen[s] {
					b.WriteString("warning: " + s + "\n")
				}
				seen[s] = true
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// bar draws an interval on a scale from 0 to 1.
func bar(low, high float64) string {
	const width = 40
	from, to := int(low*width+0.5), int(high*width+0.5)
	return strings.Repeat(" ", min(from, width-1)) + strings.Repeat("█", max(1, to-from))
}

// CSV writes a line for each design.
func (list Exploration) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{"vector_bits", "memory", "profile", "low", "high", "speedup_low", "speedup_high", "error", "target", "binary", "what_if", "point"})
	exact := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for i := range list {
		x := &list[i]
		row := []string{exact(x.VectorBits), x.Memory, x.Profile, "", "", "", "", x.Error, x.Target, x.Binary, x.WhatIf, ""}
		if p := x.Projection; p != nil {
			row[3], row[4], row[5], row[6] = exact(p.Low), exact(p.High), exact(p.SpeedupLow), exact(p.SpeedupHigh)
		}
		if x.Point > 0 {
			row[11] = exact(x.Point)
		}
		_ = c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// MachineText writes a machine with the sources of its figures.
func MachineText(w io.Writer, m *Machine) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s; vectors of %g bits\n", m.Name, m.Title, m.VectorBits)
	if m.Clock > 0 {
		fmt.Fprintf(&b, "  clock: %g GHz\n", m.Clock)
	}
	for _, p := range []struct {
		name string
		rate float64
	}{{"double", m.Peak.Double}, {"single", m.Peak.Single}, {"half", m.Peak.Half}} {
		if p.rate > 0 {
			fmt.Fprintf(&b, "  peak %s: %g GFLOP/s\n", p.name, p.rate)
		}
	}
	for _, l := range m.Levels {
		fmt.Fprintf(&b, "  %s:", l.Name)
		if l.Bandwidth > 0 {
			fmt.Fprintf(&b, " %g GB/s", l.Bandwidth)
		} else {
			b.WriteString(" bandwidth not known")
		}
		if l.Size > 0 {
			fmt.Fprintf(&b, ", %g KiB", l.Size/1024)
		}
		b.WriteByte('\n')
	}
	keys := make([]string, 0, len(m.Sources))
	for k := range m.Sources {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprintf(&b, "  source of %s: %s\n", k, m.Sources[k])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

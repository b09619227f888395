package roofline

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// mark is a point of a plot: a performance at an intensity.
type mark struct {
	oi, perf  float64
	kind      string // source, value, loop
	tip       string
	emphasise float64 // for loops: share of the time
}

// frame is a plot's area; both axes are logarithmic.
type frame struct {
	x0, x1, y0, y1           float64 // of the data
	left, top, width, height float64
}

func (f *frame) x(v float64) float64 {
	return f.left + f.width*(math.Log(v)-math.Log(f.x0))/(math.Log(f.x1)-math.Log(f.x0))
}

func (f *frame) y(v float64) float64 {
	return f.top + f.height*(1-(math.Log(v)-math.Log(f.y0))/(math.Log(f.y1)-math.Log(f.y0)))
}

// marks are the points of a projection.
func (r *Projection) marks() (out []mark) {
	for i := range r.Values {
		v := &r.Values[i]
		if v.OISource != nil && v.OILevel == v.RoofLevel {
			out = append(out, mark{*v.OISource, r.Perf, "source", fmt.Sprintf("measured on %s: %s GFLOP/s at the intensity of %s, %s FLOP/byte", r.From, figure(r.Perf), v.OILevel, figure(*v.OISource)), 0})
		}
		if v.OITarget != nil {
			out = append(out, mark{*v.OITarget, v.Projected, "value", fmt.Sprintf("projected to %s: %s GFLOP/s by the intensity of %s, %s FLOP/byte, under the roof of %s", r.To, figure(v.Projected), v.OILevel, figure(*v.OITarget), v.RoofLevel), 0})
		}
	}
	if len(r.Refined) == 0 {
		return out
	}
	loops := r.Refined[len(r.Refined)-1].Loops
	total := 0.0
	for i := range loops {
		total += loops[i].Seconds
	}
	for i := range loops {
		if l := &loops[i]; l.OI > 0 && l.Seconds > 0 && l.Flops > 0 {
			out = append(out, mark{l.OI, l.Flops / l.Seconds / 1e9, "loop", fmt.Sprintf("%s: %s %% of the time on %s, %s GFLOP/s, bound by %s %s", l.Loop, figure(100*l.Seconds/total), r.To, figure(l.Flops/l.Seconds/1e9), l.Bound, l.Limit), l.Seconds / total})
		}
	}
	return out
}

// frame returns the ranges that contain all points and the knees of the roofs.
func (r *Projection) frame(marks []mark) *frame {
	f := &frame{x0: math.Inf(1), y0: math.Inf(1)}
	see := func(x, y float64) {
		if x > 0 && !math.IsInf(x, 0) {
			f.x0, f.x1 = math.Min(f.x0, x), math.Max(f.x1, x)
		}
		if y > 0 {
			f.y0, f.y1 = math.Min(f.y0, y), math.Max(f.y1, y)
		}
	}
	for _, m := range marks {
		if m.kind != "loop" || m.emphasise >= 0.01 {
			see(m.oi, m.perf)
		}
	}
	for _, l := range r.Roofs {
		peak := r.FullSource
		if l.Side == "target" {
			peak = r.FullTarget
		}
		see(peak/l.Bandwidth, peak)
	}
	see(0, r.Low)
	see(0, r.High)
	const room = 1.6
	f.x0, f.x1, f.y0, f.y1 = f.x0/room, f.x1*room, f.y0/room, f.y1*room
	return f
}

// plotStyle uses the colours of the paper's figures: the source is green, the target red, projections are blue.
const plotStyle = `.source{stroke:#2a8a3e;fill:none}.target{stroke:#c43c39;fill:none}.roof{stroke-width:1.6}.weighted{stroke-width:1.6;stroke-dasharray:2 4}.full{stroke-width:1;opacity:.55}` +
	`.box{fill:#2b6cb022;stroke:#2b6cb0;stroke-dasharray:2 3}.value{stroke:#2b6cb0;stroke-width:1.6}.point{fill:#2a8a3e}.loop{fill:#c43c3955;stroke:#c43c39}` +
	`.grid{stroke:currentColor;opacity:.14}.axis{stroke:currentColor;opacity:.6;fill:none}text{font:12px system-ui,sans-serif;fill:currentColor}.ts{fill:#2a8a3e}.tt{fill:#c43c39}.tv{fill:#2b6cb0}`

// SVG draws a projection: the roofs of both machines, the measured point, the projected points with their interval, and the loops.
func (r *Projection) SVG(w io.Writer) error {
	var b strings.Builder
	const width, height = 860, 540
	marks := r.marks()
	f := r.frame(marks)
	f.left, f.top, f.width, f.height = 64, 40, width-64-150, height-40-52
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" color="#222"><style>%s</style>`+"\n", width, height, width, height, plotStyle)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff" class="paper"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text x="%g" y="22">%s</text>`+"\n", f.left, html.EscapeString(fmt.Sprintf("%s GFLOP/s on %s → %s to %s on %s", figure(r.Perf), r.From, figure(r.Low), figure(r.High), r.To)))
	f.axes(&b)
	r.roofs(&b, f)
	r.points(&b, f, marks)
	r.legend(&b, f)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// axes draws the axes with their decades.
func (f *frame) axes(b *strings.Builder) {
	fmt.Fprintf(b, `<rect class="axis" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`+"\n", f.left, f.top, f.width, f.height)
	ticks(f.x0, f.x1, func(v float64, name bool) {
		x := f.x(v)
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x, f.top, x, f.top+f.height)
		if name {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, x, f.top+f.height+17, figure(v))
		}
	})
	ticks(f.y0, f.y1, func(v float64, name bool) {
		y := f.y(v)
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, f.left, y, f.left+f.width, y)
		if name {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end">%s</text>`, f.left-7, y+4, figure(v))
		}
	})
	fmt.Fprintf(b, "\n"+`<text x="%.1f" y="%.1f" text-anchor="middle">operational intensity, FLOP/byte</text>`, f.left+f.width/2, f.top+f.height+38)
	fmt.Fprintf(b, `<text transform="translate(16 %.1f) rotate(-90)" text-anchor="middle">GFLOP/s</text>`+"\n", f.top+f.height/2)
}

// ticks calls do for 1, 2 and 5 of each decade; name reports whether there is room for a label.
func ticks(lo, hi float64, do func(v float64, name bool)) {
	all := math.Log10(hi/lo) < 2.2
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, e); v >= lo && v <= hi {
				do(v, m == 1 || all)
			}
		}
	}
}

// roofs draws each level's roofline, the weighted peaks dotted.
func (r *Projection) roofs(b *strings.Builder, f *frame) {
	for _, s := range []struct {
		side, name     string
		full, weighted float64
	}{{"source", r.From, r.FullSource, r.PeakSource}, {"target", r.To, r.FullTarget, r.PeakTarget}} {
		widest := 0.0
		for _, l := range r.Roofs {
			if l.Side != s.side {
				continue
			}
			widest = math.Max(widest, l.Bandwidth)
			knee := s.full / l.Bandwidth
			from := math.Max(f.x0, f.y0/l.Bandwidth)
			if from < f.x1 {
				fmt.Fprintf(b, `<path class="%s roof" d="M%.1f %.1fL%.1f %.1f"><title>%s, %s: %s GB/s</title></path>`, s.side, f.x(from), f.y(from*l.Bandwidth), f.x(math.Min(knee, f.x1)), f.y(math.Min(knee, f.x1)*l.Bandwidth), html.EscapeString(s.name), html.EscapeString(l.Level), figure(l.Bandwidth))
			}
		}
		if widest == 0 {
			continue
		}
		for _, p := range []struct {
			class, what string
			peak        float64
		}{{"full", "peak", s.full}, {"weighted", "peak weighted by the instruction mix", s.weighted}} {
			if x := math.Max(f.x0, p.peak/widest); x < f.x1 && p.peak > f.y0 && p.peak < f.y1 {
				fmt.Fprintf(b, `<path class="%s %s" d="M%.1f %.1fL%.1f %.1f"><title>%s, %s: %s GFLOP/s</title></path>`, s.side, p.class, f.x(x), f.y(p.peak), f.x(f.x1), f.y(p.peak), html.EscapeString(s.name), p.what, figure(p.peak))
			}
		}
		b.WriteByte('\n')
	}
}

// points draws the measured and projected points.
func (r *Projection) points(b *strings.Builder, f *frame, marks []mark) {
	lo, hi := math.Inf(1), 0.0
	for _, m := range marks {
		if m.kind == "value" {
			lo, hi = math.Min(lo, m.oi), math.Max(hi, m.oi)
		}
	}
	if hi > 0 {
		const room = 8
		x0, x1, y0, y1 := f.x(lo)-room, f.x(hi)+room, f.y(r.High)-room, f.y(r.Low)+room
		fmt.Fprintf(b, `<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>interval: %s to %s GFLOP/s on %s</title></rect>`+"\n", x0, y0, x1-x0, y1-y0, figure(r.Low), figure(r.High), html.EscapeString(r.To))
	}
	for _, m := range marks {
		if m.oi < f.x0 || m.oi > f.x1 || m.perf < f.y0 || m.perf > f.y1 {
			continue
		}
		x, y, tip := f.x(m.oi), f.y(m.perf), html.EscapeString(m.tip)
		switch m.kind {
		case "source":
			fmt.Fprintf(b, `<circle class="point" cx="%.1f" cy="%.1f" r="5"><title>%s</title></circle>`, x, y, tip)
		case "value":
			fmt.Fprintf(b, `<path class="value" d="M%.1f %.1fl8 8m0 -8l-8 8"><title>%s</title></path>`, x-4, y-4, tip)
		case "loop":
			fmt.Fprintf(b, `<circle class="loop" cx="%.1f" cy="%.1f" r="%.1f"><title>%s</title></circle>`, x, y, 3+9*math.Sqrt(m.emphasise), tip)
		}
	}
	b.WriteByte('\n')
}

// legend draws the legend of colours and marks.
func (r *Projection) legend(b *strings.Builder, f *frame) {
	x, y := f.left+f.width+14, f.top+12
	line := func(class, s string) {
		fmt.Fprintf(b, `<text class="%s" x="%.1f" y="%.1f">%s</text>`, class, x, y, html.EscapeString(s))
		y += 17
	}
	for _, s := range []struct{ side, class, name string }{{"source", "ts", r.From}, {"target", "tt", r.To}} {
		line(s.class, s.name)
		for _, l := range r.Roofs {
			if l.Side == s.side {
				line(s.class, fmt.Sprintf("  %s %s GB/s", l.Level, figure(l.Bandwidth)))
			}
		}
		y += 6
	}
	line("", "┄ weighted peak")
	line("ts", "● measured")
	line("tv", "× projected")
	if len(r.Refined) > 0 {
		line("tt", "○ loops, refined")
	}
	b.WriteByte('\n')
}

// drawing draws a projection as text: roofs of the target as lines, S for the program on the source, x for the projected points.
func (r *Projection) drawing(w io.Writer) error {
	const columns, rows = 72, 16
	marks := r.marks()
	f := r.frame(marks)
	f.left, f.top, f.width, f.height = 0, 0, columns-1, rows-1
	var cells [rows][columns]rune
	for i := range cells {
		for j := range cells[i] {
			cells[i][j] = ' '
		}
	}
	set := func(x, y float64, c rune) {
		if i, j := int(math.Round(y)), int(math.Round(x)); i >= 0 && i < rows && j >= 0 && j < columns {
			cells[i][j] = c
		}
	}
	roof := func(side string, full, weighted float64, line, dots rune) {
		for _, l := range r.Roofs {
			if l.Side != side {
				continue
			}
			for j := range columns {
				oi := f.x0 * math.Pow(f.x1/f.x0, float64(j)/(columns-1))
				if v := math.Min(l.Bandwidth*oi, full); v < full {
					set(float64(j), f.y(v), line)
				}
				if v := l.Bandwidth * oi; v >= weighted {
					set(float64(j), f.y(weighted), dots)
				}
			}
		}
	}
	roof("source", r.FullSource, r.PeakSource, '·', '·')
	roof("target", r.FullTarget, r.PeakTarget, '/', '-')
	for _, m := range marks {
		c := map[string]rune{"source": 'S', "value": 'x', "loop": 'o'}[m.kind]
		if m.kind != "loop" || m.emphasise >= 0.05 {
			set(f.x(m.oi), f.y(m.perf), c)
		}
	}
	var b strings.Builder
	for i := range cells {
		label := ""
		if i%5 == 0 {
			label = figure2(f.y0 * math.Pow(f.y1/f.y0, 1-float64(i)/(rows-1)))
		}
		fmt.Fprintf(&b, "%8s │%s\n", label, strings.TrimRight(string(cells[i][:]), " "))
	}
	fmt.Fprintf(&b, "%8s └%s\n%8s  %-36s%36s\n", "GFLOP/s", strings.Repeat("─", columns), "", figure2(f.x0), figure2(f.x1)+" FLOP/byte")
	fmt.Fprintf(&b, "%8s  / bandwidths and - weighted peak of %s, · of %s; S measured, x projected", "", r.To, r.From)
	if len(r.Refined) > 0 {
		b.WriteString(", o loops")
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

func figure2(v float64) string { return fmt.Sprintf("%.2g", v) }

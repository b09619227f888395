package roofline

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// exploredStyle is the style of an exploration's bars; each series has one colour.
const exploredStyle = `.bar{fill-opacity:.35;stroke-width:1.4}.grid{stroke:currentColor;opacity:.14}.axis{stroke:currentColor;opacity:.6;fill:none}text{font:12px system-ui,sans-serif;fill:currentColor}` +
	`.c0{fill:#2b6cb0;stroke:#2b6cb0}.c1{fill:#c43c39;stroke:#c43c39}.c2{fill:#2a8a3e;stroke:#2a8a3e}.c3{fill:#b7791f;stroke:#b7791f}.c4{fill:#6b46c1;stroke:#6b46c1}.c5{fill:#2c7a7b;stroke:#2c7a7b}.dot{stroke:#fff;fill-opacity:1}`

const seriesColours = 6

// series groups the designs that only differ in the vector length, in the order of the list.
func series(list []Explored) (names []string, of func(*Explored) int) {
	key := func(x *Explored) string {
		var parts []string
		for _, s := range []string{x.Target, x.Binary, x.Memory, x.WhatIf} {
			if s != "" {
				parts = append(parts, s)
			}
		}
		if len(parts) == 0 {
			return "target"
		}
		return strings.Join(parts, ", ")
	}
	at := map[string]int{}
	for i := range list {
		k := key(&list[i])
		if _, ok := at[k]; !ok {
			at[k] = len(names)
			names = append(names, k)
		}
	}
	return names, func(x *Explored) int { return at[key(x)] }
}

// SVG draws the interval of each design over the vector lengths, as in figures 10 to 17 of the paper.
func (list Exploration) SVG(w io.Writer) error {
	names, of := series(list)
	var vectors []float64
	most := 0.0
	for i := range list {
		x := &list[i]
		found := false
		for _, v := range vectors {
			found = found || v == x.VectorBits
		}
		if !found {
			vectors = append(vectors, x.VectorBits)
		}
		if x.Projection != nil {
			most = math.Max(most, math.Max(x.Projection.High, x.Point))
		}
	}
	var b strings.Builder
	const left, top, height, bar, gap = 64.0, 24.0, 360.0, 16.0, 26.0
	group := bar*float64(len(names)) + gap
	width := group * float64(max(len(vectors), 1))
	total, tall := left+width+40, top+height+54+18*float64(len(names))
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" color="#222"><style>%s</style>`+"\n", total, tall, total, tall, exploredStyle)
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" fill="#fff" class="paper"/><rect class="axis" x="%g" y="%g" width="%.1f" height="%g"/>`+"\n", total, tall, left, top, width, height)
	if most > 0 {
		step := math.Pow(10, math.Floor(math.Log10(most)))
		if most/step < 3 {
			step /= 4
		}
		y := func(v float64) float64 { return top + height*(1-v/(most*1.05)) }
		for v := 0.0; v <= most*1.05; v += step {
			fmt.Fprintf(&b, `<line class="grid" x1="%g" y1="%.1f" x2="%.1f" y2="%.1f"/><text x="%g" y="%.1f" text-anchor="end">%s</text>`, left, y(v), left+width, y(v), left-7, y(v)+4, figure(v))
		}
		for i := range list {
			x := &list[i]
			if x.Projection == nil {
				continue
			}
			k := of(x)
			at := left + gap/2 + bar*float64(k)
			for g, v := range vectors {
				if v == x.VectorBits {
					at += group * float64(g)
				}
			}
			tip := fmt.Sprintf("%s, vectors of %g bits: %s to %s GFLOP/s", names[k], x.VectorBits, figure(x.Projection.Low), figure(x.Projection.High))
			lo, hi := y(x.Projection.Low), y(x.Projection.High)
			if x.Point > 0 {
				tip += ", refined " + figure(x.Point)
			}
			fmt.Fprintf(&b, `<rect class="bar c%d" x="%.1f" y="%.1f" width="%g" height="%.1f"><title>%s</title></rect>`, k%seriesColours, at, hi, bar-3, math.Max(2, lo-hi), html.EscapeString(tip))
			if x.Point > 0 {
				fmt.Fprintf(&b, `<circle class="dot c%d" cx="%.1f" cy="%.1f" r="4"><title>%s</title></circle>`, k%seriesColours, at+(bar-3)/2, y(x.Point), html.EscapeString(tip))
			}
		}
	}
	for g, v := range vectors {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle">%g bits</text>`, left+group*(float64(g)+0.5), top+height+18, v)
	}
	fmt.Fprintf(&b, "\n"+`<text transform="translate(16 %.1f) rotate(-90)" text-anchor="middle">GFLOP/s</text>`+"\n", top+height/2)
	for k, n := range names {
		fmt.Fprintf(&b, `<rect class="bar c%d" x="%g" y="%.1f" width="12" height="12"/><text x="%g" y="%.1f">%s</text>`, k%seriesColours, left, top+height+34+18*float64(k), left+20, top+height+45+18*float64(k), html.EscapeString(n))
	}
	b.WriteString("\n</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

package report

import (
	"fmt"
	"io"
	"strings"
)

// SVG draws the dependence graphs of a document's kernels, one below the other per kernel and machine.
func (d *Document) SVG(w io.Writer) error { return svgOf(w, graphs(d)) }

func svgOf(w io.Writer, list []*graph) error {
	var body strings.Builder
	width, height := 560.0, 0.0
	for _, g := range list {
		l, err := newLayout(g)
		if err != nil {
			return err
		}
		c := &canvas{graph: g, layout: l}
		fmt.Fprintf(&body, "<g transform=\"translate(%d %.0f)\">\n", margin, height+margin)
		c.draw(&body)
		body.WriteString("</g>\n")
		width = max(width, c.right+2*margin, charWidth*float64(len([]rune(g.subtitle)))+2*margin)
		height += c.bottom + 2*margin
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="Helvetica, Arial, sans-serif" font-size="12">`+"\n", width, height, width, height)
	b.WriteString("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<defs>\n")
	for _, m := range []struct{ id, color string }{{"plain", plainColor}, {"lcd", lcdColor}, {"cp", cpColor}} {
		fmt.Fprintf(&b, `<marker id="%s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5L8 4L0 7.5z" fill="%s"/></marker>`+"\n", m.id, m.color)
	}
	b.WriteString("</defs>\n")
	b.WriteString(body.String())
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

const (
	plainColor = "#8a8a8a"
	orderColor = "#c8c8c8" // false dependences, for which a core need not wait
)

// canvas draws one graph.
type canvas struct {
	*graph
	*layout
	right, bottom float64
}

// headHeight is the room above the graph for title and legend.
const headHeight = 78

func (c *canvas) draw(b *strings.Builder) {
	c.right, c.bottom = c.width, c.height+headHeight
	fmt.Fprintf(b, "<text y=\"12\" font-size=\"15\" font-weight=\"bold\">%s</text>\n<text y=\"32\" fill=\"#404040\">%s</text>\n", escape(c.title), escape(c.subtitle))
	c.legend(b)
	fmt.Fprintf(b, "<g transform=\"translate(0 %d)\">\n", headHeight)
	lanes := c.lanes()
	var labels strings.Builder
	for i := range c.edges {
		if c.edges[i].from == c.edges[i].to {
			c.ownEdge(b, &labels, i)
		} else if c.edges[i].back || c.edges[i].from > c.edges[i].to {
			c.backEdge(b, &labels, i, lanes[i])
		} else {
			c.edge(b, &labels, i)
		}
	}
	for i := range c.nodes {
		c.node(b, i)
	}
	b.WriteString(labels.String())
	b.WriteString("</g>\n")
}

func (c *canvas) legend(b *strings.Builder) {
	b.WriteString(`<g transform="translate(0 46)" font-size="11" fill="#404040">`)
	fmt.Fprintf(b, `<rect width="22" height="13" rx="4" fill="%s" stroke="%s" stroke-width="1.5"/><text x="28" y="10">slowest loop-carried chain</text>`, lcdFill, lcdColor)
	fmt.Fprintf(b, `<rect x="190" width="22" height="13" rx="4" fill="#ffffff" stroke="%s" stroke-width="2" stroke-dasharray="5 3"/><text x="218" y="10">critical path of one iteration</text>`, cpColor)
	b.WriteString("<text x=\"395\" y=\"10\">edges: latency in cycles</text></g>\n")
}

func (c *canvas) node(b *strings.Builder, i int) {
	n, v := &c.nodes[i], &c.verts[i]
	fill, stroke, extra := "#f6f6f6", plainColor, ""
	if n.lcd {
		fill, stroke = lcdFill, lcdColor
		extra = ` stroke-width="1.5"`
	}
	x, y := v.x-v.w/2, v.y-nodeHeight/2
	fmt.Fprintf(b, `<g><title>%s</title><rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="6" fill="%s" stroke="%s"%s/>`, escape(n.tip), x, y, v.w, nodeHeight, fill, stroke, extra)
	if n.cp {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="8" fill="none" stroke="%s" stroke-width="2" stroke-dasharray="5 3"/>`, x-3, y-3, v.w+6, nodeHeight+6, cpColor)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text></g>`+"\n", v.x, v.y+4, escape(n.label))
}

// style returns the attributes of an edge's line.
func (e *edge) style() (color, attrs string) {
	switch {
	case e.lcd:
		return lcdColor, `stroke-width="2.4" marker-end="url(#lcd)"`
	case e.cp:
		return cpColor, `stroke-width="2" stroke-dasharray="6 3" marker-end="url(#cp)"`
	case e.possible:
		return orderColor, `stroke-dasharray="2 3" marker-end="url(#plain)"`
	case e.order:
		return orderColor, `marker-end="url(#plain)"`
	case e.memory:
		return plainColor, `stroke-dasharray="2 3" marker-end="url(#plain)"`
	}
	return plainColor, `marker-end="url(#plain)"`
}

// edge draws a dependence within an iteration, as a smooth line through its waypoints.
func (c *canvas) edge(b, labels *strings.Builder, i int) {
	e, r := &c.edges[i], c.routes[i]
	color, attrs := e.style()
	x, y := c.verts[r[0]].x, c.verts[r[0]].y+nodeHeight/2
	path := fmt.Sprintf("M%.1f %.1f", x, y)
	lx, ly := x, y
	for n, v := range r[1:] {
		tx, ty := c.verts[v].x, c.verts[v].y
		if n == len(r)-2 {
			tx, ty = c.port(v, r[n]), ty-nodeHeight/2
		}
		my := (y + ty) / 2
		path += fmt.Sprintf("C%.1f %.1f %.1f %.1f %.1f %.1f", x, my, tx, my, tx, ty)
		if n == 0 {
			lx, ly = (x+tx)/2, my
		}
		x, y = tx, ty
	}
	c.line(b, path, color, attrs, e.tip)
	c.latency(labels, lx, ly, color, e)
}

// port spreads the ends of the edges into a node along its upper side.
func (c *canvas) port(v, from int) float64 {
	n := &c.verts[v]
	d := c.verts[from].x - n.x
	limit := n.w/2 - 8
	return n.x + max(-limit, min(limit, d*0.25))
}

func (c *canvas) line(b *strings.Builder, path, color, attrs, tip string) {
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" %s><title>%s</title></path>`+"\n", path, color, attrs, escape(tip))
}

// latency writes an edge's label, on a white halo.
func (c *canvas) latency(b *strings.Builder, x, y float64, color string, e *edge) {
	if e.label == "" {
		return
	}
	weight := "normal"
	if e.lcd || e.cp {
		weight = "bold"
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="11" font-weight="%s" fill="%s" stroke="#ffffff" stroke-width="3" paint-order="stroke">%s</text>`+"\n", x, y+4, weight, dark(color), escape(e.label))
}

func dark(color string) string {
	switch color {
	case plainColor:
		return "#505050"
	case orderColor:
		return "#888888"
	}
	return color
}

// lanes gives each back edge a lane to the right of the graph.
func (c *canvas) lanes() map[int]float64 {
	m := map[int]float64{}
	for i := range c.edges {
		if e := &c.edges[i]; e.from == e.to {
			v := &c.verts[e.from]
			c.right = max(c.right, v.x+v.w/2+2*ownWidth)
		} else if e.back || e.from > e.to {
			m[i] = c.width + 22 + 16*float64(len(m))
			c.right = max(c.right, m[i]+30)
		}
	}
	return m
}

// backEdge draws a dependence of the next iteration: down from its source, round the right side of
// the graph and into its target from above.
func (c *canvas) backEdge(b, labels *strings.Builder, i int, lane float64) {
	e := &c.edges[i]
	color, attrs := e.style()
	from, to := &c.verts[e.from], &c.verts[e.to]
	const r = 8.0
	fx, fy := from.x+from.w/4, from.y+nodeHeight/2
	tx, ty := to.x+to.w/4, to.y-nodeHeight/2
	bottom, top := fy+14, ty-14
	up := r           // towards the target
	if top > bottom { // the target lies further down
		up = -r
	}
	path := fmt.Sprintf("M%.1f %.1fV%.1fQ%.1f %.1f %.1f %.1fH%.1fQ%.1f %.1f %.1f %.1fV%.1fQ%.1f %.1f %.1f %.1fH%.1fQ%.1f %.1f %.1f %.1fV%.1f",
		fx, fy, bottom-r, fx, bottom, fx+r, bottom, lane-r, lane, bottom, lane, bottom-up, top+up, lane, top, lane-r, top, tx+r, tx, top, tx, top+r, ty)
	c.line(b, path, color, attrs, e.tip)
	c.latency(labels, lane, (bottom+top)/2, color, e)
	c.bottom = max(c.bottom, bottom+headHeight)
}

// ownWidth is the width of the arc by which an instruction depends on itself.
const ownWidth = 26

// ownEdge draws the dependence of an instruction on itself in the next iteration: an arc at its right side. Round the graph, it would look like a group.
func (c *canvas) ownEdge(b, labels *strings.Builder, i int) {
	e := &c.edges[i]
	color, attrs := e.style()
	v := &c.verts[e.from]
	x, out := v.x+v.w/2, v.x+v.w/2+ownWidth
	c.line(b, fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x, v.y+7, out, v.y+18, out, v.y-18, x+1, v.y-7), color, attrs, e.tip)
	c.latency(labels, out+2, v.y, color, e)
}

// escape makes text safe in XML.
func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", " ").Replace(s)
}

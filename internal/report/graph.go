package report

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// A graph is the dependence graph of a kernel on a machine (PMBS'19, figure 3), ready to draw: instructions,
// the dependences within an iteration, and the back edges of the slowest loop-carried chain.
type graph struct {
	title, subtitle string
	nodes           []node
	edges           []edge
}

type node struct {
	label, tip string
	lcd, cp    bool
}

type edge struct {
	from, to int
	label    string // latency in cycles
	tip      string
	lcd, cp  bool
	memory   bool
	back     bool // to a later iteration
	possible bool // not certain
	order    bool // a false dependence: a write after another access
}

// newGraph makes the graph of a target. It draws only the slowest of several
// dependences between two instructions.
func newGraph(k *Kernel, t *Target) *graph {
	g := &graph{title: k.Name + " on " + t.Title, subtitle: t.Prediction.Text}
	for i := range t.Instructions {
		in := &t.Instructions[i]
		g.nodes = append(g.nodes, node{label: fmt.Sprintf("%s: %s", in.place(), mnemonic(in.Text)), tip: in.Text, lcd: in.LCD != nil, cp: in.CP != nil})
	}
	s := newSlowest(g)
	for i := range t.Dependencies {
		if d := &t.Dependencies[i]; d.Distance == 0 || d.LCD {
			s.edge(d)
		}
	}
	g.sort()
	return g
}

// slowest makes the edges of a graph; it keeps the slowest of several dependences between two instructions.
type slowest struct {
	*graph
	at      map[pair]int
	latency map[pair]float64
}

type pair struct {
	from, to int
	back     bool
}

func newSlowest(g *graph) *slowest {
	return &slowest{g, map[pair]int{}, map[pair]float64{}}
}

// edge returns the edge for a dependence; first reports that it is a new edge.
func (g *slowest) edge(d *Dependency) (e *edge, first bool) {
	back := d.Distance > 0
	key := pair{d.From, d.To, back}
	n, seen := g.at[key]
	if !seen {
		n = len(g.edges)
		g.at[key] = n
		g.edges = append(g.edges, edge{from: d.From, to: d.To, back: back})
	}
	e = &g.edges[n]
	e.lcd, e.cp, e.memory = e.lcd || d.LCD, e.cp || d.CP, e.memory || d.Kind == "memory"
	if !seen || d.Latency > g.latency[key] {
		g.latency[key] = d.Latency
		e.label = figure(d.Latency)
		e.tip = fmt.Sprintf("%s through %s: %s cycles", d.Kind, d.Via, e.label)
		if d.Distance > 0 {
			e.tip += fmt.Sprintf(", %d iteration%s later", d.Distance, plural(d.Distance))
		}
	}
	return e, !seen
}

// sort puts the important edges last, so that they are drawn on top.
func (g *graph) sort() {
	sort.SliceStable(g.edges, func(i, j int) bool { return weightOf(&g.edges[i]) < weightOf(&g.edges[j]) })
}

// weightOf returns the importance of an edge.
func weightOf(e *edge) int {
	w := 0
	if e.cp {
		w++
	}
	if e.lcd {
		w += 2
	}
	return w
}

// Drawing returns a document with the kernels that a drawing shows, all or the first, and says what it leaves out
// ("": nothing), and how that is drawn.
func (d *Document) Drawing(all bool) (drawn Result, left, hint string) {
	x := *d
	if !all {
		x.Kernels = d.Kernels[:min(1, len(d.Kernels))]
	}
	left, hint = leftOut(len(x.Kernels), len(d.Kernels)+len(d.Others), func() string { return x.Kernels[0].Name })
	return &x, left, hint
}

// Drawing is Document.Drawing for dependences.
func (d *Deps) Drawing(all bool) (drawn Result, left, hint string) {
	x := *d
	if !all {
		x.Kernels = d.Kernels[:min(1, len(d.Kernels))]
	}
	left, hint = leftOut(len(x.Kernels), len(d.Kernels), func() string { return x.Kernels[0].Name })
	return &x, left, hint
}

// leftOut says which of several loops a drawing shows.
func leftOut(drawn, of int, first func() string) (left, hint string) {
	switch {
	case drawn == of || drawn == 0:
		return "", ""
	case drawn == 1:
		return fmt.Sprintf("drawn: %s, the first of %d loops", first(), of), "--all-kernels draws all, --kernel NAME another"
	}
	return fmt.Sprintf("drawn: the first %d of %d loops", drawn, of), "--kernel NAME draws another"
}

// DOT writes the dependence graphs of a document's kernels in the language of Graphviz, a subgraph per kernel and
// machine.
func (d *Document) DOT(w io.Writer) error { return dotOf(w, graphs(d)) }

// graphs makes the graphs of a document's kernels.
func graphs(d *Document) (list []*graph) {
	for i := range d.Kernels {
		k := &d.Kernels[i]
		for j := range k.Targets {
			list = append(list, newGraph(k, &k.Targets[j]))
		}
	}
	return list
}

func dotOf(w io.Writer, list []*graph) error {
	var b strings.Builder
	b.WriteString("digraph incore {\n\tnode [shape=box, style=\"rounded,filled\", fillcolor=\"#f4f4f4\", color=\"#808080\", fontname=\"Helvetica\", fontsize=11]\n")
	b.WriteString("\tedge [color=\"#808080\", fontname=\"Helvetica\", fontsize=10]\n")
	for i, g := range list {
		g.dot(&b, fmt.Sprintf("t%d_", i), i)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (g *graph) dot(b *strings.Builder, prefix string, n int) {
	fmt.Fprintf(b, "\tsubgraph cluster_%d {\n\t\tlabel=%s\n\t\tcolor=\"#c0c0c0\"\n", n, quote(g.title+"\n"+g.subtitle))
	for i, x := range g.nodes {
		attr := ""
		if x.lcd {
			attr += ", fillcolor=\"" + lcdFill + "\", color=\"" + lcdColor + "\""
		}
		if x.cp {
			attr += ", penwidth=2.5, style=\"rounded,filled,dashed\""
		}
		fmt.Fprintf(b, "\t\t%s%d [label=%s, tooltip=%s%s]\n", prefix, i, quote(x.label), quote(x.tip), attr)
	}
	b.WriteString("\t}\n")
	for _, e := range g.edges {
		attr := ""
		switch {
		case e.lcd:
			attr = ", color=\"" + lcdColor + "\", fontcolor=\"" + lcdColor + "\", penwidth=2.5"
		case e.cp:
			attr = ", color=\"" + cpColor + "\", penwidth=2, style=dashed"
		case e.order:
			attr = ", color=\"#c0c0c0\""
		case e.memory:
			attr = ", style=dotted"
		}
		if e.possible {
			attr += ", arrowhead=empty"
		}
		if e.back {
			attr += ", constraint=false"
		}
		fmt.Fprintf(b, "\t%s%d -> %s%d [label=%s, tooltip=%s%s]\n", prefix, e.from, prefix, e.to, quote(e.label), quote(e.tip), attr)
	}
}

// quote writes a string of Graphviz' language.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", " ").Replace(s) + `"`
}

// The colours of the loop-carried chain and of the critical path; each also has a
// shape of its own (filled, dashed), so that neither depends on seeing colours.
const (
	lcdColor = "#c4500c"
	lcdFill  = "#fde4cf"
	cpColor  = "#1d5fa6"
)

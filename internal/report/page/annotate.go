package page

import (
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strings"

	"incore/internal/report"
)

// hues is the number of colours of source lines.
const hues = 12

// annotateStyle colours the lines; the same colour stands behind a source line and its instructions.
func annotateStyle() []byte {
	var b strings.Builder
	b.WriteString(".two{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:1rem;padding:0 1rem}.two table{border-collapse:collapse;width:100%;font:12px/1.5 ui-monospace,monospace;display:block;overflow-x:auto}" +
		".two td{padding:0 .5em;white-space:pre}.two .n{text-align:right;opacity:.75}.two .hot{font-weight:bold}.two h2{font-size:1rem}@media(max-width:60rem){.two{grid-template-columns:minmax(0,1fr)}}")
	for i := range hues {
		fmt.Fprintf(&b, ".two .c%d{background:hsl(%d 70%% 60%% / .25)}", i, i*360/hues)
	}
	return []byte(b.String())
}

// Annotate writes an annotation as a page: source and instructions side by side, the instructions of a line in its colour.
func Annotate(w io.Writer, a *report.Annotation) error {
	e := html.EscapeString
	colours := map[string]int{}
	colour := func(file string, line int) string {
		key := fmt.Sprintf("%s:%d", file, line)
		n, ok := colours[key]
		if !ok {
			n = len(colours)
			colours[key] = n
		}
		return fmt.Sprintf("c%d", n*5%hues) // neighbours differ
	}
	var code, source strings.Builder
	used := map[string]bool{}
	for i := range a.Code {
		x := &a.Code[i]
		class := ""
		if x.Line > 0 {
			class = colour(x.File, x.Line)
			used[fmt.Sprintf("%s:%d", x.File, x.Line)] = true
		}
		if x.Share >= 0.1 {
			class += " hot"
		}
		loop, chain, lat, tp := "", "", fmt.Sprintf("%.1f", x.Latency), fmt.Sprintf("%.2f", x.Throughput)
		if x.Loop >= 0 {
			loop = fmt.Sprint(x.Loop + 1)
		}
		if x.LCD != nil {
			chain = fmt.Sprintf("%.1f", *x.LCD)
		}
		if x.Unknown {
			lat, tp = "?", "?"
		}
		fmt.Fprintf(&code, `<tr class="%s"><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td><td class="n">%s</td><td>%s</td></tr>`+"\n",
			class, percent(x.Share), loop, lat, tp, chain, e(x.Port), e(strings.TrimPrefix(x.Address, "0x")), e(x.Text))
	}
	file := ""
	for i := range a.Lines {
		l := &a.Lines[i]
		if l.File != file {
			file = l.File
			fmt.Fprintf(&source, `<tr><td></td><td></td><td class="hot">%s</td></tr>`, e(filepath.Base(file)))
		}
		class := ""
		if used[fmt.Sprintf("%s:%d", l.File, l.Line)] {
			class = colour(l.File, l.Line)
		}
		fmt.Fprintf(&source, `<tr class="%s"><td class="n">%s</td><td class="n">%d</td><td>%s</td></tr>`+"\n", class, percent(l.Share), l.Line, e(l.Text))
	}
	var loops strings.Builder
	for i := range a.Loops {
		fmt.Fprintf(&loops, "<p class=\"soft\">loop %d, %s: %s</p>", i+1, e(a.Loops[i].Name), e(a.Loops[i].Text))
	}
	for i := range a.Diagnostics {
		fmt.Fprintf(&loops, "<p class=\"soft\">%s: %s</p>", e(a.Diagnostics[i].Severity), e(a.Diagnostics[i].Message))
	}
	p := Page{Title: a.Function, Note: fmt.Sprintf("%s, %s; share: of the samples in this function; latency, reciprocal throughput and cycles on the loop's slowest chain", a.File, a.Title), Style: annotateStyle(),
		Body: `<div class="two"><section><h2>source</h2><table><tr><td>share</td><td>line</td><td></td></tr>` + source.String() + `</table></section><section><h2>code</h2>` + loops.String() +
			`<table><tr><td>share</td><td>loop</td><td>lat.</td><td>rec.tp</td><td>chain</td><td>port</td><td>address</td><td></td></tr>` + code.String() + `</table></section></div>`}
	return p.Write(w)
}

// percent writes a share, "" for none.
func percent(v float64) string {
	if v < 0.0005 {
		return ""
	}
	return fmt.Sprintf("%.1f%%", 100*v)
}

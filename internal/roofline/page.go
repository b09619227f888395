package roofline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"incore/internal/report"
	"incore/internal/report/page"
)

// plotPage is a plot with the text, CSV and JSON data below it.
type plotPage struct {
	title, note     string
	data            any
	plot, text, csv func(io.Writer) error
}

// write writes the page.
func (r *plotPage) write(w io.Writer) error {
	var b, part bytes.Buffer
	if err := r.plot(&b); err != nil {
		return err
	}
	picture := b.String()
	if i, j := strings.Index(picture, "<style>"), strings.Index(picture, "</style>"); i >= 0 && j > i { // the page has it
		picture = picture[:i] + picture[j+len("</style>"):]
	}
	b.Reset()
	fmt.Fprintf(&b, `<section class="plot">%s</section>`, picture)
	for _, p := range []struct {
		name  string
		write func(io.Writer) error
	}{{"Figures", r.text}, {"CSV", r.csv}, {"JSON", func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r.data)
	}}} {
		part.Reset()
		if err := p.write(&part); err != nil {
			return err
		}
		open, class := "", "data"
		if p.name == "Figures" {
			open, class = " open", "text"
		}
		fmt.Fprintf(&b, `<details%s><summary>%s</summary><pre class="%s">%s</pre></details>`, open, p.name, class, html.EscapeString(part.String()))
	}
	p := page.Page{Title: r.title, Note: r.note, Body: b.String(), Style: []byte(".plot svg{max-width:100%;height:auto;background:#fff}details{margin:1rem 1.2rem}pre{overflow:auto}@media(min-width:60rem){details[open]>pre.text{white-space:pre-wrap}}" + plotStyle + exploredStyle)}
	return p.Write(w)
}

// HTML writes a page with the plot and the figures.
func (r *Projection) HTML(w io.Writer) error {
	p := plotPage{"incore: roofline projection", r.From + " to " + r.To, r, r.SVG, r.figures, r.CSV}
	return p.write(w)
}

// Exploration are the designs of an exploration.
type Exploration []Explored

// Layout implements report.Result.
func (Exploration) Layout() string { return "incore.roofline.explore/1" }

// Value is an object with the list.
func (list Exploration) Value() any {
	return struct {
		Designs []Explored `json:"designs"`
	}{list}
}

// HTML writes a page with the plot and the figures.
func (list Exploration) HTML(w io.Writer) error {
	text := func(w io.Writer) error { return list.Text(w, report.TextOptions{}) }
	p := plotPage{"incore: exploration", report.Counted(len(list), "design"), list, list.SVG, text, list.CSV}
	return p.write(w)
}

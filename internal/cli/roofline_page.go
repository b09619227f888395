package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"incore/internal/report/page"
	"incore/internal/roofline"
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
	p := page.Page{Title: r.title, Note: r.note, Body: b.String(), Style: []byte(".plot svg{max-width:100%;height:auto;background:#fff}details{margin:1rem 1.2rem}pre{overflow:auto}@media(min-width:60rem){details[open]>pre.text{white-space:pre-wrap}}" + roofline.PlotStyle())}
	return p.Write(w)
}

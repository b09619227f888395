package page

import (
	"io"

	"incore/internal/report"
)

// Format is a format of documents.
type Format struct {
	Name  string
	Graph bool // it shows the dependence graph alone
	Write func(w io.Writer, d *report.Document, o report.TextOptions) error
}

// formats are all of them; a new one is a line here. The first one is the default.
var formats = []Format{
	{Name: "text", Write: report.Text}, // the only one with options
	{Name: "json", Write: plain(func(w io.Writer, d *report.Document) error { return report.JSON(w, d) })},
	{Name: "csv", Write: plain(report.CSV)},
	{Name: "yaml", Write: plain(report.YAML)},
	{Name: "html", Write: plain(HTML)},
	{Name: "dot", Graph: true, Write: plain(report.DOT)},
	{Name: "svg", Graph: true, Write: plain(report.SVG)},
}

// plain is a format without options.
func plain(write func(io.Writer, *report.Document) error) func(io.Writer, *report.Document, report.TextOptions) error {
	return func(w io.Writer, d *report.Document, _ report.TextOptions) error { return write(w, d) }
}

// FormatNamed returns a format, nil if there is none of that name.
func FormatNamed(name string) *Format {
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i]
		}
	}
	return nil
}

// Formats lists the names of the formats of whole reports, or of those of the dependence graph.
func Formats(graph bool) (names []string) {
	for i := range formats {
		if formats[i].Graph == graph {
			names = append(names, formats[i].Name)
		}
	}
	return names
}

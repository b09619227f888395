package compare

import (
	"io"
	"strings"

	"incore/internal/report"
	"incore/internal/report/page"
)

// withReports is a comparison together with the reports that it compares.
type withReports struct {
	*Comparison
	Documents []*report.Document `json:"documents,omitempty"`
}

// mostReports is the number of loops per version that a page of a comparison shows in full; mostInFull is the greatest number of their instructions together.
const (
	mostReports = 20
	mostInFull  = 2000
)

// HTML writes a comparison of versions as a page, with reports of the likely hottest loops of each.
func (c *Comparison) HTML(w io.Writer) error {
	data := &withReports{Comparison: c}
	for _, d := range c.docs {
		some := *d
		some.Others, some.Kernels = nil, hottest(d.Kernels, mostInFull/len(c.docs))
		data.Documents = append(data.Documents, &some)
	}
	p := page.Page{Title: strings.Join(c.Versions, ", "), Note: "compared, incore " + c.Version, Data: data}
	return p.Write(w)
}

// hottest returns the first kernels that together have at most a number of instructions.
func hottest(list []report.Kernel, instructions int) []report.Kernel {
	for i := range list {
		for t := range list[i].Targets {
			instructions -= len(list[i].Targets[t].Instructions)
		}
		if i == mostReports || instructions < 0 {
			return list[:i]
		}
	}
	return list
}

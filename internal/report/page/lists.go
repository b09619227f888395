package page

import (
	"fmt"
	"io"
	"strings"

	"incore/internal/report"
	"incore/internal/report/compare"
)

// MostRows is the number of loops or blocks of a page; the page leaves out further ones and says so.
const MostRows = 20_000

// Loops writes the loops of a program as a page: a table that can be sorted and filtered.
func Loops(w io.Writer, l *report.Loops) error {
	some := *l
	if n := len(l.Loops); n > MostRows {
		some.Loops = l.Loops[:MostRows]
		some.Diagnostics = append(some.Diagnostics, report.Diagnostic{Severity: "note", Message: fmt.Sprintf("the first %d of %d loops are in this page; --format csv has all", MostRows, n)})
	}
	p := Page{Title: "loops of " + l.File, Note: l.ISA, Data: &some}
	return p.Write(w)
}

// withReports is a comparison together with the reports that it compares.
type withReports struct {
	*compare.Comparison
	Documents []*report.Document `json:"documents,omitempty"`
}

// mostReports is the number of loops per version that a page of a comparison shows in full; mostInFull is the greatest number of their instructions together.
const (
	mostReports = 20
	mostInFull  = 2000
)

// Compare writes a comparison of versions as a page, with reports of the likely hottest loops of each.
func Compare(w io.Writer, c *compare.Comparison, docs []*report.Document) error {
	page := &withReports{Comparison: c}
	for _, d := range docs {
		some := *d
		some.Others, some.Kernels = nil, hottest(d.Kernels, mostInFull/len(docs))
		page.Documents = append(page.Documents, &some)
	}
	p := Page{Title: strings.Join(c.Versions, ", "), Note: "compared, incore " + c.Version, Data: page}
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

// CorpusSchema names the version of the layout of a Corpus.
const CorpusSchema = "incore.corpus/1"

// Corpus holds the predictions for the blocks of a corpus.
type Corpus struct {
	Schema   string        `json:"schema"`
	File     string        `json:"file"`
	Machines []string      `json:"machines"`
	Measured bool          `json:"measured"` // blocks have measured cycles
	Rows     int           `json:"rows"`     // number of predictions
	Failed   int           `json:"failed"`   // number of predictions without a figure
	Summary  []CorpusError `json:"summary,omitempty"`
	Blocks   []Block       `json:"blocks"` // the first of them, up to MostRows
}

// CorpusError summarizes the errors on one machine, |predicted − measured| / measured.
type CorpusError struct {
	Arch     string   `json:"arch"`
	Blocks   int      `json:"blocks"`
	Mean     float64  `json:"mean"`
	Median   float64  `json:"median"`
	Within10 float64  `json:"within10"` // share of blocks with at most 10 % error
	Within20 float64  `json:"within20"`
	Tau      *float64 `json:"tau"` // Kendall's rank correlation (tau-b); null where blocks have no order: one block, or equal cycles
}

// Block is one block on one machine, in cycles.
type Block struct {
	Number   int     `json:"number"` // from 1, in the order of the corpus
	Block    string  `json:"block"`
	Arch     string  `json:"arch"`
	Cycles   float64 `json:"cycles"`
	Measured float64 `json:"measured,omitempty"`
	Loop     float64 `json:"tp_loop"`
	Unrolled float64 `json:"tp_unrolled"`
	Bound    string  `json:"bound"`
	Unknown  int     `json:"unknown"`         // instructions without cost data
	Error    string  `json:"error,omitempty"` // the reason for a missing figure
}

// longestBlock is the greatest length of a block's text in a page.
const longestBlock = 400

// Add adds a block with the beginning of its text, unless the page already has MostRows blocks.
func (c *Corpus) Add(b Block) {
	c.Rows++
	if b.Error != "" {
		c.Failed++
	}
	if len(c.Blocks) >= MostRows {
		return
	}
	if len(b.Block) > longestBlock {
		b.Block = b.Block[:longestBlock] + "…"
	}
	if len(b.Error) > longestBlock {
		b.Error = b.Error[:longestBlock] + "…"
	}
	c.Blocks = append(c.Blocks, b)
}

// Write writes the corpus as a page: a plot of predicted against measured cycles, if these are known, and a table.
func (c *Corpus) Write(w io.Writer) error {
	c.Schema = CorpusSchema
	if c.Blocks == nil {
		c.Blocks = []Block{}
	}
	p := Page{Title: c.File, Note: "a corpus, incore " + report.Version, Data: c}
	return p.Write(w)
}

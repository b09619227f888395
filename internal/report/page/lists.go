package page

import (
	"fmt"
	"io"

	"incore/internal/report"
)

// MostRows is the number of loops or blocks of a page; the page leaves out further ones and says so.
const MostRows = 20_000

// Loops are the loops of a program that can be written as a page.
type Loops struct{ *report.Loops }

// HTML writes a table that can be sorted and filtered.
func (list Loops) HTML(w io.Writer) error {
	l := list.Loops
	some := *l
	if n := len(l.Loops); n > MostRows {
		some.Loops = l.Loops[:MostRows]
		some.Diagnostics = append(some.Diagnostics, report.Diagnostic{Severity: "note", Message: fmt.Sprintf("the first %d of %d loops are in this page; --format csv has all", MostRows, n)})
	}
	p := Page{Title: "loops of " + l.File, Note: l.ISA, Data: &some}
	return p.Write(w)
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
	Number   int          `json:"number"` // from 1, in the order of the corpus
	Block    string       `json:"block"`
	Arch     string       `json:"arch"`
	Cycles   float64      `json:"cycles"`
	Measured float64      `json:"measured,omitempty"`
	Loop     float64      `json:"tp_loop"`
	Unrolled float64      `json:"tp_unrolled"`
	Bound    report.Bound `json:"bound"`
	Unknown  int          `json:"unknown"`         // instructions without cost data
	Error    string       `json:"error,omitempty"` // the reason for a missing figure
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

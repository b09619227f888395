package cli

import (
	"math"
	"strings"

	"incore/internal/analyze/predict"
	"incore/internal/eval"
	"incore/internal/report/page"
)

// block converts a row for a page, with its measured cycles if --compare is given.
func (c *comparison) block(r *predict.Row, number int) page.Block {
	b := page.Block{Number: number, Block: r.Block, Arch: r.Arch}
	if r.Err != nil {
		b.Error = strings.Join(strings.Fields(r.Err.Error()), " ")
		return b
	}
	b.Cycles, b.Loop, b.Unrolled = predict.Round(r.Cycles), predict.Round(r.Figure.Loop), predict.Round(r.Figure.Unrolled)
	b.Bound, b.Unknown = r.Figure.Bound, r.Unknown
	if c != nil {
		if m, err := r.Measured(c.column); err == nil {
			b.Measured = m
		}
	}
	return b
}

// sum adds the machines and their errors to a page.
func (c *comparison) sum(p *page.Corpus, j *predict.Job) {
	for i := range j.Targets {
		name := j.Targets[i].Model.Name
		p.Machines = append(p.Machines, name)
		if c == nil || len(c.measured[name]) == 0 {
			continue
		}
		s := eval.Summarise(c.predicted[name], c.measured[name])
		p.Summary = append(p.Summary, page.CorpusError{Arch: name, Blocks: s.N, Mean: s.Mean, Median: s.Median,
			Within10: s.Within10, Within20: s.Within20, Tau: orNull(s.Tau)})
	}
}

// orNull returns a figure for JSON, which has no name for those that are not defined: nil.
func orNull(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

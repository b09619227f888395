package eval

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"incore/internal/analyze/predict"
	"incore/internal/report"
	"incore/internal/report/findings"
	"incore/internal/report/page"
)

// PredictionFormats are the formats of the predictions of a corpus: rows of CSV and of JSON, which are written as they come, a page, and those of CI services.
func PredictionFormats() []string {
	return append([]string{"csv", "jsonl", "html"}, report.CIFormats...)
}

// Predictions writes the predictions of a corpus in a format, and counts them by their result.
type Predictions struct {
	Rows, Failed int
	Foreign      int // of the failed: the machine cannot execute them
	Unknown      int // with instructions without cost data

	w            io.Writer
	format, file string
	job          *predict.Job
	scores       *Scores // nil: not compared
	named        bool    // rows name their machine
	buf          []byte
	page         *page.Corpus
	found        *findings.Report
}

// NewPredictions begins the predictions of a job, the file's, in one of PredictionFormats; scores, if not nil, compares them with measurements.
func NewPredictions(w io.Writer, format, file string, j *predict.Job, scores *Scores) *Predictions {
	p := &Predictions{w: w, format: format, file: file, job: j, scores: scores, named: len(j.Targets) > 1}
	switch format {
	case "csv":
		header := predict.Header
		if p.named {
			header += ",arch"
		}
		p.buf = append([]byte(header), '\n')
	case "jsonl":
	case "html":
		p.page = &page.Corpus{File: file, Measured: scores != nil}
	default:
		p.found = predict.Findings()
	}
	return p
}

// Add adds rows, in the order of the corpus.
func (p *Predictions) Add(rows []predict.Row) error {
	for i := range rows {
		r := &rows[i]
		number := p.Rows/len(p.job.Targets) + 1
		switch p.format {
		case "csv":
			p.buf = r.Append(p.buf, p.named)
		case "jsonl":
			p.buf = r.AppendJSON(p.buf)
		case "html":
			p.page.Add(p.scores.block(r, number))
		default:
			p.found.Findings = append(p.found.Findings, r.Finding(p.file, number))
		}
		p.count(r)
		if p.scores != nil {
			p.scores.add(r)
		}
	}
	_, err := p.w.Write(p.buf)
	p.buf = p.buf[:0]
	return err
}

// End writes what is written when all rows are known. Of a run that was interrupted there is a page, but nothing for CI.
func (p *Predictions) End(interrupted bool) error {
	switch {
	case p.page != nil:
		p.scores.sum(p.page, p.job)
		return p.page.Write(p.w)
	case p.found != nil && !interrupted:
		return findings.Write(p.w, p.format, p.found)
	}
	return nil
}

func (p *Predictions) count(r *predict.Row) {
	p.Rows++
	switch {
	case r.Err != nil:
		p.Failed++
		if why := (*predict.ForeignError)(nil); errors.As(r.Err, &why) {
			p.Foreign++
		}
	case r.Unknown > 0:
		p.Unknown++
	}
}

// Scores compares predicted cycles with measured ones, which stand in a column of the corpus.
type Scores struct {
	Left int   // number of rows without a measured figure
	Why  error // the error of the first of these

	job                 *predict.Job
	column              int
	predicted, measured map[string][]float64 // by machine
}

// NewScores prepares the comparison with a column, by name or number from 1.
func NewScores(j *predict.Job, column string) (*Scores, error) {
	if _, lines := j.Source.(*predict.Lines); !lines {
		return nil, errors.New("--compare needs a corpus of lines")
	}
	n, err := j.Format.Column(column)
	if err != nil {
		return nil, fmt.Errorf("--compare: %w", err)
	}
	return &Scores{job: j, column: n, predicted: map[string][]float64{}, measured: map[string][]float64{}}, nil
}

// Compared reports whether some row was compared.
func (s *Scores) Compared() bool { return len(s.measured) > 0 }

func (s *Scores) add(r *predict.Row) {
	if r.Err != nil {
		return
	}
	m, err := r.Measured(s.column)
	if err != nil {
		if s.Left++; s.Why == nil {
			s.Why = err
		}
		return
	}
	s.predicted[r.Arch] = append(s.predicted[r.Arch], r.Cycles)
	s.measured[r.Arch] = append(s.measured[r.Arch], m)
}

// Text writes the errors of the predictions, a line for each machine; failed is the number of blocks without a figure.
func (s *Scores) Text(w io.Writer, failed int) {
	fmt.Fprintf(w, "%-14s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n", "arch", "blocks", "mean", "median", "lower", "upper", "≤10 %", "≤20 %", "tau-b", "failed")
	for _, t := range s.job.Targets {
		name := t.Model.Name
		e := Summarise(s.predicted[name], s.measured[name])
		percent := func(v float64) string { return fmt.Sprintf("%.2f%%", 100*v) }
		tau := "-" // one block has no order
		if !math.IsNaN(e.Tau) {
			tau = fmt.Sprintf("%.4f", e.Tau)
		}
		fmt.Fprintf(w, "%-14s %7d %7s %7s %7s %7s %7s %7s %7s %7d\n", name, e.N, percent(e.Mean), percent(e.Median), percent(e.Lower), percent(e.Upper),
			percent(e.Within10), percent(e.Within20), tau, failed)
	}
}

// block converts a row for a page, with its measured cycles if rows are compared.
func (s *Scores) block(r *predict.Row, number int) page.Block {
	b := page.Block{Number: number, Block: r.Block, Arch: r.Arch}
	if r.Err != nil {
		b.Error = strings.Join(strings.Fields(r.Err.Error()), " ")
		return b
	}
	b.Cycles, b.Loop, b.Unrolled = predict.Round(r.Cycles), predict.Round(r.Figure.Loop), predict.Round(r.Figure.Unrolled)
	b.Bound, b.Unknown = report.Bound(r.Figure.Bound), r.Unknown
	if s != nil {
		if m, err := r.Measured(s.column); err == nil {
			b.Measured = m
		}
	}
	return b
}

// sum adds the machines and their errors to a page.
func (s *Scores) sum(p *page.Corpus, j *predict.Job) {
	for i := range j.Targets {
		name := j.Targets[i].Model.Name
		p.Machines = append(p.Machines, name)
		if s == nil || len(s.measured[name]) == 0 {
			continue
		}
		e := Summarise(s.predicted[name], s.measured[name])
		p.Summary = append(p.Summary, page.CorpusError{Arch: name, Blocks: e.N, Mean: e.Mean, Median: e.Median,
			Within10: e.Within10, Within20: e.Within20, Tau: orNull(e.Tau)})
	}
}

// orNull returns a figure for JSON, which has no name for those that are not defined: nil.
func orNull(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

package eval

import (
	"bytes"
	"context"
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

// Predictions are the predictions of a corpus. They are made when they are written: text, CSV and JSON row by row as they come.
type Predictions struct {
	Rows, Failed int
	Foreign      int // of the failed: the machine cannot execute them
	Unknown      int // with instructions without cost data

	context context.Context
	job     *predict.Job
	file    string
	scores  *Scores // nil: not compared
	show    func(rows int)
}

// NewPredictions are those of a job, the file's. Writing them ends early when the context is cancelled, with its error. scores, if not nil, compares
// them with measurements, and show is told how many rows there are, in the end -1.
func NewPredictions(ctx context.Context, file string, j *predict.Job, scores *Scores, show func(rows int)) *Predictions {
	return &Predictions{context: ctx, job: j, file: file, scores: scores, show: show}
}

// PredictionsSchema is the layout of predictions as JSON.
const PredictionsSchema = "incore.predict/1"

// RowSchema is the layout of a prediction that is a line of its own.
const RowSchema = "incore.predict-row/1"

// Layout names the layout of the JSON.
func (p *Predictions) Layout() string { return PredictionsSchema }

// Text writes a line for each row: the cycles, the limit, and the block.
func (p *Predictions) Text(w io.Writer, _ report.TextOptions) error {
	named := len(p.job.Targets) > 1
	return p.write(w, nil, func(dst []byte, r *predict.Row, _ int) []byte { return r.AppendText(dst, named) })
}

// CSV writes a header and the rows, in the order of the corpus.
func (p *Predictions) CSV(w io.Writer) error {
	header, named := predict.Header, len(p.job.Targets) > 1
	if named {
		header += ",arch"
	}
	return p.write(w, append([]byte(header), '\n'), func(dst []byte, r *predict.Row, _ int) []byte { return r.Append(dst, named) })
}

// JSONL writes an object for each row, a line each.
func (p *Predictions) JSONL(w io.Writer) error {
	return p.write(w, nil, func(dst []byte, r *predict.Row, _ int) []byte { return r.AppendJSON(dst, RowSchema) })
}

// JSON writes an object with all rows.
func (p *Predictions) JSON(w io.Writer) error {
	between := ""
	err := p.write(w, []byte(`{"schema": "`+PredictionsSchema+`", "rows": [`), func(dst []byte, r *predict.Row, _ int) []byte {
		dst = append(append(dst, between...), '\n')
		between = ","
		return bytes.TrimRight(r.AppendJSON(dst, ""), "\n")
	})
	if err == nil || errors.Is(err, context.Canceled) {
		if _, more := io.WriteString(w, "\n]}\n"); more != nil {
			return more
		}
	}
	return err
}

// HTML writes a page, also of a run that was interrupted.
func (p *Predictions) HTML(w io.Writer) error {
	x := &page.Corpus{File: p.file, Measured: p.scores != nil}
	err := p.write(w, nil, func(dst []byte, r *predict.Row, number int) []byte {
		x.Add(p.scores.block(r, number))
		return dst
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	p.scores.sum(x, p.job)
	if failed := x.Write(w); failed != nil {
		return failed
	}
	return err
}

// CI writes a finding for each row in a format of CI services.
func (p *Predictions) CI(w io.Writer, format string) error {
	x := predict.Findings()
	err := p.write(w, nil, func(dst []byte, r *predict.Row, number int) []byte {
		x.Findings = append(x.Findings, r.Finding(p.file, number))
		return dst
	})
	if err != nil {
		return err
	}
	return findings.Write(w, format, x)
}

// write predicts the corpus. It writes what a function appends of each row, which has the number of its block, behind a header.
func (p *Predictions) write(w io.Writer, header []byte, row func(dst []byte, r *predict.Row, number int) []byte) error {
	buf := header
	err := p.job.Run(p.context, func(rows []predict.Row) error {
		for i := range rows {
			r := &rows[i]
			buf = row(buf, r, p.Rows/len(p.job.Targets)+1)
			p.count(r)
			if p.scores != nil {
				p.scores.add(r)
			}
		}
		p.show(p.Rows)
		_, err := w.Write(buf)
		buf = buf[:0]
		return err
	})
	p.show(-1)
	return err
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

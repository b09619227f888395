// Package accuracy holds the errors of incore's predictions against measurements, per corpus, core and engine: the figures of
// docs/accuracy.md. tools/accuracy makes them, the ratchet test of internal/eval checks that they do not get worse, and reports show those of their core.
package accuracy

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed accuracy.tsv
var table string

// Header names the columns of the table.
const Header = "corpus\tmodel\tnotion\tregisters\tengine\tblocks\tmean\tmedian\tq1\tq3\twithin10\twithin20\ttau"

// Row is one engine's errors on one corpus. Errors are relative, |predicted − measured| / measured.
type Row struct {
	Corpus, Model      string
	Notion             string // how the blocks were measured: one of predict.Notions, or Whole
	Registers          string // the values of the registers: one of predict.Registers
	Engine             string // "baseline", "bounds" or "sim"; of whole benchmarks a predictor of incore eval
	Blocks             int
	Mean, Median       float64
	Lower, Upper       float64 // quartiles
	Within10, Within20 float64 // share of blocks with at most 10 and 20 % error
	Tau                float64 // Kendall's rank correlation (tau-b)
}

var rows = sync.OnceValues(func() ([]Row, error) { return parse(table) })

// Rows returns the table, in its order.
func Rows() ([]Row, error) { return rows() }

// OSACA is the suffix of corpora that are restricted to the blocks that OSACA answers (internal/eval/testdata/osaca.tsv).
const OSACA = "+osaca"

// Profiler is the suffix of corpora whose predictions include the systematic error of BHive's profiler (notion bhive).
const Profiler = "+profiler"

// Places is the suffix of corpora whose loops lie where they lay when they were measured, Suited of corpora that were measured again, with initial values of registers
// that suit the code ('incore measure --regs suited').
const (
	Places = "+places"
	Suited = "+suited"
)

// Suite is the suffix of corpora of whole benchmarks (incore eval export), whose errors are not those of single loops. Run is the suffix of results of a run of incore eval,
// whose rows only a new run can reproduce. The notion of both is Whole.
const (
	Suite = "-suite"
	Run   = "+run"
	Whole = "whole"
)

// Of returns the rows of an engine and a model; nil if there is no corpus that was measured on this core.
func Of(model, engine string) []Row {
	all, err := Rows()
	if err != nil {
		return nil // never happens: the tests check that the table can be read
	}
	var out []Row
	for _, r := range all {
		if r.Model == model && r.Engine == engine && !strings.HasSuffix(r.Corpus, OSACA) && !strings.HasSuffix(r.Corpus, Profiler) && r.Notion != Whole {
			out = append(out, r)
		}
	}
	return out
}

func parse(text string) ([]Row, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != Header {
		return nil, fmt.Errorf("accuracy.tsv:1: the columns are '%s', want '%s'", lines[0], Header)
	}
	var out []Row
	for n, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != strings.Count(Header, "\t")+1 {
			return nil, fmt.Errorf("accuracy.tsv:%d: %d columns", n+2, len(f))
		}
		r := Row{Corpus: f[0], Model: f[1], Notion: f[2], Registers: f[3], Engine: f[4]}
		var err error
		if r.Blocks, err = strconv.Atoi(f[5]); err != nil {
			return nil, fmt.Errorf("accuracy.tsv:%d: %w", n+2, err)
		}
		for i, v := range []*float64{&r.Mean, &r.Median, &r.Lower, &r.Upper, &r.Within10, &r.Within20, &r.Tau} {
			if *v, err = strconv.ParseFloat(f[6+i], 64); err != nil {
				return nil, fmt.Errorf("accuracy.tsv:%d: %w", n+2, err)
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// String returns the row as a line of the table, without a line feed.
func (r Row) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f", r.Corpus, r.Model, r.Notion, r.Registers, r.Engine, r.Blocks,
		r.Mean, r.Median, r.Lower, r.Upper, r.Within10, r.Within20, r.Tau)
}

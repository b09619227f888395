package accuracy

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed spans.tsv
var spanTable string

// Span is the interval of measured cycles, relative to predicted ones, in which Share of the measurements of a kind of code lie: as many are below it as above.
// Its ends are the 5 % and 95 % quantiles with the rank of conformal prediction (Vovk et al., Algorithmic Learning in a Random World, 2005): a further measurement lies in it with
// about this probability if its code is like what was measured. Nothing guarantees that for other code.
type Span struct {
	Model     string
	Kind      string // Loops or Straight
	Bound     string // the limit of the prediction (engine's names); Any: all
	N         int    // number of measurements
	Low, High float64
}

// Share is the share of measurements in a Span.
const Share = 0.9

// The kinds of code, and the limit of spans for any limit.
const (
	Loops    = "loops"
	Straight = "straight"
	Any      = "any"
)

// SpanHeader names the columns of the table of spans.
const SpanHeader = "model\tkind\tbound\tn\tlow\thigh"

// LeastSpan is the least number of measurements from which a Span is told.
const LeastSpan = 40

var spans = sync.OnceValues(func() ([]Span, error) { return parseSpans(spanTable) })

// Spans returns the table of spans, in its order.
func Spans() ([]Span, error) { return spans() }

// SpanOf returns the span of a core's predictions of loops or straight code with a limit, or else with any limit.
func SpanOf(model string, loop bool, bound string) (Span, bool) {
	all, err := Spans()
	if err != nil {
		return Span{}, false // never happens: the tests check that the table can be read
	}
	kind := Straight
	if loop {
		kind = Loops
	}
	for _, b := range []string{bound, Any} {
		if i := slices.IndexFunc(all, func(s Span) bool { return s.Model == model && s.Kind == kind && s.Bound == b }); i >= 0 {
			return all[i], true
		}
	}
	return Span{}, false
}

// NewSpan returns the span of ratios of measured to predicted cycles; false if there are too few.
func NewSpan(model, kind, bound string, ratios []float64) (Span, bool) {
	n := len(ratios)
	if n < LeastSpan {
		return Span{}, false
	}
	sorted := slices.Sorted(slices.Values(ratios))
	tail := (1 - Share) / 2
	low, high := int(math.Floor(tail*float64(n+1))), int(math.Ceil((1-tail)*float64(n+1)))
	return Span{Model: model, Kind: kind, Bound: bound, N: n, Low: sorted[max(low-1, 0)], High: sorted[min(high-1, n-1)]}, true
}

// Holds reports whether a ratio of measured to predicted cycles is in the span.
func (s *Span) Holds(ratio float64) bool { return s.Low <= ratio && ratio <= s.High }

// String returns the span as a line of the table, without a line feed. The limits are rounded outwards.
func (s Span) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%.3f\t%.3f", s.Model, s.Kind, s.Bound, s.N, math.Floor(1000*s.Low)/1000, math.Ceil(1000*s.High)/1000)
}

func parseSpans(text string) ([]Span, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != SpanHeader {
		return nil, fmt.Errorf("spans.tsv:1: the columns are '%s', want '%s'", lines[0], SpanHeader)
	}
	var out []Span
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != strings.Count(SpanHeader, "\t")+1 {
			return nil, fmt.Errorf("spans.tsv:%d: %d columns", i+2, len(f))
		}
		n, err := strconv.Atoi(f[3])
		low, err2 := strconv.ParseFloat(f[4], 64)
		high, err3 := strconv.ParseFloat(f[5], 64)
		if err != nil || err2 != nil || err3 != nil || n < LeastSpan || !(0 < low && low <= high) {
			return nil, fmt.Errorf("spans.tsv:%d: bad figures", i+2)
		}
		out = append(out, Span{f[0], f[1], f[2], n, low, high})
	}
	return out, nil
}

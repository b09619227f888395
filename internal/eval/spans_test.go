package eval

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/machine/accuracy"
)

// synthetic lists corpora of code that nobody runs, which say how well a unit is modelled and not how far off a prediction may be.
var synthetic = []string{"zen5-frontend/random", "zen5-vectors", "zen5-integers"}

// observed is a measurement beside its prediction.
type observed struct {
	text, limit string
	ratio       float64 // measured / predicted
}

// TestSpans holds internal/machine/accuracy/spans.tsv to the corpora: the spans are those of today's predictions, and spans made of one half of the measurements hold their
// share of the other half. -update writes the file.
func TestSpans(t *testing.T) {
	long.Only(t, "predicts the corpora")
	rows, err := accuracy.Rows()
	if err != nil {
		t.Fatal(err)
	}
	kinds, missing := spanSources(t, rows)
	var now []accuracy.Span
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		model, kind, _ := strings.Cut(key, "\t")
		now = append(now, spansOf(model, kind, kinds[key])...)
		cover(t, model, kind, kinds[key])
	}
	if len(now) < 8 {
		t.Fatalf("%d spans", len(now))
	}
	if *update && !missing {
		text := accuracy.SpanHeader + "\n"
		for _, s := range now {
			text += s.String() + "\n"
		}
		if err := os.WriteFile(filepath.Join("..", "machine", "accuracy", "spans.tsv"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	stored, err := accuracy.Spans()
	if err != nil {
		t.Fatal(err)
	}
	if !missing && len(stored) != len(now) {
		t.Errorf("internal/machine/accuracy/spans.tsv has %d spans, today's predictions give %d", len(stored), len(now))
	}
	const near = 0.01
	for _, s := range now {
		i := slices.IndexFunc(stored, func(o accuracy.Span) bool { return o.Model == s.Model && o.Kind == s.Kind && o.Bound == s.Bound })
		if i < 0 || math.Abs(stored[i].Low-s.Low) > near || math.Abs(stored[i].High-s.High) > near {
			t.Errorf("internal/machine/accuracy/spans.tsv lacks or differs from %s ('go test ./internal/eval -run TestSpans -update' writes it)", s)
		}
	}
}

// spanSources predicts the corpora, by "model\tkind": held-out ones where they are large enough. missing: a corpus is not here.
func spanSources(t *testing.T, rows []accuracy.Row) (kinds map[string][]observed, missing bool) {
	heldOut := map[string][]observed{}
	kinds = map[string][]observed{}
	for _, row := range rows {
		if row.Engine != "sim" || row.Notion == accuracy.Whole || strings.HasSuffix(row.Corpus, accuracy.OSACA) || strings.HasSuffix(row.Corpus, accuracy.Profiler) ||
			strings.HasPrefix(row.Corpus, "published/") || slices.Contains(synthetic, row.Corpus) || again(rows, row.Corpus) {
			continue
		}
		c, err := OpenStored(row, "testdata")
		if errors.Is(err, ErrNotHere) {
			missing = true
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		kind := accuracy.Straight
		if strings.Contains(row.Corpus, "loops") || strings.Contains(row.Corpus, "kernels") {
			kind = accuracy.Loops
		}
		key := row.Model + "\t" + kind
		seen := observe(c)
		if kinds[key] = append(kinds[key], seen...); IsHeldOut(row.Corpus) {
			heldOut[key] = append(heldOut[key], seen...)
		}
	}
	for key, seen := range heldOut {
		if len(seen) >= 2*accuracy.LeastSpan {
			kinds[key] = seen
		}
	}
	return kinds, missing
}

// again reports whether a corpus's code is in the list again, under better known conditions.
func again(rows []accuracy.Row, corpus string) bool {
	return slices.ContainsFunc(rows, func(r accuracy.Row) bool {
		return r.Corpus == corpus+accuracy.Places || r.Corpus == corpus+accuracy.Suited
	})
}

// observe predicts a corpus. Loops whose strides are unknown registers were measured with page walks, so they say nothing of the prediction.
func observe(c *Stored) (out []observed) {
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if strings.Contains(b.Note, "strided") {
			continue
		}
		if p := Predict(c.Model, b, c.Conditions); p.Sim > 0 && p.Unknown == 0 {
			out = append(out, observed{b.Text, p.Limit, b.Cycles / p.Sim})
		}
	}
	return out
}

// spansOf returns the spans of a kind of code: of each limit with enough measurements, and of any.
func spansOf(model, kind string, seen []observed) (out []accuracy.Span) {
	by := map[string][]float64{}
	for _, o := range seen {
		by[o.limit] = append(by[o.limit], o.ratio)
		by[accuracy.Any] = append(by[accuracy.Any], o.ratio)
	}
	for _, limit := range slices.Sorted(maps.Keys(by)) {
		if s, ok := accuracy.NewSpan(model, kind, limit, by[limit]); ok {
			out = append(out, s)
		}
	}
	return out
}

// cover checks that spans of one half hold their share of the other half.
func cover(t *testing.T, model, kind string, seen []observed) {
	var halves [2][]observed
	for _, o := range seen {
		h := 0
		if InHalf(o.text, 'b') {
			h = 1
		}
		halves[h] = append(halves[h], o)
	}
	held, of := 0, 0
	for h := range halves {
		spans := spansOf(model, kind, halves[h])
		for _, o := range halves[1-h] {
			if s := spanOf(spans, o.limit); s != nil {
				if of++; s.Holds(o.ratio) {
					held++
				}
			}
		}
	}
	if of < 2*accuracy.LeastSpan {
		return
	}
	share := float64(held) / float64(of)
	sigma := math.Sqrt(accuracy.Share * (1 - accuracy.Share) / float64(of) * 2) // the spans vary as much as what they hold
	if share < accuracy.Share-3*sigma || share > accuracy.Share+3*sigma+0.03 {
		t.Errorf("%s, %s: spans of one half hold %.1f %% of the other half's %d", model, kind, 100*share, of)
	}
	t.Logf("%s, %s: %.1f %% of %d", model, kind, 100*share, of)
}

func spanOf(spans []accuracy.Span, limit string) *accuracy.Span {
	for _, l := range []string{limit, accuracy.Any} {
		if i := slices.IndexFunc(spans, func(s accuracy.Span) bool { return s.Bound == l }); i >= 0 {
			return &spans[i]
		}
	}
	return nil
}

// TestNewSpan: of 99 ratios the span has the fifth from either end; of 39 there is none.
func TestNewSpan(t *testing.T) {
	var ratios []float64
	for i := range 99 {
		ratios = append(ratios, float64((i*37)%99+1))
	}
	s, ok := accuracy.NewSpan("m", accuracy.Loops, accuracy.Any, ratios)
	if !ok || s.Low != 5 || s.High != 95 || fmt.Sprint(s) != "m\tloops\tany\t99\t5.000\t95.000" {
		t.Errorf("%v %v", s, ok)
	}
	if _, ok := accuracy.NewSpan("m", accuracy.Loops, accuracy.Any, ratios[:39]); ok {
		t.Error("a span of 39")
	}
}

package suite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/machine"
	"incore/internal/machine/accuracy"
)

// slack is how much worse than its stored figure an error or a rank correlation may be.
const slack = 0.0005

// TestRatchet holds predictors to their errors on whole benchmarks in internal/machine/accuracy/accuracy.tsv. 'go run ./tools/accuracy -suite FILE -arch zen3' prints
// the lines of a file anew.
func TestRatchet(t *testing.T) {
	long.Only(t, "predicts a hundred benchmarks")
	all, err := accuracy.Rows()
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string][]accuracy.Row{}
	for _, r := range all {
		if r.Notion == accuracy.Whole && !strings.HasSuffix(r.Corpus, accuracy.Run) {
			stored[r.Corpus] = append(stored[r.Corpus], r)
		}
	}
	for corpus, rows := range stored {
		file := filepath.Join("..", "testdata", corpus+".jsonl.gz")
		if strings.Contains(corpus, "/") { // not in the repository
			dir := os.Getenv("INCORE_CORPORA")
			if dir == "" {
				t.Logf("%s: INCORE_CORPORA does not name its directory", corpus)
				continue
			}
			file = filepath.Join(dir, corpus+".jsonl.gz")
		}
		if _, err := os.Stat(file); err != nil {
			t.Errorf("%s: %v", corpus, err)
			continue
		}
		m, err := machine.Get(rows[0].Model)
		if err != nil {
			t.Fatal(err)
		}
		now, err := Rows(context.Background(), m, file, corpus)
		if err != nil || len(now) != len(rows) {
			t.Fatalf("%s: %d rows, %v; internal/machine/accuracy/accuracy.tsv has %d", corpus, len(now), err, len(rows))
		}
		for i, r := range now {
			if s := rows[i]; r.Engine != s.Engine || r.Blocks != s.Blocks || r.Mean > s.Mean+slack || r.Median > s.Median+slack || r.Tau < s.Tau-slack {
				t.Errorf("now      %s\nstored   %s", r, s)
			}
		}
	}
}

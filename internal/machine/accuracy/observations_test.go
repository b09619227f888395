package accuracy_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"incore"
	"incore/internal/machine"
)

const results = "../../../docs/results"

// observation is a row of observations.tsv: a measurement of code on a core, or a description of some.
type observation struct {
	id, core, code, status string
	low, high, predicted   float64 // measured from low to high
}

// TestObservations predicts the code of every open row again. A row whose prediction has come within 5 % of the measurement has become explained, and the file must say so.
// The reverse holds as well: a row that is called explained must be.
func TestObservations(t *testing.T) {
	coded := 0
	for _, o := range observations(t) {
		if o.code == "" {
			continue
		}
		coded++
		p, err := incore.Predict(context.Background(), strings.ReplaceAll(o.code, "; ", "\n")+"\n", incore.Options{Archs: []string{o.core}})
		if err != nil {
			t.Errorf("%s: %s: %v", o.id, o.code, err)
			continue
		}
		cycles := p[0].Cycles
		near := cycles >= 0.95*o.low && cycles <= 1.05*o.high
		switch {
		case near && o.status == "open":
			t.Errorf("%s has become explained: measured %v to %v, now predicted %.3f: say so in observations.tsv", o.id, o.low, o.high, cycles)
		case !near && o.status == "explained":
			t.Errorf("%s is explained no longer: measured %v to %v, now predicted %.3f", o.id, o.low, o.high, cycles)
		case cycles < o.predicted-0.1*o.predicted || cycles > o.predicted+0.1*o.predicted:
			t.Errorf("%s: the file says that %v is predicted; it is %.3f", o.id, o.predicted, cycles)
		}
	}
	if coded < 50 {
		t.Errorf("only %d rows have code", coded)
	}
}

// observations reads the file and checks its form.
func observations(t *testing.T) (out []observation) {
	t.Helper()
	rows, seen := table(t, filepath.Join(results, "observations.tsv")), map[string]bool{}
	for _, r := range rows {
		o := observation{id: r["id"], core: r["core"], code: r["code"], status: r["status"]}
		if o.id == "" || seen[o.id] || !strings.HasPrefix(o.id, o.core+"-") {
			t.Errorf("id %q: twice, or not of core %q", o.id, o.core)
		}
		seen[o.id] = true
		if _, err := machine.Get(o.core); err != nil && o.core != "any" {
			t.Errorf("%s: %v", o.id, err)
		}
		if o.status != "open" && o.status != "explained" {
			t.Errorf("%s: status %q", o.id, o.status)
		}
		if r["source"] == "" || o.code == "" && r["note"] == "" {
			t.Errorf("%s: no source, or neither code nor a note", o.id)
		}
		if o.code != "" {
			low, high, isRange := strings.Cut(r["measured"], "-")
			if !isRange {
				high = low
			}
			o.low, o.high, o.predicted = number(t, o.id, low), number(t, o.id, high), number(t, o.id, r["predicted"])
		}
		out = append(out, o)
	}
	for _, r := range rows {
		see, ok := strings.CutPrefix(r["note"], "see ")
		if see, _, _ = strings.Cut(see, ";"); ok && !seen[see] {
			t.Errorf("%s refers to %s", r["id"], see)
		}
	}
	return out
}

// TestResultTables: every row of a file of results has the columns of its first line.
func TestResultTables(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(results, "*.tsv"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		table(t, file)
	}
}

// table reads a tab-separated file with a line of names.
func table(t *testing.T, file string) (out []map[string]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	for i, l := range lines[1:] {
		cells := strings.Split(l, "\t")
		if len(cells) != len(names) {
			t.Errorf("%s:%d: %d columns, not %d", file, i+2, len(cells), len(names))
			continue
		}
		row := map[string]string{}
		for j, n := range names {
			row[n] = cells[j]
		}
		out = append(out, row)
	}
	return out
}

func number(t *testing.T, id, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v <= 0 {
		t.Errorf("%s: %q is no number of cycles", id, s)
	}
	return v
}

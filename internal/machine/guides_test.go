package machine_test

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
	"incore/internal/isa"
	"incore/internal/machine"
)

// TestGuides holds models to the facts of their makers' optimization guides (testdata/guides.tsv: a model, the guide, an instruction, its latency or '-', and how many
// of it go in a cycle, each a figure or an interval). Of what depends on operands the model has to be inside the interval. A row with an exception
// says why the model has something else, and fails when it no longer has.
func TestGuides(t *testing.T) {
	f, err := os.Open("testdata/guides.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	n, except := map[string]int{}, map[string]int{}
	for _, row := range rows[1:] {
		name, text, exception := row[0], row[2], row[5]
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		b := bind(m, kernel(t, m.ISA, text))
		in, tp := &b.Insts[0], throughput.Analyze(b, throughput.Optimal)
		n[name+", "+row[1]]++
		wrong := ""
		if low, high := interval(t, row[3]); row[3] != "-" && (chained(in) < low || chained(in) > high) {
			wrong = "latency " + number(chained(in))
		}
		if low, high := interval(t, row[4]); tp.Cycles < 0.995/high || tp.Cycles > 1.005/low {
			wrong += " one every " + number(tp.Cycles) + " cycles"
		}
		switch {
		case exception != "":
			if except[name]++; wrong == "" {
				t.Errorf("%s: '%s' is as the guide has it, and no exception", name, text)
			}
		case wrong != "":
			t.Errorf("%s: '%s': %s, %s has %s and %s a cycle", name, text, wrong, row[1], row[3], row[4])
		}
	}
	for k, v := range n {
		name, _, _ := strings.Cut(k, ",")
		t.Logf("%s: %d instructions, %d exceptions", k, v, except[name])
		if v < 25 {
			t.Errorf("%s: %d instructions, want 25", k, v)
		}
	}
}

// chained is the latency of an instruction behind another of its kind, by the slowest of its operands.
func chained(in *machine.Inst) float64 {
	slow := 0.0
	for i := range in.Effects.Reads {
		for o := range in.Effects.Writes {
			if c, ok := in.Pair(i, o); ok && in.Effects.Writes[o].Role != isa.RoleUpdate {
				slow = max(slow, c-in.Forward(i, in, o))
			}
		}
	}
	if slow == 0 {
		return in.Latency
	}
	return slow
}

// interval reads "2", "4/7", "2/7-4/7".
func interval(t *testing.T, s string) (low, high float64) {
	t.Helper()
	if s == "-" {
		return 0, 0
	}
	fraction := func(s string) float64 {
		num, den, ok := strings.Cut(s, "/")
		a, err := strconv.ParseFloat(num, 64)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return a
		}
		d, err := strconv.ParseFloat(den, 64)
		if err != nil {
			t.Fatal(err)
		}
		return a / d
	}
	lo, hi, ok := strings.Cut(s, "-")
	if !ok {
		hi = lo
	}
	return fraction(lo), fraction(hi)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

package accuracy

import (
	"math"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(Header + "\n")
	for _, r := range rows {
		if r.Blocks == 0 || r.Lower > r.Median || r.Median > r.Upper || r.Within10 > r.Within20 || r.Tau > 1 {
			t.Errorf("impossible figures: %s", r)
		}
		b.WriteString(r.String() + "\n")
	}
	if b.String() != table {
		t.Error("the table is not what its rows print")
	}
	if len(Of("emeraldrapids", "sim")) == 0 || len(Of("no such core", "sim")) != 0 {
		t.Error("Of finds nothing, or too much")
	}
}

func TestParse(t *testing.T) {
	row := "c\tm\tloop\tsame\tsim\t1\t0\t0\t0\t0\t0\t0\t0"
	for _, bad := range []string{"", "corpus\n" + row, Header + "\nc\tm", Header + "\n" + strings.Replace(row, "sim\t1", "sim\tx", 1), Header + "\n" + row[:len(row)-1] + "?"} {
		if _, err := parse(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	if _, err := parse(Header + "\n" + row + "\n"); err != nil {
		t.Error(err)
	}
}

// TestDocumented holds the table of docs/accuracy.md to the figures.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		name := map[string]string{"zen5-blocks/blocks": "zen5-blocks", "zen5-loops/loops": "zen5-loops"}[r.Corpus]
		switch {
		case name != "":
		case strings.HasSuffix(r.Corpus, "+places"):
			if name = "zen5-loops, placed"; r.Engine != "sim" {
				continue
			}
		default:
			name = path.Base(r.Corpus)
		}
		row := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta("| "+name+" | "+r.Engine+" |") + `.*$`).FindString(string(text))
		have := regexp.MustCompile(`-?[0-9]+\.[0-9]+`).FindAllString(strings.TrimPrefix(row, "| "+name), -1)
		want := []float64{100 * r.Mean, 100 * r.Median, 100 * r.Lower, 100 * r.Upper, 100 * r.Within10, 100 * r.Within20, r.Tau}
		if len(have) != len(want) {
			t.Errorf("docs/accuracy.md has no row of %s and %s with %d figures", name, r.Engine, len(want))
			continue
		}
		for i, w := range want {
			v, err := strconv.ParseFloat(have[i], 64)
			slack := 0.051 // half of the last digit shown
			if i == len(want)-1 {
				slack = 0.00051
			}
			if err != nil || math.Abs(v-w) > slack {
				t.Errorf("docs/accuracy.md, %s, %s: %s where accuracy.tsv has %.4g", name, r.Engine, have[i], w)
			}
		}
	}
}

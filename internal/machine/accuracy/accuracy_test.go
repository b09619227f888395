package accuracy

import (
	"flag"
	"fmt"
	"os"
	"path"
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

var update = flag.Bool("update", false, "write the figures into docs/accuracy.md and docs/results/accuracy.md")

// tables are the documents with tables of figures, and which.
var tables = map[string][]string{"../../../docs/accuracy.md": {"blocks"}, "../../../docs/results/accuracy.md": {"suites", "samples", "published", "osaca"}}

// TestDocumented holds the tables of the documents to the figures; -update writes them there.
func TestDocumented(t *testing.T) {
	all, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	for page, names := range tables {
		file, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text := string(file)
		for _, name := range names {
			mark := "<!-- " + name + ": go test ./internal/machine/accuracy -run TestDocumented -update -->\n"
			head, rest, begins := strings.Cut(text, mark)
			have, tail, ends := strings.Cut(rest, "<!-- end -->\n")
			if !begins || !ends {
				t.Fatalf("%s has no place for the table of %s", page, name)
			}
			table := tableOf(all, name)
			if have != table && !*update {
				t.Errorf("%s: the table of %s is not that of accuracy.tsv; 'go test ./internal/machine/accuracy -run TestDocumented -update' writes it", page, name)
			}
			text = head + mark + table + "<!-- end -->\n" + tail
		}
		if *update {
			if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// tableOf is a table of the documents: a row a corpus, with the errors of the simulator, and the mean errors of the other engines beside it.
func tableOf(all []Row, name string) string {
	if name == "suites" || name == "samples" {
		return suitesOf(all, name)
	}
	var b strings.Builder
	b.WriteString("| corpus | core | blocks | mean error in % | median | ≤ 10 % | ≤ 20 % | tau | mean error of bounds | of baseline |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range all {
		if r.Engine != "sim" || kindOf(r.Corpus) != name {
			continue
		}
		others := map[string]string{"bounds": "", "baseline": ""}
		for _, o := range all {
			if o.Corpus == r.Corpus && o.Model == r.Model && o.Engine != "sim" {
				others[o.Engine] = fmt.Sprintf("%.1f", 100*o.Mean)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %.1f | %.1f | %.1f | %.1f | %.3f | %s | %s |\n", titleOf(r.Corpus), r.Model, r.Blocks, 100*r.Mean, 100*r.Median,
			100*r.Within10, 100*r.Within20, r.Tau, others["bounds"], others["baseline"])
	}
	return b.String()
}

// suitesOf is a table of whole benchmarks, a row a predictor: of measured ones, or of the sample in the repository.
func suitesOf(all []Row, name string) string {
	var b strings.Builder
	b.WriteString("| corpus | core | predictor | benchmarks | mean error in % | median | ≤ 10 % | ≤ 20 % | tau |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range all {
		if r.Notion == Whole && strings.HasSuffix(r.Corpus, "+run") == (name == "suites") {
			fmt.Fprintf(&b, "| %s | %s | %s | %d | %.1f | %.1f | %.1f | %.1f | %.3f |\n", r.Corpus, r.Model, r.Engine, r.Blocks, 100*r.Mean, 100*r.Median,
				100*r.Within10, 100*r.Within20, r.Tau)
		}
	}
	return b.String()
}

// kindOf says in which table a corpus stands.
func kindOf(corpus string) string {
	switch {
	case strings.Contains(corpus, Suite):
		return "suites"
	case strings.HasSuffix(corpus, OSACA):
		return "osaca"
	case strings.HasPrefix(corpus, "published/"):
		return "published"
	}
	return "blocks"
}

// titleOf is what a table calls a corpus.
func titleOf(corpus string) string {
	corpus = strings.TrimSuffix(corpus, OSACA)
	corpus, read := strings.CutSuffix(corpus, Profiler)
	corpus, placed := strings.CutSuffix(corpus, Places)
	corpus, suited := strings.CutSuffix(corpus, Suited)
	name := path.Base(corpus)
	if dir := path.Dir(corpus); strings.HasPrefix(dir, "zen5-") {
		name = dir
	}
	switch {
	case read:
		name += ", as read"
	case placed:
		name += ", placed"
	case suited:
		name += ", suited"
	}
	return name
}

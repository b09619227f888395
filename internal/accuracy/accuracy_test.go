package accuracy

import (
	"flag"
	"fmt"
	"os"
	"path"
	"regexp"
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

var update = flag.Bool("update", false, "write the figures into docs/accuracy.md")

const page = "../../docs/accuracy.md"

// TestDocumented holds the table of docs/accuracy.md to the figures; -update writes them there.
func TestDocumented(t *testing.T) {
	file, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	for _, r := range all {
		corpus, osaca := strings.CutSuffix(r.Corpus, OSACA)
		name := map[string]string{"zen5-blocks/blocks": "zen5-blocks", "zen5-loops/loops": "zen5-loops", "zen5-loops/loops+places": "zen5-loops, placed"}[corpus]
		if name == "" {
			name = strings.Replace(path.Base(corpus), Profiler, ", as read", 1)
		}
		begin := "| " + name + " | " + r.Engine + " |"
		if osaca { // the second table's rows have OSACA's core and the number of blocks as well
			known := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %s \| \w+ \| %d of \d+ \| %s \|`, regexp.QuoteMeta(name), r.Blocks, r.Engine)).FindString(text)
			if begin = known; known == "" {
				t.Errorf("docs/accuracy.md has no row of %s on the %d blocks of %s that OSACA answers", r.Engine, r.Blocks, name)
				continue
			}
		}
		row := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(begin) + `.*$`).FindString(text)
		want := fmt.Sprintf("%s %.1f %% | %.1f %% | %.1f–%.1f %% | %.1f %% | %.1f %% | %.3f |", begin, 100*r.Mean, 100*r.Median, 100*r.Lower, 100*r.Upper, 100*r.Within10, 100*r.Within20, r.Tau)
		switch {
		case strings.HasSuffix(r.Corpus, "+places") && r.Engine != "sim": // the places are the simulator's alone
		case row == "":
			t.Errorf("docs/accuracy.md has no row %s", want)
		case *update:
			text = strings.Replace(text, row, want, 1)
		case row != want:
			t.Errorf("docs/accuracy.md says %s, accuracy.tsv %s; 'go test ./internal/accuracy -run TestDocumented -update' writes it", row, want)
		}
	}
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

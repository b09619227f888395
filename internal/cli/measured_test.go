package cli

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analyze/predict"
	"incore/internal/base/long"
	"incore/internal/bench/block"
	"incore/internal/eval"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestPredictMeasured holds the figures of incore predict under the conditions of a measurement to those of tools/accuracy.
func TestPredictMeasured(t *testing.T) {
	for _, c := range long.Spread([]struct {
		corpus, arch, notion, regs string
		pages                      int
	}{
		{"zen4", "zen4", "net", "distinct", 1},
		{"zen4", "zen4", "net", "distinct", 7},
		{"zen4", "haswell", "unrolled", "same", 1},
		{"zen4-loops", "zen4", "loop", "distinct", 1},
		{"emeraldrapids", "emeraldrapids", "loop", "distinct", 1},
		{"zen4-loops", "zen4", "loop", "measured", 7},
		{"emeraldrapids-loops", "emeraldrapids", "loop", "measured", 4},
		{"emeraldrapids-loops", "zen5", "loop", "distinct", 4},
	}, 2) {
		file := filepath.Join("..", "eval", "testdata", c.corpus+".tsv")
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		blocks, bad, err := eval.Load(file, "", catalog.ISA(m.ISA))
		if err != nil || len(bad) > 0 {
			t.Fatal(err, bad)
		}
		var conditions predict.Conditions
		if err := conditions.Measure(c.notion, c.regs, c.pages); err != nil {
			t.Fatal(err)
		}
		if c.regs == "measured" {
			conditions.Start = block.Start
		}
		var out, errs bytes.Buffer
		args := []string{"incore", "predict", "--arch", c.arch, "--notion", c.notion, "--regs", c.regs, "--pages", strconv.Itoa(c.pages), file}
		if code := Main(args, strings.NewReader(""), &out, &errs); code != 0 {
			t.Fatalf("%v: %s", args, errs.String())
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != len(blocks)+1 {
			t.Fatalf("%v: %d rows of %d blocks, %v", args, len(rows)-1, len(blocks), err)
		}
		for i := range blocks {
			p := eval.Predict(m, &blocks[i], conditions)
			if got, err := strconv.ParseFloat(rows[i+1][1], 64); err != nil || got != predict.Round(p.Sim) {
				t.Errorf("%s: %s, tools/accuracy has %.3f: %s", strings.Join(args[1:], " "), rows[i+1][1], p.Sim, blocks[i].Text)
			}
		}
	}
}

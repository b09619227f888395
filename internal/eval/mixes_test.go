package eval

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"incore/internal/catalog"
	"incore/internal/machine"
	"incore/internal/predict"
)

// TestMixes: mixes of five independent instructions that PMEvo measured are predicted within a mean error for each core. Eight copies make a block.
func TestMixes(t *testing.T) {
	const copies = 8
	for _, c := range []struct {
		file, isa, core string
		mean            float64
	}{{"cortex-a72.tsv", "aarch64", "cortex-a72", 0.068}} {
		text, err := os.ReadFile(filepath.Join(os.Getenv("INCORE_CORPORA"), "mixes", c.file))
		if err != nil {
			t.Skip("INCORE_CORPORA has no mixes")
		}
		var corpus strings.Builder
		corpus.WriteString("cycles\tasm\n")
		for i, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			block, each, _ := strings.Cut(l, "\t")
			if v, err := strconv.ParseFloat(each, 64); err == nil && i > 0 {
				fmt.Fprintf(&corpus, "%g\t%s\n", copies*v, block)
			}
		}
		blocks, bad, err := read(strings.NewReader(corpus.String()), nil, catalog.ISA(c.isa))
		if err != nil || len(bad) > 0 || len(blocks) < 100 {
			t.Fatal(len(blocks), bad, err)
		}
		m, err := machine.Get(c.core)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i := range blocks {
			p := Predict(m, &blocks[i], predict.Conditions{})
			sum += math.Abs(p.Of("sim")/blocks[i].Cycles - 1)
		}
		if mean := sum / float64(len(blocks)); mean > c.mean {
			t.Errorf("%s: mean error %.4f of %d mixes, want %.4f", c.core, mean, len(blocks), c.mean)
		} else {
			t.Logf("%s: mean error %.4f of %d mixes", c.core, mean, len(blocks))
		}
	}
}

package eval

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"incore/internal/catalog"
	"incore/internal/isa"
	"incore/internal/long"
	"incore/internal/machine"
	"incore/internal/predict"
)

// TestMixes holds the simulator to PMEvo's measured mixes of five instructions (F. Ritter and S. Hack, PLDI 2020), in which nothing depends. Some of
// the corpus' blocks use an address again after 2048 bytes, which the measurements did not: dependences through memory are left out.
func TestMixes(t *testing.T) {
	for core, c := range map[string]struct {
		corpus string
		most   float64 // mean error
	}{"skylake": {"skl", 0.03}, "zen1": {"zen1", 0.06}} {
		t.Run(core, func(t *testing.T) {
			m, err := machine.Get(core)
			if err != nil {
				t.Fatal(err)
			}
			blocks, cycles := mixes(t, c.corpus)
			x := predict.Predictor{Model: m, Conditions: predict.Conditions{NoMemdep: true}}
			sum := 0.0
			for i, k := range blocks {
				_, e := x.Estimate(k)
				sum += math.Abs(e.Cycles/copiesOfMix-cycles[i]) / cycles[i]
			}
			mean := sum / float64(len(blocks))
			if t.Logf("%d mixes, mean error %.2f %%", len(blocks), 100*mean); mean > c.most {
				t.Errorf("mean error %.3f, at most %.2f is wanted", mean, c.most)
			}
		})
	}
}

// copiesOfMix is the number of copies of a mix in a block of the corpus, with other registers and addresses each.
const copiesOfMix = 8

// mixes reads the blocks of a corpus of mixes and the measured cycles of one mix.
func mixes(t *testing.T, name string) (blocks []*isa.Kernel, cycles []float64) {
	t.Helper()
	f, err := os.Open(filepath.Join(os.Getenv("INCORE_CORPORA"), "mixes", name+".tsv"))
	if err != nil {
		t.Skip("no corpus of mixes in INCORE_CORPORA")
	}
	defer f.Close()
	a := catalog.ISA("x86-64")
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	for _, line := range long.Spread(lines[1:], 200) {
		text, measured, _ := strings.Cut(line, "\t")
		c, err := strconv.ParseFloat(measured, 64)
		if err != nil {
			t.Fatal(line)
		}
		k := &isa.Kernel{ISA: a}
		for _, s := range strings.Split(text, ";") {
			insts, err := a.Parse(nil, strings.TrimSpace(s), "intel")
			if err != nil {
				t.Fatalf("%s: %v", s, err)
			}
			for _, in := range insts {
				k.Lines = append(k.Lines, isa.Line{Inst: in, Text: s})
			}
		}
		blocks, cycles = append(blocks, k), append(cycles, c)
	}
	return blocks, cycles
}

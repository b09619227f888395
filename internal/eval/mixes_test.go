package eval

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analyze/predict"
	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestMixes holds the simulator to PMEvo's measured mixes of five instructions (F. Ritter and S. Hack, PLDI 2020), in which nothing depends. Some of
// the corpus' blocks use an address again after 2048 bytes, which the measurements did not: dependences through memory are left out. Comparisons
// of vectors write registers of other copies there: mixes that such a chain bounds are left out, too.
func TestMixes(t *testing.T) {
	for core, c := range map[string]struct {
		corpus, isa string
		most        float64 // mean error
	}{"skylake": {"skl", "x86-64", 0.03}, "zen1": {"zen1", "x86-64", 0.06}, "cortex-a72": {"cortex-a72", "aarch64", 0.06}} {
		t.Run(core, func(t *testing.T) {
			m, err := machine.Get(core)
			if err != nil {
				t.Fatal(err)
			}
			blocks, cycles := mixes(t, c.corpus, c.isa)
			x := predict.Predictor{Model: m, Conditions: predict.Conditions{NoMemdep: true}}
			sum, chains, n := 0.0, 0, 0.0
			for i, k := range blocks {
				_, e := x.Estimate(k)
				if e.Limit == "latency" {
					chains++
					continue
				}
				sum += math.Abs(e.Cycles/copiesOfMix-cycles[i]) / cycles[i]
				n++
			}
			mean := sum / n
			if t.Logf("%g mixes, mean error %.2f %%; %d that a chain bounds left out", n, 100*mean, chains); mean > c.most {
				t.Errorf("mean error %.3f, at most %.2f is wanted", mean, c.most)
			}
		})
	}
}

// copiesOfMix is the number of copies of a mix in a block of the corpus, with other registers and addresses each.
const copiesOfMix = 8

// mixes reads the blocks of a corpus of mixes and the measured cycles of one mix.
func mixes(t *testing.T, name, arch string) (blocks []*isa.Kernel, cycles []float64) {
	t.Helper()
	f, err := os.Open(filepath.Join(os.Getenv("INCORE_CORPORA"), "mixes", name+".tsv"))
	if err != nil {
		t.Skip("no corpus of mixes in INCORE_CORPORA")
	}
	defer f.Close()
	a := catalog.ISA(arch)
	dialect := ""
	if arch == "x86-64" {
		dialect = "intel"
	}
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
			insts, err := a.Parse(nil, strings.TrimSpace(s), dialect)
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

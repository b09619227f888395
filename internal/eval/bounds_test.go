package eval

import (
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/catalog"
	"incore/internal/long"
	"incore/internal/machine"
	"incore/internal/predict"
)

// provenCorpora are the corpora whose blocks the properties below are asserted of, and the cores of each instruction set that they are predicted for.
var (
	provenCorpora = []string{"zen4", "zen4-loops", "emeraldrapids", "emeraldrapids-loops", "published/neoverse-n1", "published/cortex-a53", "published/a64fx",
		"bhive-intel/hsw", "bhive-intel/skl", "zen5-blocks/blocks", "zen5-loops/loops"}
	provenCores = map[string][]string{
		"x86-64":  {"emeraldrapids", "zen4", "icelake-client", "haswell", "skylake-server", "gracemont", "zen3", "zen5", "sandybridge", "arrowlake-p", "zen2", "tremont", "icelake-server", "zen1", "nehalem", "btver2"},
		"aarch64": {"neoverse-v2", "thunderx2", "a64fx", "apple-m1", "neoverse-n1", "cortex-a53", "cortex-a72"},
	}
)

// proven calls do with a sample of the corpora's blocks for a sample of cores; where long tests run, with all.
func proven(t *testing.T, blocks, cores int, do func(t *testing.T, m *machine.Model, b *Block)) {
	for _, corpus := range provenCorpora {
		path := find(corpus)
		if path == "" {
			continue
		}
		isa := "x86-64"
		if strings.HasPrefix(corpus, "published/") {
			isa = "aarch64"
		}
		all, _, err := Load(path, "", catalog.ISA(isa))
		if err != nil || len(all) == 0 {
			t.Fatal(path, err)
		}
		step := max(1, len(all)/len(long.Some(all, blocks)))
		t.Run(strings.TrimSuffix(filepath.Base(path), ".tsv"), func(t *testing.T) {
			for k, name := range long.Some(provenCores[isa], cores) {
				m, err := machine.Get(name)
				if err != nil {
					t.Fatal(err)
				}
				for i := k % step; i < len(all); i += step {
					do(t, m, &all[i])
				}
			}
		})
	}
}

// TestSimulatorWithinBounds: no simulation of a block is below what the bounds prove: what ports, dispatch, the front end, the caches and
// the slowest chain of dependences allow.
func TestSimulatorWithinBounds(t *testing.T) {
	blocks := 0
	proven(t, 60, 4, func(t *testing.T, m *machine.Model, b *Block) {
		blocks++
		x := predict.Predictor{Model: m}
		_, e := x.Estimate(b.Kernel)
		if least, what := e.Limits.Greatest(); e.Cycles < least*(1-tolerance)-tolerance {
			t.Errorf("%s: %.3f cycles, %s allow no less than %.3f: %s", m.Name, e.Cycles, what, least, b.Text)
		}
	})
	t.Logf("%d predictions", blocks)
}

// tolerance is the error of a mean over iterations.
const tolerance = 0.002

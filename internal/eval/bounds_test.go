package eval

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analyze/predict"
	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// provenCorpora are the corpora whose blocks the properties below are asserted of, and the cores of each instruction set that they are predicted for.
var (
	provenCorpora = []string{"zen4", "zen4-loops", "emeraldrapids", "emeraldrapids-loops", "published/neoverse-n1", "published/cortex-a53", "published/a64fx",
		"bhive-intel/hsw", "bhive-intel/skl", "zen5-blocks/blocks", "zen5-loops/loops"}
	provenCores = map[string][]string{
		"x86-64":  {"emeraldrapids", "zen4", "icelake-client", "haswell", "skylake-server", "gracemont", "zen3", "zen5", "arrowlake-p", "zen2", "tremont", "icelake-server", "zen1", "broadwell"},
		"aarch64": {"neoverse-v2", "thunderx2", "a64fx", "apple-m1", "neoverse-n1", "cortex-a53", "cortex-a72"},
	}
)

// proven calls do with a sample of the corpora's blocks for a sample of cores; where long tests run, with all.
func proven(t *testing.T, blocks, cores int, do func(t *testing.T, m *machine.Model, b *Block)) {
	for _, corpus := range provenCorpora {
		path := find(corpus, "testdata", os.Getenv("INCORE_CORPORA"))
		if path == "" {
			continue
		}
		name := "x86-64"
		if strings.HasPrefix(corpus, "published/") {
			name = "aarch64"
		}
		all, _, err := Load(path, "", catalog.ISA(name))
		if err != nil || len(all) == 0 {
			t.Fatal(path, err)
		}
		step := max(1, len(all)/len(long.Some(all, blocks)))
		t.Run(strings.TrimSuffix(filepath.Base(path), ".tsv"), func(t *testing.T) {
			for k, core := range long.Some(provenCores[name], cores) {
				m, err := machine.Get(core)
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

// TestFewerStoresAndCompares: taking a store or a comparison from a block does not make its prediction slower by more than a fifth, unless the
// report names the cause (explained). Comparisons whose flags choose a value stay: what is chosen depends on other flags without them.
func TestFewerStoresAndCompares(t *testing.T) {
	n := 0
	proven(t, 40, 3, func(t *testing.T, m *machine.Model, b *Block) {
		x := predict.Predictor{Model: m}
		g, whole := x.Estimate(b.Kernel)
		for i := range g.Bound.Insts {
			if g.Bound.Unknown() > 0 { // code of another core
				break
			}
			if !storesOrCompares(&g.Bound.Insts[i]) || chooses(g, i) {
				continue
			}
			n++
			_, less := x.Estimate(without(b.Kernel, i))
			if less.Cycles > whole.Cycles*1.2+tolerance && !explained(m, b.Kernel, whole, less) {
				t.Errorf("%s: %.3f cycles (%s), without '%s' %.3f (%s): %s", m.Name, whole.Cycles, whole.Limit, b.Kernel.Lines[i].Text, less.Cycles, less.Limit, b.Text)
			}
		}
	})
	t.Logf("%d blocks without a store or comparison", n)
}

// explained reports whether a report says why a shorter block takes longer. A chain of dependences: what is loaded or tested comes from something else then.
// The front end: a loop whose place is known is fetched otherwise when its end moves (a jump that ends a line on Skylake). And, by three fifths at most, a full
// scheduler, on cores that choose ports or schedulers when µops are renamed: one µop less sends all that follow to others. Zen 4 does so, measured:
// subl %r8d, %eax; cmpq %rcx, %rax; testl %edx, %edx; andq $255, %r8 takes 1.04 cycles, without testl 1.26; the eight instructions of another block
// 1.51, without one comparison 1.92. On Haswell movsbl (%rsi,%rax), %ecx; movl %ecx, 80(%rdx,%rax,4); addq $1, %rax is predicted 1.70, with a comparison 1.0.
func explained(m *machine.Model, k *isa.Kernel, whole, less engine.Estimate) bool {
	c := m.Core()
	switch less.Limit {
	case engine.Latency:
		return true
	case engine.FrontEnd:
		return k.Lines[0].Addr != 0 || c.FetchEntries.Slots > 0 // other entries of the µop cache, other lines
	case engine.Scheduling:
		early := (c.PortChoice.AtRename || len(c.Steering) > 0 || len(c.Schedulers) > 1)
		return early && less.Cycles < 1.75*whole.Cycles
	}
	return false
}

// chooses reports whether something else than a branch depends on the flags of an instruction.
func chooses(g *depgraph.Graph, i int) bool {
	for k := range g.Edges {
		e := &g.Edges[k]
		to := &g.Bound.Insts[e.To]
		if int(e.From) == i && e.Kind != depgraph.Memory && g.Bound.Kernel.ISA.Forms.Flags(to.Line.Inst.Form)&isa.Branch == 0 {
			return true
		}
	}
	return false
}

// without is a kernel without one of its instructions: what is behind it moves up.
func without(k *isa.Kernel, i int) *isa.Kernel {
	out := *k
	out.Lines = slices.Delete(slices.Clone(k.Lines), i, i+1)
	for j := i; j < len(out.Lines); j++ {
		if l := &out.Lines[j]; l.Addr != 0 {
			l.Addr -= uint64(k.Lines[i].Inst.Size)
		}
	}
	return &out
}

// storesOrCompares reports whether all that an instruction does is to store, or to set flags.
func storesOrCompares(in *machine.Inst) bool {
	for i := range in.Effects.Mem {
		if in.Effects.Mem[i].Store && !in.Effects.Mem[i].Load && len(in.Effects.Writes) == 0 {
			return true
		}
	}
	for i := range in.Effects.Writes {
		if in.Effects.Writes[i].Role != isa.RoleFlags {
			return false
		}
	}
	return len(in.Effects.Mem) == 0 && len(in.Effects.Writes) > 0
}

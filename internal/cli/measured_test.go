package cli

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analyze"
	"incore/internal/analyze/predict"
	"incore/internal/base/long"
	"incore/internal/base/source"
	"incore/internal/bench/block"
	"incore/internal/bench/plan"
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

// TestMeasurePrediction holds the prediction beside a measurement to the conditions of that measurement.
func TestMeasurePrediction(t *testing.T) {
	name, _, ok := machine.Host()
	model, err := machine.Get(name)
	if !ok || err != nil || model.ISA != plan.X86().ISA.Name {
		t.Skip("no model of this machine")
	}
	pops, err := hexBlock(strings.Repeat("58", 8))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []block.Setup{{Pages: 1}, {Pages: 7}, {Unrolled: true}, {Regs: block.Same, Pages: 1}} {
		var c predict.Conditions
		notion, regs := "net", "distinct"
		if s.Unrolled {
			notion = "unrolled"
		}
		if s.Regs == block.Same {
			regs = "same"
		}
		if err := c.Measure(notion, regs, max(1, s.Pages)); err != nil {
			t.Fatal(err)
		}
		pops.predict(&s)
		k := *pops.kernel
		k.Loop = false
		_, want := (&predict.Predictor{Model: model, Conditions: c}).Estimate(&k)
		if got := pops.prediction.Estimate; got.Cycles != want.Cycles || got.Limit != want.Limit {
			t.Errorf("%+v: %.3f cycles, %s; want %.3f, %s", s, got.Cycles, got.Limit, want.Cycles, want.Limit)
		}
	}
}

// TestExplain holds what is said of differences: which bound a measurement refutes, and what depends on data that the prediction knows nothing of.
func TestExplain(t *testing.T) {
	for _, c := range []struct {
		arch, text string
		cycles     float64 // measured
		want       []string
		not        string
	}{
		{"zen4", ".L1:\nmovzbl (%rsi), %eax\nincq %rsi\naddl $1, (%rdi,%rax,4)\ncmpq %rsi, %rdx\njne .L1\n", 3.9, // measured on a Zen 4
			[]string{"above the prediction", "6.00 cycles if 'addl $1, (%rdi,%rax,4)' reads what 'addl $1, (%rdi,%rax,4)' wrote, 1 iteration later"}, "pages that accesses cross"},
		{"skx", ".L1:\nmulsd %xmm1, %xmm0\naddq $8, %rdi\ncmpq %rdi, %rdx\njne .L1\n", 3, []string{"below a bound of the model, the loop-carried chain through xmm0 (4.00 cycles)"}, "data"},
		{"skx", ".L1:\naddsd (%rdi), %xmm0\nmovsd %xmm0, (%rdi)\ncmpq %rdi, %rdx\njne .L1\n", 3, []string{"the loop-carried chain through memory, of which stores and loads are a part"}, "data"},
		{"skx", ".L1:\ndivsd %xmm1, %xmm2\nmovaps %xmm3, %xmm2\nvmovups (%rdi), %ymm4\naddq $32, %rdi\ncmpq %rdi, %rdx\njne .L1\n", 9, []string{"above the prediction", "pages that accesses cross"}, "below"},
	} {
		f, _ := source.New("t.s", []byte(c.text))
		o := analyze.Options{Archs: []string{c.arch}}
		found, _, err := analyze.Kernels(f, &o)
		if err != nil {
			t.Fatal(err)
		}
		k := found[0]
		model, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		a := analyze.Kernel(k, model, &o)
		p := &prediction{arch: c.arch, Estimate: a.Estimate(&o)}
		p.describe(a, k, &o)
		m := &measured{kernel: k, prediction: p, figure: &block.Figure{Cycles: c.cycles, Uncertainty: 0.01, Pages: make([]uint64, 2), Physical: 7}}
		got := strings.Join(m.explain(), "\n")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s\n%s\nlacks '%s'", c.text, got, want)
			}
		}
		if strings.Contains(got, c.not) {
			t.Errorf("%s\n%s\nhas '%s'", c.text, got, c.not)
		}
	}
}

package measure

import (
	"runtime"
	"strings"
	"testing"

	"incore/internal/analyze"
	"incore/internal/analyze/predict"
	"incore/internal/base/source"
	"incore/internal/bench/block"
	"incore/internal/bench/plan"
	"incore/internal/machine"
)

// TestMeasurePrediction holds the prediction beside a measurement to the conditions of that measurement.
func TestMeasurePrediction(t *testing.T) {
	name, _, ok := machine.Host()
	model, err := machine.Get(name)
	if !ok || err != nil || model.ISA != plan.X86().ISA.Name {
		t.Skip("no model of this machine")
	}
	pops, err := Hex(strings.Repeat("58", 8))
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
		k := *pops.Kernel
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
		m := &Block{Kernel: k, prediction: p, figure: &block.Figure{Cycles: c.cycles, Uncertainty: 0.01, Pages: make([]uint64, 2), Physical: 7}}
		got := strings.Join(m.Document(false).Prediction.Explained, "\n")
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

// TestLabelledBlock: a block of a corpus that is a loop with its label is measured in place, with its own branch, as it is predicted; other blocks are copies.
func TestLabelledBlock(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the blocks are x86-64 code")
	}
	for text, want := range map[string]bool{
		".L1: addq %r8,%rdx; decq %rcx; jne .L1":              true,
		"1: addq %r8,%rdx; decq %rcx; jne 1b":                 true,
		"loop: add rdx, r8; dec rcx; jne loop":                true,
		".L1: addq %r8,%rdx; jc .L2; .L2: decq %rcx; jne .L1": false, // which way it goes is not known
		"addq %r8,%rdx; decq %rcx; jne .L1":                   false,
		"addq %r8,%rdx; .L1: decq %rcx; jne .L1":              false,
		"addq %r8,%rdx; decq %rcx":                            false,
	} {
		m, err := (&Corpus{}).block(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := m.place != nil; got != want {
			t.Errorf("%s: in place %v, want %v", text, got, want)
		}
	}
	if m, err := (&Corpus{Copies: true}).block(".L1: addq %r8,%rdx; decq %rcx; jne .L1"); err != nil || m.place != nil {
		t.Errorf("copies: in place %v, %v", m.place != nil, err)
	}
}

package depgraph_test

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/analyze/predict"
	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// straight parses a line of instructions.
func straight(t *testing.T, text string) *isa.Kernel {
	t.Helper()
	f, err := source.New("t.s", []byte(strings.ReplaceAll(text, "; ", "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := asm.Parse(f, asm.Options{ISAs: catalog.ISAs()})
	if err != nil {
		t.Fatal(err)
	}
	ks, _, err := p.Kernels(asm.Select{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	return p.Build(&ks[0])
}

// TestCopiesRenamed: copies of straight code have more pairs of moving addresses than Zen 5's table; those of steady addresses and of the stack need none of it.
// Measured on a Zen 5 in loops of 100 instructions.
func TestCopiesRenamed(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	type pair struct {
		text   string
		cycles float64
	}
	rows := []pair{
		{"movq %rdx, (%rdx); movq (%rdx), %rdx; nop", 0.52}, {"movq %rdx, 8(%rdx); movq 8(%rdx), %rdx; nop", 0.53},
		{"movq %rdx, (%rdx); movq (%rdx), %rdx; nop; nop", 10}, {"movq %rdx, 8(%rdx); movq 8(%rdx), %rdx; nop; nop", 0.6},
		{"movq %rdx, (%rbx); movq (%rbx), %rdx", 0.5}, {"pushq %rax; popq %rax", 0.5},
		{"pushq %rbx; movq %rsp, %rbp; movq %rbp, %rsp; popq %rbx", 7}, {"pushq %rbx; andq $-8, %rsp; popq %rbx", 7}, {"pushq %rbx; leaq -64(%rsp), %rsp; leaq 64(%rsp), %rsp; popq %rbx", 7},
		{"pushq %rbx; subq $64, %rsp; addq $64, %rsp; popq %rbx", 3}, {"pushq %rbp; movq %rsp, %rbp; leave", 2}, {"pushq %rsp; popq %rsp", 8.5},
	}
	for _, at := range []string{"(%rdx)", "8(%rdx)", "128(%rdx)", "(%rdx,%rax)"} {
		for _, first := range []string{"rdx", "rax"} {
			rows = append(rows, pair{fmt.Sprintf("movq %%%s, %s; movq %s, %%rdx", first, at, at), 10}, pair{fmt.Sprintf("movq %s, %%rdx; movq %%%s, %s", at, first, at), 10})
		}
	}
	for _, r := range rows {
		p := predict.Predictor{Model: m, Conditions: predict.Conditions{Measured: true, Net: true, Pages: 7}}
		f, _ := p.Predict(straight(t, r.text))
		if f.Loop < 0.8*r.cycles || f.Loop > 1.2*r.cycles {
			t.Errorf("%s: %.2f cycles, measured %.2f", r.text, f.Loop, r.cycles)
		}
	}
}

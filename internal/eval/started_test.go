package eval

import (
	"math"
	"testing"

	"incore/internal/analyze/predict"
	"incore/internal/bench/block"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// TestStarted: loops whose loads meet stores in a pattern that follows from what memory holds when they are measured, with the cycles that they took on a Zen 4 (in place, 7 pages).
func TestStarted(t *testing.T) {
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text     string
		measured float64
		notion   string // how it was laid out; "": in place
	}{
		{"0fb606ff04874883c6014839d675f1@00", 3.86, ""},                                           // movzbl (%rsi), %eax; incl (%rdi,%rax,4); add $1, %rsi
		{"0fb606ff04874883c6024839d675f1@00", 4.67, ""},                                           // add $2: bytes 00 32 00 00
		{"0fb606ff04874883c6034839d675f1@00", 3.95, ""},                                           // add $3
		{"0fb606ff04874883c6044839d675f1@00", 1.05, ""},                                           // add $4: always 00, memory renaming predicts it
		{"0fb606ff04874883c6054839d675f1@00", 4.0, ""},                                            // add $5
		{"0fb706ff04874883c6064839d675f1@00", 3.36, ""},                                           // movzwl, add $6
		{"0fb606010c874883c6014839d675f1@00", 3.91, ""},                                           // addl %ecx, (%rdi,%rax,4)
		{"0fb60648ff04c74883c6014839d675f0@00", 3.88, ""},                                         // incq
		{"0fb6068b0c8783c101890c874883c6014839d675eb@00", 4.6, ""},                                // load, addition and store
		{"0fb6068b0c876bc903890c874883c6014839d675eb@00", 5.7, ""},                                // multiplication
		{"0fb606c5f2580487c5fa1104874883c6014839d675ea@00", 7.53, ""},                             // vaddss, vmovss
		{"0fb6060fb64e01ff0487ff048f4883c6024839d675ea@00", 9.0, ""},                              // two elements
		{"0fb6060fb64e01ff0487ff048f0fb646020fb64e03ff0487ff048f4883c6044839d675dc@00", 18.7, ""}, // four
		{"89c883e008ff048748ffc14839d175f0@00", 3.14, ""},                                         // mov %ecx, %eax; and $8, %eax; incl (%rdi,%rax,4); inc %rcx
		{"89c883e001ff048748ffc14839d175f0@00", 3.0, ""},                                          // and $1
		{"0fb606ff04874883c601", 4.44, "net"},                                                     // copies, as straight code is measured: other instructions each time
		{"0fb606ff04874883c602", 5.29, "net"},
		{"0fb706010c874883c602", 3.42, "net"},
		{"0fb606c5f2580487c5fa1104874883c601", 7.49, "net"},
		{"0fb606ff04874883c602", 5.38, "unrolled"},
		{"0fb706010c874883c602", 4.02, "unrolled"},
	} {
		r := predict.Reader{ISA: x86.ISA()}
		k, err := r.Hex(c.text)
		if err != nil {
			t.Fatal(err)
		}
		conditions, notion := predict.Conditions{Start: block.Start}, c.notion
		if notion == "" {
			notion = "loop"
		}
		if err := conditions.Measure(notion, "measured", 7); err != nil {
			t.Fatal(err)
		}
		p := Predict(m, &Block{Kernel: k, Text: c.text}, conditions)
		if math.Abs(p.Sim-c.measured) > 0.1*c.measured {
			t.Errorf("%s: %.2f cycles, measured %.2f", c.text, p.Sim, c.measured)
		}
		conditions.Start = nil // then it is not known that they meet
		if q := Predict(m, &Block{Kernel: k, Text: c.text}, conditions); c.measured > 3.2 && q.Sim > 0.7*c.measured {
			t.Errorf("%s: %.2f cycles where memory is not known", c.text, q.Sim)
		}
	}
}

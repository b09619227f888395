package machine

import (
	"strings"
	"testing"

	"incore/internal/isa/catalog"
)

// TestMaskOperand: v0 as an operand or a result is no mask.
func TestMaskOperand(t *testing.T) {
	m, err := Load(strings.NewReader("name: masks\nisa: riscv64\nports: A\nparam dispatch-width: 1 # test\nparam load-latency: 1 # test\nsource: test\nVADD_VV | A | 1\nVADD_VV | A:5 | 1 | when=last(VMV0)\n"), "masks.model")
	if err != nil {
		t.Fatal(err)
	}
	a := catalog.ISA("riscv64")
	for text, want := range map[string]float64{"vadd.vv v0, v8, v16": 1, "vadd.vv v8, v16, v0": 1, "vadd.vv v8, v16, v24": 1, "vadd.vv v8, v16, v24, v0.t": 5} {
		insts, err := a.Parse(nil, text, a.Syntaxes[0])
		if err != nil || len(insts) != 1 {
			t.Fatal(text, err)
		}
		if got := m.Cost(a, &insts[0]).RThroughput; got != want {
			t.Errorf("%s: %v cycles, want %v", text, got, want)
		}
	}
}

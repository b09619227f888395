package machine_test

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
	"incore/internal/isa"
	"incore/internal/machine"
)

// TestVectorThroughputs: what a table of measurements says of a vector instruction grows with the number of registers, with strides and segments.
// The figures are camel-cdr's (rvv-bench-results).
func TestVectorThroughputs(t *testing.T) {
	for _, c := range []struct {
		model  string
		sew    uint8
		lmul   uint8 // of 2
		text   string
		cycles float64
	}{
		{"ascalon-d8", 32, 3, "vle32.v v8, (a1)", 8. / 3}, {"ascalon-d8", 32, 0, "vlse32.v v8, (a1), a2", 3.35}, {"ascalon-d8", 32, 0, "vlsseg5e32.v v8, (a1), a2", 20},
		{"ascalon-d8", 32, 0, "vadd.vv v8, v16, v24", 0.5}, {"ascalon-d8", 32, 0, "vadd.vv v8, v16, v24, v0.t", 1}, {"ascalon-d8", 32, 3, "vadd.vv v8, v16, v24", 4},
		{"andes-45", 32, 0, "vadd.vv v8, v16, v24", 1}, {"andes-45", 32, 1, "vadd.vv v8, v16, v24", 2}, {"andes-45", 32, 3, "vadd.vv v8, v16, v24", 8},
		{"andes-45", 32, 0, "vdivu.vv v8, v16, v24", 36}, {"sifive-7", 32, 0, "vdivu.vv v8, v16, v24", 39},
		{"spacemit-x60", 8, 0, "vrgather.vv v8, v16, v24", 4},
	} {
		m := model(t, c.model)
		b := m.Bind(typed(t, c.text, isa.VType{SEW: c.sew, LMUL: c.lmul}))
		if got := throughput.Analyze(b, throughput.Optimal).Cycles; math.Abs(got-c.cycles) > 0.1*c.cycles {
			t.Errorf("%s: '%s' at e%d, m%d takes %.2f cycles, want %.2f", c.model, c.text, c.sew, 1<<c.lmul, got, c.cycles)
		}
	}
}

// typed returns a kernel of one vector instruction under a type.
func typed(t *testing.T, text string, v isa.VType) *isa.Kernel {
	k := kernel(t, "riscv64", text)
	k.Lines[0].Inst.VType = v
	return k
}

// TestPlaceholders: an instruction of which LLVM only has a placeholder is unknown, and the check of models finds such costs.
func TestPlaceholders(t *testing.T) {
	m := model(t, "andes-45")
	b := m.Bind(typed(t, "vssra.vv v8, v16, v24", isa.VType{SEW: 32, LMUL: 2}))
	if b.Insts[0].Flags&machine.Unknown == 0 {
		t.Error("Andes 45: vssra.vv is known, though no table has it and LLVM's cost is a placeholder")
	}
	llvm := model(t, "llvm/Andes45Model")
	n := 0
	for _, s := range llvm.Check(isas["riscv64"]).Suspicious {
		if strings.Contains(s.Why, "placeholder") {
			n += s.N
		}
	}
	if n < 100 {
		t.Errorf("%d placeholders found in LLVM's model of the Andes 45", n)
	}
}

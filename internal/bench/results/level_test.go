package results

import (
	"maps"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestLevel: a second µop that only explains an uneven use of ports goes; it stays where nothing says that the use is uneven, where the form is slower than that, and
// where the base has several µops, too.
func TestLevel(t *testing.T) {
	base, err := machine.Get("llvm/Znver4Model")
	if err != nil {
		t.Fatal(err)
	}
	x := plan.For(catalog.ISA("x86-64"))
	rows := map[string]string{
		"ADD64rr": "ALU0+ALU1+ALU2+ALU3 FP0+FP1+ALU2 | = | slots=1 rthru=0.29", "SUB64rr": "FP0+FP1+ALU2 ALU3+ALU1+ALU2+ALU0 | 1 | slots=1 rthru=0.29",
		"AND64rr": "ALU0+ALU1+ALU2+ALU3 FP0+FP1+ALU2 | = | slots=1 rthru=0.5", "OR64rr": "ALU0+ALU1+ALU2 FP0+FP1+ALU2 | = | slots=1 rthru=0.29",
		"XADD64rr": "ALU0+ALU1+ALU2+ALU3 FP0+FP1+ALU2 | = | slots=1 rthru=0.29",
	}
	was := maps.Clone(rows)
	level(x, rows, measuredOver(t), base)
	if !maps.Equal(rows, was) {
		t.Errorf("without steering: %v", rows)
	}
	level(x, rows, measuredOver(t, "param scheduler-a: 40 ALU0 ALU1  # measured", "param scheduler-b: 40 ALU2 ALU3  # measured", "param steering-int: chance a b imbalance=16  # measured"), base)
	was["ADD64rr"], was["SUB64rr"] = "ALU0+ALU1+ALU2+ALU3 | = | slots=1 rthru=0.29", "ALU3+ALU1+ALU2+ALU0 | 1 | slots=1 rthru=0.29"
	if !maps.Equal(rows, was) {
		t.Errorf("with steering: %v", rows)
	}
}

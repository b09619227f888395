package predict

import (
	"testing"

	"incore/internal/analysis/engine"
	"incore/internal/isa"
)

// TestRead checks the profiler's error against its code: after 100 copies of a block of 4k + 2 bytes the mov begins at 12 modulo 16, so that mov and
// rdpmc need two fetch windows; likewise after 200 copies of 4k + 1 or 4k + 3 bytes; after other sizes never.
func TestRead(t *testing.T) {
	for bytes, want := range map[int]float64{4: -0.02, 8: -0.02, 5: -0.01, 7: -0.01, 9: -0.01, 6: -0.03, 10: -0.03} {
		k := &isa.Kernel{Lines: []isa.Line{{Inst: isa.Inst{Size: uint8(bytes - 3)}}, {Inst: isa.Inst{Size: 3}}}}
		e := engine.Estimate{Cycles: 1}
		(&Conditions{}).read(k, &e)
		if e.Cycles != 1 {
			t.Errorf("%d bytes, not by the profiler: %v", bytes, e.Cycles)
		}
		(&Conditions{Profiler: true}).read(k, &e)
		if Round(e.Cycles-1) != want {
			t.Errorf("%d bytes: %v beside the block's cycle, want %v", bytes, Round(e.Cycles-1), want)
		}
	}
}

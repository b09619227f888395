package baseline

import (
	"testing"

	"incore/internal/analysis/kernels"
)

func TestAnalyze(t *testing.T) {
	b := kernels.Parse(kernels.ISA("aarch64"), 1, "l d0 <- [x0]\nl d1 <- [x1]\nl d2 <- [x2]\na d0 <- d1\ns [x0] <- d0\ncmp nzcv <- x0\nbne <- nzcv")
	for _, c := range []struct {
		width          int
		loads, stores  float64
		loop, unrolled float64
	}{{4, 2, 1, 1.5, 1.75}, {2, 2, 1, 3, 3.5}, {6, 1, 1, 3, 3}, {6, 2, 0.25, 4, 4}, {0, 0, 0, 1, 1}, {8, 4, 2, 1, 1}} {
		p := &b.Model.Params
		p.DispatchWidth, p.LoadsPerCycle, p.StoresPerCycle = c.width, c.loads, c.stores
		if r := Analyze(b); r.Loop != c.loop || r.Unrolled != c.unrolled || r.Insts != 7 || r.Loads != 3 || r.Stores != 1 {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}

package ports

import (
	"context"
	"testing"

	"incore/internal/machine"
)

// TestSlow: a division that keeps its port busy is found on it, for as long as it takes, and has no row.
func TestSlow(t *testing.T) {
	m, err := machine.Get("xiangshan-nanhu")
	if err != nil {
		t.Fatal(err)
	}
	s := common(t, m, 300)
	inf, err := Infer(context.Background(), s.Forms, 0, boundOracle(s, m, 0.01, 3), s.Options())
	if err != nil {
		t.Fatal(err)
	}
	n := Name(inf, s, m)
	held := 0
	for i := range inf.Forms {
		r := &inf.Forms[i]
		if !r.Held {
			continue
		}
		held++
		if agrees, known := n.Agrees(i); known && !agrees {
			t.Errorf("%s: %s", r.Name, n.Uops(i))
		}
		if row, why := n.Row(i); row != "" || why == "" {
			t.Errorf("%s has the row %q, though its slots are not known", r.Name, row)
		}
	}
	if held < 4 {
		t.Errorf("%d divisions found", held)
	}
}

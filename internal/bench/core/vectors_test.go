package core

import (
	"strconv"
	"testing"

	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/machine"
)

// TestVectors plays cores that dispatch some slots of vectors in a cycle over a base without such a limit: the limit must be found, none where there is none, and a base
// that describes it is left alone.
func TestVectors(t *testing.T) {
	zen5, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	const shipped, ports = machine.LimitPrefix + "fp", "VLD FP0 FP1 FP2 FP3 FP4 FP5"
	bare, err := zen5.With(machine.Fact{Name: shipped})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range long.Spread([]struct {
		played string
		base   *machine.Model
		slots  int
		loads  bool
	}{
		{"6 slots loads " + ports, bare, 6, true},
		{"5 slots " + ports, bare, 5, false},
		{"", bare, 0, false},
		{"6 slots loads " + ports, zen5, 0, false},
	}, 1) {
		m, err := bare.With(machine.Fact{Name: shipped, Value: c.played})
		if err != nil {
			t.Fatal(err)
		}
		fs := played(t, vectors(), m, c.base)
		slots, loads := 0, false
		for _, f := range fs {
			if !f.Fact {
				continue
			}
			got, err := c.base.With(machine.Fact{Name: f.Name, Value: f.Value})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range got.Core().DispatchLimits {
				if l.Slots {
					slots, loads = l.Uops, l.Loads
				}
			}
		}
		if slots != c.slots || loads != c.loads {
			t.Errorf("played %q: found %d slots, loads %t", c.played, slots, loads)
		}
	}
}

// TestVectorWords checks that the statements on vectors are single instructions, which do not read what another one writes.
func TestVectorWords(t *testing.T) {
	for _, make := range targets {
		x := make()
		for k, list := range [][]statement{x.vector, x.loadVector, x.portlessVector} {
			for _, f := range list {
				in, err := x.parse(f("0", strconv.Itoa(vectorResults)))
				if err != nil {
					t.Errorf("%s: %v", x.ISA.Name, err)
					continue
				}
				var e isa.Effects
				x.ISA.Effects(&in, &e)
				for _, r := range e.Reads {
					for _, w := range e.Writes {
						if r.Reg == w.Reg && !(k == 2 && x.ISA.ZeroIdiom != nil && x.ISA.ZeroIdiom(&in)) {
							t.Errorf("%s: %s reads what it writes", x.ISA.Name, f("0", strconv.Itoa(vectorResults)))
						}
					}
				}
			}
		}
	}
}

package results

import (
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/machine"
)

// TestCompleteLayer: every measured form gets a row. What agrees is "==", what differs the measured latency, and µops that take the measured time.
func TestCompleteLayer(t *testing.T) {
	const head = "name: top\ntitle: top\nisa: x86-64\nbase: llvm/Znver4Model\n"
	load := func(rows string) (*machine.Model, error) {
		return machine.Load(strings.NewReader(head+"\nsource: by hand\nIMUL64rr | ALU1 | 3\n\nsource: layer\nPAUSE | - | 1\n"+rows), "top.model")
	}
	rows := "IMUL64rr | = | 3 | rthru=1\nVPMULLDrr | = | 3 | rthru=0.5\nVPADDDZrr | = | 2 | rthru=1\nVDIVPDZrr | = | 13 | rthru=4\n# VPABSDrr runs with helpers: reciprocal throughput between 0.3 and 1.2\nVPABSDrr | = | 1 | rthru=1.2\nADD8mr | = | 5 | rthru=15\n"
	run, err := machine.Load(strings.NewReader(head+"\nsource: measured, incore bench 1\n"+rows), "run")
	if err != nil {
		t.Fatal(err)
	}
	l, err := CompleteLayer(plan.X86(), load, "top.model", []*machine.Model{run}, []Times{Throughputs(rows)})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Rows) != 6 || len(l.Above)+len(l.Apart)+len(l.Unfit) > 0 {
		t.Errorf("%d rows, above %v, apart %v, unfit %v: %v", len(l.Rows), l.Above, l.Apart, l.Unfit, l.Rows)
	}
	for form, want := range map[string]string{"IMUL64rr": "= | 3 | rthru=1", "VPMULLDrr": "== | ==", "VPABSDrr": "== | 1"} {
		if l.Rows[form] != want {
			t.Errorf("%s: %q, want %q", form, l.Rows[form], want)
		}
	}
	m, err := load(l.text())
	if err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]float64{"VPADDDZrr": 1, "VDIVPDZrr": 4} {
		x := plan.X86()
		in, err := x.Instance(x.ISA.Forms.Named(form))
		if err != nil {
			t.Fatal(err)
		}
		c := m.Cost(x.ISA, &in)
		if c.Each < 0.88*want || c.Each > 1.12*want {
			t.Errorf("%s: %g cycles each, want %g (%s)", form, c.Each, want, l.Rows[form])
		}
		if form == "VPADDDZrr" {
			if lat, ok := c.Pair(0, 0); !ok || lat != 2 {
				t.Errorf("%s: latency %g", form, lat)
			}
		}
	}
}

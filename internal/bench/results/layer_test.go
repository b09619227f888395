package results

import (
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/machine"
)

// TestLayer: latencies on which runs agree become rows, behind what is loaded as well; what is half a cycle off, what
// the model's own rows say and what only one run has does not.
func TestLayer(t *testing.T) {
	const head = "name: top\ntitle: top\nisa: x86-64\nbase: llvm/Znver4Model\n"
	load := func(rows string) (*machine.Model, error) {
		return machine.Load(strings.NewReader(head+"\nsource: by hand\nIMUL64rr | = | 4\n\nsource: layer\nPAUSE | - | 1\n"+rows), "top.model")
	}
	run := func(rows string) *machine.Model {
		m, err := machine.Load(strings.NewReader(head+"\nsource: measured, incore bench 1\n"+rows), "run")
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a := run("IMUL64rr | = | 3\nVPERMI2PDZ128rmk | = | 10 1>0:3 2>0:3 3>0:3\nVPADDDrr | = | 3\nVPSUBDrr | = | 3\nVPXORrr | = | 1.5\nVPMULLDrr | = | 7\n")
	b := run("IMUL64rr | = | 3\nVPERMI2PDZ128rmk | = | 10 1>0:3 2>0:3 3>0:3\nVPADDDrr | = | 3.5\nVPSUBDrr | = | 5\nVPXORrr | = | 1.5\n")
	l, err := NewLayer(plan.X86(), load, "top.model", []*machine.Model{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Above) != 1 || l.Above[0] != "IMUL64rr" || len(l.Apart) != 1 || l.Apart[0] != "VPSUBDrr" {
		t.Errorf("above %v, apart %v", l.Above, l.Apart)
	}
	if len(l.Rows) != 2 || l.Rows["VPADDDrr"] != "= | 3" {
		t.Errorf("rows %v", l.Rows)
	}
	m, err := load(l.text())
	if err != nil {
		t.Fatal(err)
	}
	x := plan.X86()
	in, err := x.Instance(x.ISA.Forms.Named("VPERMI2PDZ128rmk"))
	if err != nil {
		t.Fatal(err)
	}
	c := m.Cost(x.ISA, &in)
	for i := range c.Effects.Reads {
		want := 3.0
		if x.Kind(c.Effects.Reads[i].Reg) == plan.GPR {
			want = 10.5 // half a cycle of the way there and back is counted with the other half
		}
		if got, ok := c.Pair(i, 0); x.Kind(c.Effects.Reads[i].Reg) != plan.Other && (!ok || got != want) {
			t.Errorf("operand %d: %g, want %g (row %s)", i, got, want, l.Rows["VPERMI2PDZ128rmk"])
		}
	}
}

// TestRowOfResults: the latency of a row is the longest to a register; what is stored has one of its own.
func TestRowOfResults(t *testing.T) {
	x := plan.X86()
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	in, err := x.Instance(x.ISA.Forms.Named("XADD64rm"))
	if err != nil {
		t.Fatal(err)
	}
	base := m.Cost(x.ISA, &in)
	register, memory := 0, len(base.Effects.Writes)
	if got := row(base, []cyclesOf{{0, register, 3}, {0, memory, 9}}, nil); !strings.HasPrefix(got, "= | 3 ") {
		t.Errorf("row %q", got)
	}
}

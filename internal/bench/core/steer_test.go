package core

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/machine"
)

// TestSteering plays cores that give integers to halves of the ports by chance, over a base without schedulers: the halves must be found, up to an exchange of ports
// that accept the same operations. A core whose ports are one is left alone, and so is a base that describes its schedulers.
func TestSteering(t *testing.T) {
	halves := func(m *machine.Model) string { // how many ports of multiplications each half has
		mul, _ := m.PortSet("MUL")
		var out []string
		for _, s := range m.Core().Schedulers {
			if strings.HasPrefix(s.Name, "int") {
				out = append(out, strconv.Itoa(bits.OnesCount64(uint64(s.Ports&mul))))
			}
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	zen5, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	facts := func(parts ...string) (out []machine.Fact) {
		for i, p := range parts {
			out = append(out, machine.Fact{Name: "scheduler-int" + string(rune('0'+i)), Value: "44 " + p})
		}
		return append(out, machine.Fact{Name: "steering-int", Value: "chance int0 int1 imbalance=16"})
	}
	bare, err := zen5.With(machine.Fact{Name: "steering-int"}, machine.Fact{Name: "scheduler-int0"}, machine.Fact{Name: "scheduler-int1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range long.Spread([]struct {
		played []machine.Fact
		base   *machine.Model
		want   string
	}{
		{facts("ALU0 ALU1 ALU2", "ALU3 ALU4 ALU5"), bare, "0 3"},
		{facts("ALU0 ALU3 ALU5", "ALU1 ALU2 ALU4"), bare, "1 2"},
		{nil, bare, ""},
		{facts("ALU0 ALU1 ALU2", "ALU3 ALU4 ALU5"), zen5, ""},
	}, 2) {
		m, err := bare.With(c.played...)
		if err != nil {
			t.Fatal(err)
		}
		fs := played(t, steering(), m, c.base)
		var found []machine.Fact
		for _, f := range fs {
			if f.Fact {
				found = append(found, machine.Fact{Name: f.Name, Value: f.Value})
			}
		}
		got, err := bare.With(found...)
		if err != nil {
			t.Fatal(err)
		}
		if halves(got) != c.want {
			t.Errorf("played %v: found %q, want %q", c.played, halves(got), c.want)
		}
	}
}

// TestSplits counts the ways to divide ports into equal parts.
func TestSplits(t *testing.T) {
	ports := strings.Fields("a b c d e f g h")
	for _, c := range [][3]int{{4, 2, 3}, {6, 3, 10}, {6, 2, 15}, {8, 2, 105}, {4, 1, 1}} {
		if n := len(splits(ports[:c[0]], c[1])); n != c[2] {
			t.Errorf("%d ports in parts of %d: %d ways, want %d", c[0], c[1], n, c[2])
		}
	}
}

// TestSteeringWords checks that the statements of every instruction set are single instructions without memory.
func TestSteeringWords(t *testing.T) {
	for _, make := range targets {
		x := make()
		for _, f := range x.simple {
			for _, r := range x.registers {
				in, err := x.parse(f(r, x.registers[0]))
				if err != nil {
					t.Errorf("%s: %v", x.ISA.Name, err)
					continue
				}
				var e isa.Effects
				if x.ISA.Effects(&in, &e); len(e.Mem) > 0 {
					t.Errorf("%s: %s accesses memory", x.ISA.Name, f(r, x.registers[0]))
				}
			}
		}
		if len(x.simple) > 0 && len(x.registers) <= steerChains {
			t.Errorf("%s: %d registers", x.ISA.Name, len(x.registers))
		}
	}
}

// TestSteeringBuses plays a core whose ports write back one result a cycle over a base without that: it must be found, and not on a core that lacks it.
func TestSteeringBuses(t *testing.T) {
	zen5, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	bare, err := zen5.With(machine.Fact{Name: "steering-int"}, machine.Fact{Name: "scheduler-int0"}, machine.Fact{Name: "scheduler-int1"}, machine.Fact{Name: resultPorts})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range long.Spread([]string{"3 ALU0 ALU1 ALU2 ALU3 ALU4 ALU5", ""}, 1) {
		m, err := bare.With(machine.Fact{Name: resultPorts, Value: want})
		if err != nil {
			t.Fatal(err)
		}
		fs := played(t, steering(), m, bare)
		got := ""
		for _, f := range fs {
			if f.Name == resultPorts {
				got = f.Value
			}
		}
		if got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
}

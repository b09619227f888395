package results

import (
	"math"
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/foreign/winic"
	"incore/internal/machine"
)

// TestDiffWINIC: measurements that agree with a model, one that differs in the accumulator, and what was not measured.
func TestDiffWINIC(t *testing.T) {
	m, err := machine.Get("neoverse-v2")
	if err != nil {
		t.Fatal(err)
	}
	exact := func(v float64) winic.Range { return winic.Range{Min: v, Max: v} }
	none := exact(math.NaN())
	pair := func(from string, r winic.Range) winic.Pair { return winic.Pair{From: from, To: "0", Cycles: r} }
	forms := []winic.Form{
		{Name: "NOSUCHFORM", RThru: exact(1)},
		{Name: "FADDDrr", Pairs: []winic.Pair{pair("1", exact(2)), pair("2", winic.Range{Min: 1, Max: 3}), pair("FPCR", none)}, RThru: exact(0.25)},
		{Name: "FMLAv2f64", Pairs: []winic.Pair{pair("0", exact(9)), pair("1", exact(4)), pair("2", exact(4))}, RThru: exact(0.25)},
		{Name: "UMLALv8i8_v8i16", Pairs: []winic.Pair{pair("0", exact(1)), pair("1", exact(4))}, RThru: exact(0.5)}, // a chain through the accumulator
		{Name: "MADDXrrr", Pairs: []winic.Pair{pair("1", none), pair("3", none)}, RThru: exact(1)},
	}
	var b strings.Builder
	if err := DiffWINIC(&b, plan.ARM64(), m, Published{"file", forms}, DiffOptions{Tolerance: 0.1}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "# 3 forms compared: latencies of operand pairs agree within 0.1 cycles for 2 ") {
		t.Fatalf("%s", b.String())
	}
	if f := strings.Split(lines[2], "\t"); f[0] != "FMLAv2f64" || f[5] != "1>0:2/9" {
		t.Errorf("%s", lines[2])
	}
	if err := DiffWINIC(&b, plan.RISCV64(), mustGet(t, "spacemit-x60"), Published{"file", forms}, DiffOptions{}); err == nil {
		t.Error("no form in common, and no error")
	}
}

// TestDiffOperands compares models of cores that merge into registers with one that does not: they have operands that it
// lacks.
func TestDiffOperands(t *testing.T) {
	var b strings.Builder
	for _, names := range [][2]string{{"zen4", "alderlake-p"}, {"alderlake-p", "zen4"}} {
		b.Reset()
		if err := Diff(&b, plan.X86(), mustGet(t, names[0]), mustGet(t, names[1]), DiffOptions{Tolerance: 0.1}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "\n"); n < 1000 {
			t.Errorf("%v: %d lines", names, n)
		}
	}
}

func mustGet(t *testing.T, name string) *machine.Model {
	t.Helper()
	m, err := machine.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

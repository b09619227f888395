package results

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestCompose: forms with memory operands get the measured ports of their twins on registers, a port more for loads where the base has too few, and units that are as fast as
// measured; forms whose ports were measured, and plain stores, keep what they have.
func TestCompose(t *testing.T) {
	base, err := machine.Get("llvm/Znver4Model")
	if err != nil {
		t.Fatal(err)
	}
	x := plan.For(catalog.ISA("x86-64"))
	rows := map[string]string{
		"ADD64rr": "ALU0+ALU1+ALU2+ALU3+NEW0 | = | slots=1 rthru=0.2", "ADD64rm": "= | = | rthru=0.26", "ADD64mr": "= | 7 | rthru=0.6",
		"CMP64rm": "= | = | rthru=0.26", "MOV64rm": "= | 4 | rthru=0.25", "MOV64mr": "= | = | rthru=0.503", "MOVUPSrm": "= | = | rthru=0.5", "DIV64m": "= | = | rthru=7", "XOR64rm": "ALU0/load | = | slots=1",
	}
	rows["MOVPDI2DIrr"] = "= | = | rthru=0.5"                                                                 // computes on ports from which LLVM takes loads of vectors
	rows["MOVSX64rm32"] = "= | 5 | rthru=0.26"                                                                // as MOVSX32rr16
	rows["MOVSX32rr16"], rows["MOVSX32rm16"] = "ALU0+ALU1+ALU2+ALU3+NEW0 | = | slots=1", "= | 5 | rthru=0.26" // extends later
	rows["MOVZX32rr16"], rows["MOVZX32rm16"] = "ALU0+ALU1+ALU2+ALU3+NEW0 | = | slots=1", "= | 4 | rthru=0.26"
	rows["MOVSX64rr32"] = "= | 1 | rthru=0.17" // measured, but not its ports: as MOVSX32rr16
	was := maps.Clone(rows)
	m := measuredOver(t, "param load-latency: 4  # measured", "ports: NEW0", "MOVSX32rm16 MOVSX64rm32 | = | 5", "MOVZX32rm16 | = | 4", "MOVSX32rr16 MOVSX64rr32 MOVZX32rr16 | = | 1")
	apart := maps.Clone(rows)
	four := []string{"param loads-per-cycle: 4  # measured"}
	grown := compose(x, apart, &resultFile{params: four, memory: memoryResults{"loads of MOVUPSrm beside stores of MOVUPSmr": {0.38, plan.UnitEach}}}, m, base).grown
	slices.Sort(grown)
	if strings.Join(grown, " ") != "FP4L FP5L LOAD0" || apart["MOVUPSrm"] != "FP4L+FP5L/load LSU Load | = | slots=1 rthru=0.5" {
		t.Errorf("loads of vectors with ports of their own: %v, %s", grown, apart["MOVUPSrm"])
	}
	grown = compose(x, rows, &resultFile{params: four, memory: memoryResults{"loads of MOVUPSrm beside stores of MOVUPSmr": {0.5, plan.UnitEach}}}, m, base).grown
	if strings.Join(grown, " ") != "LOAD0" {
		t.Errorf("new ports %v", grown)
	}
	for form, want := range map[string]string{
		"ADD64rr": was["ADD64rr"], "XOR64rm": was["XOR64rm"],
		"ADD64rm":     "AGU0+AGU1+AGU2+LOAD0/load ALU0+ALU1+ALU2+ALU3+NEW0 | = | slots=1 rthru=0.26",
		"MOV64rm":     "AGU0+AGU1+AGU2+LOAD0/load | 4 | slots=1 rthru=0.25",
		"MOVUPSrm":    was["MOVUPSrm"], // two a cycle, four of others
		"MOV64mr":     "AGU012/sta LSU Store | = | slots=1 rthru=0.503",
		"MOVSX32rm16": "AGU0+AGU1+AGU2+LOAD0/load ALU0+ALU1+ALU2+ALU3+NEW0 | 5 | slots=1 rthru=0.26",
		"MOVSX64rm32": "AGU0+AGU1+AGU2+LOAD0/load ALU0+ALU1+ALU2+ALU3+NEW0 | 5 | slots=1 rthru=0.26",
		"MOVZX32rm16": "AGU0+AGU1+AGU2+LOAD0/load | 4 | slots=1 rthru=0.26",
	} {
		if rows[form] != want {
			t.Errorf("%s: %s, want %s", form, rows[form], want)
		}
	}
	if !strings.Contains(rows["ADD64mr"], "ALU0+ALU1+ALU2+ALU3+NEW0") || !strings.Contains(rows["ADD64mr"], "LOAD0/load") {
		t.Errorf("ADD64mr: %s", rows["ADD64mr"])
	}
	if !strings.Contains(rows["DIV64m"], "LOAD0/load") { // what takes seven cycles is not its load
		t.Errorf("DIV64m: %s", rows["DIV64m"])
	}
	if strings.Contains(rows["CMP64rm"], "NEW0") { // whose twin was not measured
		t.Errorf("CMP64rm: %s", rows["CMP64rm"])
	}
	again := maps.Clone(rows)
	if compose(x, again, &resultFile{params: four}, m, base); !maps.Equal(again, rows) {
		t.Errorf("a second time: %v", again)
	}
}

// TestPortsTwice: a file of results with the new ports of two inferences declares each of them once.
func TestPortsTwice(t *testing.T) {
	text := "# cpu: x\nname: measured\ntitle: t\nisa: x86-64\nbase: llvm/Znver4Model\n\nsource: measured\nports: NEW0 NEW8\nADD64rr | ALU0+NEW0 | = | slots=1\nports: NEW8 NEW9\nSUB64rr | ALU0+NEW9 | = | slots=1\n"
	var b strings.Builder
	if err := Build(strings.NewReader(text), &b, "measured", "t"); err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load(strings.NewReader(b.String()), "built")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	for _, name := range []string{"NEW0", "NEW8", "NEW9"} {
		if _, ok := m.PortSet(name); !ok {
			t.Errorf("no port %s", name)
		}
	}
}

// measuredOver returns a model with some lines over LLVM's Zen 4.
func measuredOver(t *testing.T, lines ...string) *machine.Model {
	t.Helper()
	head, rows := "name: measured\ntitle: t\nisa: x86-64\nbase: llvm/Znver4Model\n", "source: measured\n"
	for _, l := range lines {
		if strings.Contains(l, " | ") {
			rows += l + "\n"
		} else {
			head += l + "\n"
		}
	}
	m, err := machine.Load(strings.NewReader(head+rows), "measured")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

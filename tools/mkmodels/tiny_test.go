package main

import (
	"encoding/json"
	"math"
	"math/bits"
	"strings"
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// tinyForms and tinySched are what tools/llvmextract makes of a TableGen description with two ALUs in a group, one of which multiplies, a divider that is no port, and a
// pipe of loads and stores.
const (
	tinyForms = `{"flags": ["Pseudo", "MayLoad", "MayStore"], "forms": [
		{"n": "ADD", "o": ["rd:GPR"], "i": ["rs1:GPR", "rs2:GPR"], "mc": [3, 1], "f": 0, "sc": 1},
		{"n": "SUB", "o": ["rd:GPR"], "i": ["rs1:GPR", "rs2:GPR"], "mc": [3, 1], "f": 0, "sc": 1},
		{"n": "MUL", "o": ["rd:GPR"], "i": ["rs1:GPR", "rs2:GPR"], "mc": [3, 1], "f": 0, "sc": 2},
		{"n": "DIV", "o": ["rd:GPR"], "i": ["rs1:GPR", "rs2:GPR"], "mc": [3, 1], "f": 0, "sc": 3},
		{"n": "LD", "o": ["rd:GPR"], "i": ["rs1:GPR", "imm12:simm12"], "mc": [3, 1], "f": 2, "sc": 4},
		{"n": "SD", "o": [], "i": ["rs2:GPR", "rs1:GPR", "imm12:simm12"], "mc": [3, 0], "f": 4, "sc": 5},
		{"n": "PseudoNothing", "o": [], "i": [], "mc": [0, 0], "f": 1, "sc": 1}]}`
	tinySched = `{"target": "RISCV", "llvm": "19.1.7", "model": "TinyModel", "source": "Tiny.td:1", "cpus": ["tiny"],
		"params": {"IssueWidth": 3, "MicroOpBufferSize": 40, "LoadLatency": 9, "MispredictPenalty": 7}, "coverage": {"valid": 6, "invalid": 1},
		"res": [["InvalidUnit", 0, 0, 0, []], ["TinyALU0", 1, 0, -1, []], ["TinyALU1", 1, 0, -1, []], ["TinyALU01", 2, 0, -1, [1, 2]], ["TinyLSU", 1, 0, -1, []], ["TinyDiv", 1, 0, 0, []]],
		"desc": [[1, 0, [1], [[3, 1, 0]], [], 0.5], [1, 0, [4], [[2, 1, 0]], [], 1], [1, 0, [20], [[1, 1, 0], [5, 17, 0]], [], 17], [1, 0, [3], [[4, 1, 0]], [], 1], [1, 0, [1], [[4, 1, 0]], [], 1]],
		"classes": [-1, 0, 1, 2, 3, 4], "variants": {}, "preds": [], "helpers": {}, "idioms": {}}`
)

// TestTiny makes a model of a description of six instructions, and reads it.
func TestTiny(t *testing.T) {
	var s sched
	var fs formSource
	if err := json.Unmarshal([]byte(tinySched), &s); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(tinyForms), &fs); err != nil {
		t.Fatal(err)
	}
	text, err := convert(&s, &fs)
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load(strings.NewReader(text), "tiny.model")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if p := m.Params; p.DispatchWidth != 3 || p.ROB != 40 || p.InOrder {
		t.Errorf("width %d, reorder buffer %d, in order: %t", p.DispatchWidth, p.ROB, p.InOrder)
	}
	a := catalog.ISA("riscv64")
	for text, want := range map[string]struct {
		latency float64
		ports   int     // that the first µop may use
		busy    float64 // cycles of the unit that is busy for longest
	}{"add a0, a1, a2": {1, 2, 1}, "sub a0, a1, a2": {1, 2, 1}, "mul a0, a1, a2": {4, 1, 1}, "div a0, a1, a2": {20, 1, 17}, "ld a0, 8(a1)": {3, 1, 1}, "sd a0, 8(a1)": {1, 1, 1}} {
		insts, err := a.Parse(nil, text, "")
		if err != nil {
			t.Fatal(err)
		}
		b := uops.Bind(m, &isa.Kernel{ISA: a, Lines: []isa.Line{{Inst: insts[0]}}})
		in := &b.Insts[0]
		if len(in.Uops) == 0 || b.Unknown() > 0 {
			t.Errorf("%s: %d µops", text, len(in.Uops))
			continue
		}
		busy := 0.0
		for _, u := range in.Uops {
			busy = math.Max(busy, u.Cycles)
		}
		if got := in.Latency; got != want.latency || bits.OnesCount64(uint64(in.Uops[0].Ports)) != want.ports || busy != want.busy {
			t.Errorf("%s: latency %g, %d ports, %g cycles; want %+v", text, got, bits.OnesCount64(uint64(in.Uops[0].Ports)), busy, want)
		}
	}
}

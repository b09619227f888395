package results

import (
	"io"
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/machine"
)

// TestBuild puts the results of latency, ports and core parameters, from one file, into a model.
func TestBuild(t *testing.T) {
	results := `# Measured
name: measured
title: This machine
isa: x86-64
base: skylake

source: measured 2025-01-01
ADD64rr | = | 2 | rthru=0.25
# port map of ADD64rr: 9 mixes
ADD64rr | 0+1+5+6 | = | slots=1
IMUL64rr | 1 | = | slots=1
MOV64rr | = | 0 | rthru=0.25 move-elim
MOV64rr | 0+1+5+6 | = | slots=1
XOR32rr | = | 2 | rthru=0.25
XOR32rr | = | = | zero-idiom when=same(1,2)
XOR32rr | 0+1+5+6 | = | slots=1
IMUL64rr | = | 4 | rthru=1
# curve rob (fillers: cycles): 0:1
param rob: 220  # measured, first
param rob: 224  # measured: again
fuses: cmp+jcc test+jcc  # measured
# memory: load-to-use MOV64rm (base): 5 ± 0 cycles from address to result
# memory: load-to-use VMOVUPSrm (base): 6 ± 0 cycles from address to result
# memory: load-to-use MOV64rm across a line: 4 ± 0 cycles from address to result
# memory: loads of MOV64rm: unstable: noise
# memory: loads of MOV64rm: 0.34 ± 0 cycles each
# memory: loads of MOV64rm across a line: 0.2 ± 0 cycles each
# memory: stores of MOV64mr: 0.7 ± 0 cycles each
# memory: forward MOV64mr to 64 bits: 0.51 ± 0 cycles from stored register to loaded register, same bytes
# memory: forward MOV16mr to 16 bits: 5.01 ± 0 cycles from stored register to loaded register, same bytes
# memory: forward VMOVUPSmr to 128 bits: 8.97 ± 0 cycles from stored register to loaded register, same bytes
# memory: forward MOV8mr to 64 bits: 19.6 ± 0 cycles from stored register to loaded register, more bytes
`
	var b strings.Builder
	if err := Build(strings.NewReader(results), &b, "here", "Here"); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{"\nADD64rr XOR32rr | 0+1+5+6 | 2 | slots=1 rthru=0.25\n", "\nIMUL64rr | 1 | 4 | rthru=1 slots=1\n",
		"\nMOV64rr | 0+1+5+6 | = | slots=1 rthru=0.25 move-elim\n", /* skylake has the same */
		"param rob: 224  # measured: again\nfuses: cmp+jcc test+jcc  # measured\nparam load-latency", "XOR32rr | = | = | zero-idiom when=same(1,2)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, want := range []string{"\nparam load-latency: 5  # ", "\nparam loads-per-cycle: 3  # ", "\nparam store-forward: 9  # ", "\nparam forwarding: mixed=5 failed=19  # "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, not := range []string{"rob: 220", "stores-per-cycle"} { // the first of two values, no whole number, not measured
		if strings.Contains(got, not) {
			t.Errorf("%s in\n%s", not, got)
		}
	}
	done, _, err := Measured(strings.NewReader(results+"SUB64rr | 0 | = | slots=1\n"), "")
	if err != nil || !done["ADD64rr"] || done["SUB64rr"] {
		t.Errorf("measured %v, %v", done, err)
	}
}

// TestForwardingParts: what bench core measured of forwarding keeps what bench memory measured of it, and what only the base knows.
func TestForwardingParts(t *testing.T) {
	const results = "name: measured\ntitle: here\nisa: x86-64\nbase: zen5\n\nsource: measured\n" +
		"param forwarding: mixed=6  # measured, bench core\nparam rob: 400  # measured\nADD64rr | = | 1 | rthru=0.2\n# memory: forward MOV32mr to 64 bits: 15.1 ± 0 cycles from stored register to loaded register, more bytes\n"
	var b strings.Builder
	if err := Build(strings.NewReader(results), &b, "m", "m"); err != nil {
		t.Fatal(err)
	}
	base, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load(strings.NewReader(b.String()), "the model")
	if err != nil {
		t.Fatal(err)
	}
	want := base.Core().Forwarding
	want.Mixed, want.Failed = 6, 14
	if m.Core().Forwarding != want || !strings.Contains(b.String(), "\nparam rob: 400  # measured\n") {
		t.Errorf("forwarding %v, want %v; in\n%s", m.Core().Forwarding, want, b.String())
	}
}

// TestRefute takes a base's µop away where measurements go by faster than its ports allow.
func TestRefute(t *testing.T) {
	base, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{
		"ADD64rr":    "0+1+5+6 | 1 | slots=1",
		"SHLX64rr":   "0+6 | 1 | slots=1",
		"IMUL64rr":   "= | = | rthru=0.25", // Skylake has it on port 1
		"POPCNT64rr": "= | = | rthru=0.5",  // no measured set of two ports holds port 1
		"LZCNT64rr":  "= | = | rthru=0.17", // as many as are dispatched
		"SUB64rr":    "= | = | rthru=0.25", // four ports have it: nothing to refute
		"TZCNT64rr":  "1 | = | rthru=0.25", // its ports were measured
	}
	want := map[string]string{"IMUL64rr": "0+1+5+6 | = | slots=1 rthru=0.25", "LZCNT64rr": "- | = | slots=1 rthru=0.17"}
	refuted(t, rows, want, base)
}

// refuted checks what refute makes of rows: want, and of the others nothing else.
func refuted(t *testing.T, rows, want map[string]string, base *machine.Model) {
	t.Helper()
	for f, row := range rows {
		if want[f] == "" {
			want[f] = row
		}
	}
	refute(plan.X86(), rows, 6, base)
	for f, row := range rows {
		if row != want[f] {
			t.Errorf("%s: %s, want %s", f, row, want[f])
		}
	}
}

// TestTimed makes the µops of a base agree with measured throughputs where no ports were measured.
func TestTimed(t *testing.T) {
	base, err := machine.Get("llvm/Znver4Model")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{
		"MOV64mr":    "= | = | rthru=0.5",    // one store a cycle in the base
		"PUSH64r":    "= | = | rthru=0.576",  // a little more than a port's share
		"MOV8mi":     "= | = | rthru=1",      // as in the base
		"MOV64rm":    "= | 4 | rthru=0.5",    // two of three ports
		"MOVSX64rm8": "= | = | rthru=0.41",   // no whole number of loads
		"MUL64r":     "= | = | rthru=1",      // three cycles in the base
		"ADD64rm":    "= | = | rthru=0.5",    // a load and an addition: what waits is not known
		"VMOVUPSmr":  "= | = | rthru=0.1",    // nothing stores ten times a cycle
		"NOOP":       "= | = | rthru=0.0833", // two in a slot
		"UCOMISDrr":  "= | 6 | rthru=0.5",    // two µops on one pair of ports
		"MOV32ri":    "= | = | rthru=0.22",   // two cycles on four ports
	}
	want := map[string]string{
		"MOV64mr":   "AGU012/sta LSU Store | = | slots=1 rthru=0.5",
		"PUSH64r":   "AGU012/sta LSU Store | = | slots=1 rthru=0.576",
		"MOV64rm":   "AGU0+AGU1/load LSU Load | 4 | slots=1 rthru=0.5",
		"MUL64r":    "ALU1 | = | slots=2 rthru=1",
		"NOOP":      "- | = | slots=0.5 rthru=0.0833",
		"UCOMISDrr": "FPAES01 | 6 | slots=2 rthru=0.5",
		"MOV32ri":   "ALU0123 | = | slots=1 rthru=0.22",
	}
	refuted(t, rows, want, base)
}

// FuzzBuild gives files of results that are damaged: an error or a model, never a panic.
func FuzzBuild(f *testing.F) {
	const head = "# cpu: x\n# date: 2026-11-22\nname: measured\ntitle: here\nisa: x86-64\nbase: zen4\n\nsource: measured\n"
	for _, rows := range []string{"", "ADD64rr | = | 1 | rthru=0.25\nADD64rr SUB64rr | 0+1 | = | slots=1\n", "param rob: 300  # x\nfeature zero-idioms: true  # x\nfuses: cmp+jcc\n",
		"# memory: loads of MOV64rm: 0.33 ± 0.01 cycles each\nIMUL64rri | = | 3 | rthru=1 when=imm(2)=0\n", "VPADDDrr | |\n | | |\n"} {
		f.Add(head + rows)
	}
	f.Add("")
	f.Fuzz(func(_ *testing.T, text string) {
		_ = Build(strings.NewReader(text), io.Discard, "m", "t")
		_, _, _ = Measured(strings.NewReader(text), "x")
	})
}

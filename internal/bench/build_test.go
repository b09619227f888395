package bench

import (
	"strings"
	"testing"
)

// TestBuild puts the results of latency, ports and core parameters, from one file, into a model.
func TestBuild(t *testing.T) {
	results := `# Measured
name: measured
title: This machine
isa: x86-64
base: skylake

source: measured 2025-01-01
ADD64rr | = | 1 | rthru=0.25
# port map of ADD64rr: 9 mixes
ADD64rr | 0+1+5+6 | = | slots=1
IMUL64rr | 1 | = | slots=1
MOV64rr | = | 0 | rthru=0.25 move-elim
MOV64rr | 0+1+5+6 | = | slots=1
XOR32rr | = | 1 | rthru=0.25
XOR32rr | = | = | zero-idiom when=same(1,2)
XOR32rr | 0+1+5+6 | = | slots=1
IMUL64rr | = | 3 | rthru=1
# curve rob (fillers: cycles): 0:1
param rob: 220  # measured, first
param rob: 224  # measured: again
fuses: cmp+jcc test+jcc  # measured
`
	var b strings.Builder
	if err := Build(strings.NewReader(results), &b, "here", "Here"); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{"\nADD64rr XOR32rr | 0+1+5+6 | 1 | slots=1 rthru=0.25\n", "\nIMUL64rr | 1 | 3 | rthru=1 slots=1\n", "\nMOV64rr | 0+1+5+6 | 0 | slots=1 rthru=0.25 move-elim\n",
		"param rob: 224  # measured: again\nfuses: cmp+jcc test+jcc  # measured\nsource: measured", "XOR32rr | = | = | zero-idiom when=same(1,2)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "rob: 220") {
		t.Error("both values of a parameter")
	}
	done, _, err := Measured(strings.NewReader(results + "SUB64rr | 0 | = | slots=1\n"))
	if err != nil || !done["ADD64rr"] || done["SUB64rr"] {
		t.Errorf("measured %v, %v", done, err)
	}
}

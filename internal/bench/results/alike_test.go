package results

import (
	"strings"
	"testing"

	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestAlike: forms that were not measured get the figures of measured ones of their kind, if these agree, and forms with memory operands the µops of their twins; forms
// that were measured keep their own.
func TestAlike(t *testing.T) {
	const results = `name: measured
title: here
isa: x86-64
base: llvm/Znver4Model

ports: NEW0
param load-latency: 4  # measured
param loads-per-cycle: 2  # measured
source: incore bench
ADDPSrr | FP2+FP3 | 2#64 r0-1#64 r1-1#64 | slots=1 rthru=0.5
PUNPCKLDQrr | FP0+FP1+FP2+FP3 | 2 | slots=1 rthru=0.25
PUNPCKLWDrr | FP0+FP1+FP2+FP3 | 2 | slots=1 rthru=0.25
PUNPCKHDQrr | = | 2 | rthru=0.25
PUNPCKHWDrr | = | 2 | rthru=0.33
ADD32rr | ALU0+ALU1+ALU2+ALU3+NEW0 | 1 | slots=1 rthru=0.2
SUB32rr | ALU0+ALU1 | 1 | slots=1 rthru=0.5
`
	var b strings.Builder
	if err := Build(strings.NewReader(results), &b, "m", "m"); err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load(strings.NewReader(b.String()), "the model")
	if err != nil {
		t.Fatal(err)
	}
	a := catalog.ISA("x86-64")
	for _, c := range []struct {
		text, ports string
		latency     float64 // 0: any
		source      string
	}{
		{"addps %xmm1, %xmm2", "FPFAdd01", 2, "incore bench"},
		{"vaddps %ymm1, %ymm2, %ymm3", "FPFAdd01", 2, "not measured"},        // the operation
		{"punpcklbw %xmm1, %xmm2", "FPFMisc0123", 2, "not measured"},         // the kind
		{"punpckhdq %xmm1, %xmm2", "FPFMisc0123", 2, "incore bench"},         // its time refutes the base, and agrees with the kind
		{"punpckhwd %xmm1, %xmm2", "FPFMisc12", 2, "Znver4"},                 // its time agrees with neither
		{"punpckldq (%rax), %xmm2", "FPFMisc0123", 0, "not measured"},        // its twin
		{"addl (%rax), %ecx", "ALU0+ALU1+ALU2+ALU3+NEW0", 0, "not measured"}, // its twin
		{"xorl %eax, %ecx", "ALU0123", 1, "Znver4"},                          // those of its kind differ
		{"addq %rax, %rcx", "ALU0+ALU1+ALU2+ALU3+NEW0", 1, "not measured"},   // the operation
		{"subq %rax, %rcx", "ALU0+ALU1", 1, "not measured"},
	} {
		insts, err := a.Parse(nil, c.text, a.Syntaxes[0])
		if err != nil {
			t.Fatal(err)
		}
		cost := m.Cost(a, &insts[0])
		if !strings.Contains(" "+cost.Ports+" ", " "+c.ports+" ") || c.latency > 0 && cost.Latency != c.latency || !strings.Contains(cost.Rows[0], c.source) {
			t.Errorf("%s: ports %s, latency %g, by %s; want %s, %g, %s", c.text, cost.Ports, cost.Latency, cost.Rows[0], c.ports, c.latency, c.source)
		}
	}
}

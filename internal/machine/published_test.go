package machine_test

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/throughput"
	"incore/internal/machine"
)

// TestAtomicsOfX60: LLVM's pull request 144730 (2025) measured atomics on SpacemiT's X60; before it LLVM had those of SiFive's cores.
func TestAtomicsOfX60(t *testing.T) {
	for text, want := range map[string]float64{"amoadd.w a1, a1, (a2)": 12, "amoswap.d.aqrl a1, a1, (a2)": 12, "amomaxu.w.rl a1, a1, (a2)": 12, "lr.d a1, (a2)": 8, "sc.w a1, a1, (a2)": 8} {
		for _, name := range []string{"spacemit-x60", "spacemit-a100"} {
			b := bind(model(t, name), kernel(t, "riscv64", text))
			if got := b.Insts[0].Latency; got != want {
				t.Errorf("%s: '%s': latency %g, want %g", name, text, got, want)
			}
			if got := latency.Carried(depgraph.Build(b, depgraph.Options{NoMemory: true})); strings.HasPrefix(text, "amo") && math.Abs(got-1) > 0.01 && got != want {
				t.Errorf("%s: '%s': %g cycles a turn", name, text, got)
			}
		}
	}
}

// TestNoFreePorts: what a core does in two operations or more on ports that are not known is no known figure (Zen 1, Zen 2), and a load or store takes a port.
func TestNoFreePorts(t *testing.T) {
	for _, name := range []string{"zen1", "zen2"} {
		m := model(t, name)
		for _, text := range []string{"pcmpistri $0, %xmm0, %xmm1", "stmxcsr (%rdi)", "lfence", "rdpmc"} {
			if b := bind(m, kernel(t, "x86-64", text)); b.Insts[0].Flags&machine.NoPorts == 0 {
				t.Errorf("%s: '%s' passes for known", name, text)
			}
		}
		for _, text := range []string{"xlatb", "rcll $1, (%rdi)", "rcrq $1, (%rdi)"} {
			if b := bind(m, kernel(t, "x86-64", text)); throughput.Analyze(b, throughput.Optimal).Cycles < 0.3 {
				t.Errorf("%s: '%s' takes no port", name, text)
			}
		}
	}
	for _, name := range strings.Fields("haswell broadwell sandybridge gracemont skymont tremont arrowlake-p") {
		for _, text := range []string{"rdtscp", "rdpmc", "xgetbv"} {
			if b := bind(model(t, name), kernel(t, "x86-64", text)); b.Insts[0].Flags&machine.NoPorts == 0 {
				t.Errorf("%s: '%s' passes for known", name, text)
			}
		}
	}
}

// TestEnter: without nesting it is 12 µops on Intel's cores (Agner Fog), with nesting a hundred cycles.
func TestEnter(t *testing.T) {
	for _, name := range strings.Fields("sandybridge haswell skylake skylake-server icelake-client alderlake-p arrowlake-p") {
		plain, nested := bind(model(t, name), kernel(t, "x86-64", "enter $16, $0")), bind(model(t, name), kernel(t, "x86-64", "enter $16, $3"))
		if plain.Insts[0].Slots != 12 || throughput.Analyze(plain, throughput.Optimal).Cycles > 8.5 || nested.Insts[0].Slots < 20 {
			t.Errorf("%s: %g and %g slots", name, plain.Insts[0].Slots, nested.Insts[0].Slots)
		}
	}
	if b := bind(model(t, "zen1"), kernel(t, "x86-64", "vpsravd %xmm0, %xmm1, %xmm2")); throughput.Analyze(b, throughput.Optimal).Cycles != 2 {
		t.Errorf("zen1: a variable shift of 128 bits takes other pipes than half of one of 256")
	}
}

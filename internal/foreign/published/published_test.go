package published

import (
	"math"
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/x86"
)

// TestRead: each format, with what it cannot map.
func TestRead(t *testing.T) {
	for kind, c := range map[string]struct {
		set  *isa.ISA
		text string
		want map[string][2]float64
		left string
	}{
		Ibench: {x86.ISA(), "Using frequency 2.50GHz.\nadd-r64_r64-TP:   0.251 (clk cycles)   [DEBUG - result: 1.0]\nadd-r64_r64-LT:   1.002 (clk cycles)\nvaddpd-ymm_ymm_ymm-LT: 4.01 (clk cycles)\nfoo-xmm-LT: 1.0 (clk cycles)\n",
			map[string][2]float64{"ADD64rr": {1.002, .251}, "VADDPDYrr": {4.01, math.NaN()}}, "foo-xmm"},
		Asmbench: {x86.ISA(), "vmulpd-xmm_xmm_xmm\nLatency: 4.00 cycles\nThroughput: 0.50 cycles\n\nadd-r32_imd\nLatency: 1.0 cycles\nThroughput: 0.25 cycles\n",
			map[string][2]float64{"VMULPDrr": {4, .5}, "ADD32ri8": {1, .25}}, ""},
		InstLat: {x86.ISA(), "   1 X86      :ADD r32, r32                      L:   0.25ns=   1.0c  T:   0.06ns=   0.25c\n  77 AVX      :VADDPD ymm, ymm, ymm              L:   0.75ns=   3.0c  T:   0.12ns=   0.50c\n 99 X86 :MOV r64, [m64]  L: [memory dep.] T: 0.1ns= 0.5c\n",
			map[string][2]float64{"ADD32rr": {1, .25}, "VADDPDYrr": {3, .5}, "MOV64rm": {math.NaN(), .5}}, ""},
		Exegesis: {aarch64.ISA(), "---\nmode:            latency\nkey:\n  instructions:\n    - 'ADDXrr X1 X1 X2'\n  config:          ''\n  register_initial_values:\n    - 'X1=0x0'\nmeasurements:\n  - { key: latency, value: 1.0123, per_snippet_value: 1.0123 }\nerror:           ''\n...\n---\nmode: inverse_throughput\nkey:\n  instructions:\n    - 'ADDXrr X1 X1 X2'\nmeasurements:\n  - { key: inverse_throughput, value: 0.26, per_snippet_value: 0.26 }\nerror: ''\n...\n---\nmode: latency\nkey:\n  instructions:\n    - 'SUBXrr X1 X1 X2'\nmeasurements: []\nerror: 'no'\n",
			map[string][2]float64{"ADDXrr": {1.0123, .26}}, ""},
	} {
		f, err := Read([]byte(c.text), c.set)
		if err != nil || f.Kind != kind {
			t.Errorf("%s: %v %+v", kind, err, f)
			continue
		}
		if len(f.Figures) != len(c.want) || strings.Join(f.Left, ";") != c.left {
			t.Errorf("%s: %+v, left %v", kind, f.Figures, f.Left)
		}
		for _, x := range f.Figures {
			w, ok := c.want[c.set.Forms.Name(x.Form)]
			if same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }; !ok || !same(x.Latency, w[0]) || !same(x.RThru, w[1]) {
				t.Errorf("%s: %s %+v, want %v", kind, c.set.Forms.Name(x.Form), x, w)
			}
		}
	}
	for _, text := range []string{"", "nonsense\n", "mode: latency\n"} {
		if f, err := Read([]byte(text), x86.ISA()); err == nil {
			t.Errorf("%q is read as %+v", text, f)
		}
	}
}

// FuzzRead: no text panics.
func FuzzRead(f *testing.F) {
	f.Add("add-r64_r64-TP: 0.2 (clk cycles)\n")
	f.Add("---\nmode: latency\nkey:\n  instructions:\n    - 'ADD64rr'\n")
	set := x86.ISA()
	f.Fuzz(func(t *testing.T, text string) { _, _ = Read([]byte(text), set) })
}

// TestNoNumber: what is no number of cycles is not measured, in each format.
func TestNoNumber(t *testing.T) {
	x, a := x86.ISA(), aarch64.ISA()
	for _, format := range []struct {
		set         *isa.ISA
		before      string
		latency, tp string // with %s for the number
		other       string // a good line that the file has too
	}{
		{set: x, latency: "add-r64_r64-LT: %s (clk cycles)\n", tp: "add-r64_r64-TP: %s (clk cycles)\n", other: "imul-r64_r64-LT: 3.0 (clk cycles)\n"},
		{set: x, before: "add-r64_r64\n", latency: "Latency: %s cycles\n", tp: "Throughput: %s cycles\n", other: "imul-r64_r64\nLatency: 3.0 cycles\n"},
		{set: x, latency: " 1 X86 :ADD r64, r64  L: 1ns= %sc  T: [none]\n", tp: " 1 X86 :ADD r64, r64  L: [none]  T: 1ns= %sc\n", other: " 2 X86 :IMUL r64, r64  L: 1ns= 3.0c  T: [none]\n"},
		{set: a, latency: benchmark("ADDXrr", "latency", "%s"), tp: benchmark("ADDXrr", "inverse_throughput", "%s"), other: benchmark("SUBXrr", "latency", "3.0")},
	} {
		for _, what := range []string{format.latency, format.tp} {
			for _, number := range []string{"1.2.3", ".", "..", strings.Repeat("9", 400), "1e999", "-1", "1e", "-", "1e300"} {
				text := format.before + strings.Replace(what, "%s", number, 1) + format.other
				f, err := Read([]byte(text), format.set)
				if err != nil {
					t.Errorf("%q: %v", text, err)
					continue
				}
				if len(f.Figures) != 1 || f.Figures[0].Latency != 3 {
					t.Errorf("%q is read as %+v, which has a figure for %s", text, f.Figures, number)
				}
			}
		}
	}
}

// benchmark is a document of llvm-exegesis.
func benchmark(form, mode, value string) string {
	return "---\nmode: " + mode + "\nkey:\n  instructions:\n    - '" + form + " X1 X1 X2'\nmeasurements:\n  - { key: " + mode + ", value: " + value + ", per_snippet_value: 1 }\nerror: ''\n...\n"
}

// TestKinds: a file is taken for llvm-exegesis's only if it has a document of it, whatever other words are in it.
func TestKinds(t *testing.T) {
	const line = "add-r64_r64-LT: 1.0 (clk cycles)\n"
	for _, c := range []struct{ text, kind string }{
		{"CPU mode: 64-bit\n" + line, Ibench},
		{"mode: fast\n" + line, Ibench},
		{"--- results ---\n" + line, Ibench},
		{"key: value\n" + line, Ibench},
		{"turbo mode: off\nadd-r64_r64\nLatency: 1.0 cycles\n", Asmbench},
		{"register_initial_values: none\n 1 X86 :ADD r64, r64  L: 1ns= 1.0c  T: 1ns= 0.3c\n", InstLat},
		{benchmark("ADD64rr", "latency", "1.0"), Exegesis},
		{strings.TrimPrefix(benchmark("ADD64rr", "latency", "1.0"), "---\n"), Exegesis},
		{"# made here\n" + strings.ReplaceAll(benchmark("ADD64rr", "latency", "1.0"), "\n", "\r\n"), Exegesis},
	} {
		if f, err := Read([]byte(c.text), x86.ISA()); err != nil || f.Kind != c.kind || len(f.Figures) != 1 {
			t.Errorf("%q: %+v, %v; want %s", c.text, f, err, c.kind)
		}
	}
}

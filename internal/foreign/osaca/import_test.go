package osaca

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/base/yamlfile"
	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// imported imports a text and loads the model.
func imported(t *testing.T, text string) (*machine.Model, *Imported) {
	t.Helper()
	var b bytes.Buffer
	told, err := Import(&b, "f.yml", []byte(text), []*isa.ISA{x86.ISA(), aarch64.ISA()}, "mine")
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load(bytes.NewReader(b.Bytes()), "mine")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return m, told
}

const small = `osaca_version: 0.5.3
micro_architecture: Small
arch_code: SML
isa: x86
ROB_size: 100
load_latency: {gpr: 4.0, xmm: 5.0, ymm: 5.0}
load_throughput:
- {base: '*', offset: '*', index: '*', scale: '*', port_pressure: [[1, '23']]}
load_throughput_default: [[1, '23']]
store_throughput:
- {base: '*', offset: '*', index: ~, scale: '*', port_pressure: [[1, '237'], [1, '4']]}
- {base: '*', offset: '*', index: '*', scale: '*', port_pressure: [[1, '23'], [1, '4']]}
store_throughput_default: [[1, '237'], [1, '4']]
store_to_load_forward_latency: 5.0
ports: ['0', '0DV', '1', '2', '3', '4', '5', '6', '7']
instruction_forms:
- name: [addsd, vaddsd]
  operands: [{class: register, name: xmm}, {class: register, name: xmm}]
  latency: 4.0
  throughput: 0.5
  port_pressure: [[1, '01']]
- name: add
  operands: [{class: register, name: gpr}, {class: register, name: gpr}]
  latency: 1.0
  port_pressure: [[1, ['0', '1', '5', '6']]]
- name: divsd
  operands: [{class: register, name: xmm}, {class: register, name: xmm}]
  latency: 13.0
  port_pressure: [[1, '0'], [4, ['0DV']]]
- name: neverheardof
  operands: [{class: register, name: xmm}]
  latency: 1.0
  port_pressure: [[1, '0']]
- name: ptest
  operands: [{class: register, name: xmm}, {class: register, name: xmm}]
  latency: 1.0
  port_pressure: [[1, '0', '5']]
`

// TestImport: entries become rows; forms with memory are made of the register form; what has no counterpart is told.
func TestImport(t *testing.T) {
	m, told := imported(t, small)
	set := x86.ISA()
	for text, want := range map[string]struct {
		ports   string
		latency float64
	}{
		"addsd %xmm1, %xmm2":        {"P0+P1", 4},
		"addsd 8(%rax), %xmm2":      {"P0+P1 P2+P3", 9},
		"addq %rax, %rcx":           {"P0+P1+P5+P6", 1},
		"addq 8(%rax), %rcx":        {"P0+P1+P5+P6 P2+P3", 5},
		"addq %rcx, 8(%rax)":        {"P0+P1+P5+P6 P2+P3+P7 P4 P2+P3", 5},
		"addq %rcx, 8(%rax,%rdx,8)": {"P0+P1+P5+P6 P2+P3 P4 P2+P3", 5},
		"divsd %xmm1, %xmm2":        {"P0 P0DV:4", 13},
	} {
		insts, err := set.Parse(nil, text, "att")
		if err != nil {
			t.Fatal(err)
		}
		c := m.Cost(set, &insts[0])
		if c.Latency != want.latency || c.Ports != want.ports {
			t.Errorf("%s: %q, latency %v, want %q, %v", text, c.Ports, c.Latency, want.ports, want.latency)
		}
	}
	if len(told.Unused) != 1 || !strings.HasPrefix(told.Unused[0], "neverheardof") || !strings.Contains(strings.Join(told.Left, "\n"), "ptest") {
		t.Errorf("unused %v, left %v", told.Unused, told.Left)
	}
	for text, want := range map[string]string{
		"": "no machine model", "isa: x86\n": "no machine model", strings.Replace(small, "isa: x86", "isa: mips", 1): "can be imported",
		strings.Replace(small, "port_pressure: [[1, '23']]}", "port_pressure: [[1, '29']]}", 1): "no port", "[": "f.yml",
	} {
		if _, err := Import(&bytes.Buffer{}, "f.yml", []byte(text), []*isa.ISA{x86.ISA()}, "mine"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q…: %v, want %s", text, err, want)
		}
	}
}

// TestGathers: gathers and scatters get their entries, with and without a mask of AVX-512.
func TestGathers(t *testing.T) {
	entry := func(name string, operands ...string) string {
		s := "- name: " + name + "\n  latency: 20\n  port_pressure: [[1, '0'], [8, '23']]\n  operands:\n"
		for _, o := range operands {
			if o == "memory" {
				s += "  - {class: memory, base: '*', offset: '*', index: '*', scale: '*'}\n"
			} else {
				s += "  - {class: register, name: " + o + "}\n"
			}
		}
		return s
	}
	m, told := imported(t, small+entry("vgatherdps", "ymm", "memory", "ymm")+entry("vpgatherqq", "memory", "zmm")+entry("vscatterdpd", "zmm", "memory"))
	if len(told.Unused) != 1 {
		t.Errorf("unused %v", told.Unused)
	}
	for _, text := range []string{"vgatherdps %ymm1, (%rax,%ymm2,4), %ymm3", "vpgatherqq (%rax,%zmm2,8), %zmm3 {%k1}", "vscatterdpd %zmm3, (%rax,%ymm2,8) {%k1}"} {
		insts, err := x86.ISA().Parse(nil, text, "att")
		if err != nil {
			t.Fatal(err)
		}
		if c := m.Cost(x86.ISA(), &insts[0]); c.Ports != "P0 8*P2+P3" || c.SourceLatency != 20 {
			t.Errorf("%s: %q, latency %v", text, c.Ports, c.SourceLatency)
		}
	}
}

// TestComposed: a form with a memory operand has the figures of the entry with any register in its place, and those of a load or store of that kind.
func TestComposed(t *testing.T) {
	const entries = `- name: vbroadcastsd
  operands: [{class: register, name: xmm}, {class: register, name: ymm}]
  latency: 3.0
  port_pressure: [[1, '5']]
- name: cvtsi2sd
  operands: [{class: register, name: gpr}, {class: register, name: xmm}]
  latency: 4.0
  port_pressure: [[1, '01'], [1, '5']]
- name: vextractf128
  operands: [{class: immediate, imd: int}, {class: register, name: ymm}, {class: register, name: xmm}]
  latency: 3.0
  port_pressure: [[1, '5']]
- name: movq
  operands: [{class: register, name: xmm}, {class: register, name: gpr}]
  latency: 2.0
  port_pressure: [[1, '0']]
- name: mov
  operands: [{class: register, name: gpr}, {class: register, name: gpr}]
  latency: 1.0
  port_pressure: [[1, ['0', '1', '5', '6']]]
- name: pxor
  operands: [{class: register, name: '*'}, {class: register, name: '*'}]
  latency: 1.0
  port_pressure: [[1, '015']]
`
	m, told := imported(t, small+entries)
	if len(told.Unused) != 1 {
		t.Errorf("unused %v", told.Unused)
	}
	for text, want := range map[string]struct {
		ports   string
		latency float64
	}{
		"vbroadcastsd (%rax), %ymm1":       {"P5 P2+P3", 8},
		"cvtsi2sdl (%rax), %xmm1":          {"P0+P1 P5 P2+P3", 8},
		"cvtsi2sdq (%rax), %xmm1":          {"P0+P1 P5 P2+P3", 8},
		"vextractf128 $1, %ymm1, 16(%rax)": {"P5 P2+P3+P7 P4", 3},
		"pxor (%rax), %xmm1":               {"P0+P1+P5 P2+P3", 6},
		"movq (%rax), %rcx":                {"P0+P1+P5+P6 P2+P3", 5},
	} {
		insts, err := x86.ISA().Parse(nil, text, "att")
		if err != nil {
			t.Fatal(err)
		}
		if c := m.Cost(x86.ISA(), &insts[0]); c.Ports != want.ports || c.SourceLatency != want.latency {
			t.Errorf("%s: %q, latency %v, want %v", text, c.Ports, c.SourceLatency, want)
		}
	}
}

// TestNotTold: what a file does not tell of loads and stores is not known, and reported; it is not 0.
func TestNotTold(t *testing.T) {
	const (
		latencies = "load_latency: {gpr: 4.0, xmm: 5.0, ymm: 5.0}\n"
		loads     = "load_throughput:\n- {base: '*', offset: '*', index: '*', scale: '*', port_pressure: [[1, '23']]}\nload_throughput_default: [[1, '23']]\n"
		anyStore  = "store_throughput_default: [[1, '237'], [1, '4']]\n"
		stores    = "store_throughput:\n- {base: '*', offset: '*', index: ~, scale: '*', port_pressure: [[1, '237'], [1, '4']]}\n- {base: '*', offset: '*', index: '*', scale: '*', port_pressure: [[1, '23'], [1, '4']]}\n"
	)
	const load, sum, store = "addsd 8(%rax), %xmm2", "addq 8(%rax), %rcx", "addq %rcx, 8(%rax)"
	for _, c := range []struct {
		part, with string
		left       string   // what the report says
		latency    []string // instructions whose latency is not known
		none       []string // instructions that are not imported
	}{
		{part: latencies, with: latencies},
		{part: "xmm: 5.0", with: "xmm: ~", left: "registers of xmm", latency: []string{load}},
		{part: "xmm: 5.0, ", with: "", left: "registers of xmm", latency: []string{load}},
		{part: "gpr: 4.0", with: "gpr: null", left: "registers of gpr", latency: []string{sum, store}},
		{part: latencies, with: "", left: "load_latency has none", latency: []string{load, sum, store}},
		{part: loads, with: "", left: "load_throughput_default has none", none: []string{load, sum, store}},
		{part: loads, with: "load_throughput: []\nload_throughput_default: []\n", left: "load_throughput_default has none", none: []string{load, sum, store}},
		{part: loads, with: "load_throughput: ~\nload_throughput_default: ~\n", left: "load_throughput_default has none", none: []string{load, sum, store}},
		{part: stores + anyStore, with: "", left: "store_throughput_default has none", none: []string{store}},
		{part: anyStore, with: ""},
	} {
		if !strings.Contains(small, c.part) {
			t.Fatalf("no %q", c.part)
		}
		x := &importer{file: &source{}, byName: map[string][]*sourceForm{}, ports: map[string]string{}, lacks: map[string]bool{}}
		if err := yamlfile.Read("f.yml", []byte(strings.Replace(small, c.part, c.with, 1)), x.file, false); err != nil {
			t.Fatal(err)
		}
		if err := x.begin("f.yml", []*isa.ISA{x86.ISA()}); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{load, sum, store, "addsd %xmm1, %xmm2"} {
			e, ok := x.parse(text)
			if !ok {
				t.Fatal(text)
			}
			g, found := x.lookup(e)
			if none := slices.Contains(c.none, text); found == none {
				t.Errorf("%q for %q: %s: found %v", c.with, c.part, text, found)
			} else if unknown := slices.Contains(c.latency, text); found && math.IsNaN(g.latency) != unknown {
				t.Errorf("%q for %q: %s: latency %v, unknown is %v", c.with, c.part, text, g.latency, unknown)
			} else if found && strings.Contains(x.rowText(g), "NaN") {
				t.Errorf("%q for %q: %s: %s", c.with, c.part, text, x.rowText(g))
			}
		}
		x.left()
		if left := strings.Join(x.report.Left, "\n"); c.left == "" && strings.Contains(left, "has none") || !strings.Contains(left, c.left) || strings.Contains(left, "forward") {
			t.Errorf("%q for %q: left %v, want %q", c.with, c.part, x.report.Left, c.left)
		}
	}
}

// TestRoundTrip: a model that was exported and imported again has the costs that OSACA sees of it.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		set  *isa.ISA
		name string
	}{{x86.ISA(), "zen4"}, {aarch64.ISA(), "neoverse-n1"}} {
		text, _ := export(t, c.set, c.name)
		m, told := imported(t, text)
		orig, _ := machine.Get(c.name)
		same, all := 0, 0
		for f := isa.FormID(1); int(f) < c.set.Forms.Len(); f += 7 {
			for in := range isa.Samples(c.set, f) {
				a, b := orig.Cost(c.set, &in), m.Cost(c.set, &in)
				if a.Flags&machine.Unknown != 0 || b.Flags&machine.Unknown != 0 || len(a.Effects.Mem) > 0 {
					break
				}
				if all++; a.SourceLatency == b.SourceLatency || a.Latency == b.Latency {
					same++
				}
				break
			}
		}
		if told.Forms < 500 || all < 200 || float64(same) < 0.9*float64(all) {
			t.Errorf("%s: %d forms; latencies of %d of %d are as before", c.name, told.Forms, same, all)
		}
	}
}

// TestOSACAsFiles: OSACA's own files are imported, where it is installed.
func TestOSACAsFiles(t *testing.T) {
	tool, err := exec.LookPath("osaca")
	if err != nil {
		t.Skip("no osaca")
	}
	if real, err := filepath.EvalSymlinks(tool); err == nil {
		tool = real
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(tool), "../lib/python3*/site-packages/osaca/data/*.yml"))
	if len(files) == 0 {
		t.Skip("its files are not beside it")
	}
	for _, f := range long.Spread(files, 3) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		told, err := Import(&b, f, text, []*isa.ISA{x86.ISA(), aarch64.ISA()}, "mine")
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(f), err)
			continue
		}
		if m, err := machine.Load(&b, "mine"); err != nil {
			t.Errorf("%s: %v", filepath.Base(f), err)
		} else {
			t.Logf("%s: %d of %d entries, %d forms, %s", filepath.Base(f), told.Entries-len(told.Unused), told.Entries, told.Forms, m.ISA)
		}
	}
}

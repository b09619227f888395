package osaca

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// modelFile holds the parts of a machine model file of OSACA that the tests check.
type modelFile struct {
	ISA   string `yaml:"isa"`
	ROB   int    `yaml:"ROB_size"`
	Ports []string
	Loads map[string]float64 `yaml:"load_latency"`
	Forms []form             `yaml:"instruction_forms"`

	Forward float64 `yaml:"store_to_load_forward_latency"`
}

type form struct {
	Name       any
	Operands   []map[string]any
	Throughput *float64
	Latency    *float64
	Pressure   [][]any `yaml:"port_pressure"`
	Breaks     bool    `yaml:"breaks_dependency_on_equal_operands"`
}

func export(t *testing.T, set *isa.ISA, name string) (string, *modelFile) {
	t.Helper()
	m, err := machine.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Export(&b, set, m); err != nil {
		t.Fatal(err)
	}
	var f modelFile
	if err := yaml.Unmarshal([]byte(b.String()), &f); err != nil {
		t.Fatal(err)
	}
	return b.String(), &f
}

func TestExport(t *testing.T) {
	text, f := export(t, x86.ISA(), "skylake-server")
	if f.ISA != "x86" || f.ROB != 224 || f.Loads["gpr"] != 5 || f.Loads["ymm"] != 7 || len(f.Forms) < 4000 {
		t.Errorf("isa %s, ROB %d, load latencies %v, %d forms", f.ISA, f.ROB, f.Loads, len(f.Forms))
	}
	ports := map[string]bool{}
	for _, p := range f.Ports {
		ports[p] = true
	}
	for i := range f.Forms {
		for _, p := range f.Forms[i].Pressure {
			if c, ok := p[0].(float64); !ok || c <= 0 {
				t.Fatalf("%v: %v cycles", f.Forms[i].Name, p[0])
			}
			for _, name := range p[1].([]any) {
				if !ports[fmt.Sprint(name)] {
					t.Fatalf("%v: unknown port %v", f.Forms[i].Name, name)
				}
			}
		}
	}
	for _, want := range []string{
		"- name: 'vfmadd213pd' # vfmadd213pd %ymm4, %ymm3, %ymm1\n  operands:\n  - class: register\n    name: ymm\n  - class: register\n    name: ymm\n  - class: register\n    name: ymm\n  throughput: 0.5\n  latency: 4.0\n  port_pressure: [[1.0, ['0', '1']]]\n",
		"- name: 'imul' # imulq %rsi, %rcx\n",
		"- name: ['jae', 'jnb', 'jnc'] # jae .L1\n  operands:\n  - class: identifier\n",
		"late\n#   operands",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	for i := range f.Forms {
		if n := fmt.Sprint(f.Forms[i].Name); n == "vpxor" && !f.Forms[i].Breaks {
			t.Error("vpxor depends on equal operands")
		}
	}
	if err := Export(&strings.Builder{}, riscv.ISA(), nil); err == nil || !strings.Contains(err.Error(), "riscv64") {
		t.Errorf("RISC-V: %v", err)
	}
}

// TestOSACAReads loads exported files with OSACA, looks up every entry by its own sample, and compares the
// port pressure of whole loops with ours.
func TestOSACAReads(t *testing.T) {
	python := osacaPython(t)
	for _, c := range []struct {
		set   *isa.ISA
		model string
		lines []string
	}{
		{x86.ISA(), "skylake-server", []string{"vmovupd (%rsi,%rax), %ymm1", "vfmadd213pd (%rdi,%rax), %ymm2, %ymm1", "vmovupd %ymm1, (%rsi,%rax)", "vdivpd %ymm3, %ymm4, %ymm5", "addq $32, %rax", "salq $5, %rdi", "imulq %rcx, %rdx"}},
		{aarch64.ISA(), "neoverse-v2", []string{"ldr q0, [x1, x2]", "ldp q2, q3, [x10], #32", "fmla v2.4s, v0.4s, v3.4s", "str q2, [x1, x2]", "add x1, x2, x3", "fdiv d0, d1, d2", "ld1d {z0.d}, p0/z, [x1, x2, lsl #3]", "lsl x3, x4, #5", "csel x1, x2, x3, eq"}},
	} {
		text, _ := export(t, c.set, c.model)
		dir := t.TempDir()
		file := filepath.Join(dir, "model.yml")
		if err := os.WriteFile(file, []byte(sampleEntries(text, c.lines)), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(python, "testdata/osaca_load.py", file, strings.Join(c.lines, "\n"))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.model, err, out)
		}
		rest := strings.TrimSpace(string(out))
		first, rest, _ := strings.Cut(rest, "\n")
		var entries, wrong int
		if _, err := fmt.Sscanf(first, "entries %d wrong %d", &entries, &wrong); err != nil || entries < 150 || wrong > 0 {
			t.Errorf("%s: %s", c.model, first)
		}
		m, _ := machine.Get(c.model)
		for i, line := range strings.Split(rest, "\n") {
			compareOSACA(t, c.set, m, c.lines[i], line)
		}
	}
}

// sampleEntries keeps every 20th entry and those with the mnemonics of some lines: OSACA needs half a minute to read a whole file.
func sampleEntries(text string, lines []string) string {
	parts := strings.Split(text, "\n- name: ")
	out := parts[:1:1]
	for i, p := range parts[1:] {
		head, _, _ := strings.Cut(p, " #")
		wanted := i%20 == 0
		for _, l := range lines {
			mnemonic, _, _ := strings.Cut(l, " ")
			wanted = wanted || strings.Contains(head, "'"+mnemonic+"'") || strings.Contains(head, "'"+mnemonic[:len(mnemonic)-1]+"'")
		}
		if wanted {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n- name: ") + "\n"
}

// compareOSACA compares the port pressure of one instruction in OSACA's output ("0.5 0.5 … chain") with ours, and whether its last operand is read and written.
func compareOSACA(t *testing.T, set *isa.ISA, m *machine.Model, text, figures string) {
	in, err := set.Parse(nil, text, set.Syntaxes[0])
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, len(m.Ports))
	for _, u := range m.Cost(set, &in[0]).Uops {
		names := m.PortNames(u.Ports)
		for p := range m.Ports {
			if u.Ports>>p&1 != 0 {
				want[p] += u.Cycles / float64(len(names))
			}
		}
	}
	got := strings.Fields(figures)
	chain := got[len(got)-1] == "chain"
	if got = got[:len(got)-1]; set.Name == "x86-64" && chain != (strings.HasPrefix(text, "add") || strings.HasPrefix(text, "sal") || strings.HasPrefix(text, "imul") || strings.HasPrefix(text, "vfmadd")) {
		t.Errorf("%s: its last operand is read and written: %v", text, chain)
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %s", text, figures)
	}
	for p := range want {
		var v float64
		if fmt.Sscan(got[p], &v); math.Abs(v-want[p]) > 0.01 {
			t.Errorf("%s: OSACA has %g cycles on port %s, we %g", text, v, m.Ports[p].Name, want[p])
		}
	}
}

// osacaPython returns a Python interpreter that can import OSACA.
func osacaPython(t *testing.T) string {
	t.Helper()
	for _, p := range []string{os.Getenv("OSACA_PYTHON"), "python3"} {
		if p != "" && exec.Command(p, "-c", "import osaca").Run() == nil {
			return p
		}
	}
	t.Skip("OSACA is not installed (pip install osaca; OSACA_PYTHON names the Python that has it)")
	return ""
}

package machine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDetect: every entry of "detect:" can be read, and no two models name one CPU.
func TestDetect(t *testing.T) {
	entries := allNames().detect
	if len(entries) < 100 {
		t.Fatalf("%d entries", len(entries))
	}
	seen := map[string]string{} // of single CPUs
	for _, a := range entries {
		d, err := parseDetect(a.name)
		if err != nil {
			t.Errorf("%s: %v", a.model, err)
			continue
		}
		for _, id := range examples(&d) {
			key := fmt.Sprint(a.isa, id)
			if by := seen[key]; by != "" && by != a.model {
				t.Errorf("%s and %s both name %v", by, a.model, id)
			}
			seen[key] = a.model
			if got := modelOf(a.isa, id); got != a.model {
				t.Errorf("%v is %q, want %s", id, got, a.model)
			}
		}
	}
}

// examples lists CPUs that a detector names: all models, and all steppings that it states.
func examples(d *detector) (all []identity) {
	if len(d.ranges) == 0 {
		return []identity{{text: d.text}}
	}
	all = []identity{{text: d.text}}
	for i, r := range d.ranges {
		var next []identity
		for _, id := range all {
			for n := r[0]; n <= r[1]; n++ {
				id.numbers[i] = n
				next = append(next, id)
			}
		}
		all = next
	}
	return all
}

// TestDetectErrors: an entry that identifies nothing is an error.
func TestDetectErrors(t *testing.T) {
	for _, s := range []string{"GenuineIntel/6/0x46-0x45", "GenuineIntel/6/x", "0x41/", "A/1/2/3/4", "0x41/-1"} {
		if _, err := parseDetect(s); err == nil {
			t.Errorf("%q: no error", s)
		}
	}
}

// TestDetected: CPUs by what they say of themselves. The parts of Arm's cores are those of GCC's aarch64-cores.def; the model is the one that the compiler's
// name of the core leads to.
func TestDetected(t *testing.T) {
	arm := map[string]string{"0x41/0xd04": "cortex-a35", "0x41/0xd03": "cortex-a53", "0x41/0xd08": "cortex-a72", "0x41/0xd0a": "cortex-a75", "0x41/0xd0e": "cortex-a76ae",
		"0x41/0xd06": "cortex-a65", "0x41/0xd43": "cortex-a65ae", "0x41/0xd4a": "neoverse-e1", "0x41/0xd15": "cortex-r82", "0x41/0xd14": "cortex-r82ae",
		"0x41/0xd46": "cortex-a510", "0x41/0xd80": "cortex-a520", "0x41/0xd88": "cortex-a520ae", "0x41/0xd47": "cortex-a710", "0x41/0xd4d": "cortex-a715",
		"0x41/0xd81": "cortex-a720", "0x41/0xd89": "cortex-a720ae", "0x41/0xd87": "cortex-a725", "0x41/0xd48": "cortex-x2", "0x41/0xd4e": "cortex-x3",
		"0x41/0xd82": "cortex-x4", "0x41/0xd85": "cortex-x925", "0x41/0xd49": "neoverse-n2", "0x6d/0xd49": "cobalt-100", "0x41/0xd8e": "neoverse-n3",
		"0x41/0xd4f": "neoverse-v2", "0x41/0xd84": "neoverse-v3", "0x41/0xd83": "neoverse-v3ae", "0x4e/0x10": "olympus", "0x46/0x001": "a64fx",
		"0x46/0x003": "fujitsu-monaka", "0x48/0xd06": "hip12", "0x48/0xd01": "tsv110", "0x50/0x000": "xgene1", "0x53/0x001": "exynos-m1", "0x43/0x0b0": "octeontx2",
		"0x43/0x0b8": "thunderx3t110", "0xc0/0xac5": "ampere1b", "0x61/0x63": "apple-m5", "0x61/0x59": "apple-m4", "0x51/0x001": "oryon-1", "0x68/0x000": "phecda"}
	for part, name := range arm {
		d, err := parseDetect(part)
		if err != nil {
			t.Fatal(err)
		}
		want, err := allNames().resolve("aarch64", name)
		if got := modelOf("aarch64", examples(&d)[0]); err != nil || got != want {
			t.Errorf("%s is %q, want %s (%v)", part, got, want, err)
		}
	}
	for stepping, want := range map[int]string{4: "skylake-server", 7: "cascadelake", 11: "cooperlake"} {
		if got := modelOf("x86-64", identity{"GenuineIntel", [3]int{6, 0x55, stepping}}); got != want {
			t.Errorf("stepping %d: %q", stepping, got)
		}
	}
	for model, name := range map[int]string{0xAF: "sierraforest", 0xB6: "grandridge", 0xDD: "clearwaterforest"} {
		want, _ := allNames().resolve("x86-64", name)
		if got := modelOf("x86-64", identity{"GenuineIntel", [3]int{6, model, 0}}); got != want {
			t.Errorf("model %#x: %q, want %s", model, got, want)
		}
	}
	if got := modelOf("riscv64", identity{text: "sifive,u74-mc"}); got != "sifive-7" {
		t.Errorf("u74-mc: %q", got)
	}
}

// TestCompilersNames: every CPU that LLVM 22 or GCC 16 knows is a machine of its instruction set.
func TestCompilersNames(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "compilers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	llvm := map[string]string{}
	for l := range strings.Lines(string(text)) {
		if strings.HasPrefix(l, "#") {
			continue
		}
		head, names, _ := strings.Cut(l, ":")
		compiler, isa, _ := strings.Cut(head, " ")
		if compiler == "llvm" {
			llvm[isa] = " " + strings.TrimSpace(names) + " "
		}
		for n := range strings.FieldsSeq(names) {
			if m, err := GetFor(isa, n); err != nil || m.ISA != isa {
				t.Errorf("%s: %s: %v", head, n, err)
			}
		}
	}
	llc, err := exec.LookPath("llc-22")
	if err != nil {
		t.Skip("llc-22 is not installed: the list was not compared with it")
	}
	for _, target := range []struct{ llvm, isa string }{{"x86-64", "x86-64"}, {"aarch64", "aarch64"}, {"riscv64", "riscv64"}, {"riscv32", "riscv64"}} {
		help, err := exec.Command(llc, "-march="+target.llvm, "-mcpu=help").CombinedOutput()
		_, list, ok := strings.Cut(string(help), "Available CPUs")
		list, _, _ = strings.Cut(list, "Available features")
		if err != nil || !ok {
			t.Fatalf("llc-22 -mcpu=help: %v", err)
		}
		found := regexp.MustCompile(`(?m)^\s+(\S+)\s+- `).FindAllStringSubmatch(list, -1)
		if len(found) < 30 {
			t.Fatalf("%d names of %s", len(found), target.llvm)
		}
		for _, m := range found {
			if !strings.Contains(llvm[target.isa], " "+m[1]+" ") {
				t.Errorf("testdata/compilers.txt lacks %s's %s", target.llvm, m[1])
			}
		}
	}
}

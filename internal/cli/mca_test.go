package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"incore/internal/report/mca"
)

const mcaSource = `#include <math.h>
#include <stdlib.h>
double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
void root(double *a, int n) { for (int i = 0; i < n; i++) a[i] = sqrt(a[i]) / 3.0; }
int count(const char *s) { int n = 0; while (*s) n += *s++ == ' '; return n; }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sorted(int *a, int n) { qsort(a, n, sizeof *a, order); }
`

// TestCompilerExplorer runs what Compiler Explorer runs: the tool's options, -mtriple= and -mcpu= of the compiler, the user's options, and the compiler's output,
// as its class llvm-mca-tool rewrites it, as the last argument. The tool ends within 7.5 s and writes no control characters.
func TestCompilerExplorer(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "example.c")
	if err := os.WriteFile(source, []byte(mcaSource), 0o600); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, c := range []struct{ compiler, options, target, cpu string }{
		{"gcc", "-g -O2", "x86_64", "generic"},
		{"gcc", "-g -O3 -march=znver4", "x86_64", "znver4"},
		{"gcc", "-O1 -march=x86-64-v3 -masm=intel", "x86_64", "x86-64-v3"},
		{"gcc", "-O0", "x86_64", "generic"},
		{"clang-19", "-g -O3 -march=skylake-avx512", "x86_64", "skylake-avx512"},
		{"aarch64-linux-gnu-gcc", "-g -O3 -mcpu=neoverse-v1", "aarch64", "neoverse-v1"},
		{"aarch64-linux-gnu-gcc", "-g -O2", "aarch64", "generic"},
		{"riscv64-linux-gnu-gcc", "-g -O2", "riscv64", "generic"},
	} {
		if _, err := exec.LookPath(c.compiler); err != nil {
			continue
		}
		out := filepath.Join(dir, "output.s")
		args := append(strings.Fields(c.options), "-S", "-o", out, source)
		if text, err := exec.Command(c.compiler, args...).CombinedOutput(); err != nil {
			t.Logf("%s %s: %s", c.compiler, c.options, text)
			continue
		}
		ran++
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("offset flat:"), nil), []byte("OFFSET FLAT:"), nil)
		if err := os.WriteFile(out+".mca", text, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, user := range []string{"", "-timeline -bottleneck-analysis", "-all-stats -iterations=1000", "-json", "-mcpu=generic -all-views"} {
			call := append([]string{"mca", "-mtriple=" + c.target, "-mcpu=" + c.cpu}, append(strings.Fields(user), out+".mca")...)
			begin := time.Now()
			got, err := exec.Command("incore", call...).CombinedOutput()
			if took := time.Since(begin); err != nil || took > 7500*time.Millisecond || bytes.ContainsRune(got, '\x1b') {
				t.Errorf("%s %s: %v: %v after %v: %.300s", c.compiler, c.options, call, err, took, got)
			}
			if !bytes.Contains(got, []byte("Total")) || user == "-json" && !json.Valid(got) {
				t.Errorf("%v: %.300s", call, got)
			}
		}
	}
	if ran == 0 {
		t.Skip("no compiler here")
	}
}

// TestMCAOptions: llvm-mca's options in both forms, wrong ones, and the name of a link.
func TestMCAOptions(t *testing.T) {
	loop := "1: imul %rax, %rbx\n dec %rcx\n jnz 1b\n"
	run := func(name string, args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := Main(append([]string{name}, args...), strings.NewReader(loop), &out, &errs)
		return code, out.String(), errs.String()
	}
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"mca -mcpu=zen4 -iterations=50", "Total Cycles:      150", 0},
		{"mca --mcpu=zen4 --iterations=50", "Total Cycles:      150", 0},
		{"mca -mcpu zen4 -iterations 50 -", "Total Cycles:      150", 0},
		{"mca -mcpu=generic -march=x86-64", "Iterations:        100", 0},
		{"mca -mcpu=generic -mcpu=zen4 -dispatch=4 -noalias=false -skip-unsupported-instructions=all -output-asm-variant=1", "Total Cycles:      300", 0},
		{"mca -mcpu=unheard-of", "is not known", 0},
		{"mca -mtriple=i686-linux-gnu", "is 32-bit x86", 1},
		{"mca -mtriple=arm", "arm is of no instruction set", 1},
		{"mca -mtriple=x86_64 -march=aarch64", "without a known cost: 3", 0},
		{"mca -march=znver4", "-mcpu names the machine", 1},
		{"mca -mcpu=help -march=x86-64", "\n  znver4 ", 0},
		{"mca -mcpu=help -mtriple=aarch64-linux-gnu t.s", "\n  neoverse-v2 ", 0},
		{"mca -mcpu=help -mtriple=sparc", "sparc is of no instruction set", 1},
		{"mca -mattr=help", "no list of features", 2},
		{"mca -instruction-tables -mcpu=zen4", "Instruction Info", 0},
		{"mca -instruction-tables=full", "there are none and normal", 2},
		{"mca -iterations=0", "above 0", 2},
		{"mca -iterations=9223372036854775807", "above 0", 2},
		{"mca -mcpu=zen4 -iterations=1000000000", "Total Cycles:      3000000000", 0},
		{"mca -iterations=x", "invalid argument", 2},
		{"mca -nosuch", "unknown flag", 2},
		{"mca a b", "at most 1", 2},
		{"mca /nonexistent", "no such file", 1},
	} {
		code, out, errs := run("incore", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, out, errs)
		}
	}
	if code, out, errs := run("/usr/bin/llvm-mca", "-mcpu=zen4", "-json"); code != 0 || !strings.Contains(out, `"TotalCycles": 300`) {
		t.Errorf("by the name llvm-mca: %d %s %s", code, out, errs)
	}
}

// TestMCAIgnored: each option that would change llvm-mca's figures and changes none here is told once; those that change views are not, nor are defaults.
func TestMCAIgnored(t *testing.T) {
	for option, told := range map[string]bool{
		"-dispatch=4": true, "-lqueue=8": true, "-squeue=8": true, "-register-file-size=100": true, "-micro-op-queue=16": true, "-decoder-throughput=2": true, "-call-latency=10": true, "-noalias=false": true,
		"-dispatch=0": false, "-noalias": false, "-noalias=true": false, "-instruction-info=false": false, "-timeline-max-cycles=10": false, "-mattr=+avx2": false,
	} {
		var out, errs bytes.Buffer
		code := Main([]string{"incore", "mca", "-mcpu=zen4", option, option}, strings.NewReader("1: imul %rax, %rbx\n dec %rcx\n jnz 1b\n"), &out, &errs)
		want := 0
		if told {
			want = 1
		}
		if n := strings.Count(errs.String(), option+" has no effect"); code != 0 || n != want || !told && errs.Len() > 0 {
			t.Errorf("%s: %d, told %d times: %s", option, code, n, errs.String())
		}
	}
}

// TestMCANames: names of 32-bit x86 are refused with a hint, by -march and by -mtriple; those of 64 bits are not.
func TestMCANames(t *testing.T) {
	for name, narrow := range map[string]bool{
		"x86": true, "X86": true, "i386": true, "i486-linux-gnu": true, "i586": true, "i686-pc-linux-gnu": true, "x86-linux-gnu": true, "x86-pc-windows-msvc": true,
		"x86-64": false, "x86_64": false, "x86_64-pc-linux-gnu": false, "x86-64-v3": false, "amd64": false,
	} {
		for _, option := range []string{"-march=", "-mtriple="} {
			var out, errs bytes.Buffer
			code := Main([]string{"incore", "mca", "-mcpu=generic", option + name}, strings.NewReader("1: imul %eax, %ebx\n dec %ecx\n jnz 1b\n"), &out, &errs)
			if narrow != strings.Contains(errs.String(), "32-bit") || narrow != strings.Contains(errs.String(), "-mtriple=x86_64") || (code != 0) != narrow {
				t.Errorf("%s%s: %d %s", option, name, code, errs.String())
			}
		}
	}
}

// TestMCADoubt: the summary marks cycles that are not known, as text and in JSON.
func TestMCADoubt(t *testing.T) {
	for _, c := range []struct {
		name, code, cpu string
		least, unknown  bool
	}{
		{"known", "1: imul %rax, %rbx\n dec %rcx\n jnz 1b\n", "zen4", false, false},
		{"a call", "1: call f\n dec %rcx\n jnz 1b\n", "zen4", true, false},
		{"a string instruction", "1: rep movsb\n dec %rdx\n jnz 1b\n", "zen4", true, true},
		{"a missing extension", "1: vaddph %zmm0, %zmm1, %zmm1\n dec %rcx\n jnz 1b\n", "zen2", false, true},
	} {
		var out, errs bytes.Buffer
		if code := Main([]string{"incore", "mca", "-mcpu=" + c.cpu}, strings.NewReader(c.code), &out, &errs); code != 0 {
			t.Fatalf("%s: %d %s", c.name, code, errs.String())
		}
		head, _, _ := strings.Cut(out.String(), "\n\n\n")
		if strings.Count(head, "≥") != map[bool]int{true: 2}[c.least] || strings.Contains(head, "≤") != (c.least || c.unknown) || strings.Contains(head, "known cost") != c.unknown {
			t.Errorf("%s:\n%s", c.name, head)
		}
		out.Reset()
		if code := Main([]string{"incore", "mca", "-json", "-mcpu=" + c.cpu}, strings.NewReader(c.code), &out, &errs); code != 0 {
			t.Fatalf("%s: %d %s", c.name, code, errs.String())
		}
		var d struct {
			CodeRegions []struct{ SummaryView mca.Summary }
		}
		if err := json.Unmarshal(out.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		if s := d.CodeRegions[0].SummaryView; s.AtLeast != c.least || (s.UnknownCosts > 0) != c.unknown || (s.MostCycles > s.TotalCycles) != (c.unknown && !c.least) {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// TestMCAViews: each view of llvm-mca is written, left out or refused by its name, and none is passed over in silence.
func TestMCAViews(t *testing.T) {
	const loop = "1: imul %rax, %rbx\n dec %rcx\n jnz 1b\n"
	views := map[string]string{"summary-view": "Total Cycles", "instruction-info": "RThroughput\n",
		"resource-pressure": "machine  zen4", "dispatch-stats": "Dispatch Stall Cycles", "timeline": "timeline of",
		"bottleneck-analysis": "sensitivity (", "scheduler-stats": "", "retire-stats": "", "register-file-stats": "",
		"show-encoding": "", "show-barriers": ""}
	run := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := Main(append([]string{"incore", "mca", "-mcpu=zen4"}, args...), strings.NewReader(loop), &out, &errs)
		return code, out.String(), errs.String()
	}
	for view, heading := range views {
		code, out, errs := run("-" + view)
		switch {
		case heading == "" && (code != 2 || !strings.Contains(errs, "no view -"+view+"; there are -summary-view")):
			t.Errorf("-%s: %d %s", view, code, errs)
		case heading != "" && (code != 0 || errs != "" || !strings.Contains(out, heading)):
			t.Errorf("-%s: %d %s\n%s", view, code, errs, out)
		}
		if code, out, errs := run("-" + view + "=false"); code != 0 || errs != "" || heading != "" &&
			strings.Contains(out, heading) {
			t.Errorf("-%s=false: %d %s\n%s", view, code, errs, out)
		}
	}
	for _, all := range []string{"-all-stats", "-all-views"} {
		if code, out, errs := run(all); code != 0 || errs != "" || !strings.Contains(out, views["dispatch-stats"]) {
			t.Errorf("%s: %d %s\n%s", all, code, errs, out)
		}
	}
	if code, out, errs := run("-version"); code != 0 || out != "incore "+Version+"\n" {
		t.Errorf("-version: %d %s%s", code, out, errs)
	}
}

// TestMCAJSON: costs and pressure on ports have llvm-mca's names, and agree with the report.
func TestMCAJSON(t *testing.T) {
	code := "# LLVM-MCA-BEGIN one\n imul %rax, %rbx\n vaddpd (%rdi), %ymm1, %ymm1\n# LLVM-MCA-END one\n# LLVM-MCA-BEGIN two\n vaddph %zmm0, %zmm1, %zmm1\n# LLVM-MCA-END two\n"
	var out, errs bytes.Buffer
	if status := Main([]string{"incore", "mca", "-mcpu=zen2", "-json"}, strings.NewReader(code), &out,
		&errs); status != 0 {
		t.Fatalf("%d %s", status, errs.String())
	}
	var d mca.Document
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.CodeRegions) != 2 || d.CodeRegions[0].Name != "one" || d.TargetInfo.CPUName != "zen2" {
		t.Fatalf("%+v", d)
	}
	for i, r := range d.CodeRegions {
		kernel := &d.Incore.Kernels[i].Targets[0]
		if len(r.InstructionInfoView.InstructionList) != len(kernel.Instructions) {
			t.Fatalf("%+v", r)
		}
		for j, x := range r.InstructionInfoView.InstructionList {
			in := &kernel.Instructions[j]
			if x.Instruction != j || x.Latency != in.Latency || x.NumMicroOpcodes != in.Uops ||
				x.RThroughput != in.Throughput || x.UnknownCost != (i == 1) {
				t.Errorf("%+v of %+v", x, in)
			}
		}
		for _, p := range r.ResourcePressureView.ResourcePressureInfo {
			if got := kernel.Instructions[p.InstructionIndex].Ports.Of(d.TargetInfo.Resources[p.ResourceIndex]); got != p.ResourceUsage {
				t.Errorf("%+v, the report has %v", p, got)
			}
		}
	}
}

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"incore/internal/foreign/perfdata/made"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/report"
)

// run runs a command line and returns its output and messages.
func runLine(args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = Main(append([]string{"incore"}, args...), strings.NewReader(""), &o, &e)
	return o.String(), e.String(), code
}

const hotSource = `#include <stdlib.h>
#include <stdio.h>
__attribute__((noinline)) double dot(const double *a, const double *b, long n) {
	double s = 0;
	for (long i = 0; i < n; i++)
		s += a[i] * b[i];
	return s;
}
__attribute__((noinline)) void scale(double *a, double f, long n) {
	for (long i = 0; i < n; i++)
		a[i] = a[i] * f + 1;
}
int main(int argc, char **argv) {
	long n = 2000, rounds = argc > 1 ? atol(argv[1]) : 20000;
	double *a = malloc(n * 8), *b = malloc(n * 8), s = 0;
	for (long i = 0; i < n; i++)
		a[i] = i, b[i] = 1;
	for (long r = 0; r < rounds; r++) {
		s += dot(a, b, n);
		if (r % 8 == 0)
			scale(a, 0.5, n);
	}
	printf("%g\n", s);
}
`

// compiled compiles a program for x86-64, or skips the test.
func compiled(t *testing.T, text string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil || runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("no gcc for x86-64 Linux")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hot.c"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("gcc", append(args, "-g", "-o", "hot", "hot.c")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("gcc: %v\n%s", err, out)
	}
	return filepath.Join(dir, "hot")
}

// loopsJSON returns the list of loops.
func loopsJSON(t *testing.T, args ...string) *report.Loops {
	t.Helper()
	out, errs, code := runLine(append([]string{"loops", "--format", "json"}, args...)...)
	var l report.Loops
	if err := json.Unmarshal([]byte(out), &l); err != nil || code != 0 {
		t.Fatalf("%v: %v %s", args, err, errs)
	}
	return &l
}

// TestBranchRecords: a recording with branch records gives the measured cycles per iteration of the loop that they go round, beside the prediction; a loop that takes longer says why.
func TestBranchRecords(t *testing.T) {
	name := compiled(t, hotSource, "-O2")
	l := loopsJSON(t, "--arch", "skylake-server", "--function", "dot", name)
	if len(l.Loops) != 1 || l.Loops[0].Cycles != 4 {
		t.Fatalf("loops %+v", l.Loops)
	}
	head, _ := strconv.ParseUint(l.Loops[0].Address, 0, 64)
	tail := head + l.Loops[0].Bytes - 2 // a short conditional branch ends it
	obj, err := object.Open(name, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	const bias = 0x555500000000
	f := made.File{Arch: "x86_64", CPUID: "GenuineIntel,6,85,4", Path: "/elsewhere/" + filepath.Base(name), BuildID: obj.BuildID(), Start: bias, Size: 0x10000}
	for i := range 200 {
		s := made.Sample{IP: bias + head + 4}
		for n := range 8 {
			s.Branches = append(s.Branches, made.Branch{From: bias + tail, To: bias + head, Cycles: uint16(5 + 3*(n%2)), Mispredicted: i%10 == 0 && n == 3})
		}
		f.Samples = append(f.Samples, s)
	}
	for _, pipe := range []bool{false, true} {
		f.Pipe = pipe
		data := filepath.Join(t.TempDir(), "perf.data")
		if err := os.WriteFile(data, f.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		l := loopsJSON(t, "--perf", data, name)
		x := &l.Loops[0]
		m := x.Measured
		// the newest of 8 branches ends the last of 7 iterations: 5 8 5 8 5 8 5 cycles
		if l.Order != "profile" || l.Arch != "skylake-server" || x.Function != "dot" || x.Share != 1 || m == nil || m.Iterations != 1400 || m.Cycles < 6.28 || m.Cycles > 6.29 || m.Median != 5 || m.Ratio < 1.57 || m.Ratio > 1.58 {
			t.Fatalf("pipe %v: %s, %s, %+v, measured %+v", pipe, l.Order, l.Arch, x, m)
		}
		if m.Mispredicted < 0.014 || m.Mispredicted > 0.015 || !strings.Contains(m.Lacks, "0.014 mispredicted branches per iteration") {
			t.Errorf("%+v", m)
		}
		out, _, _ := runLine("loops", "--perf", data, name)
		if !strings.Contains(out, "measured  ratio") || !strings.Contains(out, "takes 1.57 times the prediction") {
			t.Errorf("%s", out)
		}
	}
}

// TestWrongRecordings: a recording of another architecture, of another build, of another program, or that is cut, says so.
func TestWrongRecordings(t *testing.T) {
	name := compiled(t, hotSource, "-O2")
	good := made.File{Arch: "x86_64", CPUID: "AuthenticAMD,25,17,1", Path: name, BuildID: "00112233", Start: 0x400000, Size: 0x10000, Samples: []made.Sample{{IP: 0x401140}}}
	for want, change := range map[string]func(f *made.File){
		"was recorded on a machine of aarch64": func(f *made.File) { f.Arch = "aarch64" },
		"of another build":                     func(f *made.File) {},
		"is of other, not of this file":        func(f *made.File) { f.Path = "/bin/other" },
		"holds no samples":                     func(f *made.File) { f.Samples = nil },
	} {
		f := good
		change(&f)
		data := filepath.Join(t.TempDir(), "perf.data")
		if err := os.WriteFile(data, f.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		out, errs, code := runLine("loops", "--perf", data, name)
		if all := out + errs; !strings.Contains(all, want) || (code == 0) != strings.HasPrefix(want, "is of other") {
			t.Errorf("want %q: code %d\n%s", want, code, all)
		}
	}
	f := good
	f.BuildID, f.Samples = "", slicesRepeat(good.Samples[0], 500)
	data := filepath.Join(t.TempDir(), "perf.data")
	whole := f.Bytes()
	if err := os.WriteFile(data, whole[:len(whole)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if out, _, code := runLine("loops", "--perf", data, name); code != 0 || !strings.Contains(out, fmt.Sprintf("is cut after %d bytes", len(whole)/2/8*8)) && !strings.Contains(out, "is cut after") {
		t.Errorf("cut: code %d\n%s", code, out)
	}
}

func slicesRepeat(s made.Sample, n int) (out []made.Sample) {
	for range n {
		out = append(out, s)
	}
	return out
}

// TestPerfRecord: what perf records here is attributed to the right loop: dot runs eight times as often as scale.
func TestPerfRecord(t *testing.T) {
	perf, err := exec.LookPath("perf")
	if err != nil {
		t.Skip("no perf")
	}
	name := compiled(t, hotSource, "-O2")
	data := filepath.Join(t.TempDir(), "perf.data")
	cmd := exec.Command(perf, "record", "-q", "-e", "cpu-clock", "-o", data, name, "50000")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("perf record: %v\n%s", err, out)
	}
	l := loopsJSON(t, "--perf", data, name)
	if l.Order != "profile" || l.Loops[0].Function != "dot" || l.Loops[0].Share < 0.7 || l.Loops[1].Function != "scale" || l.Loops[1].Share < 0.01 {
		t.Errorf("%s: %+v", l.Order, l.Loops[:2])
	}
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"incore", "annotate", "--perf", "-", "--function", "dot", name}, bytes.NewReader(text), &out, &errs); code != 0 || !strings.Contains(out.String(), "of its samples") {
		t.Errorf("as standard input: %d %s%s", code, out.String(), errs.String())
	}
}

// TestAnnotate: samples, costs and source of a function side by side; the shares of its instructions add up.
func TestAnnotate(t *testing.T) {
	name := compiled(t, hotSource, "-O2")
	obj, err := object.Open(name, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	fn := obj.Function("dot")
	f := made.File{Arch: "x86_64", CPUID: "AuthenticAMD,25,17,1", Path: name, BuildID: obj.BuildID(), Start: 0x7f0000000000, Size: 0x10000}
	for i := range 100 {
		f.Samples = append(f.Samples, made.Sample{IP: 0x7f0000000000 + fn.Addr + uint64(i%2)*(fn.Size-1)}) // half of them at the return
	}
	data := filepath.Join(t.TempDir(), "perf.data")
	if err := os.WriteFile(data, f.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	out, errs, code := runLine("annotate", "--perf", data, "--function", "dot", "--format", "json", name)
	var a report.Annotation
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 {
		t.Fatalf("%v: %s", err, errs)
	}
	sum, chain := 0.0, 0.0
	lines := map[int]float64{}
	for _, x := range a.Code {
		sum += x.Share
		if x.LCD != nil {
			chain += *x.LCD
		}
	}
	for _, l := range a.Lines {
		lines[l.Line] = l.Share
	}
	if a.Arch != "zen4" || a.Share != 1 || sum < 0.99 || sum > 1.01 || chain != 3 || len(a.Loops) != 1 || a.Loops[0].Cycles != 3 || a.Code[0].Share != 0.5 || lines[3]+lines[4]+lines[5] < 0.49 || lines[6] != 0 {
		t.Errorf("%+v, sum %v, chain %v, lines %v", a, sum, chain, lines)
	}
	text, _, _ := runLine("annotate", "--arch", "zen4", "--function", "dot", name)
	if !strings.Contains(text, "hot.c:6  s += a[i] * b[i];") || !strings.Contains(text, "3.0  FP") {
		t.Errorf("%s", text)
	}
	page, _, _ := runLine("annotate", "--arch", "zen4", "--function", "dot", "--format", "html", name)
	if !strings.Contains(page, "s += a[i] * b[i];") || !strings.Contains(page, "mulsd") || strings.Contains(page, "style=") {
		t.Error("the page lacks source or code")
	}
	if _, errs, code := runLine("annotate", "--function", "dotty", name); code != exitInput || !strings.Contains(errs, "no function") {
		t.Errorf("an unknown function: %d %s", code, errs)
	}
}

// TestAnnotateFarLines: a function whose lines lie far apart shows the lines with code, not the millions between.
func TestAnnotateFarLines(t *testing.T) {
	as, err := exec.LookPath("as")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("no assembler for x86-64")
	}
	dir := t.TempDir()
	source, out := filepath.Join(dir, "far.s"), filepath.Join(dir, "far.o")
	code := ".file 1 \"far.c\"\n.globl f\n.type f,@function\nf:\n.loc 1 1\naddq $1, %rax\n.loc 1 2000000000\n1: addq $1, %rcx\njne 1b\n.loc 1 40\nret\n.size f,.-f\n"
	if err := os.WriteFile(source, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(as, "-g", "-o", out, source).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, text)
	}
	text, errs, status := runLine("annotate", "--arch", "zen4", "--function", "f", "--format", "json", out)
	var a report.Annotation
	if err := json.Unmarshal([]byte(text), &a); err != nil || status != 0 {
		t.Fatalf("%v: %s", err, errs)
	}
	var lines []int
	for _, l := range a.Lines {
		lines = append(lines, l.Line)
	}
	if !slices.Equal(lines, []int{1, 40, 2000000000}) {
		t.Errorf("lines %v", lines)
	}
}

// TestTop: one command from a program to the reasons, by perf and by the own sampler.
func TestTop(t *testing.T) {
	name := compiled(t, hotSource, "-O2")
	for _, args := range [][]string{{}, {"--own-sampler"}, {"--perf", "no-such-perf"}} {
		var out, errs bytes.Buffer
		code := Main(append(append([]string{"incore", "top", "--arch", "zen4", "--loops", "1"}, args...), "--", name, "60000"), strings.NewReader(""), &out, &errs)
		if strings.Contains(errs.String(), "tracing the program") {
			t.Skip(errs.String())
		}
		if text := out.String(); code != 0 || !strings.Contains(text, "loop 1 of dot, hot") || !strings.Contains(text, "limit    the loop-carried dependency through xmm") || strings.Contains(text, "of scale") {
			t.Errorf("%v: code %d\n%s%s", args, code, text, errs.String())
		}
	}
	for _, args := range [][]string{{"top"}, {"top", "--", "./no-such-program"}, {"top", "--own-sampler", "--", "true"}} {
		if out, errs, code := runLine(args...); code == 0 || errs == "" {
			t.Errorf("%v: code %d %s", args, code, out)
		}
	}
}

package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"incore/internal/base/long"
	"incore/internal/bench/block"
)

// standIn is the program and the source for which the pages' a.out, k.c and others stand.
const standIn = `#include <stdio.h>
#include <stdlib.h>
#define N 256
double a[N], b[N], c[N], m[N][N];
__attribute__((noinline)) void triad(double s) { for (int i = 0; i < N; i++) a[i] = b[i] + s * c[i]; }
__attribute__((noinline)) double dot(void) { double s = 0; for (int i = 0; i < N; i++) s += a[i] * b[i]; return s; }
__attribute__((noinline)) void mm(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] += a[i] * b[j]; }
__attribute__((noinline)) void relax(int n) { for (int i = 1; i < n; i++) a[i] = 0.5 * (a[i - 1] + a[i]); }
__attribute__((noinline)) double kernel(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
int main(int n, char **v) {
	double sum = 0;
	int times = 40 * (n > 1 && atoi(v[1]) > 0 ? atoi(v[1]) : 1);
	for (int i = 0; i < times; i++) { triad(i); mm(64); relax(N); sum += dot() + kernel(c, N); }
	printf("%g\n", sum);
}
`

// notRun are the commands of the pages that TestDocCommands leaves out, with the reason.
var notRun = map[string]string{
	`^incore bench (core|memory|ports|everything|latency|all (-o|--quick|--emulate))`: "measures for minutes",
	`here\.(model|results)`: "needs results of bench",
	`^incore eval (make -o (suite|DIR --limit)|run|report|export|hunt)`: "compiles and runs for minutes",
	`^incore serve( |$)`:                "does not end",
	`--range `:                          "names addresses of a program",
	`^incore deps --coverage --resume`:  "names a folder of programs",
	`^perf record`:                      "needs perf's events",
	`^incore roofline explore`:          "needs a machine file of this machine",
	`^incore baseline accept`:           "needs a loop that became slower",
	`^incore measure (triad|kernel)\.s`: "TestTutorial has it",
	`\[-- ARGUMENTS\]`:                  "says how to call it",
	`--vector-bits 512`:                 "needs code for SVE",
}

// longOnly are those that run programs or measure.
var longOnly = regexp.MustCompile(`^incore (measure|trace|top|roofline profile -o|deps --(dynamic|coverage)|eval make|serve --export)|\| incore measure`)

// busyMachine is what a measurement says that other programs did not let be made.
const busyMachine = "cannot be measured: unstable"

// TestDocCommands runs the commands of incore that the pages show, in a folder with files of the names that they use.
func TestDocCommands(t *testing.T) {
	if runtime.GOOS+runtime.GOARCH != "linuxamd64" {
		t.Skip("the pages' programs are of x86-64 Linux")
	}
	for _, tool := range []string{"gcc", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool)
		}
	}
	pages, root := docPages(t), t.TempDir()
	ran := 0
	for _, page := range pages {
		if page == tutorial {
			continue // TestTutorial
		}
		dir := filepath.Join(root, filepath.Base(filepath.Dir(page))+filepath.Base(page))
		for _, c := range shownCommands(t, page) {
			reason := ""
			for pattern, why := range notRun {
				if regexp.MustCompile(pattern).MatchString(c.text) {
					reason = why
				}
			}
			if _, err := exec.LookPath("jq"); err != nil && strings.Contains(c.text, "| jq") {
				reason = "no jq"
			}
			if reason != "" || longOnly.MatchString(c.text) && !long.Tests() {
				continue
			}
			if _, err := os.Stat(dir); err != nil {
				standIns(t, dir)
				if strings.HasSuffix(page, "add-microarchitecture.md") { // whose machine is one of AArch64
					if err := os.Rename(filepath.Join(dir, "a64.s"), filepath.Join(dir, "kernel.s")); err != nil {
						t.Fatal(err)
					}
				}
			}
			ran++
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			cmd := exec.CommandContext(ctx, "sh", "-c", c.text)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
			began := time.Now()
			out, err := cmd.CombinedOutput()
			cancel()
			t.Logf("%v %s", time.Since(began).Round(time.Millisecond), c.text)
			if err != nil && !strings.Contains(string(out), busyMachine) {
				t.Errorf("%s:%d: %s: %v\n%.1500s", page, c.line, c.text, err, out)
			}
		}
	}
	if ran < 20 {
		t.Errorf("only %d commands found", ran)
	}
}

// shown is a command of a page.
type shown struct {
	line int
	text string
}

// shownCommands returns the commands with incore in the blocks of a page, without those whose output is shown.
func shownCommands(t *testing.T, page string) (out []shown) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	fenced := false
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		command := strings.TrimSpace(line)
		if (fenced || strings.HasPrefix(line, "    ")) && regexp.MustCompile(`^(incore|(gcc|echo|perf) .*\bincore) [a-z]`).MatchString(command) {
			out = append(out, shown{i + 1, command})
		}
	}
	return out
}

// standIns makes the files that the pages name.
func standIns(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "build"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".osaca/data"), 0o777); err != nil {
		t.Fatal(err)
	}
	put := func(text string, names ...string) {
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	copied := func(from string, names ...string) {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		put(string(text), names...)
	}
	copied("../../examples/triad.s", "triad.s", "kernel.s", "loop.s", "before.s")
	copied("../../examples/triad.gcc-skx.s", "after.s")
	copied("../../examples/triad.gcc-n2.s", "a64.s")
	copied("../machine/models/cortex-a53.model", "mycore.model")
	put(standIn, "k.c", "kernel.c")
	put("void daxpy(double *restrict y, const double *restrict x, double a, int n) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }\n", "daxpy.c")
	put("block,cycles\n480fafc0,3\n4801d8,1\n", "blocks.csv")
	put(block.Header+"\n480fafc0,3,0,4,,\n4801d8,1,0,4,,\n", "measured.csv")
	put("block\tcycles\n480fafc0\t3\n4801d8\t1\n", "blocks.tsv")
	put("480fafc0\n", "blocks.hex")
	for _, args := range []string{"-o a.out k.c", "-c -o k.o k.c", "-c -o build/kernels.o k.c"} {
		cmd := exec.Command("gcc", append([]string{"-O2", "-g"}, strings.Fields(args)...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for _, name := range []string{"k", "prog", "solver"} {
		if err := os.Link(filepath.Join(dir, "a.out"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/program/qemu"
)

// program compiles a program that needs no library.
func program(t *testing.T, compiler, source string) string {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("%s is not installed", compiler)
	}
	exe := filepath.Join(t.TempDir(), "a.out")
	cmd := exec.Command(compiler, "-O1", "-static", "-pthread", "-x", "c", "-", "-o", exe)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = in.Write([]byte(source))
		in.Close()
	}()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%s makes no program: %s", compiler, out)
	}
	return exe
}

// traceOf traces a program on a core.
func traceOf(t *testing.T, o Options, core string) *Result {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	o.Stdin, o.Stdout, o.Stderr = null, null, null
	o.Models = func(*isa.ISA) ([]*machine.Model, error) {
		m, err := machine.Get(core)
		return []*machine.Model{m}, err
	}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r[0]
}

func native64(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("x86-64 programs run natively on x86-64 Linux alone")
	}
}

const histogram = `
int h[256]; unsigned char d[4096]; volatile int n = 3;
__attribute__((noinline)) void kernel(void) { for (int i = 0; i < 4096; i++) h[d[i]]++; }
int main(void) { for (int i = 0; i < 4096; i++) d[i] = i * 7 >> 3; for (int k = 0; k < n; k++) kernel(); return 0; }`

// TestBothWays: a program does the same natively and under QEMU.
func TestBothWays(t *testing.T) {
	native64(t)
	exe := program(t, "gcc", histogram)
	a := traceOf(t, Options{Args: []string{exe}, Function: "kernel"}, "zen3")
	if n := a.Instructions; n < 3*4096*4 || n > 3*4096*8 || a.Partial != "" || a.Loads < 2*3*4096 {
		t.Errorf("%d instructions, %d loads, partial %q", n, a.Loads, a.Partial)
	}
	emulator, err := qemu.Find("x86-64")
	if err == nil {
		err = qemu.RunsPlugins(emulator)
	}
	if err != nil {
		t.Skip(err)
	}
	b := traceOf(t, Options{Args: []string{exe}, Function: "kernel", QEMU: true}, "zen3")
	if a.Instructions != b.Instructions || a.Branches != b.Branches || a.Forwarded != b.Forwarded || math.Abs(a.Cycles-b.Cycles) > 1e-3*a.Cycles {
		t.Errorf("natively %d instructions, %d branches, %d dependences, %.0f cycles; under QEMU %d, %d, %d, %.0f",
			a.Instructions, a.Branches, a.Forwarded, a.Cycles, b.Instructions, b.Branches, b.Forwarded, b.Cycles)
	}
}

// TestForeign: programs for other instruction sets are traced under QEMU.
func TestForeign(t *testing.T) {
	for _, c := range []struct{ compiler, isa, core string }{{"aarch64-linux-gnu-gcc", "aarch64", "neoverse-n1"}, {"riscv64-linux-gnu-gcc", "riscv64", "sifive-7"}} {
		t.Run(c.isa, func(t *testing.T) {
			emulator, err := qemu.Find(c.isa)
			if err == nil {
				err = qemu.RunsPlugins(emulator)
			}
			if err != nil {
				t.Skip(err)
			}
			exe := program(t, c.compiler, histogram)
			r := traceOf(t, Options{Args: []string{exe}, Function: "kernel"}, c.core)
			if r.Instructions < 3*4096*4 || r.Instructions > 3*4096*12 || r.Loads != 2*3*4096 || r.Cycles < 3*4096 || len(r.Loops) == 0 || r.Loops[0].Turns == 0 {
				t.Errorf("%d instructions, %d loads, %.0f cycles, loops %+v", r.Instructions, r.Loads, r.Cycles, r.Loops)
			}
		})
	}
}

// TestOdd: programs that fork, have threads, and change their own code are traced as far as it goes.
func TestOdd(t *testing.T) {
	native64(t)
	for _, c := range []struct{ name, source, want string }{
		{"fork", `
#include <unistd.h>
#include <sys/wait.h>
int main(void) { if (fork() == 0) _exit(0); wait(0); return 0; }`, "it starts other processes, which are not traced"},
		{"threads", `
#include <pthread.h>
static void *work(void *x) { return x; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }`, "it starts threads; the first alone is traced"},
		{"status", `int main(void) { return 3; }`, "the program's exit status is 3"},
	} {
		exe := program(t, "gcc", c.source)
		r := traceOf(t, Options{Args: []string{exe}, Limit: time.Minute}, "zen3")
		if r.Partial != c.want || r.Instructions == 0 || r.Cycles == 0 {
			t.Errorf("%s: partial %q, want %q; %d instructions, %.0f cycles", c.name, r.Partial, c.want, r.Instructions, r.Cycles)
		}
	}
}

// TestSample: what a sample says of a run that never repeats is what all of it says, within the error bar times two.
func TestSample(t *testing.T) {
	native64(t)
	exe := program(t, "gcc", `
unsigned x = 1; int h[64]; volatile int n = 40000;
__attribute__((noinline)) void kernel(void) { for (int i = 0; i < n; i++) { x = x * 1664525 + 1013904223; h[x >> 26]++; if (x & 1 << 20) h[i & 63] ^= x; } }
int main(void) { kernel(); return h[3] & 0; }`)
	o := Options{Args: []string{exe}, Function: "kernel", Sample: 8}
	some := traceOf(t, o, "zen3")
	o.Sample = 0
	all := traceOf(t, o, "zen3")
	if all.Estimated != 0 || all.Error != 0 || some.Estimated == 0 || some.Error <= 0 {
		t.Errorf("estimated %d and %d instructions, error %.0f and %.0f", all.Estimated, some.Estimated, all.Error, some.Error)
	}
	if d := math.Abs(some.Cycles - all.Cycles); d > 2*some.Error {
		t.Errorf("%.0f cycles in all, %.0f ± %.0f by a sample", all.Cycles, some.Cycles, some.Error)
	}
	t.Logf("%.0f cycles in all, %.0f ± %.0f by a sample of %d of %d instructions", all.Cycles, some.Cycles, some.Error, some.Simulated, some.Instructions)
}

const search = `
static int a[4096];
int main(void) {
	unsigned s = 1; long t = 0;
	for (int i = 0; i < 4096; i++) a[i] = i * 3;
	for (int k = 0; k < 4000; k++) {
		s = s * 1103515245 + 12345;
		int x = (s >> 8) % 12288, lo = 0, hi = 4096;
		while (lo < hi) { int m = (lo + hi) / 2; if (a[m] < x) lo = m + 1; else hi = m; }
		t += lo * (k & 7);
	}
	return t & 1;
}`

// TestSameAgain: two traces of a program agree in every digit, as segments are added in the order of the run and simulations of freed cores leave the model alone.
func TestSameAgain(t *testing.T) {
	native64(t)
	exe := program(t, "gcc", search)
	for _, core := range []string{"zen5", "skylake", "golden-cove"} {
		var want []byte
		for run := range 3 {
			r := traceOf(t, Options{Args: []string{exe}, Sample: 10}, core)
			r.Seconds = 0
			got, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s, run %d:\n%s\nbefore\n%s", core, run, got, want)
			}
		}
	}
}

// TestSentences: what has no upper bound is named by its instruction, and a limit that costs nothing is never "−0.0 % faster".
func TestSentences(t *testing.T) {
	native64(t)
	exe := program(t, "gcc", `
#include <string.h>
char a[512], b[512]; volatile long n = 7;
__attribute__((noinline)) void kernel(void) { long c = sizeof a; char *d = a, *s = b; __asm__ volatile("rep movsb" : "+c"(c), "+D"(d), "+S"(s) :: "memory"); }
int main(void) { for (long k = 0; k < n; k++) kernel(); return 0; }`)
	r := traceOf(t, Options{Args: []string{exe}, Function: "kernel", Sensitivity: true}, "zen4")
	if len(r.Open) != 1 || !strings.HasPrefix(r.Open[0], "rep movsb, 7 times: ") {
		t.Errorf("at least: %q", r.Open)
	}
	var b strings.Builder
	if err := r.Text(&b, false); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "-0.0 %") || !strings.Contains(s, "no faster") || regexp.MustCompile(`[ -]0\.0 % faster`).MatchString(s) {
		t.Errorf("sensitivity:\n%s", s)
	}
	for text, want := range map[string]string{"lock cmpxchg %rax,(%rdi)": "lock cmpxchg", "rep stosb": "rep stosb", "vaddpd %ymm0,%ymm1,%ymm2": "vaddpd", "xsavec64 (%rsp)": "xsavec64", "lock": "lock"} {
		if got := mnemonic(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for faster, want := range map[float64]string{-0.0001: "no faster", -0.02: "no faster", 0: "no faster", 0.0004: "no faster", 0.0006: "0.1 % faster", 0.5: "50.0 % faster"} {
		if got := (&Freed{Faster: faster}).gain(); got != want {
			t.Errorf("%g: %q, want %q", faster, got, want)
		}
	}
}

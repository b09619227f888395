package probe_test

import (
	"context"
	"errors"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/probe"
)

// program calls work n times, 100,000 dependent additions each, and then does what its argument names.
const program = `#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) long work(long rounds, double keep, ...) {
	long a = 1, b = 3;
	__asm__ volatile("1: .rept 100\n add %1, %0\n .endr\n dec %2\n jnz 1b" : "+r"(a), "+r"(b), "+r"(rounds));
	return a + (long)keep;
}
__attribute__((noinline)) long deep(long n) { return n == 0 ? work(1000, 0) : deep(n - 1) + 1; }
static jmp_buf out;
__attribute__((noinline)) long jumps(long n) { if (n % 2) longjmp(out, 1); return work(100, 0) + n; }
__attribute__((noinline)) long fails(long n) { *(volatile int *)8 = n; return n; }
__attribute__((noinline)) long never(long n) { return n + 1; }
static void *thread(void *p) { work(1000, 2.0); return p; }
int main(int argc, char **argv) {
	volatile long n = 0;
	const char *how = argc > 1 ? argv[1] : "";
	if (!strcmp(how, "thread")) { pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); return 0; }
	if (!strcmp(how, "deep")) { n = deep(5) + deep(3); return 0; }
	if (!strcmp(how, "jumps")) { for (int i = 0; i < 6; i++) if (!setjmp(out)) n += jumps(i); return 0; }
	if (!strcmp(how, "fails")) return fails(1);
	if (!strcmp(how, "fork")) { int s; if (fork() == 0) { n = work(1000, 0); _exit(0); } wait(&s); return 0; }
	if (!strcmp(how, "endless")) for (;;) n += work(1000, 0);
	for (int i = 0; i < 20; i++) n += work(1000, 3.0);
	printf("%ld\n", n);
	return n == 20 * (300001L + 3) ? 7 : 1;
}`

func compile(t *testing.T, flags ...string) *object.File {
	t.Helper()
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("programs are timed on x86-64 Linux")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
	exe := filepath.Join(t.TempDir(), "a.out")
	cmd := exec.Command("gcc", append(append([]string{"-O1", "-x", "c", "-", "-o", exe}, flags...), "-pthread")...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = in.Write([]byte(program))
		in.Close()
	}()
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("gcc: %v: %s", err, text)
	}
	f, err := object.Open(exe, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func run(t *testing.T, f *object.File, o probe.Options) *probe.Result {
	t.Helper()
	o.Path, o.CPU = f.Path, -1
	if o.Limit == 0 {
		o.Limit = 20 * time.Second
	}
	r, err := probe.Run(context.Background(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCycles: a chain of 100,000 additions takes as many cycles, wherever the program is loaded and however it was linked, and the program's own result stands.
func TestCycles(t *testing.T) {
	for _, flags := range [][]string{{"-no-pie"}, {"-pie", "-fpie"}, {"-static"}, {"-static-pie", "-fpie"}} {
		f := compile(t, flags...)
		region := probe.Region{Entry: f.Function("work").Addr}
		r := run(t, f, probe.Options{Args: []string{"a.out"}, Region: region})
		if r.Entered != 20 || len(r.Calls) != 20 || r.Exit != 7 || r.Signal != "" || r.Apart || r.Others+r.Left != 0 {
			t.Errorf("%v: %+v", flags, r)
			continue
		}
		least := math.Inf(1)
		for try := 0; try < 50 && math.Abs(least-100e3) > 2e3; try++ { // until the machine is quiet for a moment
			r = run(t, f, probe.Options{Args: []string{"a.out"}, Region: region, Last: 20})
			for _, c := range r.Calls {
				if c.Cycles > 0 {
					least = min(least, c.Cycles)
				}
			}
		}
		if math.Abs(least-100e3) > 2e3 || r.Overhead <= 0 {
			t.Errorf("%v: %.0f cycles, overhead %.0f ticks", flags, least, r.Overhead)
		}
	}
}

// TestEndings: what programs do beside calling the function is told.
func TestEndings(t *testing.T) {
	f := compile(t)
	at := func(name string) probe.Region { return probe.Region{Entry: f.Function(name).Addr} }
	for _, c := range []struct {
		how, function string
		want          func(r *probe.Result) bool
	}{
		{"thread", "work", func(r *probe.Result) bool { return r.Entered == 1 && r.Apart && r.Threads }},
		{"deep", "deep", func(r *probe.Result) bool { return r.Entered == 2 && len(r.Calls) == 2 && r.Exit == 0 }},
		{"jumps", "jumps", func(r *probe.Result) bool { return r.Entered == 6 && len(r.Calls) == 3 && r.Left >= 2 }},
		{"fails", "fails", func(r *probe.Result) bool { return r.Entered == 1 && len(r.Calls) == 0 && r.Signal == "SIGSEGV" }},
		{"", "never", func(r *probe.Result) bool { return r.Entered == 0 && r.Exit == 7 }},
		{"fork", "work", func(r *probe.Result) bool { return r.Entered == 0 && r.Exit == 0 }},
	} {
		if r := run(t, f, probe.Options{Args: []string{"a.out", c.how}, Region: at(c.function)}); !c.want(r) {
			t.Errorf("%s: %+v", c.how, r)
		}
	}
	r := run(t, f, probe.Options{Args: []string{"a.out", "endless"}, Region: at("work"), First: 3, Last: 5})
	if r.Ended != probe.EndedBehind || len(r.Calls) != 3 {
		t.Errorf("calls 3 to 5: %+v", r)
	}
	if r = run(t, f, probe.Options{Args: []string{"a.out", "endless"}, Region: at("never"), Limit: 100 * time.Millisecond}); r.Ended != probe.EndedLimit {
		t.Errorf("endless: %+v", r)
	}
}

// TestRange times the code between two addresses: the loop of work, whose registers and flags are live.
func TestRange(t *testing.T) {
	f := compile(t)
	fn := f.Function("work")
	loops := f.Loops(fn)
	if len(loops) != 1 {
		t.Fatalf("%d loops", len(loops))
	}
	lo, hi := loops[0].Range()
	r := run(t, f, probe.Options{Args: []string{"a.out"}, Region: probe.Region{Entry: fn.Addr, Exit: hi}})
	if len(r.Calls) != 20 || r.Exit != 7 {
		t.Errorf("up to the loop's end: %+v", r)
	}
	_, err := probe.Run(context.Background(), f, probe.Options{Path: f.Path, Args: []string{"a.out"}, Region: probe.Region{Entry: lo, Exit: lo + 3}, CPU: -1})
	if !errors.Is(err, probe.ErrPlace) {
		t.Errorf("an empty range: %v", err)
	}
}

package looptime_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"incore/internal/roofline"
	"incore/internal/roofline/looptime"
	"incore/internal/roofline/profile"
)

// program has a loop whose additions wait for each other (4 cycles on Zen 3's and Skylake's adders), one that chases pointers, and a branch that is seldom
// taken.
const program = `#include <stdlib.h>
#include <stdio.h>
struct node { struct node *next; long pad[7]; };
__attribute__((noipa)) double chain(const double *x, long n) { double s = 0; for (long i = 0; i < n; i++) s += x[i]; return s; }
__attribute__((noipa)) struct node *chase(struct node *p, long n) { while (n--) p = p->next; return p; }
int main(void) {
  static double x[512]; static struct node list[512];
  for (int i = 0; i < 512; i++) { x[i] = i; list[i].next = &list[(i + 17) % 512]; }
  double s = 0; struct node *p = list;
  for (int r = 0; r < 200; r++) { s += chain(x, 512); p = chase(p, 512); }
  printf("%g %ld\n", s, (long)(p - list)); return 0; }`

// TestOf: a profile's loops are found in the file again and simulated: a chain of additions takes their latency, one of loads that of a load.
func TestOf(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("x86-64 programs are profiled natively under Linux only")
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(src, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-O1", "-g", "-o", exe, src).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	p, err := profile.Run(context.Background(), profile.Options{Args: []string{exe}, NoCaches: true, Repeat: 1, Stdin: null, Stdout: null, Stderr: null})
	if err != nil {
		t.Fatal(err)
	}
	times, problems, err := looptime.Of(p, looptime.Options{Core: "skylake"})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	want := map[string]struct{ cycles, loads float64 }{"chain": {4, 0}, "chase": {5, 1}}
	for i := range p.Loops {
		l := &p.Loops[i]
		w, ok := want[l.Function]
		if !ok || l.Loop == "" {
			continue
		}
		delete(want, l.Function)
		c := times[i]
		if c == nil || c.Cycles < w.cycles-1.1 || c.Cycles > w.cycles+1.1 || c.Limit != "latency" || len(c.Chains) == 0 || c.Chains[0].Loads != w.loads {
			t.Errorf("%s: %+v, want %v cycles", l.Function, c, w.cycles)
		}
		if l.Iterations < 200*511 || l.PathShare < 0.99 {
			t.Errorf("%s: %v iterations, %v of it on the path", l.Function, l.Iterations, l.PathShare)
		}
	}
	if len(want) > 0 {
		t.Errorf("no loops of %v in %+v", want, p.Loops)
	}
	refused(t, p, exe)
}

// refused: another core's code, a file that changed, a profile by hand.
func refused(t *testing.T, p *roofline.Profile, exe string) {
	expect := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
	_, _, err := looptime.Of(p, looptime.Options{Core: "neoverse-n1"})
	expect("is code for x86-64", err)
	_, _, err = looptime.Of(p, looptime.Options{Core: "zen99"})
	expect("zen99", err)
	_, _, err = looptime.Of(&roofline.Profile{File: "hand.json"}, looptime.Options{Core: "skylake"})
	expect("hand.json does not say", err)
	if err := os.WriteFile(exe, []byte("changed"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, problems, err := looptime.Of(p, looptime.Options{Core: "skylake"})
	if err == nil {
		expect("is not the file that was profiled", &os.PathError{Op: strings.Join(problems, ";"), Err: os.ErrInvalid})
	}
	for _, m := range []*roofline.Machine{{Name: "A"}, {Name: "A", Core: "zen3"}, {Name: "A", Core: "zen99", Clock: 1}} {
		if _, err := looptime.Resolve(m); err == nil {
			t.Errorf("%+v has a core", m)
		}
	}
}

// TestShipped: each machine that incore ships names a core that incore has a model of, and its vectors are no longer than the core's peak needs.
func TestShipped(t *testing.T) {
	names := roofline.Names()
	if len(names) < 9 {
		t.Errorf("only %v", names)
	}
	for _, n := range names {
		m, err := roofline.Shipped(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"peak", "memory", "sizes"} {
			if m.Sources[want] == "" {
				t.Errorf("%s: no source of %s", n, want)
			}
		}
		clocked := *m
		if clocked.Clock == 0 {
			clocked.Clock = 1
		}
		if _, err := looptime.Resolve(&clocked); err != nil {
			t.Error(err)
		}
	}
}

// TestError: the error of a core is that on its held-out whole benchmarks; a core without them is in more doubt, whatever blocks of it were measured.
func TestError(t *testing.T) {
	known := 1.0
	for _, core := range []string{"zen3", "zen5"} {
		e, from := looptime.Error(core)
		if e <= 0 || e > 0.5 || !strings.Contains(from, "heldout-"+core+"-suite") {
			t.Errorf("%s: %v, %s", core, e, from)
		}
		known = min(known, e)
	}
	for _, core := range []string{"zen4", "skylake", "thunderx2"} {
		if e, from := looptime.Error(core); e < 2*known-1e-9 || !strings.Contains(from, "no whole benchmarks of this core") {
			t.Errorf("%s: %v, %s", core, e, from)
		}
	}
}

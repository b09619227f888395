package suite

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"incore/internal/program/clone"
)

// TestProgram: a benchmark's own executable, brought as a program whose function kernel is the region, has the blocks, counts and accesses that its copy records, and all
// simulators predict it.
func TestProgram(t *testing.T) {
	native(t)
	dir := t.TempDir()
	if _, err := Make(context.Background(), MakeOptions{Dir: dir, Kernels: regexp.MustCompile("^(merge|cholesky)$"), Limit: 2, Target: Target{ISA: "x86-64"}}); err != nil {
		t.Fatal(err)
	}
	d, err := Read(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	mine := t.TempDir()
	for _, b := range d.Benchmarks {
		made, err := Add(context.Background(), ProgramOptions{Dir: mine, Path: binaryFile(dir, b.ID), Args: []string{"check"}, Function: "kernel", Target: Target{ISA: "x86-64"}})
		if err != nil || made.Entered != 1 || made.First != 1 || made.Last != 1 {
			t.Fatalf("%+v, %v", made, err)
		}
	}
	programs, err := Read(mine, "")
	if err != nil || len(programs.Benchmarks) != len(d.Benchmarks) {
		t.Fatalf("%d benchmarks, %v", len(programs.Benchmarks), err)
	}
	for i, b := range d.Benchmarks {
		copied, err := record(context.Background(), dir, b)
		if err != nil {
			t.Fatal(err)
		}
		observed, err := record(context.Background(), mine, programs.Benchmarks[i])
		if err != nil {
			t.Fatal(err)
		}
		if x, y := described(copied), described(observed); !slices.Equal(x, y) {
			t.Errorf("%s: copies record %d blocks, the program %d:\n%v\n%v", b.Kernel, len(x), len(y), x, y)
		}
		if x, y := sequence(copied), sequence(observed); !slices.Equal(x, y) {
			t.Errorf("%s: another sequence of %d blocks and accesses than %d", b.Kernel, len(y), len(x))
		}
		if a, b := executed((&Subject{run: copied}).Paths()), executed((&Subject{run: observed}).Paths()); a != b || a == 0 {
			t.Errorf("%d and %d instructions on paths", a, b)
		}
	}
	simulated(t, programs, mine, programs.Benchmarks[0])
}

// described lists the executed blocks with their counts and accesses.
func described(r *run) (out []clone.Access) {
	type block struct {
		addr, count uint64
		accesses    []clone.Access
	}
	var list []block
	for i, n := range r.counts {
		if b := &r.image.Blocks[i]; n > 0 {
			list = append(list, block{b.Addr(), n, b.Accesses})
		}
	}
	slices.SortFunc(list, func(a, b block) int { return int(a.addr) - int(b.addr) })
	for _, b := range list {
		out = append(append(out, clone.Access{Line: int(b.addr), Bytes: int(b.count)}), b.accesses...)
	}
	return out
}

// sequence are the addresses of the blocks as they were executed, each with how many accesses it made.
func sequence(r *run) (out []uint64) {
	r.trace.Walk(func(block int, addresses []int64) {
		out = append(out, r.image.Blocks[block].Addr(), uint64(len(addresses)))
	})
	return out
}

const strange = `#include <stdio.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/wait.h>
double x[1000];
__attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) x[i] = x[i] * 3 + 1; }
__attribute__((noinline)) void threaded(void) { work(500); }
__attribute__((noinline)) void forked(void) { work(400); }
__attribute__((noinline)) void never(void) { work(300); }
__attribute__((noinline)) void ends(void) { work(300); _exit(3); }
static void *thread(void *p) { threaded(); return p; }
int main(int argc, char **argv) {
	int status;
	pthread_t t;
	if (argc > 9) never();
	for (int i = 1; i <= 10; i++) work(i * 100);
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	if (fork() == 0) { forked(); _exit(0); }
	wait(&status);
	ends();
	return 0;
}`

// TestAdd: what is wrong with a program or a region is said in one line, and a function of a stripped program has an address.
func TestAdd(t *testing.T) {
	native(t)
	exe := filepath.Join(t.TempDir(), "strange")
	cmd := exec.Command("gcc", "-O1", "-x", "c", "-", "-o", exe, "-pthread")
	cmd.Stdin = strings.NewReader(strange)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := t.TempDir()
	add := func(o ProgramOptions) (*Added, error) {
		o.Dir, o.Target = dir, Target{ISA: "x86-64"}
		if o.Path == "" {
			o.Path = exe
		}
		return Add(context.Background(), o)
	}
	for _, c := range []struct {
		o    ProgramOptions
		want string
	}{
		{ProgramOptions{Function: "threaded"}, "by another thread than strange's first"},
		{ProgramOptions{Function: "forked"}, "the processes that it starts are not followed"},
		{ProgramOptions{Function: "never"}, "(exit status 3) and never executes never"},
		{ProgramOptions{Function: "ends"}, "strange ends within ends"},
		{ProgramOptions{Function: "wark"}, `no function "wark" of its own`},
		{ProgramOptions{Function: "wor"}, "it has work"},
		{ProgramOptions{Function: "0x10"}, "is in no function"},
		{ProgramOptions{Function: "work", First: 3, Last: 30}, "executes work 12 times"},
		{ProgramOptions{Lo: 0x10, Hi: 0x20}, "is in no function"},
		{ProgramOptions{Function: "work", Stdin: "/nosuch"}, "/nosuch"},
		{ProgramOptions{Function: "work", Path: "/etc/passwd"}, "/etc/passwd"},
	} {
		if _, err := add(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, not %q", c.o, err, c.want)
		}
	}
	made, err := add(ProgramOptions{Function: "work", First: 2, Last: 3})
	if err != nil || made.First != 2 || made.Last != 3 {
		t.Fatalf("%+v, %v", made, err)
	}
	d, err := Read(dir, "")
	if err != nil || len(d.Benchmarks) != 1 {
		t.Fatalf("%d benchmarks, %v", len(d.Benchmarks), err)
	}
	r, err := record(context.Background(), dir, d.Benchmarks[0])
	if err != nil {
		t.Fatal(err)
	}
	var most uint64
	for _, n := range r.counts {
		most = max(most, n)
	}
	if most != 200+300 {
		t.Errorf("the loop ran %d times in calls 2 and 3", most)
	}
	if _, err := exec.LookPath("strip"); err == nil {
		if err := exec.Command("strip", exe).Run(); err != nil {
			t.Fatal(err)
		}
		if _, err := add(ProgramOptions{Function: "work"}); err == nil || !strings.Contains(err.Error(), "has no symbols") {
			t.Errorf("stripped: %v", err)
		}
		if _, err := record(context.Background(), dir, d.Benchmarks[0]); err == nil || !strings.Contains(err.Error(), "program changed") {
			t.Errorf("a changed program: %v", err)
		}
	}
}

package dbi_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"incore/internal/isa/catalog"
	"incore/internal/program/dbi"
)

// program compiles C source, or skips the test.
func program(t *testing.T, source string, flags ...string) string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("programs are instrumented on x86-64 under Linux only")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
	exe := filepath.Join(t.TempDir(), "a.out")
	cmd := exec.Command("gcc", append([]string{"-O2", "-x", "c", "-", "-o", exe, "-lm", "-lpthread"}, flags...)...)
	cmd.Stdin = strings.NewReader(source)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return exe
}

// run runs a program and returns what it prints, and how often each instruction was executed.
func run(t *testing.T, addresses bool, filter *dbi.Filter, args ...string) (*dbi.Result, string, map[uint64]uint64) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	counts := map[int]uint64{}
	r, err := dbi.Run(context.Background(), catalog.ISA("x86-64"), dbi.Options{Args: args, Stdout: out, Addresses: addresses, Filter: filter, Limit: time.Minute,
		Consume: func(r *dbi.Result, record []byte) {
			r.Walk(record, r.Blocks, func(id int, _ []byte) { counts[id]++ })
		}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	insts := map[uint64]uint64{}
	for id, b := range r.Blocks {
		n := counts[id]
		if id < len(r.Counts) {
			n += r.Counts[id]
		}
		for i := range b.Insts {
			insts[b.Insts[i].Addr] += n
		}
	}
	return r, string(text), insts
}

const loopy = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
static double a[1000], b[1000];
static int cmp(const void *x, const void *y) { double d = *(double *)x - *(double *)y; return d < 0 ? -1 : d > 0; }
__attribute__((noinline)) int pick(int i) { switch (i % 7) { case 0: return 3; case 1: return i; case 2: return 9; case 3: return -i; case 4: return 77; case 5: return 2*i; default: return 1; } }
/* add keeps the carry in a flag through loads, stores and a branch. */
__attribute__((noinline)) int add(unsigned long *to, const unsigned long *from, long n) {
	long i = 0; unsigned char carry;
	asm volatile("clc\n1: mov (%4,%0,8), %%rax\n adc %%rax, (%3,%0,8)\n lea 1(%0), %0\n dec %1\n jnz 1b\n setc %2" : "+r"(i), "+r"(n), "=q"(carry) : "r"(to), "r"(from) : "rax", "memory", "cc");
	return carry;
}
int main(int argc, char **argv) {
	static unsigned long wide[2][300];
	long s = 0;
	for (int i = 0; i < 300; i++) wide[0][i] = ~0ul - (i % 5 == 4), wide[1][i] = i % 3 == 0;
	for (int i = 0; i < 50; i++) s += add(wide[0], wide[1], 300);
	for (int i = 0; i < 300; i++) s = s * 31 + wide[0][i];
	for (int i = 0; i < 1000; i++) a[i] = sin(i), s += pick(i);
	memcpy(b, a, sizeof a);
	qsort(b, 1000, sizeof *b, cmp);
	char *m = malloc(123456);
	memset(m, 7, 123456);
	for (int i = 0; i < 123456; i++) s += m[i];
	printf("%ld %.9f %.9f %s\n", s, b[0], b[999], getenv("HOME") ? "home" : "none");
	return 3;
}`

// TestRun: a program does the same as natively, whatever it is linked as, and every instruction is counted alike with addresses, without, and through a filter.
func TestRun(t *testing.T) {
	for _, flags := range [][]string{{"-O2"}, {"-O0", "-no-pie", "-fno-pic"}, {"-static"}, {"-O3", "-march=native"}} {
		exe := program(t, loopy, flags...)
		want, _ := exec.Command(exe).Output()
		var total [3]uint64
		for i, filter := range []*dbi.Filter{nil, nil, {Line: 64, Sets: 64}} {
			addresses := i != 1
			r, text, insts := run(t, addresses, filter, exe)
			if text != string(want) || r.Exit != 3 {
				t.Errorf("%v: prints %q with status %d, not %q", flags, text, r.Exit, want)
			}
			for _, n := range insts {
				total[i] += n
			}
			t.Log(flags, addresses, filter != nil, r.Switches, r.Elapsed, total[i], r.Uncount)
			if d := float64(total[i]) / float64(total[0]); total[0] < 1e5 || d < 0.99 || d > 1.01 {
				t.Errorf("%v: %d instructions with all addresses, %d without or through a filter", flags, total[0], total[i])
			}
		}
	}
}

// source reads a program of testdata.
func source(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWritten: a program that writes code does the same as natively: in writable memory, by mprotect, through another mapping, through the kernel, by mapping anew, the
// next instruction, trampolines on the stack, and its own text.
func TestWritten(t *testing.T) {
	exe := program(t, source(t, "written.c"), "-O1", "-Wl,-z,execstack")
	want, _ := exec.Command(exe).Output()
	for i, filter := range []*dbi.Filter{nil, nil, {Line: 64, Sets: 64}} {
		r, text, _ := run(t, i != 1, filter, exe)
		if text != string(want) || r.Ended != "" || r.Signal != "" {
			t.Errorf("run %d: it prints %q (%s%s), natively %q", i, text, r.Ended, r.Signal, want)
		}
	}
}

// TestChildren: children run as natively, also where they ask not to be traced, and those that are ended by a signal are named.
func TestChildren(t *testing.T) {
	exe := program(t, source(t, "children.c"))
	want, _ := exec.Command(exe).Output()
	r, text, _ := run(t, true, nil, exe)
	if text != string(want) || r.Exit != 4 {
		t.Errorf("it prints %q with status %d, natively %q", text, r.Exit, want)
	}
	notes := strings.Join(r.Uncount, "; ")
	for _, s := range []string{"starts other processes", "is ended by SIGABRT"} {
		if !strings.Contains(notes, s) {
			t.Errorf("%q lacks %q", notes, s)
		}
	}
}

const faulty = `
#include <signal.h>
#include <unistd.h>
static int faults;
static void caught(int s) { if (++faults == 3) _exit(7); }
int main(void) {
	struct sigaction a = {.sa_handler = caught, .sa_flags = SA_NODEFER};
	sigaction(SIGSEGV, &a, 0);
	asm volatile("sub $256, %%rsp; pushq $0x1234; lea 1f(%%rip), %%rax; pushq %%rax; lretq; 1: nop" ::: "rax", "memory");
	return 9;
}`

// TestFaultAlone: a far return to no segment, which is executed in place, faults each time that the handler of the program returns to it, as natively.
func TestFaultAlone(t *testing.T) {
	exe := program(t, faulty)
	var native *exec.ExitError
	if err := exec.Command(exe).Run(); !errors.As(err, &native) || native.ExitCode() != 7 {
		t.Fatalf("natively: %v", err)
	}
	if r, _, _ := run(t, true, nil, exe); r.Exit != 7 {
		t.Errorf("it ends with %d, natively with 7", r.Exit)
	}
}

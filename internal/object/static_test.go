package object_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// TestStatic: the functions of a statically linked program are told from those of its libraries, with and without
// symbols.
func TestStatic(t *testing.T) {
	const c = "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n" +
		"double a[1000], b[1000];\n" +
		"static __attribute__((noinline)) double own_dot(int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }\n" +
		"static __attribute__((noinline)) int own_order(const void *x, const void *y) { const double *p = x, *q = y; int s = 0; for (int i = 0; i < 3; i++) s += p[i] < q[i]; return s; }\n" +
		"__attribute__((hot, noinline)) double own_hot(int n) { double s = 0; for (int i = 0; i < n; i++) s += exp(a[i]); return s; }\n" +
		"int main(int n, char **v) { qsort(a, 10, 24, own_order); printf(\"%g\\n\", own_dot(n) + own_hot(n)); return 0; }\n"
	const cxx = "#include <iostream>\n#include <vector>\n" +
		"__attribute__((noinline)) double own_sum(const std::vector<double> &v) { double s = 0; for (double x : v) s += x; return s; }\n" +
		"int main(int n, char **) { std::vector<double> v(n, 1.5); std::cout << own_sum(v) << std::endl; }\n"
	dir := t.TempDir()
	built := 0
	open := func(program string) *object.File {
		f, err := object.Open(program, catalog.ISAs()...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, x := range []struct{ compiler, file, text string }{
		{"gcc -O2 -static", "a.c", c}, {"gcc -O2 -g -static-pie", "a.c", c}, {"gcc -O2 -static -flto", "a.c", c}, {"g++ -O2 -static", "a.cc", cxx},
		{"aarch64-linux-gnu-gcc -O2 -static", "a.c", c}, {"riscv64-linux-gnu-gcc -O2 -static", "a.c", c},
		{"riscv64-linux-gnu-g++ -O2 -static", "a.cc", cxx}, {"aarch64-linux-gnu-g++ -O2 -static", "a.cc", cxx},
		{"gcc -O2", "a.c", c}, {"gcc -O2 -s", "a.c", c},
	} {
		if err := os.WriteFile(filepath.Join(dir, x.file), []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(dir, "a.out")
		args := append(strings.Fields(x.compiler), "-o", program, filepath.Join(dir, x.file), "-lm")
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Logf("%s: %v: %.200s", x.compiler, err, out)
			continue
		}
		built++
		f := open(program)
		own, others, wrong := 0, 0, []string{}
		for _, fn := range f.Functions() {
			switch mine := strings.HasPrefix(fn.Name, "own_") || fn.Name == "main"; {
			case mine && fn.OfRuntime():
				t.Errorf("%s: %s is not the program's", x.compiler, fn.Name)
			case mine:
				own++
			case fn.OfRuntime():
				others++
			case len(f.Loops(fn)) > 0:
				wrong = append(wrong, fn.Name)
			}
		}
		static := strings.Contains(x.compiler, "-static")
		switch {
		case !static && others > 0:
			t.Errorf("%s: %d functions are a library's", x.compiler, others)
		case static && (own < 2 || others < 500 || len(wrong) > 5):
			t.Errorf("%s: %d functions are the program's, %d a library's; with loops: %q", x.compiler, own, others, wrong)
		}
		if !static {
			continue
		}
		if out, err := exec.Command(args[0], append(args[1:], "-s")...).CombinedOutput(); err != nil {
			t.Fatalf("%s -s: %v: %.200s", x.compiler, err, out)
		}
		bare, others := open(program), 0
		for _, fn := range bare.Functions() {
			if fn.OfRuntime() {
				others++
			}
		}
		for _, fn := range f.Functions() {
			if mine := strings.HasPrefix(fn.Name, "own_") || fn.Name == "main"; mine && (bare.At(fn.Addr) == nil ||
				bare.At(fn.Addr).OfRuntime()) {
				t.Errorf("%s without symbols: %s is not the program's", x.compiler, fn.Name)
			} else if mine && fn.Name != "main" && bare.At(fn.Addr).Addr != fn.Addr {
				t.Errorf("%s without symbols: %s is part of the function before", x.compiler, fn.Name)
			}
		}
		if others < 500 {
			t.Errorf("%s without symbols: %d functions are a library's", x.compiler, others)
		}
	}
	for _, library := range []string{"libc.so.6", "libstdc++.so.6", "ld-linux-x86-64.so.2", "libm.so.6"} {
		program := filepath.Join("/usr/lib/x86_64-linux-gnu", library)
		if _, err := os.Stat(program); err != nil {
			continue
		}
		for _, fn := range open(program).Functions() {
			if fn.OfRuntime() {
				t.Errorf("%s: %s is a library's in a program", library, fn.Name)
				break
			}
		}
	}
	if built == 0 {
		t.Skip("no compiler that links statically")
	}
}

// TestUndescribed: in a program without symbols and unwind tables functions that nothing calls are found behind the one
// before and its padding, loops lie in the functions that have them, and a program whose entry calls them itself has no
// library.
func TestUndescribed(t *testing.T) {
	const text = "int data[9];\n" +
		"int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n" +
		"int parity(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }\n" +
		"__attribute__((noinline)) void clear(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }\n" +
		"__attribute__((constructor)) void early(void) { data[1] = 2; }\n" +
		"int (*volatile chosen)(int *, int) = parity;\n" +
		"void _start(void) { clear(data, 3); clear(data, 4); clear(data, 5); chosen(data, 9); for (;;) ; }\n"
	built := 0
	for _, compiler := range []string{"gcc", "gcc -fcf-protection=none", "aarch64-linux-gnu-gcc", "riscv64-linux-gnu-gcc"} {
		for _, bytes := range []string{"1", "16", "64", "256"} {
			dir := t.TempDir()
			file, program := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.out")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			args := strings.Fields(compiler + " -O1 -fno-builtin -fno-asynchronous-unwind-tables -nostdlib -static -falign-functions=" + bytes + " -o " + program + " " + file)
			functions := func(args ...string) (at []uint64, loops []int) {
				if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
					t.Logf("%s: %v: %.200s", compiler, err, out)
					return nil, nil
				}
				f, err := object.Open(program, catalog.ISAs()...)
				if err != nil {
					t.Fatal(err)
				}
				for _, fn := range f.Functions() {
					at, loops = append(at, fn.Addr), append(loops, len(f.Loops(fn)))
					if fn.OfRuntime() {
						t.Errorf("%s: %s is a library's", compiler, fn.Name)
					}
				}
				return at, loops
			}
			named, _ := functions(args...)
			if named == nil {
				continue
			}
			built++
			at, loops := functions(append(args, "-s")...)
			if want := []int{1, 1, 1, 0, 1}; !slices.Equal(loops, want) {
				t.Errorf("%s, aligned to %s: functions with %d loops, want %d", compiler, bytes, loops, want)
			}
			if !slices.Equal(at, named) {
				t.Errorf("%s, aligned to %s: functions at %#x, want %#x", compiler, bytes, at, named)
			}
		}
	}
	if built == 0 {
		t.Skip("no compiler")
	}
}

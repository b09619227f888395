package object

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
)

const loopsC = `
#ifdef NOINCLUDE
int printf(const char *, ...);
#else
#include <stdio.h>
#endif
double dot(const double *a, const double *b, long n) {
	double s = 0;
	for (long i = 0; i < n; i++)
		s += a[i] * b[i];
	return s;
}
void matmul(int n, const double *restrict a, const double *restrict b, double *restrict c) {
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double s = c[i * n + j];
			for (int k = 0; k < n; k++)
				s += a[i * n + k] * b[k * n + j];
			c[i * n + j] = s;
		}
}
long classify(const int *p, long n) {
	long odd = 0, big = 0;
	for (long i = 0; i < n; i++) {
		if (p[i] & 1)
			odd += p[i] * 3;
		else if (p[i] > 1000)
			big ^= odd + p[i];
	}
	return odd + big;
}
int dispatch(const unsigned char *code, int x) {
	for (;;)
		switch (*code++) {
		case 0: return x;
		case 1: x += 7; break;
		case 2: x *= x; break;
		case 3: x -= code[3]; break;
		case 4: x ^= 0x55; break;
		case 5: x <<= 2; break;
		case 6: x = ~x; break;
		case 7: x /= 3; break;
		case 8: x += code[1] * 5; break;
		case 9: x |= 0x1000; break;
		case 10: x &= 0xfff0; break;
		case 11: x = x * 33 + 1; break;
		case 12: x = -x; break;
		case 13: x >>= 3; break;
		case 14: x += x << 5; break;
		case 15: x ^= x >> 7; break;
		case 16: x %= 1000; break;
		case 17: x += *code; break;
		case 18: x -= 12345; break;
		case 19: x *= 77; break;
		case 20: x |= x >> 3; break;
		}
}
int interpret(const unsigned char *code, int x) {
	for (;;)
		switch (*code++) {
		case 0: return x;
		case 1: x += 7; break;
		case 2: x *= x; break;
		case 3: x -= code[3]; break;
		case 4: x ^= 0x55; break;
		case 5: x <<= 2; break;
		case 6: x = ~x; break;
		case 7: printf("%d\n", x); break;
		case 8: x /= 3; break;
		}
}
#ifdef MAIN
int main(int argc, char **argv) {
	double a[4] = {1, 2, 3, 4};
	int p[3] = {1, 2, argc};
	matmul(2, a, a, a);
	return (int)dot(a, a, argc) + (int)classify(p, 3) + interpret((unsigned char *)argv[0], argc);
}
#endif
`

// compile builds the C source and returns the file; it skips the test without the compiler.
func compile(t *testing.T, cc string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(cc)
	if err != nil {
		t.Skipf("%s is not installed", cc)
	}
	dir := t.TempDir()
	src, out := filepath.Join(dir, "loops.c"), filepath.Join(dir, "loops.out")
	if err := os.WriteFile(src, []byte(loopsC), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, err := exec.Command(path, append(args, "-o", out, src)...).CombinedOutput(); err != nil {
		t.Skipf("%s %v: %s", cc, args, b)
	}
	return out
}

func open(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(path, x86.ISA(), aarch64.ISA(), riscv.ISA())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// describeLoops lists depth and innermost of a function's loops, like "1 2 3i".
func describeLoops(loops []*Loop) string {
	var s []string
	for _, l := range loops {
		d := fmt.Sprint(l.Depth)
		if l.Innermost {
			d += "i"
		}
		s = append(s, d)
	}
	sort.Strings(s) // a header may lie behind its loop's body
	return strings.Join(s, " ")
}

func TestCompiled(t *testing.T) {
	builds := []struct {
		name, cc string
		args     []string
		stripped bool
	}{
		{"gcc object", "gcc", []string{"-O1", "-c", "-g"}, false},
		{"gcc PIE", "gcc", []string{"-O1", "-g", "-DMAIN"}, false},
		{"gcc static", "gcc", []string{"-O1", "-static", "-DMAIN", "-no-pie"}, false},
		{"gcc stripped", "gcc", []string{"-O1", "-DMAIN", "-s"}, true},
		{"gcc shared", "gcc", []string{"-O1", "-shared", "-fPIC"}, false},
		{"clang PIE", "clang-19", []string{"-O1", "-g", "-DMAIN"}, false},
		{"clang object", "clang-19", []string{"-O1", "-c"}, false},
		{"gcc A64 object", "aarch64-linux-gnu-gcc", []string{"-O1", "-c"}, false},
		{"gcc A64", "aarch64-linux-gnu-gcc", []string{"-O1", "-DMAIN"}, false},
		{"gcc A64 stripped", "aarch64-linux-gnu-gcc", []string{"-O1", "-DMAIN", "-s"}, true},
		{"clang A64 object", "clang-19", []string{"-O1", "-c", "--target=aarch64-linux-gnu"}, false},
		{"gcc RISC-V object", "riscv64-linux-gnu-gcc", []string{"-O1", "-c"}, false},
		{"gcc RISC-V", "riscv64-linux-gnu-gcc", []string{"-O1", "-DMAIN"}, false},
		{"clang RISC-V object", "clang-19", []string{"-O1", "-c", "--target=riscv64-linux-gnu", "-march=rv64gc"}, false},
	}
	for _, b := range builds {
		t.Run(b.name, func(t *testing.T) {
			f := open(t, compile(t, b.cc, b.args...))
			if b.stripped {
				n := 0
				for _, fn := range f.Functions() {
					n += len(f.Loops(fn))
				}
				if n < 6 {
					t.Errorf("%d loops found in %d functions", n, len(f.Functions()))
				}
				return
			}
			for name, want := range map[string]string{"dot": "1i", "matmul": "1 2 3i", "classify": "1i"} {
				fn := f.Function(name)
				if fn == nil {
					t.Fatalf("no function %s", name)
				}
				if got := describeLoops(f.Loops(fn)); got != want {
					t.Errorf("%s: loops %q, want %q", name, got, want)
				}
			}
			if strings.Contains(b.name, "A64") || strings.Contains(b.name, "RISC-V") {
				checkSwitch(t, f, "dispatch", 20) // the other is a tree of branches there
				return
			}
			checkInterpreter(t, f)
		})
	}
}

// checkInterpreter: the switch is a jump table, whose cases all lie in the loop.
func checkInterpreter(t *testing.T, f *File) {
	t.Helper()
	checkSwitch(t, f, "dispatch", 20)
	l := checkSwitch(t, f, "interpret", 8)
	called := ""
	for _, b := range l.Blocks {
		for _, l := range l.Graph.Insts(b) {
			if flow := f.ISA.Flow(&l.Inst); flow.Kind == isa.FlowCall {
				called += f.Name(uint64(flow.Target.Imm))
			}
		}
	}
	if !strings.Contains(called, "printf") {
		t.Errorf("interpret calls %q, want printf", called)
	}
}

// checkSwitch: all cases of a switch with a jump table lie in the loop.
func checkSwitch(t *testing.T, f *File, name string, cases int) *Loop {
	t.Helper()
	fn := f.Function(name)
	g := fn.Graph()
	if g.Tables != 1 || g.Unknown != 0 || g.Bad != 0 {
		t.Errorf("%s: %d jump tables, %d unknown indirect jumps, %d bad bytes", name, g.Tables, g.Unknown, g.Bad)
	}
	loops := f.Loops(fn)
	if len(loops) != 1 || len(loops[0].Blocks) < cases {
		t.Fatalf("%s: loops %s", name, describeLoops(loops))
	}
	if paths := loops[0].Paths(); len(paths) < cases {
		t.Errorf("%d paths through the loop of %s", len(paths), name)
	}
	return loops[0]
}

// TestOtherFormats reads objects for other systems; their relocations are not applied.
func TestOtherFormats(t *testing.T) {
	for target, align := range map[string]int{"x86_64-apple-macos": 16, "arm64-apple-macos": 4, "x86_64-pc-windows-gnu": 16, "aarch64-pc-windows-msvc": 4} {
		t.Run(target, func(t *testing.T) {
			f := open(t, compile(t, "clang-19", "-O1", "-c", "-DNOINCLUDE", "--target="+target))
			for name, want := range map[string]string{"dot": "1i", "matmul": "1 2 3i", "classify": "1i"} {
				fn := f.Function(name)
				if fn == nil {
					t.Fatalf("no function %s", name)
				}
				if got := describeLoops(f.Loops(fn)); got != want {
					t.Errorf("%s: loops %q, want %q", name, got, want)
				}
				if k, _ := f.Loops(fn)[0].Body(nil); k.Movable != align {
					t.Errorf("%s: sections are aligned to %d, want %d", name, k.Movable, align)
				}
			}
		})
	}
}

func TestKernel(t *testing.T) {
	f := open(t, compile(t, "gcc", "-O1", "-g", "-DMAIN"))
	loops := f.Loops(f.Function("matmul"))
	k, err := loops[2].Kernel(KernelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !k.Loop || len(k.Lines) < 5 || len(k.Entry) == 0 {
		t.Fatalf("kernel of %d instructions, %d before", len(k.Lines), len(k.Entry))
	}
	text := ""
	for _, l := range k.Lines {
		if l.Err != nil || !strings.HasSuffix(l.File, "loops.c") || l.No < 13 || l.No > 21 {
			t.Errorf("%#x %s: %s:%d, %v", l.Addr, l.Text, l.File, l.No, l.Err)
		}
		text += l.Text + "\n"
	}
	if !strings.Contains(text, "mulsd") || !strings.Contains(text, "addsd") {
		t.Errorf("kernel:\n%s", text)
	}
	if fn := f.Function("matmul"); f.Function(fmt.Sprintf("%#x", fn.Addr+3)) != fn || f.Function("0xfffffffffffffff0") != nil {
		t.Error("functions are not found by their addresses")
	}
	if _, err := loops[2].Kernel(KernelOptions{Path: 99}); err == nil {
		t.Error("path 99 exists")
	}
	branchy := f.Loops(f.Function("classify"))[0]
	if p := branchy.Paths(); len(p) != 3 {
		t.Errorf("classify: %d paths, want 3", len(p))
	}
	// Users count paths from 1, as the option that chooses one does.
	if k, err := branchy.Kernel(KernelOptions{Path: 1}); err != nil || !strings.Contains(k.Why, "path 2 of 3 through it") {
		t.Errorf("the second of classify's paths: %q, %v", k.Why, err)
	}
	if _, err := branchy.Kernel(KernelOptions{Path: 3}); err == nil || !strings.Contains(err.Error(), "has paths 1 to 3, not 4") {
		t.Errorf("the fourth of three paths: %v", err)
	}
}

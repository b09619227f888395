package dyndeps

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// target is a way to build and run programs.
type target struct{ isa, cc, emulator string }

var targets = []target{
	{"x86-64", "x86_64-linux-gnu-gcc", "qemu-x86_64"},
	{"aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64"},
	{"riscv64", "riscv64-linux-gnu-gcc", "qemu-riscv64"},
}

var x86 = targets[0]

// need skips a test that lacks a tool.
func need(t testing.TB, tools ...string) {
	t.Helper()
	for _, x := range append(tools, "cc") {
		if _, err := exec.LookPath(x); err != nil {
			t.Skipf("%s is not installed", x)
		}
	}
}

// build compiles source text, of a language given by its file name's end.
func build(t testing.TB, cc, suffix, text string, flags ...string) *Program {
	t.Helper()
	dir := t.TempDir()
	src, out := filepath.Join(dir, "p"+suffix), filepath.Join(dir, "p")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return compile(t, out, cc, append(flags, src)...)
}

func compile(t testing.TB, out, cc string, args ...string) *Program {
	t.Helper()
	if text, err := exec.Command(cc, append(args, "-o", out)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cc, err, text)
	}
	f, err := object.Open(out, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func observe(t testing.TB, p *Program, o Options) *Trace {
	t.Helper()
	var out bytes.Buffer
	o.Stdout, o.Stderr = &out, &out
	tr, err := p.Observe(context.Background(), o)
	if err != nil {
		if strings.Contains(err.Error(), "plugin") {
			t.Skip(err)
		}
		t.Fatalf("%v\n%s", err, out.String())
	}
	return tr
}

// labels returns the addresses of a program's symbols.
func labels(t testing.TB, p *Program) map[string]uint64 {
	t.Helper()
	e, err := elf.Open(p.File.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	syms, err := e.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]uint64{}
	for _, s := range syms {
		out[s.Name] = s.Value
	}
	return out
}

// describe writes the pairs between labels as "store>load count least-most distance@loop=count …".
func describe(t testing.TB, tr *Trace) string {
	t.Helper()
	names := map[uint64]string{}
	for n, a := range labels(t, tr.Program) {
		if old := names[a]; old == "" || n < old {
			names[a] = n
		}
	}
	var out []string
	for _, p := range tr.Pairs {
		s := fmt.Sprintf("%s>%s %d %d-%d", names[p.From], names[p.To], p.Count, p.Least, p.Most)
		for _, d := range p.Distances {
			loop := "-"
			if d.Loop >= 0 {
				loop = names[tr.Program.Loops[d.Loop].Addr()]
			}
			s += fmt.Sprintf(" %d@%s=%d", d.Iterations, loop, d.Count)
		}
		out = append(out, s)
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}

// recurrence is a[i] = a[i-3] + 1 for 1000 elements, ten times, in each instruction set: an outer loop around an inner one.
var recurrence = map[string]string{
	"x86-64": `
	.globl _start
	.type _start, @function
_start:	mov $10, %edx
outer:	lea a+24(%rip), %rsi
	mov $997, %ecx
load:	mov -24(%rsi), %rax
	inc %rax
store:	mov %rax, (%rsi)
	add $8, %rsi
	dec %ecx
	jnz load
	dec %edx
	jnz outer
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, .-_start
	.bss
	.p2align 3
a:	.skip 8000`,
	"aarch64": `
	.globl _start
	.type _start, @function
_start:	mov w2, #10
outer:	adrp x1, a
	add x1, x1, :lo12:a
	add x1, x1, #24
	mov w3, #997
load:	ldr x0, [x1, #-24]
	add x0, x0, #1
store:	str x0, [x1], #8
	subs w3, w3, #1
	b.ne load
	subs w2, w2, #1
	b.ne outer
	mov x8, #93
	mov x0, #0
	svc #0
	.size _start, .-_start
	.bss
	.p2align 3
a:	.skip 8000`,
	"riscv64": `
	.globl _start
	.type _start, @function
_start:	li a2, 10
outer:	lla a1, a
	addi a1, a1, 24
	li a3, 997
load:	ld a0, -24(a1)
	addi a0, a0, 1
store:	sd a0, 0(a1)
	addi a1, a1, 8
	addi a3, a3, -1
	bnez a3, load
	addi a2, a2, -1
	bnez a2, outer
	li a7, 93
	li a0, 0
	ecall
	.size _start, .-_start
	.bss
	.p2align 3
a:	.skip 8000`,
}

// TestRecurrence checks counts, distances and lifetimes of a loop whose every execution is known.
func TestRecurrence(t *testing.T) {
	for _, c := range []struct {
		target
		insts uint64
		want  string
	}{
		{x86, 1 + 10*(2+997*6+2) + 3, "store>load 9940 15-15 3@load=9940"},
		{targets[1], 1 + 10*(4+997*5+2) + 3, "store>load 9940 12-12 3@load=9940"},
		// lla is auipc and addi
		{targets[2], 1 + 10*(4+997*6+2) + 3, "store>load 9940 15-15 3@load=9940"},
	} {
		t.Run(c.isa, func(t *testing.T) {
			need(t, c.cc, c.emulator)
			p := build(t, c.cc, ".S", recurrence[c.isa], "-nostdlib", "-static")
			tr := observe(t, p, Options{})
			if tr.Instructions != c.insts || tr.Loads != 9970 || tr.Stores != 9970 {
				t.Errorf("%d instructions, %d loads, %d stores, want %d, 9970, 9970", tr.Instructions, tr.Loads, tr.Stores, c.insts)
			}
			if got := describe(t, tr); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestCarrier checks which loop is said to carry a dependence, and that other calls are told apart.
func TestCarrier(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".S", `
	.globl _start
	.type _start, @function
_start:	mov $5, %r8d
	lea a(%rip), %rsi
again:	call f
	dec %r8d
	jnz again
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, .-_start
	.type f, @function
f:	mov $7, %edx
rows:	xor %ecx, %ecx
above:	mov (%rsi,%rcx,8), %rax
put:	mov %rax, (%rsi,%rcx,8)
	inc %ecx
	cmp $4, %ecx
	jne above
once:	mov 8(%rsi), %rax
	dec %edx
	jnz rows
return:	ret
	.size f, .-f
	.bss
	.p2align 3
a:	.skip 8000`, "-nostdlib", "-static")
	tr := observe(t, p, Options{Pick: []Range{{labels(t, p)["rows"], labels(t, p)["a"]}}})
	// 4 cells x 7 rows x 5 calls; a cell was written a row, of 4 x 5 + 4 instructions, before; a call takes 5 more
	want := "again>return 5 169-169 -1@-=5\n" +
		"put>above 136 22-27 1@rows=120 -1@-=16\n" +
		"put>once 35 13-13 0@rows=35"
	if got := describe(t, tr); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTraps runs what QEMU reports oddly: an instruction that crosses a page, and one that repeats.
func TestTraps(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".S", `
	.globl _start
	.text
	.p2align 12
_start:	mov $1000, %ecx
	lea b(%rip), %rsi
	jmp 1f
	.skip 4096-2-(.-_start), 0x90
1:
load:	movq 0x0(%rsi), %rax
store:	movq %rax, (%rsi)
	dec %ecx
	jnz 1b
	mov $8, %ecx
	lea b+16(%rip), %rsi
	lea b+17(%rip), %rdi
rep:	rep movsb
	mov $60, %eax
	xor %edi, %edi
	syscall
	.bss
b:	.skip 64`, "-nostdlib", "-static")
	if a := labels(t, p)["load"]; a%4096 != 4094 {
		t.Fatalf("the load is at %#x and does not cross a page", a)
	}
	tr := observe(t, p, Options{})
	const repeats = 8 + 1 // QEMU goes round once more to find that it is done
	if want := uint64(3 + 4*1000 + 3 + repeats + 3); tr.Instructions != want {
		t.Errorf("%d instructions, want %d", tr.Instructions, want)
	}
	if got := describe(t, tr); !strings.Contains(got, "store>load 999 2-2") || !strings.Contains(got, "rep>rep 7 0-0") {
		t.Errorf("got\n%s", got)
	}
}

// TestWindows checks that a lifetime of 512 counts as above 512, and 511 as below.
func TestWindows(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	for between, want := range map[int][]uint64{511: {1, 1}, 512: {0, 1}, 1023: {0, 1}, 1024: {0, 0}} {
		p := build(t, x86.cc, ".S", fmt.Sprintf("\t.globl _start\n_start:\nstore:\tmov %%eax, b(%%rip)\n\t.rept %d\n\tnop\n\t.endr\nload:\tmov b(%%rip), %%eax\n"+
			"\tmov $60, %%eax\n\txor %%edi, %%edi\n\tsyscall\n\t.bss\nb:\t.skip 8", between), "-nostdlib", "-static")
		tr := observe(t, p, Options{})
		if len(tr.Pairs) != 1 || tr.Pairs[0].Most != uint64(between) || !slices.Equal(tr.Pairs[0].Within, want) {
			t.Errorf("%d instructions between: got %+v, want within %v", between, tr.Pairs, want)
		}
		if tr = observe(t, p, Options{Lifetime: 512}); len(tr.Pairs) != int(want[0]) {
			t.Errorf("%d instructions between, limit 512: got %+v", between, tr.Pairs)
		}
	}
}

// TestRandom holds the shadow memory against a map of bytes: random loads and stores of all sizes.
func TestRandom(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	const ops, size = 600, 96
	regs := map[int]string{1: "%al", 2: "%ax", 4: "%eax", 8: "%rax", 16: "%xmm0"}
	sizes := []int{1, 2, 4, 8, 16}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		var text strings.Builder
		fmt.Fprintf(&text, "\t.globl _start\n_start:\tlea b(%%rip), %%rsi\n")
		want := map[string]bool{}
		var writer [size + 16]string
		for i := range ops {
			n, at := sizes[r.IntN(len(sizes))], r.IntN(size)
			mov, name := "mov", fmt.Sprintf("op%d", i)
			if n == 16 {
				mov = "movdqu"
			}
			if r.IntN(2) == 0 {
				fmt.Fprintf(&text, "%s:\t%s %s, %d(%%rsi)\n", name, mov, regs[n], at)
				for k := range n {
					writer[at+k] = name
				}
				continue
			}
			fmt.Fprintf(&text, "%s:\t%s %d(%%rsi), %s\n", name, mov, at, regs[n])
			for k := range n {
				if w := writer[at+k]; w != "" {
					want[w+">"+name] = true
				}
			}
		}
		// the buffer crosses a page
		fmt.Fprintf(&text, "\tmov $60, %%eax\n\txor %%edi, %%edi\n\tsyscall\n\t.bss\n\t.p2align 12\n\t.skip 4096-50\nb:\t.skip 128\n")
		tr := observe(t, build(t, x86.cc, ".S", text.String(), "-nostdlib", "-static"), Options{})
		names := map[uint64]string{}
		for n, a := range labels(t, tr.Program) {
			if strings.HasPrefix(n, "op") {
				names[a] = n
			}
		}
		got := map[string]bool{}
		for _, p := range tr.Pairs {
			x := names[p.From] + ">" + names[p.To]
			if got[x] = true; !want[x] || p.Count != 1 {
				t.Errorf("seed %d: %s, %d times", seed, x, p.Count)
			}
		}
		if len(got) != len(want) {
			t.Errorf("seed %d: %d dependences, want %d", seed, len(got), len(want))
		}
	}
}

// TestSystem checks that what the system writes or maps anew is no dependence on what the program wrote there before.
func TestSystem(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".c", `
#include <sys/mman.h>
#include <unistd.h>
char buf[64];
volatile char sink;
__attribute__((noinline)) void fill(volatile char *p) { for (int i = 0; i < 64; i++) p[i] = i; }
__attribute__((noinline)) void use(volatile char *p) { for (int i = 0; i < 64; i++) sink = p[i]; }
int main(void)
{
	int fd[2];
	char *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pipe(fd) || write(fd[1], buf, 32) != 32) return 1;
	fill(buf), fill(m);
	if (read(fd[0], buf, 32) != 32) return 1;
	mmap(m, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	use(buf), use(m);
	return 0;
}`, "-O1", "-static")
	use := p.File.Function("use")
	tr := observe(t, p, Options{Pick: []Range{{use.Addr, use.End()}}})
	var n uint64
	for _, x := range tr.Pairs {
		if fn := p.File.At(x.From); fn != nil && fn.Name == "fill" {
			n += x.Count
		}
	}
	if n != 32 {
		t.Errorf("%d of the bytes that fill wrote are read, want 32: the other 32 were overwritten, and 64 mapped anew", n)
	}
}

// TestWrittenElsewhere: a program that writes code through another mapping of the same memory ends where it executes
// that code, with a line that says so, and one that does not write it again runs to its end.
func TestWrittenElsewhere(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	const text = `
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	unsigned char one[] = {0xb8, 1, 0, 0, 0, 0xc3}; /* mov $1, %eax; ret */
	int fd = memfd_create("code", 0), sum = 0;
	if (fd < 0 || ftruncate(fd, 4096)) return 9;
	unsigned char *w = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int (*f)(void) = (int (*)(void))mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	memcpy(w, one, sizeof one);
	for (int i = 0; i < 10; i++) sum += f();
	w[1] = AGAIN;
	return f() == AGAIN && sum == 10 ? 0 : 1;
}`
	for _, c := range []struct {
		again string
		ends  bool
	}{{"1", false}, {"7", true}} {
		p := build(t, x86.cc, ".c", strings.ReplaceAll(text, "AGAIN", c.again), "-O1", "-static")
		tr := observe(t, p, Options{})
		if notes := strings.Join(tr.notes(), "\n"); (tr.Rewritten != 0) != c.ends || c.ends != strings.Contains(notes, "another mapping") || (tr.Exit != "") != c.ends {
			t.Errorf("%s for 1: ended at %#x (%s); notes %s", c.again, tr.Rewritten, tr.Exit, notes)
		}
	}
}

// TestMemory checks that a small shadow memory forgets, says so, and loses nothing within a lifetime.
func TestMemory(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".c", `
static volatile int a[1 << 20];
int main(void) { for (int k = 0; k < 2; k++) for (int i = 1; i < 1 << 20; i++) a[i] = a[i - 1] + 1; return 0; }`, "-O1", "-static")
	near := func(tr *Trace) (n uint64) {
		for _, x := range tr.Pairs {
			for _, d := range x.Distances {
				if d.Iterations == 1 && d.Count > 1000 {
					n += d.Count
				}
			}
		}
		return n
	}
	main := p.File.Function("main")
	pick := []Range{{main.Addr, main.End()}}
	want := near(observe(t, p, Options{Pick: pick}))
	if want < 2<<20-16 {
		t.Fatalf("%d dependences, want about 2^21", want)
	}
	tr := observe(t, p, Options{Pick: pick, Memory: 1 << 20})
	if tr.Evicted == 0 || !strings.Contains(strings.Join(tr.notes(), "\n"), "shadow memory") {
		t.Errorf("nothing was dropped: %v", tr.notes())
	}
	if tr = observe(t, p, Options{Pick: pick, Memory: 1 << 20, Lifetime: 512}); tr.Evicted != 0 || near(tr) != want {
		t.Errorf("with a lifetime: %d pages dropped, %d dependences, want %d", tr.Evicted, near(tr), want)
	}
}

// TestUnusual checks programs that end otherwise than by returning.
func TestUnusual(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".S", "\t.globl _start\n\t.type _start, @function\n_start:\tmov %rax, -8(%rsp)\n\tmov -8(%rsp), %rax\nbad:\tvpaddd %zmm0, %zmm1, %zmm2\n\tnop\n\t.size _start, .-_start", "-nostdlib", "-static")
	tr := observe(t, p, Options{})
	if notes := strings.Join(tr.notes(), "\n"); tr.Illegal != labels(t, p)["bad"] || len(tr.Pairs) != 1 || !strings.Contains(notes, "vpaddd") {
		t.Errorf("illegal instruction: at %#x, %d pairs, %s", tr.Illegal, len(tr.Pairs), notes)
	}
	p = build(t, x86.cc, ".c", `
#include <unistd.h>
#include <sys/wait.h>
volatile int x, y;
int main(void) { x = 1; if (!fork()) { for (int i = 0; i < 1000; i++) x = x + 1; _exit(0); } wait(0); y = x; execl("/bin/true", "true", (char *)0); return 1; }`, "-O1", "-static")
	tr = observe(t, p, Options{})
	main := p.File.Function("main")
	for _, x := range tr.Pairs {
		if x.To >= main.Addr && x.To < main.End() && x.Count > 1 {
			t.Errorf("the child's accesses are counted: %+v", x)
		}
	}
	if tr.Forks != 1 || !tr.Replaced {
		t.Errorf("%d forks, replaced %v, want 1, true", tr.Forks, tr.Replaced)
	}
}

// TestInterrupt ends a program that doesn't end, and has what was seen.
func TestInterrupt(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".c", "volatile long x; int main(void) { for (;;) x++; }", "-O1", "-static")
	observe(t, build(t, x86.cc, ".c", "int main(void) { return 0; }", "-static"), Options{}) // the plugin is built
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var last Progress
	tr, err := p.Observe(ctx, Options{Progress: func(g Progress) {
		if last = g; g.Instructions > 1e6 || g.Elapsed > time.Minute {
			stop()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !tr.Interrupted || len(tr.Pairs) == 0 || tr.Pairs[0].Count < 100 || last.Dependences == 0 {
		t.Errorf("interrupted %v after %+v: %d pairs", tr.Interrupted, last, len(tr.Pairs))
	}
	tr = observe(t, p, Options{Limit: 2 * time.Second})
	if !tr.Interrupted || tr.Limit != 2*time.Second || tr.Crashed || len(tr.Pairs) == 0 || !strings.Contains(strings.Join(tr.notes(), "\n"), "ended after 2s") {
		t.Errorf("interrupted %v, limit %v, crashed %v, %d pairs, notes %q", tr.Interrupted, tr.Limit, tr.Crashed, len(tr.Pairs), tr.notes())
	}
}

// file asks a compiler where one of its files is.
func file(cc, name string) string {
	out, _ := exec.Command(cc, "-print-file-name="+name).Output()
	return strings.TrimSpace(string(out))
}

// TestKinds runs a program linked in the usual ways; the report must look the same.
func TestKinds(t *testing.T) {
	text, err := os.ReadFile("testdata/kernels/fib.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range targets {
		for _, flags := range [][]string{{"-static"}, {"-static-pie"}, {"-no-pie"}, {"-pie"}} {
			t.Run(c.isa+flags[0], func(t *testing.T) {
				need(t, c.cc, c.emulator)
				if flags[0] == "-static-pie" && !filepath.IsAbs(file(c.cc, "rcrt1.o")) {
					t.Skip("the C library has no start code for static PIEs")
				}
				p := build(t, c.cc, ".c", string(text)+"int main(void) { init(); for (int i = 0; i < 20; i++) kernel(); }", append(flags, "-O1", "-g", "-fno-inline")...)
				fn := p.File.Function("kernel")
				tr := observe(t, p, Options{Pick: []Range{{fn.Addr, fn.End()}}})
				if tr.Exit != "" {
					t.Fatal(tr.Exit)
				}
				r := tr.Describe("kernel")
				if len(r.Dependences) == 0 || r.Dependences[0].Count != 20*997 {
					t.Fatalf("got %+v, want %d first", r.Dependences, 20*997)
				}
				d := &r.Dependences[0]
				if *d.Distance != 1 || d.From.Symbol != "kernel" || d.To.Line == 0 || d.From.Text == "" || d.Distances[0].Loop == "" {
					t.Errorf("got %+v", d)
				}
			})
		}
	}
}

// TestLibraries checks that code of shared libraries has its names.
func TestLibraries(t *testing.T) {
	need(t, x86.cc, x86.emulator)
	p := build(t, x86.cc, ".c", `#include <stdlib.h>
static int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) { int a[100]; for (int i = 0; i < 100; i++) a[i] = i * 37 % 100; qsort(a, 100, 4, cmp); return a[0]; }`, "-O1")
	seen := false
	for _, d := range observe(t, p, Options{}).Describe("").Dependences {
		seen = seen || strings.HasPrefix(d.From.Object, "libc.so") && d.To.Symbol == "cmp"
	}
	if !seen {
		t.Error("no load of cmp reads what libc wrote")
	}
}

// BenchmarkObserve compares the plugin's time with that of QEMU alone, on one kernel.
func BenchmarkObserve(b *testing.B) {
	need(b, x86.cc, x86.emulator)
	p := compile(b, filepath.Join(b.TempDir(), "p"), x86.cc, "-O2", "-static", "-DREPS=300", "testdata/kernels/seidel2d.c", "testdata/kernels/main.c")
	observe(b, p, Options{}) // the plugin is built
	best := func(run func()) time.Duration {
		least := time.Hour
		for range 3 {
			start := time.Now()
			run()
			least = min(least, time.Since(start))
		}
		return least
	}
	for b.Loop() {
		alone := best(func() {
			if err := exec.Command(x86.emulator, p.File.Path).Run(); err != nil {
				b.Fatal(err)
			}
		})
		var tr *Trace
		with := best(func() { tr = observe(b, p, Options{}) })
		b.ReportMetric(float64(with)/float64(alone), "times-qemu")
		b.ReportMetric(float64(tr.Instructions)/with.Seconds()/1e6, "Minst/s")
	}
}

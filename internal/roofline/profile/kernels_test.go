package profile_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/bench/feature"
	"incore/internal/program/qemu"
	"incore/internal/roofline"
	"incore/internal/roofline/profile"
)

// kernel is a function whose work was counted by hand.
type kernel struct {
	name, need string // a CPU's feature, "" for all
	body       string // of the loop that runs n times, or of the function where n is 0
	setup      string
	n          int
	flops, fp  float64 // of all; per iteration for those with a loop
	load       float64 // bytes, without the return
	store      float64
	emulated   bool // QEMU knows its instructions
}

// kernels have data at %rdi (8 KiB, doubles of 1.5), %rsi points to the indices 0, 2, 4 … (32 bits) and %rdx to masks.
var kernels = []kernel{
	{"add_sd", "", "addsd (%rdi), %xmm0", "", 100, 1, 1, 8, 0, true},
	{"mul_ss_reg", "", "mulss %xmm1, %xmm0", "", 100, 1, 1, 0, 0, true},
	{"sse2_triad", "", "movapd (%rdi), %xmm0; mulpd %xmm1, %xmm0; addpd 16(%rdi), %xmm0; movapd %xmm0, 32(%rdi)", "", 50, 4, 2, 32, 16, true},
	{"add_ps", "", "addps %xmm1, %xmm0", "", 10, 4, 1, 0, 0, true},
	{"div_sqrt", "", "divpd %xmm1, %xmm0; sqrtsd %xmm1, %xmm2", "", 20, 3, 2, 0, 0, true},
	{"minmax", "", "minps %xmm1, %xmm0; maxsd %xmm1, %xmm2", "", 20, 5, 2, 0, 0, true},
	{"compare", "", "cmpltpd %xmm1, %xmm0; ucomisd %xmm1, %xmm0; cvtsi2sd %rcx, %xmm3; andpd %xmm1, %xmm2", "", 30, 0, 0, 0, 0, true},
	{"rcp", "", "rcpps %xmm1, %xmm0; rsqrtss %xmm1, %xmm0", "", 10, 5, 2, 0, 0, true},
	{"hadd", "", "haddpd %xmm1, %xmm0", "", 10, 2, 1, 0, 0, true},
	{"dpps", "", "dpps $0xff, %xmm1, %xmm0", "", 10, 7, 1, 0, 0, true},
	{"addsub", "", "addsubps %xmm1, %xmm0", "", 10, 4, 1, 0, 0, true},
	{"x87", "", "fldl (%rdi); fmul %st(0); faddl 8(%rdi); fstpl 16(%rdi)", "", 10, 2, 2, 16, 8, true},
	{"integers", "", "addq (%rdi), %rax; movl %eax, 8(%rdi); addl $1, 16(%rdi); pushq %rax; popq %rax", "", 10, 0, 0, 8 + 4 + 8, 4 + 4 + 8, true},
	{"unaligned", "", "movupd 60(%rdi), %xmm0; movupd %xmm0, 124(%rdi)", "", 10, 0, 0, 16, 16, true},
	{"avx_add", "avx2", "vaddpd (%rdi), %ymm1, %ymm0", "", 40, 4, 1, 32, 0, true},
	{"fma_256", "fma", "vfmadd231pd (%rdi), %ymm1, %ymm0; vmovupd %ymm0, 64(%rdi)", "", 40, 8, 1, 32, 32, true},
	{"fma_scalar", "fma", "vfnmsub213ss (%rdi), %xmm1, %xmm0", "", 40, 2, 1, 4, 0, true},
	{"broadcast", "avx2", "vbroadcastsd (%rdi), %ymm1; vmulps %ymm1, %ymm1, %ymm2", "", 10, 8, 1, 8, 0, true},
	{"maskmove", "avx2", "vmaskmovpd (%rdi), %ymm3, %ymm0; vmaskmovpd %ymm0, %ymm3, 64(%rdi)", "vmovdqu (%rdx), %ymm3", 10, 0, 0, 16, 16, false},
	{"gather_avx2", "avx2", "vmovdqa %ymm4, %ymm3; vgatherdpd %ymm3, (%rdi,%xmm5,8), %ymm0", "vmovdqu (%rdx), %ymm4; vmovdqu (%rsi), %xmm5", 10, 0, 0, 16, 0, false},
	{"fma_512", "avx512f", "vfmadd213ps (%rdi), %zmm1, %zmm0", "", 30, 32, 1, 64, 0, false},
	{"masked_512", "avx512f", "vaddpd (%rdi), %zmm1, %zmm0{%k1}", "movl $0x2d, %eax; kmovw %eax, %k1", 30, 4, 1, 32, 0, false},
	{"masked_zero", "avx512f", "vmulps %zmm1, %zmm1, %zmm0{%k1}{z}; vmovups %zmm0, 64(%rdi){%k1}", "movl $0xf00f, %eax; kmovw %eax, %k1", 30, 8, 1, 0, 32, false},
	{"masked_scalar", "avx512f", "vaddsd %xmm1, %xmm1, %xmm0{%k1}; vaddsd %xmm1, %xmm1, %xmm0{%k2}", "movl $1, %eax; kmovw %eax, %k1; kxorw %k2, %k2, %k2", 30, 1, 2, 0, 0, false},
	{"embedded", "avx512f", "vaddpd (%rdi){1to8}, %zmm1, %zmm0; vmulsd {rn-sae}, %xmm1, %xmm1, %xmm2", "", 30, 9, 2, 8, 0, false},
	{"gather_512", "avx512f", "kmovw %k1, %k2; vgatherdpd (%rdi,%ymm5,8), %zmm0{%k2}; kmovw %k1, %k2; vscatterdpd %zmm0, (%rdi,%ymm5,8){%k2}", "movl $0x0f, %eax; kmovw %eax, %k1; vmovdqu (%rsi), %ymm5", 10, 0, 0, 32, 32, false},
	{"gather_high", "avx512f", "kmovw %k1, %k2; vgatherdps (%rdi,%zmm21,4), %zmm20{%k2}", "movl $0x8001, %eax; kmovw %eax, %k1; vmovdqu32 (%rsi), %zmm21", 10, 0, 0, 8, 0, false},
	{"rep_movs", "", "movq %rdi, %r8; leaq 4096(%rdi), %rdi; movq %r8, %rsi; movl $1000, %ecx; rep movsb", "", 0, 0, 0, 1000, 1000, false},
	{"rep_stos", "", "movl $77, %ecx; xorl %eax, %eax; rep stosq", "", 0, 0, 0, 0, 77 * 8, false},
}

// source writes the kernels as a program that calls the one that its argument names by number.
func source(list []kernel) string {
	var asm, calls strings.Builder
	for i, k := range list {
		line := func(s string) {
			for _, part := range strings.Split(s, ";") {
				if part = strings.TrimSpace(part); part != "" {
					fmt.Fprintf(&asm, "\"%s\\n\"\n", part)
				}
			}
		}
		fmt.Fprintf(&asm, "\".globl k_%s\\n.type k_%s, @function\\nk_%s:\\n\"\n", k.name, k.name, k.name)
		line(k.setup)
		if k.n > 0 {
			fmt.Fprintf(&asm, "\"mov $%d, %%rcx\\n1:\\n\"\n", k.n)
		}
		line(k.body)
		if k.n > 0 {
			asm.WriteString("\"dec %rcx\\njnz 1b\\n\"\n")
		}
		fmt.Fprintf(&asm, "\"ret\\n.size k_%s, .-k_%s\\n\"\n", k.name, k.name)
		fmt.Fprintf(&calls, "extern void k_%s(double *, int *, long *);\n", k.name)
		_ = i
	}
	var cases strings.Builder
	for i, k := range list {
		fmt.Fprintf(&cases, "case %d: k_%s(data, index_, mask); break;\n", i, k.name)
	}
	return fmt.Sprintf(`#include <stdlib.h>
#include <stdio.h>
__asm__(%s);
%s
static double data[1024] __attribute__((aligned(64)));
static int index_[16] __attribute__((aligned(64)));
static long mask[8] = {-1, 0, 0, -1, 5, 5, 5, 5};
int main(int argc, char **argv) {
	for (int i = 0; i < 1024; i++) data[i] = 1.5;
	for (int i = 0; i < 16; i++) index_[i] = 2 * i;
	switch (atoi(argv[1])) { %s }
	printf("%%d\n", argc);
	return 0;
}
`, asm.String(), calls.String(), cases.String())
}

func compile(t *testing.T, text string, cc string, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath(cc); err != nil {
		t.Skipf("%s is not installed", cc)
	}
	exe := filepath.Join(t.TempDir(), "a.out")
	cmd := exec.Command(cc, append([]string{"-O1", "-static", "-x", "c", "-", "-o", exe}, flags...)...)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return exe
}

// null is what programs of tests read and write.
func null(t *testing.T) *os.File {
	f, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func run(t *testing.T, o profile.Options) *roofline.Profile {
	t.Helper()
	f := null(t)
	o.Stdin, o.Stdout, o.Stderr = f, f, f
	p, err := profile.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func native(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("programs are instrumented on x86-64 under Linux only")
	}
}

// TestKernels: operations and bytes of kernels are those counted by hand, natively and, where it knows the instructions, under QEMU.
func TestKernels(t *testing.T) {
	native(t)
	exe := compile(t, source(kernels), "gcc")
	emulator, err := qemu.Find("x86-64")
	emulated := err == nil && qemu.RunsPlugins(emulator) == nil && long.Tests()
	checked := 0
	for i, k := range kernels {
		if k.need != "" && !feature.Here().Has(k.need) {
			t.Logf("%s: this machine has no %s", k.name, k.need)
			continue
		}
		times := float64(max(k.n, 1))
		setup := 0.0 // loads of it
		for _, s := range strings.Split(k.setup, ";") {
			if _, operands, ok := strings.Cut(s, "("); ok {
				bytes := map[byte]float64{'x': 16, 'y': 32, 'z': 64}
				setup += bytes[operands[strings.Index(operands, "%")+1:][strings.IndexByte(operands[strings.Index(operands, "%")+1:], '%')+1]]
			}
		}
		want := [4]float64{times * k.flops, times * k.fp, times*k.load + setup + 8, times * k.store} // the return loads 8 bytes
		for _, method := range []bool{false, true} {
			if method && (!emulated || !k.emulated) {
				continue
			}
			p := run(t, profile.Options{Args: []string{exe, fmt.Sprint(i)}, Function: "k_" + k.name, QEMU: method})
			if got := [4]float64{p.Flops, p.FPInstructions, p.BytesLoaded, p.BytesStored}; got != want {
				t.Errorf("%s (QEMU %v): FLOP, instructions, bytes loaded and stored %v, want %v: %+v", k.name, method, got, want, p.Mix)
			}
			sum := 0.0
			for _, b := range p.Bytes {
				sum += b
			}
			if sum != p.BytesLoaded+p.BytesStored {
				t.Errorf("%s: the levels served %v bytes of %v", k.name, sum, p.BytesLoaded+p.BytesStored)
			}
			checked++
		}
	}
	if checked < 14 {
		t.Errorf("only %d kernels were checked", checked)
	}
}

package eval

import (
	"math"
	"testing"

	"incore/internal/machine"
)

// TestZen5Pushed: pushes and pops of memory and of 16 bits, exchanges of registers, x87 instructions that only rename, zero idioms of masks and byte-wise stores
// take what was measured on a Zen 5 on 2026-11-30. A pop to an address with an index or the stack pointer as its base comes from microcode, which ends
// memory renaming, other pops to memory are renamed as pushes of memory are.
func TestZen5Pushed(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	const moves = "; movq %r8, %r9; movq %r8, %r10; movq %r8, %r11; movq %r8, %r9; movq %r8, %r10; movq %r8, %r11; movq %r8, %rbx"
	for code, want := range map[string]float64{
		"pushq %rdx; popq (%rdi); movq (%rdi), %rdx":              1.02,
		"pushq %rbx; popq (%rdx); movq (%rdx), %rdx":              1.03,
		"pushq (%rdi); popq (%rdi)":                               1.00,
		"pushq (%rdi); popq (%rsi); pushq (%rsi); popq (%rdi)":    1.99,
		"pushq %rdx; popq 8(%rdi,%rcx); movq 8(%rdi,%rcx), %rdx":  13.98,
		"pushq 8(%rdi,%rcx); popq 8(%rdi,%rcx)":                   13.97,
		"pushq %rdx; popq 16(%rsp); movq 16(%rsp), %rdx":          13.95,
		"movq %rdx, (%rsi); popq 8(%rdi,%rcx); movq (%rsi), %rdx": 7.00,
		"movq %rdx, (%rsi); popq -8(%rsp); movq (%rsi), %rdx":     7.00,
		"movq %rdx, (%rsi); popq (%rdi); movq (%rsi), %rdx":       1.01,
		"pushq %rdx; pushw %dx; addq $2, %rsp; popq %rdx":         7.02,
		"cmpxchgq %rdx, (%rdi)":                                   9.00,
		"cmpxchgw %dx, 8(%rdi,%rcx)":                              8.99,
		"cmpxchgb %dl, (%rdi)":                                    8.97,
		"xaddl %eax, (%rdi)":                                      7.98,
		"xaddb %al, 8(%rdi,%rcx)":                                 7.99,
		"popq (%rdi,%rcx)":                                        2.01,
		"popq (%rdi,%rcx)" + moves:                                2.02,
		"popq (%rsp)":                                             6.98,
		"popq 8(%rsp)":                                            3.49,
		"popw (%rdi)":                                             1.99,
		"pushw (%rdi)":                                            2.00,
		"pushw %dx":                                               1.01,
		"popw %dx":                                                1.00,
		"pushw %dx; popw %dx":                                     7.98,
		"addq %rcx, %rax; xchgq %rdx, %rax":                       0.50,
		"addl %ecx, %eax; xchgl %edx, %eax":                       0.50,
		"imulq %rcx, %rax; xchgq %rdx, %rax":                      1.49,
		"xchgq %rdx, %rax; xchgq %rdx, %rcx; addq %rsi, %rax":     0.67,
		"xchgl %eax, %edx; xchgl %edx, %ebx":                      0.50,
		"imulq %rcx, %rax; xchgq %rdx, %rax; xchgq %rax, %rbx; xchgq %rbx, %rsi": 1.00,
		"xchgw %dx, %ax; addw %cx, %ax":                                          2.00,
		"xchgb %dl, %al; addb $1, %al":                                           1.99,
		"xchgb %ah, %bl; addb %bl, %ah":                                          1.99,
		"fadd %st(1), %st; fxch %st(2)":                                          2.99,
		"fadd %st(1), %st; fxch %st(1)":                                          6.00,
		"fxch %st(1)":                                                            0.50,
		"fxch %st(1); fnop":                                                      1.00,
		"fxch %st(1); movaps %xmm0, (%rsi)":                                      1.00,
		"fnop; vmovd %xmm1, %eax":                                                1.00,
		"fnop; fnop; vmovd %xmm1, %eax; vmovd %xmm1, %eax":                       2.00,
		"emms; vmovd %xmm1, %eax":                                                0.99,
		"kxorw %k1, %k1, %k1":                                                    0.165,
		"kandnw %k1, %k1, %k1":                                                   0.17,
		"kxorw %k1, %k1, %k1; kxorw %k2, %k2, %k2; kxorw %k3, %k3, %k3":          0.50,
		"maskmovdqu %xmm1, %xmm0":                                                16.97,
		"maskmovdqu %xmm1, %xmm0; movdqu (%rdi), %xmm0":                          16.97,
		"maskmovdqu %xmm1, %xmm0; movq %rax, 64(%rsi); movq %rax, (%rsi)":        17.01,
		"maskmovq %mm1, %mm0":                                                    8.99,
		"maskmovdqu %xmm1, %xmm0; maskmovq %mm1, %mm0":                           26.03,
	} {
		if got := repeats(t, m, code); math.Abs(got/want-1) > 0.07 {
			t.Errorf("%s repeats every %.2f cycles, measured %.2f", code, got, want)
		}
	}
}

// TestExchanges: each result of an exchange of registers depends on the other register alone. Two chains take turns, so that an iteration takes half of the operation
// and half of both ways through the exchange: none on AMD's cores, 1 and 2 cycles on Intel's (uops.info). fxch takes no time (Agner Fog).
func TestExchanges(t *testing.T) {
	for core, want := range map[string][3]float64{
		"zen1": {0.5, 1.5, 0}, "zen2": {0.5, 1.5, 0}, "zen3": {0.5, 1.5, 3.5}, "zen4": {0.5, 1.5, 3.5}, "zen5": {0.5, 1.5, 3}, "sandybridge": {2, 3, 1.5},
		"haswell": {2, 3, 1.5}, "skylake": {2, 3, 1.5}, "cascadelake": {2, 3, 1.5}, "icelake-server": {2, 3, 1.5}, "alderlake-p": {2, 3, 1.5}, "gracemont": {2, 4, 0},
	} {
		m, err := machine.Get(core)
		if err != nil {
			t.Fatal(err)
		}
		for k, code := range []string{"addq %rcx, %rax; xchgq %rdx, %rax", "imulq %rcx, %rax; xchgq %rdx, %rax", "fadd %st(1), %st; fxch %st(2)"} {
			if got := repeats(t, m, code); want[k] > 0 && math.Abs(got/want[k]-1) > 0.1 {
				t.Errorf("%s: %s repeats every %.2f cycles, want %.2f", core, code, got, want[k])
			}
		}
	}
}

package eval

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestPartsOfWords: on Zen 3 a store of a part of a word of four bytes that another store wrote to within the last cycles waits, and a load that needs more
// than such a store wrote takes longer than one behind a store of whole words. All figures were measured, those of loops in place (zen3.model).
func TestPartsOfWords(t *testing.T) {
	m, err := machine.Get("zen3")
	if err != nil {
		t.Fatal(err)
	}
	check := func(code string, want float64) {
		t.Helper()
		if got := repeats(t, m, code); math.Abs(got-want) > 0.1+0.02*want {
			t.Errorf("%s takes %.2f cycles, want %.2f", code, got, want)
		}
	}
	for _, block := range []string{"movb %al, (%rsi)", "movw %ax, (%rsi)", "movl %eax, 1(%rsi)", "movq %rax, 3(%rsi)"} {
		for n, want := range []float64{5, 6, 7, 5, 6} {
			block += fmt.Sprintf("; movq %%rax, %d(%%rsi)", 64*(n+1))
			check(block, want)
		}
	}
	for code, want := range map[string]float64{
		"movl %eax, (%rsi); movq %rax, 64(%rsi)":                                                       2,
		"movw %ax, (%rsi); movw %ax, 2(%rsi); movq %rax, 64(%rsi)":                                     2,
		"movb %al, (%rdi,%rcx); movb %al, (%rsi,%rcx); incq %rcx":                                      4.25,
		"movb %al, (%rdi,%rcx); movb %al, (%rsi,%rcx); movb %al, (%rbx,%rcx); incq %rcx":               5.25,
		"movw %ax, (%rdi,%rcx,2); movw %ax, (%rsi,%rcx,2); movw %ax, (%rbx,%rcx,2); incq %rcx":         4.5,
		"movb %al, (%rdi,%rcx); movl %eax, (%rsi,%rcx,4); incq %rcx":                                   4.25,
		"movups %xmm0, (%rdi); movups %xmm0, 16(%rdi); movups %xmm0, 32(%rdi); movups %xmm1, 46(%rdi)": 5,
		"movups %xmm0, (%rdi); movups %xmm0, 32(%rdi); movups %xmm1, 46(%rdi)":                         5,
		"movups %xmm0, 32(%rdi); movups %xmm1, 46(%rdi)":                                               2,
		"movups %xmm0, (%rdi); movups %xmm1, 46(%rdi)":                                                 5,
		"movl %eax, (%rsi); movl %eax, 103(%rsi); movl %eax, 104(%rsi)":                                5,
		"movl %eax, (%rsi); movq (%rsi), %rax":                                                         18,
		"movb %al, (%rsi); movl (%rsi), %eax":                                                          25,
		"movw %ax, 2(%rsi); movq (%rsi), %rax":                                                         25,
		"movl %eax, 2(%rsi); movq (%rsi), %rax":                                                        25,
		"movb %al, (%rsi); movb %ah, 1(%rsi); movb %al, 2(%rsi); movb %al, 3(%rsi); movl (%rsi), %eax": 19,
		"movb %al, (%rsi); movb %al, 1(%rsi); movl (%rsi), %eax":                                       25,
	} {
		check(code, want)
	}
}

// TestMicrocodeAlone: dispatch takes nothing else in the cycles in which it takes an instruction of microcode. The cycles beside n nops of four bytes were
// measured on Zen 3: those of the nops, and as many as the instruction takes alone.
func TestMicrocodeAlone(t *testing.T) {
	m, err := machine.Get("zen3")
	if err != nil {
		t.Fatal(err)
	}
	for code, alone := range map[string]float64{"rclq $3, %rax": 3, "rcrq $3, %rax": 2, "cmpxchgq %rbx, %rcx": 2, "lodsq": 2, "stosq": 2, "movsq": 2, "vphaddd %xmm1, %xmm2, %xmm3": 1,
		"vhaddps (%rsi), %xmm2, %xmm3": 1, "vpclmulqdq $0, %xmm1, %xmm2, %xmm3": 1, "vdppd $1, %xmm1, %xmm2, %xmm3": 2, "vdpps $1, %xmm1, %xmm2, %xmm3": 3,
		"mulxq (%rsi,%rdi), %rax, %rcx": 1, "vmpsadbw $0, %xmm1, %xmm2, %xmm3": 1, "vgatherdpd %ymm1, (%rsi,%xmm5), %ymm0": 4, "vpermps (%rsi), %ymm1, %ymm2": 1,
		"blsrq (%rsi), %rax": 1, "tzcntq (%rsi,%rdi), %rax": 1, "bsfq %rbx, %rax": 2, "bsrq %rbx, %rax": 3} {
		for _, n := range []int{12, 15, 18} {
			want := alone + math.Ceil(float64(n)/6)
			if got := repeats(t, m, code+strings.Repeat("; nopl 8(%rbp)", n)); math.Abs(got-want) > 0.1 {
				t.Errorf("%s and %d nops take %.2f cycles, want %.0f", code, n, got, want)
			}
		}
	}
}

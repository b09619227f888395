package analyze

import (
	"math"
	"strings"
	"testing"

	"incore/internal/base/source"
)

// TestMicrocodedLoops: an instruction that is dispatched alone fills no more of a µop cache's entries than its slots
// (incore measure on a Zen 5, 2026-11-30).
func TestMicrocodedLoops(t *testing.T) {
	const next = "; addq $16, %rsi; cmpq %rsi, %rdi; jne 1b"
	for code, want := range map[string]float64{
		"movdqa (%rsi), %xmm1; pclmulqdq $0, %xmm0, %xmm1; pxor %xmm1, %xmm2":                                                                      2.00,
		"movdqa (%rsi), %xmm1; movdqa %xmm1, %xmm2; pclmulqdq $0, %xmm0, %xmm1; pclmulqdq $17, %xmm0, %xmm2; pxor %xmm1, %xmm2; pxor %xmm2, %xmm3": 4.00,
		"movdqu (%rsi), %xmm1; pcmpistri $8, %xmm1, %xmm0":                                                                                         2.00,
		"movq (%rsi), %rax; shldq $7, %rax, %rbx; movq %rbx, (%rdx)":                                                                               1.99,
		"vpconflictd (%rsi), %zmm1; vpaddd %zmm1, %zmm2, %zmm2":                                                                                    3.10,
		"cmpxchgq %rcx, %rdx; movq (%rsi), %rax; addq %rax, %rbx":                                                                                  3.01,
		"movl (%rsi), %eax; btl %eax, (%rdx); adcl $0, %ebx":                                                                                       3.00,
		"pushq (%rsi); popq 8(%rcx,%rdx)":                                                                                                          3.00,
		"movq (%rsi), %rax; rclq $5, %rax; movq %rax, (%rdx)":                                                                                      4.01,
		"movaps (%rsi), %xmm1; haddps %xmm1, %xmm1; haddps %xmm1, %xmm1":                                                                           4.01,
	} {
		f, err := source.New("loop.s", []byte("1:\n"+strings.ReplaceAll(code+next, "; ", "\n")+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Run(f, Options{Archs: []string{"zen5"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Kernels[0].Targets[0].Prediction.Cycles; math.Abs(got/want-1) > 0.07 {
			t.Errorf("%s repeats every %.2f cycles, measured %.2f", code, got, want)
		}
	}
}

package eval

import (
	"math"
	"testing"

	"incore/internal/machine"
)

// TestZen5Idioms: moves, zero idioms and what looks like one take in straight code what was measured on a Zen 5 on 2026-11-29. Among them are subtractions that
// saturate, lea of one register, masks and MMX, which other cores treat otherwise.
func TestZen5Idioms(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]float64{
		"and $0, %eax":                         0.99,
		"andnps %xmm0, %xmm0":                  0.17,
		"cbtw":                                 1.00,
		"cdq":                                  0.33,
		"clc; adc %rax, %rax":                  1.00,
		"cltq":                                 0.99,
		"cmc":                                  0.99,
		"cmp %rax, %rax; adc %rax, %rax":       1.00,
		"endbr64":                              0.14,
		"imul $0, %eax, %eax":                  2.98,
		"kandnq %k1, %k1, %k1":                 0.17,
		"kandnw %k1, %k1, %k1":                 0.17,
		"kmovw %k1, %k2; kmovw %k2, %k1":       1.98,
		"kxnorb %k1, %k1, %k1":                 1.00,
		"kxnord %k1, %k1, %k1":                 1.00,
		"kxnorq %k1, %k1, %k1":                 1.00,
		"kxnorw %k1, %k1, %k1":                 1.00,
		"kxorb %k1, %k1, %k1":                  0.17,
		"kxorq %k1, %k1, %k1":                  0.17,
		"kxorw %k1, %k1, %k1":                  0.17,
		"lea (%r13), %rax; lea (%rax), %r13":   1.00,
		"lea (%rax), %rax":                     0.13,
		"lea (%rax), %rbx; lea (%rbx), %rax":   0.27,
		"lea (%rbp), %rax; lea (%rax), %rbp":   0.99,
		"leal (%eax), %ebx; leal (%ebx), %eax": 0.27,
		"leal (%rax), %eax":                    0.16,
		"leaq (%rax), %rax":                    0.13,
		"leaq (%rax), %rbx; leaq (%rax), %rcx; leaq (%rax), %rdx; leaq (%rax), %rsi; leaq (%rax), %r8; leaq (%rax), %r9; leaq (%rax), %r10; leaq (%rax), %r11": 1.08,
		"leaq (,%rax), %rbx; leaq (,%rbx), %rax":  2.00,
		"leaw (%rax), %bx; leaw (%rbx), %ax":      2.00,
		"mov $5, %eax":                            0.17,
		"mov %eax, %eax":                          0.16,
		"mov %rax, %rax":                          0.13,
		"mov %rax, %rbx; mov %rbx, %rax":          0.26,
		"movaps %xmm0, %xmm0":                     0.17,
		"movb %ah, %al":                           0.99,
		"movb %al, %ah":                           0.99,
		"movb %al, %bl; movb %bl, %al":            2.00,
		"movq %xmm0, %xmm0":                       1.99,
		"movsd %xmm0, %xmm0":                      1.99,
		"movss %xmm1, %xmm0":                      1.98,
		"movsx %al, %eax":                         0.99,
		"movw %ax, %bx; movw %bx, %ax":            1.99,
		"movzbl %al, %eax":                        0.99,
		"pandn %mm0, %mm0":                        0.25,
		"pandn %xmm0, %xmm0":                      0.17,
		"pcmpeqb %mm0, %mm0":                      0.25,
		"pcmpeqd %xmm0, %xmm0":                    0.25,
		"pcmpgtb %mm0, %mm0":                      0.25,
		"pcmpgtd %xmm0, %xmm0":                    0.17,
		"pcmpgtq %xmm0, %xmm0":                    0.17,
		"psubb %mm0, %mm0":                        0.25,
		"psubb %xmm0, %xmm0":                      0.17,
		"psubq %xmm0, %xmm0":                      0.17,
		"psubsb %xmm1, %xmm1; paddb %xmm2, %xmm1": 0.58,
		"psubusb %mm0, %mm0":                      0.50,
		"psubusb %xmm0, %xmm0; psubsb %xmm1, %xmm1; psubsw %xmm2, %xmm2": 1.50,
		"psubusw %xmm0, %xmm0":                                      0.50,
		"psubusw %xmm0, %xmm0; paddsw %xmm0, %xmm1":                 1.99,
		"pxor %mm0, %mm0":                                           0.25,
		"pxor %mm0, %mm0; paddb %mm0, %mm1":                         2.00,
		"sbb %eax, %eax":                                            0.99,
		"sbb %rax, %rax":                                            1.00,
		"stc; adc %rax, %rax":                                       1.00,
		"sub %eax, %eax":                                            0.16,
		"subb %al, %al":                                             0.99,
		"subps %xmm0, %xmm0":                                        1.99,
		"vandnps %ymm0, %ymm0, %ymm0":                               0.17,
		"vmovaps %ymm0, %ymm0":                                      0.17,
		"vmovaps %zmm0, %zmm1; vmovaps %zmm1, %zmm0":                0.33,
		"vmovdqu8 %zmm0, %zmm1; vmovdqa64 %zmm1, %zmm0":             0.33,
		"vmovss %xmm1, %xmm0, %xmm0":                                1.99,
		"vpandn %ymm0, %ymm0, %ymm0":                                0.17,
		"vpandnd %zmm0, %zmm0, %zmm0":                               0.17,
		"vpcmpeqb %xmm0, %xmm0, %xmm0":                              0.25,
		"vpcmpeqd %zmm1, %zmm1, %k1":                                0.50,
		"vpcmpeqq %ymm0, %ymm0, %ymm0":                              0.50,
		"vpcmpgtb %ymm0, %ymm0, %ymm0":                              0.17,
		"vpcmpgtb %zmm0, %zmm0, %k1":                                0.17,
		"vpcmpgtq %ymm0, %ymm0, %ymm0":                              0.17,
		"vpermilps $0, %xmm0, %xmm0":                                2.00,
		"vpsubd %ymm3, %ymm3, %ymm1":                                0.17,
		"vpsubq %zmm0, %zmm0, %zmm0":                                0.17,
		"vpsubsb %ymm0, %ymm0, %ymm0":                               0.50,
		"vpsubsb %zmm0, %zmm0, %zmm0":                               0.50,
		"vpsubsw %ymm0, %ymm0, %ymm0; vpsubusb %ymm1, %ymm1, %ymm1": 1.00,
		"vpsubusw %xmm16, %xmm16, %xmm16":                           0.50,
		"vpternlogd $0x0, %zmm0, %zmm1, %zmm0":                      1.99,
		"vpternlogd $0xff, %zmm0, %zmm0, %zmm0":                     1.99,
		"vpternlogq $0, %ymm0, %ymm0, %ymm0":                        1.98,
		"vpxor %xmm0, %xmm0, %xmm1":                                 0.17,
		"vpxord %zmm0, %zmm0, %zmm0":                                0.17,
		"vxorpd %ymm17, %ymm17, %ymm17":                             0.17,
		"vxorps %zmm0, %zmm0, %zmm0":                                0.17,
		"xchg %eax, %ebx":                                           0.25,
		"xchg %rax, %rbx":                                           0.25,
		"xor %eax, %eax; add %rax, %rbx":                            1.00,
		"xor %rax, %rax":                                            0.13,
		"xorb %al, %al":                                             1.00,
		"xorpd %xmm0, %xmm0":                                        0.17,
		"xorw %ax, %ax":                                             0.99,
	} {
		if got := repeats(t, m, code); math.Abs(got-want) > max(0.15*want, 0.06) {
			t.Errorf("%s: %.2f cycles, measured %.2f", code, got, want)
		}
	}
}

// TestLoopInstruction: loop, loope and loopne repeat as Agner Fog's tables have them, of cores whose µops uops.info measured without their rate.
func TestLoopInstruction(t *testing.T) {
	for core, want := range map[string][2]float64{"nehalem": {4, 7}, "sandybridge": {5, 6}, "ivybridge": {5, 6}, "haswell": {5, 6}, "broadwell": {5, 6}, "skylake": {5, 6}} {
		m, err := machine.Get(core)
		if err != nil {
			t.Fatal(err)
		}
		for i, code := range []string{"addq $1, %rax; loop 0", "addq $1, %rax; loope 0", "addq $1, %rax; loopne 0"} {
			if got := repeats(t, m, code); math.Abs(got-want[min(i, 1)]) > 0.1 {
				t.Errorf("%s: %s: %.2f cycles, want %g", core, code, got, want[min(i, 1)])
			}
		}
	}
}

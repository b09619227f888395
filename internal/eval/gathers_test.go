package eval

import (
	"math"
	"testing"

	"incore/internal/machine"
)

// TestZen5Masks: gathers and scatters beside loads, operations with two masks, masks that are stored or transferred, and comparisons of scalars beside transfers take
// what was measured on a Zen 5 on 2026-11-30. A gather whose address unit was one of four that take turns waited for two of them.
func TestZen5Masks(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	const anew = "kxnorw %k1, %k1, %k1; vpxor %xmm0, %xmm0, %xmm0; "
	for code, want := range map[string]float64{
		"kxnorw %k1, %k1, %k1; vmovdqu32 (%rsi), %zmm1; vpgatherdd (%rbx,%zmm1,4), %zmm0{%k1}":                          19.9,
		"kxnorw %k1, %k1, %k1; vmovdqu32 (%rsi), %zmm1; vpgatherdd (%rbx,%zmm1,4), %zmm0{%k1}; vmovdqu32 %zmm0, (%rcx)": 20.0,
		anew + "vpgatherdd (%rbx,%zmm1,4), %zmm0{%k1}":                                                                  14.0,
		anew + "vpgatherdd (%rbx,%ymm1,4), %ymm0{%k1}":                                                                  6.87,
		anew + "vgatherdpd (%rbx,%ymm1,8), %zmm0{%k1}":                                                                  7.17,
		anew + "vgatherqpd (%rbx,%zmm1,8), %zmm0{%k1}":                                                                  8.19,
		"vmovdqu32 (%rsi), %zmm1; kxnorw %k1, %k1, %k1; vpscatterdd %zmm0, (%rbx,%zmm1,4){%k1}":                         17.0,
		"vmovdqu (%rsi), %ymm1; vmovupd (%rcx), %zmm0; kxnorw %k1, %k1, %k1; vscatterdpd %zmm0, (%rbx,%ymm1,8){%k1}":    9.0,
		"vpcmpeqd %ymm2, %ymm2, %ymm2; vpxor %xmm0, %xmm0, %xmm0; vgatherdps %ymm2, (%rbx,%ymm1,4), %ymm0":              7.02,
		"vpcmpeqd %ymm2, %ymm2, %ymm2; vpxor %xmm0, %xmm0, %xmm0; vgatherqps %xmm2, (%rbx,%xmm1,8), %xmm0":              3.99,
		"kandq %k2, %k3, %k4; kmovq %k2, %rax":                                                                          1.00,
		"kaddd %k2, %k3, %k4; kmovd %k5, %eax":                                                                          1.00,
		"kunpckbw %k2, %k3, %k4; kmovd %k5, %eax":                                                                       1.00,
		"kandq %k2, %k3, %k4; kmovw %k2, (%rbx)":                                                                        1.00,
		"vmovups %xmm0, (%rbx){%k1}; kandw %k2, %k3, %k4":                                                               0.99,
		"vmovups %zmm0, (%rbx){%k1}; kandw %k2, %k3, %k4":                                                               1.48,
		"kandw %k1, %k2, %k3; kandw %k1, %k2, %k4; kmovw %k5, %eax":                                                     1.57,
		"knotq %k2, %k4; kmovw %k2, %eax":                                                                               0.50,
		"kshiftlw $3, %k2, %k4; kmovw %k2, %eax":                                                                        0.50,
		"vpaddd %zmm1, %zmm2, %zmm3{%k1}{z}; kmovw %k2, %eax":                                                           0.49,
		"vpcmpeqb %zmm0, %zmm1, %k1; kortestq %k1, %k1":                                                                 1.00, // places for the results of masks
		"vpcmpeqb %ymm0, %ymm1, %k1; kortestd %k1, %k1":                                                                 0.97,
		"vpcmpeqb %zmm0, %zmm1, %k1; ktestq %k1, %k1":                                                                   1.00,
		"vpcmpeqb %zmm0, %zmm1, %k1; vpcmpeqb %zmm0, %zmm1, %k2; kortestq %k3, %k3":                                     1.41,
		"vpcmpeqb %xmm0, %xmm1, %k1; knotw %k2, %k3":                                                                    0.76,
		"vpcmpeqb %ymm0, %ymm1, %k1; knotd %k2, %k3":                                                                    0.81,
		"vpcmpeqb %zmm0, %zmm1, %k1; knotq %k2, %k3":                                                                    0.90,
		"vptestmb %zmm0, %zmm1, %k1; kandq %k4, %k2, %k3":                                                               0.90,
		"vpcmpeqb %xmm0, %xmm1, %k1; vpcmpeqb %xmm0, %xmm1, %k2; knotd %k3, %k4":                                        1.25,
		"vpcmpeqb %ymm0, %ymm1, %k1; knotw %k2, %k3; knotw %k2, %k4":                                                    1.22,
		"vpmovb2m %zmm0, %k1; knotq %k2, %k3":                                                                           0.90,
		"kshiftlq $1, %k1, %k2; vpcmpeqb %zmm0, %zmm1, %k3":                                                             0.91,
		"kmovw (%rsi), %k3; kandw %k2, %k1, %k4":                                                                        0.84,
		"kmovw (%rsi), %k3; knotw %k2, %k4; knotw %k2, %k5":                                                             1.23,
		"vpcmpgtd %zmm0, %zmm1, %k1; vpcmpgtd %zmm0, %zmm1, %k2; kandw %k1, %k2, %k3; kmovw %k3, %eax":                  1.43,
		"kshiftlq $1, %k1, %k2; knotq %k2, %k3":                                                                         0.99, // the schedulers of vectors do not wake in vain
		"kandq %k1, %k2, %k3; knotq %k3, %k4":                                                                           1.00,
		"kandq %k1, %k2, %k3; kmovq %k3, %rax":                                                                          0.50, // by bypass
		"vcomiss %xmm0, %xmm1; vmovd %xmm1, %eax":                                                                       1.00,
		"vucomisd (%rbx), %xmm1; vmovq %xmm1, %rax":                                                                     0.99,
		"vcomiss %xmm0, %xmm1; vmovmskps %ymm1, %eax":                                                                   1.00,
		"vcomiss %xmm0, %xmm1; vptest %xmm0, %xmm1":                                                                     0.99,
		"vcomiss %xmm0, %xmm1; movups %xmm0, (%rbx)":                                                                    1.00,
		"vcomiss %xmm0, %xmm1":                                                                                          0.49,
		"vmovups %zmm0, (%rbx); vmovups 24(%rbx), %ymm0":                                                                14.96,
		"vmovups %zmm0, (%rbx); vmovups 32(%rbx), %ymm0":                                                                10.97,
	} {
		if got := repeats(t, m, code); math.Abs(got/want-1) > 0.08 {
			t.Errorf("%s repeats every %.2f cycles, measured %.2f", code, got, want)
		}
	}
}

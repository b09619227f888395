package eval

import (
	"math"
	"testing"

	"incore/internal/machine"
)

// TestChainsOnZen5: chains as measured on Zen 5: through loads that need bytes which the store did not write, by the
// registers of store and load, and through operations of three operands, of which two are one register.
func TestChainsOnZen5(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]float64{
		"movl %eax, (%rsi); movq (%rsi), %rax":                             14,
		"movq %rax, (%rsi); movq 4(%rsi), %rax":                            14,
		"movb %al, (%rsi); movzwl (%rsi), %eax":                            14,
		"movups %xmm0, (%rsi); movups 8(%rsi), %xmm0":                      15,
		"vmovups %ymm0, (%rsi); vmovups 8(%rsi), %ymm0":                    15,
		"movss %xmm0, (%rsi); movsd (%rsi), %xmm0":                         15,
		"movups %xmm0, (%rsi); movups 4(%rsi), %xmm0; addps %xmm1, %xmm0":  18,
		"movss %xmm0, (%rsi); addsd (%rsi), %xmm0":                         18,
		"movsd %xmm0, (%rsi); movhpd %xmm0, 8(%rsi); movups (%rsi), %xmm0": 17,
		"vmovups %zmm0, (%rsi); vmovups 8(%rsi), %zmm0":                    16,
		"vmovups %ymm0, (%rsi); vmovups 8(%rsi), %xmm0":                    9, "vmovups %zmm0, (%rsi); vmovups 16(%rsi), %xmm0": 11,
		"vpternlogd $150, %zmm1, %zmm2, %zmm3; vpternlogd $150, %zmm3, %zmm2, %zmm1":                                          6,
		"vpternlogd $150, %zmm1, %zmm3, %zmm3":                                                                                2,
		"vpternlogd $150, %zmm3, %zmm1, %zmm3":                                                                                2,
		"vandpd %zmm1, %zmm2, %zmm3{%k1}; vandpd %zmm3, %zmm2, %zmm1{%k1}":                                                    6,
		"vandpd %zmm1, %zmm2, %zmm2{%k1}":                                                                                     2,
		"vpaddd %ymm2, %ymm1, %ymm2{%k1}":                                                                                     2,
		"addq $1, (%rsi); vpclmulqdq $1, %xmm0, %xmm1, %xmm2":                                                                 7,
		"addq $1, (%rsi); vdpps $255, %xmm0, %xmm1, %xmm2":                                                                    7,
		"addq $1, (%rsi); rclq $3, %rax":                                                                                      7,
		"addq $1, (%rsi); vhaddps %xmm0, %xmm1, %xmm2":                                                                        7,
		"addq $1, (%rsi); vphaddd %ymm0, %ymm1, %ymm2":                                                                        7,
		"addq $1, (%rsi); vpermd %ymm0, %ymm1, %ymm2":                                                                         1,
		"movq %rax, (%rsi); vdpps $255, %xmm0, %xmm1, %xmm2; movq (%rsi), %rax":                                               7,
		"movq %rax, (%rsi); movq (%rsi), %rax; vdpps $255, %xmm0, %xmm1, %xmm2":                                               4,
		"vdpps $255, %xmm0, %xmm1, %xmm2; addq $1, (%rsi); addq $1, (%rsi)":                                                   8,
		"addq $1, (%rsi); vpcompressd %zmm0, %zmm1{%k1}{z}":                                                                   5,
		"vdpps $255, %xmm0, %xmm1, %xmm2; vaddps %xmm0, %xmm1, %xmm3; vaddps %xmm0, %xmm1, %xmm4; vaddps %xmm0, %xmm1, %xmm5": 4,
		"vdppd $255, %xmm0, %xmm1, %xmm2":                                                                                     3,
		"vhaddps %xmm0, %xmm1, %xmm2; vpshufb %xmm0, %xmm1, %xmm3; vpshufb %xmm0, %xmm1, %xmm4; vpshufb %xmm0, %xmm1, %xmm5":  2,
		"vphaddd %xmm0, %xmm1, %xmm2; vpaddd %xmm0, %xmm1, %xmm3; vpaddd %xmm0, %xmm1, %xmm4; vpaddd %xmm0, %xmm1, %xmm5; vpaddd %xmm0, %xmm1, %xmm6": 2,
		"vpclmulqdq $1, %xmm0, %xmm1, %xmm2; vhaddps %xmm0, %xmm1, %xmm3":                                                                             4, "vdpps $255, %xmm0, %xmm1, %xmm2; vhaddps %xmm0, %xmm1, %xmm3": 6,
		"leaq 3(%r8,%r9,4), %r10": 0.5,
		"leal 3(%r8,%r9), %r10d":  0.5,
		"leaq (%r8,%r9,4), %r10":  0.17,
		"leaq 3(,%r9,4), %r10":    0.17,
		"leaq 3(%r8,%r9), %r8":    2,
		"vrsqrtps %ymm0, %ymm6; vpshufb %ymm0, %ymm0, %ymm1; vpshufb %ymm0, %ymm0, %ymm2":                            1.5,
		"vrcpss %xmm0, %xmm0, %xmm6; vmulps %ymm0, %ymm0, %ymm1; vmulps %ymm0, %ymm0, %ymm2":                         1.1,
		"vgf2p8affineqb $3, %ymm0, %ymm0, %ymm6; vpshufb %ymm0, %ymm0, %ymm1; vpshufb %ymm0, %ymm0, %ymm2":           1.5,
		"vgf2p8mulb %xmm0, %xmm0, %xmm6; vmulps %ymm0, %ymm0, %ymm1; vmulps %ymm0, %ymm0, %ymm2":                     1.1,
		"vpsignb %ymm0, %ymm0, %ymm6; vmulps %ymm0, %ymm0, %ymm1; vmulps %ymm0, %ymm0, %ymm2":                        1.12,
		"kunpckbw %k1, %k2, %k3; vaddps %ymm0, %ymm0, %ymm1; vaddps %ymm0, %ymm0, %ymm2; vaddps %ymm0, %ymm0, %ymm3": 1.53,
		"vpbroadcastmw2d %k1, %ymm6; vpshufb %ymm0, %ymm0, %ymm1; vpshufb %ymm0, %ymm0, %ymm2":                       1.5,
		"vpternlogd $150, %xmm3, %xmm1, %xmm3{%k1}{z}":                                                               2,
		"vshufpd $3, %ymm1, %ymm2, %ymm2{%k1}":                                                                       2,
		"vpexpandd (%rdi), %zmm0{%k1}{z}":                                                                            5,
		"vexpandpd (%rdi), %ymm0{%k1}{z}":                                                                            4,
		"vpexpandb (%rdi), %xmm0{%k1}{z}":                                                                            2,
		"vp2intersectd %zmm1, %zmm2, %k2":                                                                            1,
		"vp2intersectq (%rdi), %ymm2, %k2":                                                                           2,
		"vgatherdps (%rdi,%xmm5,4), %xmm0{%k1}":                                                                      6.21, "vgatherdpd (%rdi,%xmm5,8), %ymm0{%k1}": 6.31, "vpgatherqq (%rdi,%xmm5,8), %xmm0{%k1}": 6,
		"kmovq (%rdi), %k1":       0.5,
		"vcvtudq2pd %ymm1, %zmm2": 0.8, "vcvtps2qq %xmm1, %ymm2{%k1}{z}": 0.8, "vcvtpd2ps %zmm1, %ymm2{%k1}{z}": 0.8, "vcvtuqq2ps %ymm1, %xmm2{%k1}{z}": 0.8,
		"vcvtneps2bf16 %zmm1, %ymm2": 0.8, "vcvtph2ps %ymm1, %zmm2": 0.8, "vcvtps2ph $3, %zmm1, %ymm2": 0.8,
		"vaddpd %zmm1, %zmm2, %zmm2{%k1}": 3,
	} {
		if got := repeats(t, m, code); math.Abs(got-want) > 0.15*want {
			t.Errorf("%s repeats every %.1f cycles, measured %g", code, got, want)
		}
	}
}

// TestGathersWithTheirMask: a gather with a mask register is repeated as fast as uops.info measured, also where it
// leaves the mask for the next one: what a mask that is left takes is not the latency of the loaded elements.
func TestGathersWithTheirMask(t *testing.T) {
	blocks := []string{"vpgatherdd (%r14,%zmm14), %zmm0{%k1}", "vpgatherdd (%r14,%ymm14), %ymm0{%k1}", "vgatherdpd (%r14,%ymm14), %zmm0{%k1}", "vpgatherqq (%r14,%zmm14), %zmm0{%k1}",
		"vpgatherqd (%r14,%zmm14), %ymm0{%k1}"}
	for core, want := range map[string][]float64{"skylake-server": {9.25, 5, 5, 5, 5}, "cascadelake": {9.25, 5, 5, 5, 5}, "icelake-client": {9, 5, 5, 5, 5}, "rocketlake": {9, 5, 5, 5, 5},
		"sapphirerapids": {5.75, 3.02, 3, 3, 3}} {
		m, err := machine.Get(core)
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range blocks {
			if got := repeats(t, m, block); math.Abs(got-want[i]) > 0.1*want[i] {
				t.Errorf("%s: %s repeats every %.1f cycles, measured %g", core, block, got, want[i])
			}
		}
	}
}

// TestHalfCycles: a unit that is busy for a fraction of a cycle more is not rounded up: divisions and roots on Zen 3
// as uops.info and incore measured them.
func TestHalfCycles(t *testing.T) {
	m, err := machine.Get("zen3")
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]float64{"vdivpd %ymm0, %ymm1, %ymm2": 4.5, "vdivss %xmm0, %xmm1, %xmm2": 3.5, "vsqrtpd %ymm0, %ymm2": 8.5} {
		if got := repeats(t, m, code); math.Abs(got-want) > 0.05*want {
			t.Errorf("%s takes %.2f cycles, measured %g", code, got, want)
		}
	}
}

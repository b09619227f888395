package sim_test

import (
	"fmt"
	"math"
	"testing"

	"incore/internal/analysis/sim"
)

// TestRegisterReads holds operations of three sources beside stores, which share reads of the register file on Zen 3, to what was measured on one (family 25 model 1).
func TestRegisterReads(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"vmovups (%rsi), %ymm0; vfmadd213pd 32(%rsi), %ymm2, %ymm0; vmovups %ymm1, 512(%rsi)", 1.48},
		{"vmovups (%rsi), %ymm0; vaddpd 32(%rsi), %ymm0, %ymm0; vmovups %ymm1, 512(%rsi)", 1},
		{ // each chain takes its sum by bypass
			"vfmadd231pd %ymm15, %ymm14, %ymm0; vmovups %ymm13, 512(%rsi); vfmadd231pd %ymm15, %ymm14, %ymm1; vmovups %ymm13, 544(%rsi); " +
				"vfmadd231pd %ymm15, %ymm14, %ymm2; vmovups %ymm13, 576(%rsi); vfmadd231pd %ymm15, %ymm14, %ymm3; vmovups %ymm13, 608(%rsi)", 4.02},
	} {
		if p := sim.Predict(graph(t, "zen3", c.text), sim.Options{Unrolled: true}); math.Abs(p.Cycles-c.want) > 0.03*c.want {
			t.Errorf("%s: %.2f cycles, measured %.2f", c.text, p.Cycles, c.want)
		}
	}
}

// TestRegisterReadsZen5: on Zen 5 the third source of n multiply-adds and the data of m stores share two reads a cycle, of which a store of 512 bits takes both:
// loops of n copies of a loaded register, n multiply-adds and m stores of another register take what was measured on one (family 26 model 2), so that a
// register that was loaded is read through eliminated moves, too. A sum that comes by bypass is not.
func TestRegisterReadsZen5(t *testing.T) {
	for _, c := range []struct {
		width string
		fmas  int
		want  [3]float64 // with 1 to 3 stores
	}{
		{"ymm", 2, [3]float64{1.50, 1.99, 2.51}}, {"ymm", 3, [3]float64{2.00, 2.51, 3.02}}, {"ymm", 4, [3]float64{2.52, 3.02, 3.49}},
		{"zmm", 2, [3]float64{2.05, 2.97, 3.84}}, {"zmm", 4, [3]float64{2.99, 3.99, 5.04}}, {"zmm", 6, [3]float64{3.98, 4.92, 6.05}},
	} {
		for stores, want := range c.want {
			text := "vmovupd (%rdi), %" + c.width + "0"
			for k := range c.fmas {
				text += fmt.Sprintf("; vmovapd %%%[1]s0, %%%[1]s%[2]d; vfmadd213pd %%%[1]s5, %%%[1]s4, %%%[1]s%[2]d", c.width, 8+k)
			}
			for k := range stores + 1 {
				text += fmt.Sprintf("; vmovupd %%%s7, %d(%%rsi)", c.width, 64*k)
			}
			if p := sim.Predict(graph(t, "zen5", text), sim.Options{Unrolled: true}); math.Abs(p.Cycles-want) > 0.05*want {
				t.Errorf("%s: %.2f cycles, measured %.2f", text, p.Cycles, want)
			}
		}
	}
	for _, op := range []string{"vpdpbusd", "vpmadd52luq", "vpermt2d"} {
		text := "vmovupd %ymm7, (%rsi); vmovupd %ymm7, 32(%rsi)"
		for k := range 3 {
			text += fmt.Sprintf("; vmovapd %%ymm0, %%ymm%[2]d; %[1]s %%ymm5, %%ymm4, %%ymm%[2]d", op, 8+k)
		}
		if p := sim.Predict(graph(t, "zen5", text), sim.Options{Unrolled: true}); math.Abs(p.Cycles-2.49) > 0.1 {
			t.Errorf("%s: %.2f cycles, measured 2.49", text, p.Cycles)
		}
	}
	for text, want := range map[string]float64{
		"vmovupd (%rdi), %ymm0; vfmadd231pd %ymm5, %ymm4, %ymm0; vfmadd231pd %ymm5, %ymm4, %ymm0; vfmadd231pd %ymm5, %ymm4, %ymm0; vmovupd %ymm7, (%rsi); vmovupd %ymm7, 32(%rsi)":                                                        1.61,
		"vmovupd (%rdi), %zmm0; vfmadd213pd (%rdx), %zmm4, %zmm0; vmovupd %zmm0, (%rsi)":                                                                                                                                                  1.58,
		"vmovupd (%rdi), %zmm0; vmulpd %zmm0, %zmm4, %zmm0; vmulpd %zmm0, %zmm4, %zmm0; vmulpd %zmm0, %zmm4, %zmm0; vmovupd %zmm0, (%rsi)":                                                                                                1.50,
		"vmovupd (%rdi), %ymm0; vblendvpd %ymm0, %ymm4, %ymm5, %ymm8; vblendvpd %ymm0, %ymm4, %ymm5, %ymm9; vblendvpd %ymm0, %ymm4, %ymm5, %ymm10; vblendvpd %ymm0, %ymm4, %ymm5, %ymm11; vmovupd %ymm7, (%rsi); vmovupd %ymm7, 32(%rsi)": 3.01,
	} {
		if p := sim.Predict(graph(t, "zen5", text), sim.Options{Unrolled: true}); math.Abs(p.Cycles-want) > 0.09*want {
			t.Errorf("%s: %.2f cycles, measured %.2f", text, p.Cycles, want)
		}
	}
}

package profile_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"incore/internal/program/qemu"
	"incore/internal/roofline/profile"
)

// sveSource has y[i] += a[i] * x[i] over 100 doubles with SVE's predicates, and an instruction of Advanced SIMD whose encoding looks like one of RISC-V's vectors.
const sveSource = `static double x[128], y[128], a[128];
__attribute__((noipa)) void kernel(double *y, double *x, double *a, long n) {
  long i = 0;
  __asm__ volatile("whilelo p0.d, %0, %4\n1:\nld1d z0.d, p0/z, [%1, %0, lsl #3]\nld1d z1.d, p0/z, [%2, %0, lsl #3]\nld1d z2.d, p0/z, [%3, %0, lsl #3]\n"
    "fmla z0.d, p0/m, z1.d, z2.d\nst1d z0.d, p0, [%1, %0, lsl #3]\nincd %0\nwhilelo p0.d, %0, %4\nb.first 1b\n" : "+r"(i) : "r"(y), "r"(x), "r"(a), "r"(n) : "memory", "p0", "v0", "v1", "v2", "cc"); }
__attribute__((noipa)) void simd(void) { __asm__ volatile("mov w9, #50\n1:\nfmla v23.2d, v18.2d, v5.d[0]\nsubs w9, w9, #1\nb.ne 1b\n" ::: "w9", "v23", "v18", "v5", "cc"); }
int main(void) { kernel(y, x, a, 100); simd(); return 0; }`

const rvvSource = `static double x[128], y[128], a[128];
__attribute__((noipa)) void kernel(double *y, double *x, double *a, long n) {
  __asm__ volatile(".option arch, +v\n1:\nvsetvli t0, a3, e64, m1, ta, ma\nvle64.v v0, (a0)\nvle64.v v1, (a1)\nvle64.v v2, (a2)\nvfmacc.vv v0, v1, v2\nvse64.v v0, (a0)\n"
    "sub a3, a3, t0\nslli t1, t0, 3\nadd a0, a0, t1\nadd a1, a1, t1\nadd a2, a2, t1\nbnez a3, 1b\nret" ::: "memory"); }
int main(void) { kernel(y, x, a, 100); return 0; }`

// TestVectorLengths: scalable vectors compute and access the same whatever their length: 200 operations, 2400 bytes loaded, 800 stored; the instructions that
// do it are as many as vectors of that length need.
func TestVectorLengths(t *testing.T) {
	for _, c := range []struct {
		isa, gcc, source, cpu string
		lengths               []int
	}{
		{"aarch64", "aarch64-linux-gnu-gcc", sveSource, "max,sve%d=on,sve-default-vector-length=%d", []int{128, 256, 512, 1024, 2048}},
		{"riscv64", "riscv64-linux-gnu-gcc", rvvSource, "rv64,v=true,vlen=%d,elen=64%.0d", []int{128, 256, 512, 1024}},
	} {
		emulator, err := qemu.Find(c.isa)
		if err == nil {
			err = qemu.RunsPlugins(emulator)
		}
		gcc, missing := exec.LookPath(c.gcc)
		if err != nil || missing != nil {
			t.Logf("%s: no emulator or no %s", c.isa, c.gcc)
			continue
		}
		dir := t.TempDir()
		src, exe := filepath.Join(dir, "v.c"), filepath.Join(dir, "v")
		if err := os.WriteFile(src, []byte(c.source), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"-O1", "-static", "-o", exe, src}
		if c.isa == "aarch64" {
			args = append([]string{"-march=armv8.2-a+sve"}, args...)
		}
		if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
			t.Logf("%s cannot assemble its vectors: %s", c.gcc, out)
			continue
		}
		for _, bits := range c.lengths {
			p := run(t, profile.Options{Args: []string{exe}, Function: "kernel", CPU: fmt.Sprintf(c.cpu, bits, bits/8*b2i(c.isa == "aarch64"))})
			vectors := float64((100 + bits/64 - 1) / (bits / 64))
			if p.Flops != 200 || p.FPInstructions != vectors || p.BytesLoaded != 2400+spilled(p.BytesLoaded) || p.BytesStored != 800+spilled(p.BytesStored) || p.Partial != "" {
				t.Errorf("%s, %d bits: %v FLOP by %v instructions (want 200 by %v), %v bytes loaded, %v stored, %q", c.isa, bits, p.Flops, p.FPInstructions, vectors, p.BytesLoaded, p.BytesStored, p.Partial)
			}
		}
		if c.isa == "aarch64" {
			if p := run(t, profile.Options{Args: []string{exe}, Function: "simd", CPU: "max"}); p.Flops != 200 || p.Partial != "" {
				t.Errorf("Advanced SIMD: %v FLOP, want 200; %q", p.Flops, p.Partial)
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// spilled is what a compiler may add for the function's frame: a multiple of 8, at most 32 bytes.
func spilled(n float64) float64 {
	for _, k := range []float64{8, 16, 24, 32} {
		if n == 2400+k || n == 800+k {
			return k
		}
	}
	return 0
}

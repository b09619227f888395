package host

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// disassemble gives the text of machine code by LLVM's disassembler, an instruction a line.
func disassemble(t *testing.T, triple, attributes string, code []byte) string {
	t.Helper()
	path := ""
	for _, n := range []string{"llvm-mc", "llvm-mc-19", "llvm-mc-18", "llvm-mc-17", "llvm-mc-16"} {
		if p, err := exec.LookPath(n); err == nil {
			path = p
		}
	}
	if path == "" {
		t.Skip("no llvm-mc here (Debian package: llvm)")
	}
	cmd := exec.Command(path, "-disassemble", "-triple="+triple, "-mattr="+attributes)
	var in strings.Builder
	for _, c := range code {
		fmt.Fprintf(&in, "0x%02x ", c)
	}
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.ReplaceAll(string(out), "\t", " ")
}

// TestDriver disassembles what the drivers emit.
func TestDriver(t *testing.T) {
	for _, c := range []struct {
		name, triple, attributes string
		d                        driver
		want                     []string
	}{
		{"arm64", "aarch64", "+sve", &armDriver{}, []string{"mov x3, #4660", "movk x3, #22136, lsl #32", "ldr x1, [x2, #16]", "str x1, [x2, #24]", "add x1, x2, x3", "add x5, x5, #80", "sub x5, x5, #1",
			"adr x6, #4", "b #-32", "br x7", "cbnz x8, #-40", "cmp x1, x2", "b.lo #-48", "svc #0", "brk #0", "mrs x9, CNTVCT_EL0", "add x1, x1, x2", "nop", "stp x1, x1, [x0], #16", "msr FPCR, x0", "msr NZCV, xzr",
			"mov z31.d, x0", "ptrue p15.b", "setffr", "mov sp, x0", "dsb ish", "isb"}},
		{"riscv64", "riscv64", "+d,+v", &riscvDriver{}, []string{"lui gp, 1", "addiw gp, gp, -1329", "slli gp, gp, 23", "addi gp, gp, 1", "slli gp, gp, 12", "addi gp, gp, 564", "ld ra, 16(sp)", "sd ra, 24(sp)", "add ra, sp, gp",
			"addi t0, t0, 80", "addi t0, t0, -1", "auipc t1, 0", "addi t1, t1, 8", "j -52", "jr t2", "bnez s0, -60", "bltu ra, sp, -64", "ecall", "ebreak", "rdtime s1", "add ra, ra, sp", "nop", "sd a1, 0(a0)",
			"fscsr zero", "fmv.d.x ft11, a0", "vsetvli a1, zero, e64, m8", "vmv.v.x v24, a0", "fence"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.d
			d.constant(3, 0x567800001234)
			d.load(1, 2, 16)
			d.store(1, 2, 24)
			d.sum(1, 2, 3)
			d.increase(5, 80)
			d.increase(5, -1)
			is := d.address(6)
			is(d.here())
			d.jump(0)
			d.jumpTo(7)
			d.ifNonzero(8, 0)
			d.ifLess(1, 2, 0)
			d.system()
			d.trap()
			d.clock(9)
			d.addition(1, 2)
			d.nop()
			d.state(&Code{Vectors: true, Denormals: true}, 0x1000)
			text := disassemble(t, c.triple, c.attributes, d.contents())
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("no %q", w)
				}
			}
			if strings.Contains(text, "warning") {
				t.Error("something is not an instruction")
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// TestFastest finds the faster of two times that the windows of one measurement have, where it is no single window's.
func TestFastest(t *testing.T) {
	for _, c := range []struct {
		sorted []float64
		want   float64
	}{
		{[]float64{34.4, 34.5, 34.6, 43.5, 43.6, 43.7, 43.8}, 34.5},
		{[]float64{30, 34.4, 34.5, 43.5, 43.6, 43.7, 43.8}, 43.6},
		{[]float64{1, 2, 3}, 2},
	} {
		if got := fastest(c.sorted); got < c.want-0.11 || got > c.want+0.11 {
			t.Errorf("%v: %g, not %g", c.sorted, got, c.want)
		}
	}
}

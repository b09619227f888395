package riscv

import "testing"

func TestAddImm(t *testing.T) {
	a := ISA()
	for _, c := range []struct {
		stmt, dst, src string
		imm            int64
	}{
		{"addi a0, a1, 8", "X10", "X11", 8},
		{"addi sp, sp, -16", "X2", "X2", -16},
		{"c.addi a0, -1", "X10", "X10", -1},
		{"c.addi16sp sp, 32", "X2", "X2", 32},
		{"c.addi4spn a0, sp, 8", "X10", "X2", 8},
		{"c.mv a0, a1", "X10", "X11", 0},
		{"mv a0, a1", "X10", "X11", 0},
		{"addi a0, a0, %lo(foo)", "", "", 0},
		{"addiw a0, a0, 1", "", "", 0},
		{"add a0, a0, a1", "", "", 0},
	} {
		insts, err := a.Parse(nil, c.stmt, "")
		if err != nil || len(insts) != 1 {
			t.Fatalf("%s: %v", c.stmt, err)
		}
		dst, src, imm, ok := a.AddImm(&insts[0])
		if ok != (c.dst != "") || ok && (a.Regs.Name(dst) != c.dst || a.Regs.Name(src) != c.src || imm != c.imm) {
			t.Errorf("%s: %s = %s + %d, %v", c.stmt, a.Regs.Name(dst), a.Regs.Name(src), imm, ok)
		}
	}
}

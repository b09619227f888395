package aarch64

import "testing"

func TestAddImm(t *testing.T) {
	a := ISA()
	for _, c := range []struct {
		stmt, dst, src string
		imm            int64
	}{
		{"add x1, x2, #8", "X1", "X2", 8},
		{"add x1, x1, 1, lsl 12", "X1", "X1", 4096},
		{"sub x3, x3, #16", "X3", "X3", -16},
		{"subs x3, x3, #1", "X3", "X3", -1},
		{"mov x4, x5", "X4", "X5", 0},
		{"mov x29, sp", "FP", "SP", 0},
		{"orr x4, xzr, x5, lsl 3", "", "", 0},
		{"add w1, w2, #8", "", "", 0},
		{"mov w1, w2", "", "", 0},
		{"add x1, x2, x3", "", "", 0},
		{"add x1, x2, :lo12:foo", "", "", 0},
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

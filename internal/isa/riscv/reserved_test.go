package riscv_test

import (
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/riscv"
)

// TestReserved: what RVV 1.0 reserves is told, and what it allows is not.
func TestReserved(t *testing.T) {
	a := riscv.ISA()
	for _, c := range []struct{ vtype, text, want string }{
		{"e64, mf8", "", "elements of 64 bits need an LMUL of 1 or more"},
		{"e64, mf2", "", "elements of 64 bits need an LMUL of 1 or more"},
		{"e32, mf4", "", "elements of 32 bits need an LMUL of 1/2 or more"},
		{"e16, mf8", "", "elements of 16 bits need an LMUL of 1/4 or more"},
		{"e8, mf8", "vadd.vv v1, v2, v3", ""}, {"e16, mf4", "vadd.vv v1, v2, v3", ""}, {"e32, mf2", "vadd.vv v1, v2, v3", ""},
		{"e32, m4", "vadd.vv v8, v12, v16", ""},
		{"e32, m4", "vadd.vv v8, v12, v17", "v17 stands for 4 registers"},
		{"e32, m4", "vwadd.vv v8, v16, v20", ""},
		{"e32, m8", "vwadd.vv v8, v16, v24", "16 registers"},
		{"e64, m1", "vwadd.vv v8, v16, v20", "elements of 128 bits"},
		{"e8, m1", "vsext.vf2 v8, v16", "less than 8 bits"},
		{"e32, m1", "vsext.vf4 v8, v16", ""},
		{"e16, m1", "vsext.vf4 v8, v16", "less than 8 bits"},
		{"e64, m1", "vsext.vf8 v8, v16", ""},
		{"e8, m4", "vle64.v v8, (a0)", "32 registers"},
		{"e64, m1", "vle8.v v8, (a0)", ""},
		{"e32, mf2", "vle8.v v8, (a0)", ""},
		{"e32, m8", "vlseg2e32.v v8, (a0)", "2 fields of 8 registers"},
		{"e32, m1", "vlseg8e32.v v24, (a0)", ""},
		{"e32, m1", "vlseg8e32.v v25, (a0)", "go beyond v31"},
		{"e32, m2", "vadd.vv v0, v4, v8, v0.t", "overlaps the mask"},
		{"e32, m2", "vadd.vv v0, v4, v8", ""},
		{"e32, m2", "vmseq.vv v0, v4, v8, v0.t", ""},
		{"e32, m2", "vmseq.vv v5, v4, v8", "elsewhere than at the first"},
		{"e32, m2", "vmseq.vv v4, v4, v8", ""},
		{"e32, m2", "vmerge.vvm v4, v4, v8, v0", ""},
		{"e32, m2", "vredsum.vs v4, v4, v5", ""},
		{"e32, m2", "vslideup.vx v4, v4, a1", "must not overlap"},
		{"e32, m2", "vslidedown.vx v4, v4, a1", ""},
		{"e32, m2", "vrgather.vv v4, v4, v8", "must not overlap"},
		{"e32, m2", "vwadd.vv v4, v4, v8", "elsewhere than at the last"},
		{"e32, m2", "vwadd.vv v4, v6, v8", ""},
		{"e32, m2", "vwadd.wv v4, v4, v8", ""},
		{"e32, m2", "vwmacc.vv v4, v8, v10", ""},
		{"e32, m2", "vmacc.vv v4, v8, v10", ""},
		{"e32, m2", "vnsrl.wi v4, v4, 3", ""},
		{"e32, m2", "vnsrl.wi v6, v4, 3", "elsewhere than at the first"},
		{"e32, m1", "vluxei64.v v8, (a0), v10", ""},
		{"e32, m8", "vluxei64.v v8, (a0), v16", "16 registers"},
		{"e32, m1", "vmv.x.s a0, v9", ""}, {"e32, m8", "vmv.s.x v9, a0", ""}, {"e32, m8", "vmv1r.v v9, v3", ""}, {"e32, m8", "vs1r.v v9, (a0)", ""}, {"e32, m8", "vfirst.m a0, v9", ""},
		{"e32, m8", "vmand.mm v9, v3, v1", ""}, {"e32, m8", "vlm.v v9, (a0)", ""}, {"e32, m2", "viota.m v4, v5", "must not overlap"},
	} {
		code, err := a.Parse(nil, "vsetvli t0, a0, "+c.vtype+", ta, ma", "")
		if err == nil && c.text != "" {
			code, err = a.Parse(code, c.text, "")
		}
		if err != nil {
			t.Fatalf("%s; %s: %v", c.vtype, c.text, err)
		}
		a.Context(code, false)
		got := ""
		for i := range code {
			got += a.Reserved(&code[i])
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s; %s: %q, want %q", c.vtype, c.text, got, c.want)
		}
	}
	for imm, want := range map[string]string{"247": "do not exist", "4": "no meaning", "256": "above the lowest eight", "208": ""} {
		code, err := a.Parse(nil, "vsetvli t0, a0, "+imm, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Reserved(&code[0]); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("vtype %s: %q, want %q", imm, got, want)
		}
	}
	if got := a.Reserved(&isa.Inst{}); got != "" {
		t.Errorf("no instruction: %q", got)
	}
}

package block

import "testing"

// TestVectorMasks: the vector registers that mask AVX's moves start as ones; those that are loaded or stored, and all
// others, do not.
func TestVectorMasks(t *testing.T) {
	a := AMD64()
	for _, c := range []struct {
		text string
		want uint16
	}{
		{"vmaskmovps %ymm0, %ymm1, (%rsi)", 1 << 1}, {"vmaskmovpd (%rsi), %xmm9, %xmm0", 1 << 9}, {"vpmaskmovd (%rsi,%rax,4), %ymm12, %ymm0", 1 << 12},
		{"vpmaskmovq %ymm15, %ymm3, 8(%rsi)", 1 << 3}, {"vmovups (%rsi), %ymm1", 0}, {"vblendvps %ymm1, %ymm2, %ymm3, %ymm4", 0},
	} {
		insts, err := a.ISA.Parse(nil, c.text, "att")
		if err != nil {
			t.Fatal(err)
		}
		code, err := a.ISA.Encode(nil, &insts[0], 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.masked(code).vectors; got != c.want {
			t.Errorf("%s: %#x, want %#x", c.text, got, c.want)
		}
	}
}

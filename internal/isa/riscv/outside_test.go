package riscv

import "testing"

// TestOutside: what ends in the kernel or behind the caches is told apart from fences and moves that don't.
func TestOutside(t *testing.T) {
	for text, outside := range map[string]bool{
		"ecall": true, "ebreak": true, "c.ebreak": true, "unimp": true, "mret": true, "wfi": true, "fence.i": true, "sfence.vma x0, x0": true, "cbo.zero (a0)": true,
		"nop": false, "fence rw, rw": false, "ret": false, "csrr a0, cycle": true, "rdtime a0": true, "csrr a0, vlenb": false, "frcsr a0": false, "csrw vxrm, a0": false, "vsetvli a0, a1, e32, m1, ta, ma": false,
	} {
		ins, err := ISA().Parse(nil, text, "")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if why := ISA().Outside(&ins[0]); (why != "") != outside {
			t.Errorf("%s: %q", text, why)
		}
	}
}

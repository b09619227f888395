package aarch64

import "testing"

// TestOutside: what ends in the kernel or behind the caches is told apart from barriers and moves that don't.
func TestOutside(t *testing.T) {
	for text, outside := range map[string]bool{
		"svc #0": true, "brk #1": true, "hlt #1": true, "eret": true, "dsb sy": true, "isb": true, "dc zva, x0": true, "ic iallu": true, "cpyfp [x0]!, [x1]!, x2!": true,
		"mrs x0, cntvct_el0": true, "mrs x0, tpidr_el0": false, "msr fpcr, x0": false, "wfe": true, "wfi": true, "yield": false, "bti c": false, "nop": false, "dmb ish": true, "dmb ishst": true, "mrs x0, nzcv": false, "add x0, x1, x2": false, "ret": false, "setf8 w0": false, "setffr": false, "setgp [x0]!, x1!, x2": true, "prfm pldl1keep, [x0]": false,
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

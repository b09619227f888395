package feature

import (
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// TestNeeds has forms whose names look like those of half precision, and are none.
func TestNeeds(t *testing.T) {
	set := x86.ISA()
	x := X86(set)
	for name, want := range map[string]string{"VCVTPH2PSZrr": "avx512f", "VCVTPS2PHZ128rr": "avx512f avx512vl", "VCVTPH2PSXZrr": "avx512_fp16", "VMOVSHDUPZrr": "avx512f",
		"VMOVSHDUPZ256rrk": "avx512f avx512vl", "VMOVSHZrr": "avx512_fp16", "VMOVSHtoW64rr": "avx512_fp16", "VMOVSHDUPrr": "avx", "VCVTPH2PSrr": "f16c"} {
		f := set.Forms.Named(name)
		if f == isa.NoForm {
			t.Errorf("no form %s", name)
		} else if got := strings.Join(x.Needs(f), " "); got != want {
			t.Errorf("%s needs %q, want %q", name, got, want)
		}
	}
}

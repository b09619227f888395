package feature

import (
	"strings"
	"testing"

	"incore/internal/bench/host"
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

// TestLacking: a form that needs what no machine has is told apart on machines of the table's architecture alone.
func TestLacking(t *testing.T) {
	if Here() == nil {
		t.Skip("the features of this machine are not known")
	}
	const none = "a-feature-of-no-machine"
	own, other := &Table{arch: host.Arch}, &Table{arch: "another"}
	for x := range Here() {
		if Here()[x] {
			own.needs = func(isa.FormID) []string { return []string{x, none + "|" + x} }
			if got := own.Lacking(1); got != "" {
				t.Errorf("lacks %s, which it has", got)
			}
			break
		}
	}
	needs := func(isa.FormID) []string { return []string{none} }
	own.needs, other.needs = needs, needs
	if got := own.Lacking(1); got != none {
		t.Errorf("lacks %q", got)
	}
	if got := other.Lacking(1); got != "" {
		t.Errorf("lacks %q of another architecture", got)
	}
	if got := (*Table)(nil).Lacking(1); got != "" {
		t.Errorf("lacks %q by no table", got)
	}
}

package machine

import (
	"slices"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
)

// TestLacks: what cores don't have, by LLVM's lists of what they do.
func TestLacks(t *testing.T) {
	for _, c := range []struct {
		arch, text, want, core, elsewhere string
	}{
		{"zen3", "vaddpd %zmm0, %zmm1, %zmm2", "AVX-512F", "zen3", "zen4"},
		{"zen3", "vaddsd %xmm16, %xmm1, %xmm2", "AVX-512F", "zen3", "skylake-server"},
		{"znver3", "vpaddb %zmm0, %zmm1, %zmm2", "AVX-512BW", "znver3", "zen5"},
		{"zen4", "vaddpd %zmm0, %zmm1, %zmm2", "", "", ""},
		{"zen4", "vaddph %zmm0, %zmm1, %zmm2", "AVX-512FP16", "zen4", "sapphirerapids"},
		{"sandybridge", "vfmadd213pd %ymm0, %ymm1, %ymm2", "FMA", "sandybridge", "haswell"},
		{"haswell", "vfmadd213pd %ymm0, %ymm1, %ymm2", "", "", ""},
		{"haswell", "vfmaddpd %ymm0, %ymm1, %ymm2, %ymm3", "FMA4", "haswell", "bdver2"},
		{"haswell", "addsd %xmm0, %xmm1", "", "", ""},
		{"neoverse-n1", "fmla z0.d, p0/m, z1.d, z2.d", "SVE", "neoverse-n1", "neoverse-v1"},
		{"neoverse-n1", "fmla v0.2d, v1.2d, v2.2d", "", "", ""},
		{"neoverse-v1", "fmla z0.d, p0/m, z1.d, z2.d", "", "", ""},
		{"neoverse-v1", "histcnt z0.s, p0/z, z1.s, z2.s", "SVE2", "neoverse-v1", "neoverse-v2"},
		{"u74", "vfadd.vv v1, v2, v3", "V", "sifive-u74", "sifive-x280"},
		{"x280", "vfadd.vv v1, v2, v3", "", "", ""},
		{"sifive-7", "vfadd.vv v1, v2, v3", "", "", ""}, // one of its cores has it
		{"c910", "vfadd.vv v1, v2, v3", "", "", ""},     // which LLVM does not describe
	} {
		m, err := Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		a := map[string]*isa.ISA{"x86-64": x86.ISA(), "aarch64": aarch64.ISA(), "riscv64": riscv.ISA()}[m.ISA]
		insts, err := a.Parse(nil, c.text, a.Syntaxes[0])
		if err != nil {
			t.Fatal(err)
		}
		e, ok := m.Cores(a, c.arch).Lacks(insts[0].Form)
		if ok != (c.want != "") || e.Name != c.want || e.Core != c.core || ok && !slices.Contains(e.Elsewhere, c.elsewhere) {
			t.Errorf("%s, %s: %v %+v", c.arch, c.text, ok, e)
		}
	}
}

// TestExtensionNames: each predicate of the table is one of the forms', each processor of it one of those listed.
func TestExtensionNames(t *testing.T) {
	for _, a := range []*isa.ISA{x86.ISA(), aarch64.ISA(), riscv.ISA()} {
		used := map[string]bool{}
		for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
			for _, p := range a.Forms.Predicates(f) {
				used[p] = true
			}
		}
		x := allExtensions()[a.Name]
		if x == nil || len(x.have) < 20 {
			t.Fatalf("%s: %+v", a.Name, x)
		}
		for p, have := range x.have {
			if !used[p] {
				t.Errorf("%s: no form needs %s", a.Name, p)
			}
			for _, c := range have[1:] {
				if !x.cpus[c] {
					t.Errorf("%s: %s of %s is no processor", a.Name, c, p)
				}
			}
		}
	}
}

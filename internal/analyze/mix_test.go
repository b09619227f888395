package analyze

import (
	"strings"
	"testing"

	"incore/internal/asm"
	"incore/internal/catalog"
	"incore/internal/report"
	"incore/internal/source"
)

// TestMix: scalar code of SSE and AVX is no vector code, though its operands are vector registers.
func TestMix(t *testing.T) {
	for text, want := range map[string]report.Vector{
		"movss (%rsi,%rax), %xmm1;mulss %xmm0, %xmm1;vaddsd (%rdi), %xmm1, %xmm1;vmovsd %xmm1, (%rdi);vfmadd231sd %xmm1, %xmm2, %xmm3;addq $4, %rax":             {Scalar: 6},
		"cvtsi2sdl (%rsi), %xmm1;cvttsd2si %xmm0, %eax;cvtss2sd %xmm0, %xmm1;ucomisd %xmm0, %xmm1;movd %eax, %xmm3;sqrtss %xmm0, %xmm0;roundsd $1, %xmm0, %xmm0": {Scalar: 7},
		"cvtdq2ps (%rdi), %xmm0;cvtpd2ps %xmm0, %xmm2;movaps %xmm0, %xmm1;addps %xmm0, %xmm1;pxor %xmm0, %xmm0;movups (%rdi), %xmm1;pshufd $1, %xmm0, %xmm1":     {V128: 7},
		"vaddps %ymm0, %ymm1, %ymm2;vcvtps2pd %xmm0, %ymm1;vaddpd %zmm0, %zmm1, %zmm2":                                                                           {V256: 2, V512: 1},
	} {
		f, err := source.New("t.s", []byte(strings.ReplaceAll(text, ";", "\n")+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := asm.Parse(f, asm.Options{ISAs: catalog.ISAs()})
		if err != nil {
			t.Fatal(err)
		}
		ks, _, err := p.Kernels(asm.Select{Whole: true})
		if err != nil || len(ks) != 1 {
			t.Fatalf("%s: %d kernels, %v", text, len(ks), err)
		}
		if got := mix(p.Build(&ks[0])); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

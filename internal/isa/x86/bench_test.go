package x86

import (
	"testing"

	"incore/internal/isa"
)

// kernels are statements as compilers emit them.
var kernels = map[string][]string{
	"att": {"vmovupd (%rsi,%rax,8), %ymm0", "vfmadd213pd (%rdx,%rax,8), %ymm1, %ymm0", "vmovupd %ymm0, (%rdi,%rax,8)", "addq $4, %rax",
		"cmpq %rcx, %rax", "jne .L3", "movl -20(%rbp), %eax", "leaq foo+8(%rip), %rdi", "call printf@PLT", "mov %eax, 8(%rsp)", "addsd %xmm1, %xmm0",
		"vaddps {rn-sae}, %zmm0, %zmm1, %zmm2{%k1}{z}", "pushq %rbx", "xorl %eax, %eax", "imulq $24, %rdi, %rdi", "testb $1, %al"},
	"intel": {"vmovupd ymm0, ymmword ptr [rsi + 8*rax]", "vfmadd213pd ymm0, ymm1, ymmword ptr [rdx + 8*rax]", "vmovupd ymmword ptr [rdi + 8*rax], ymm0",
		"add rax, 4", "cmp rax, rcx", "jne .L3", "mov eax, DWORD PTR [rbp-20]", "lea rdi, [rip + foo + 8]", "call printf@PLT", "mov DWORD PTR [rsp+8], eax",
		"addsd xmm0, xmm1", "vaddps zmm2{k1}{z}, zmm1, zmm0, {rn-sae}", "push rbx", "xor eax, eax", "imul rdi, rdi, 24", "test al, 1"},
}

func BenchmarkParse(b *testing.B) {
	for _, syntax := range []string{"att", "intel"} {
		b.Run(syntax, func(b *testing.B) {
			var dst []isa.Inst
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				for _, s := range kernels[syntax] {
					var err error
					if dst, err = ISA().Parse(dst[:0], s, syntax); err != nil {
						b.Fatal(err)
					}
					n++
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "stmts/s")
		})
	}
}

func BenchmarkEffects(b *testing.B) {
	var code []isa.Inst
	for _, s := range kernels["att"] {
		var err error
		if code, err = ISA().Parse(code, s, "att"); err != nil {
			b.Fatal(err)
		}
	}
	var e isa.Effects
	b.ReportAllocs()
	for b.Loop() {
		for i := range code {
			ISA().Effects(&code[i], &e)
		}
	}
	b.ReportMetric(float64(b.N*len(code))/b.Elapsed().Seconds(), "insts/s")
}

func BenchmarkInit(b *testing.B) {
	for b.Loop() {
		newDatabase()
	}
}

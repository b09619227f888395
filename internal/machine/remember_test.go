package machine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestRemember: what instructions cost does not hang on the kernels that the model bound before, nor do kernels write to what others share.
func TestRemember(t *testing.T) {
	text := map[string]string{
		"x86-64": "vfmadd213pd %ymm1, %ymm2, %ymm3; vaddpd %ymm3, %ymm1, %ymm2; vmovapd %ymm2, %ymm1; movq %rax, %rbx; addq %rbx, %rax; cmpq %rax, %rbx; jne 0x10; " +
			"testl %ecx, (%rdi); jle 0x20; addl (%rsi,%rax,4), %ecx; movl %ecx, 8(%rdi,%rax,4); xorl %ecx, %ecx; vpxor %xmm1, %xmm1, %xmm1; nop; mulss %xmm1, %xmm2; " +
			"vpaddd %ymm1, %ymm2, %ymm1; imulq %rax, %rcx; setne %al; push %rax; pop %rbx; call 0x30; xyzzy %rax",
		"aarch64": "aese v0.16b, v1.16b; aesmc v0.16b, v0.16b; fmla v0.2d, v1.2d, v2.2d; fmul v1.2d, v0.2d, v2.2d; mov x1, x2; adrp x1, sym; add x1, x1, :lo12:sym; " +
			"ldr x3, [x1], #8; str x3, [x2, #8]!; cmp x1, x2; b.ne lbl; movprfx z1, z2; mla z1.s, p0/m, z3.s, z4.s; add x2, x2, x3, lsl #3; nop",
		"riscv64": "add a0, a0, a1; lw a1, 0(a0); sw a1, 4(a0); fmadd.d fa0, fa1, fa2, fa0; mul a2, a0, a1; beq a0, a1, 16; lui a0, 1; addi a0, a0, 4",
	}
	for _, name := range []string{"skl", "zen4", "alderlake-p", "neoverse-v2", "cortex-a55", "sifive-p550"} {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := m.With()
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		list := strings.Split(text[m.ISA], "; ")
		for n := range 120 {
			var lines []string
			for range 1 + rng.IntN(8) {
				lines = append(lines, list[rng.IntN(len(list))])
			}
			k := kernel(t, m.ISA, strings.Join(lines, "\n"))
			if n%10 == 0 {
				if fresh, err = m.With(); err != nil { // before it remembers
					t.Fatal(err)
				}
			}
			if got, want := costs(uops.Bind(m, k)), costs(uops.Bind(fresh, k)); got != want {
				t.Fatalf("%s: %q costs\n%s, but on a model that knows nothing else\n%s", name, lines, got, want)
			}
		}
	}
}

// costs is all that a bound kernel says.
func costs(b *machine.Bound) string {
	var out strings.Builder
	for i := range b.Insts {
		in := &b.Insts[i]
		fmt.Fprintf(&out, "%v %v %v %v %v %v %v %q %v %v %v %v %q %s\n", in.Effects, in.Uops, in.Slots, in.Latency, in.Load, in.Flags, in.Decode, in.Source,
			in.LowLatency, in.HighLatency, in.LowSlots, in.HighSlots, in.Open, pairs(in, b.Kernel.ISA.Regs))
		for k := range b.Insts {
			for r := range in.Effects.Reads {
				for w := range b.Insts[k].Effects.Writes {
					fmt.Fprint(&out, in.Forward(r, &b.Insts[k], w), " ")
				}
			}
		}
	}
	return out.String()
}

package x86

import (
	"testing"

	"incore/internal/isa"
)

// TestOutside: what ends in the kernel, behind the caches or when a register says so is told apart from what only looks like it.
func TestOutside(t *testing.T) {
	for _, x := range []struct {
		text, why string
	}{
		{"cpuid", "lets nothing run beside it, and may leave a virtual machine"},
		{"syscall", "enters or leaves the kernel"}, {"int3", "enters or leaves the kernel"}, {"ud2", "enters or leaves the kernel"},
		{"hlt", "needs privileges: it traps, or leaves a virtual machine"}, {"in %dx, %al", "needs privileges: it traps, or leaves a virtual machine"},
		{"mov %cr0, %rax", "needs privileges: it traps, or leaves a virtual machine"},
		{"rep movsb", byCount}, {"rep stosq", byCount}, {"repne scasb", byCount},
		{"movnti %rax, (%rdi)", "goes past the caches to memory"}, {"vmovntps %zmm1, (%rdi)", "goes past the caches to memory"}, {"clflush (%rdi)", "goes past the caches to memory"},
		{"rdrand %eax", "waits for the random number generator, which all cores share"}, {"xsave (%rdi)", "takes as long as the state that is in use is large"},
		{"inc %eax", ""}, {"movsb", ""}, {"movsbl %al, %ecx", ""}, {"movsd %xmm0, %xmm1", ""}, {"movntdqa (%rdi), %xmm0", ""}, {"ret", ""}, {"rep ret", ""},
		{"vmaxps %ymm0, %ymm1, %ymm2", ""}, {"vmovaps %zmm0, (%rdi)", ""}, {"rdtsc", ""}, {"lfence", ""}, {"pause", ""}, {"xgetbv", ""}, {"mov %ds, %eax", ""},
	} {
		ins, err := ISA().Parse(nil, x.text, "att")
		if err != nil {
			t.Errorf("%s: %v", x.text, err)
			continue
		}
		why := ""
		for i := range ins {
			why = max(why, ISA().Outside(&ins[i]))
		}
		if why != x.why {
			t.Errorf("%s: %q, want %q", x.text, why, x.why)
		}
	}
	none := isa.Inst{}
	if why := ISA().Outside(&none); why != "" {
		t.Errorf("what has no form %s", why)
	}
}

package machine_test

import (
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestFalseDependences: which operations wait for the register that they overwrite, as compilers know it (LLVM's X86.td, GCC's x86-tune.def).
func TestFalseDependences(t *testing.T) {
	const counts, others = "popcnt %rbx, %rax;popcnt (%rbx), %eax", "lzcnt %rbx, %rax;tzcnt %ebx, %eax;tzcnt (%rbx), %rax"
	const crosses = "vpermd %ymm1, %ymm2, %ymm3;vpermps %ymm1, %ymm2, %ymm3;vpermq $3, %ymm1, %ymm3;vpermpd $3, (%rax), %ymm3"
	const wide = "vpmullq %ymm1, %ymm2, %ymm3;vrangeps $1, %zmm1, %zmm2, %zmm3;vgetmantpd $1, %xmm1, %xmm3;vgetmantsh $1, %xmm1, %xmm2, %xmm3;vfmulcph %zmm1, %zmm2, %zmm3;vfcmulcsh %xmm1, %xmm2, %xmm3"
	for _, c := range []struct {
		cores, waits, free string
	}{
		{"sandybridge ivybridge silvermont goldmont", counts + ";" + others, ""}, // without BMI1 and LZCNT these are bsf and bsr
		{"nehalem core2 tremont goldmont-plus bonnell", others, ""},
		{"bdver1 btver1", "tzcnt %ebx, %eax;tzcnt (%rbx), %rax", "lzcnt %rbx, %rax"},
		{"bdver2 btver2", "", counts + ";" + others},
		{"skylake skylake-server cascadelake", counts, ""},
		{"cannonlake", "", counts + ";" + others + ";" + crosses},
		{"haswell broadwell", counts + ";" + others, crosses},
		{"skylake skylake-server cascadelake", "", others + ";" + crosses},
		{"icelake-client icelake-server tigerlake rocketlake", "", counts + ";" + others + ";" + crosses},
		{"alderlake-p raptorlake-p", crosses, counts + ";" + others},
		{"sapphirerapids emeraldrapids graniterapids", crosses + ";" + wide, counts + ";" + others},
		{"gracemont zen1 zen2 zen3", "", counts + ";" + others},
	} {
		for _, name := range strings.Fields(c.cores) {
			m := model(t, name)
			for want, texts := range map[bool]string{true: c.waits, false: c.free} {
				for _, text := range strings.FieldsFunc(texts, func(r rune) bool { return r == ';' }) {
					k := kernel(t, "x86-64", text)
					if got := m.Cost(k.ISA, &k.Lines[0].Inst).Flags&machine.ReadsResult != 0; got != want {
						t.Errorf("%s: '%s' waits for the register that it overwrites: %v", name, text, got)
					}
				}
			}
		}
	}
}

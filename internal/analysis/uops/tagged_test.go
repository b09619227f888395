package uops_test

import (
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestTaggedDelays holds the delays of whole instructions to what was measured on an Emerald Rapids: see alderlake-p.model.
func TestTaggedDelays(t *testing.T) {
	for _, c := range []struct {
		text    string
		inst    int     // whose
		in      int     // input's latency
		cycles  float64 // to its first output is this
		uops    int     // and it has so many µops
		because string
	}{
		{"leaq 1(%rbx), %rcx\nshlxq %rcx, %rax, %rax", 1, 0, 3, 2, "the count is an addition done at rename"},
		{"leaq (%rbx,%rdx), %rcx\nshlxq %rcx, %rax, %rax", 1, 0, 1, 1, "this addition executes"},
		{"addq $1, %rcx\nmovq %rcx, %rdx\nrorxq $4, %rdx, %rsi", 2, 0, 3, 2, "the move between is eliminated"},
		{"addq $1, %rbx\nmovl %ebx, %ecx\nrorxl $4, %ecx, %esi", 2, 0, 1, 1, "a copy of 32 bits executes the addition"},
		{"testq %rax, %rax\ncmoveq %rcx, %rdx", 1, 0, 1.67, 1, "flags of a logic operation"},
		{"cmpq %rax, %rbx\ncmoveq %rcx, %rdx", 1, 0, 1, 1, "flags of a subtraction"},
	} {
		b := uops.Bind(model(t, "emeraldrapids"), kernel(t, catalog.ISA("x86-64"), c.text))
		in := &b.Insts[c.inst]
		got, ok := in.Pair(c.in, 0)
		uops := 0
		for _, u := range in.Uops {
			if u.Kind == machine.UopExec && !u.Resource {
				uops++
			}
		}
		if !ok || got < c.cycles-0.01 || got > c.cycles+0.01 || uops != c.uops {
			t.Errorf("%q: latency %v and %d µops, want %v and %d: %s", c.text, got, uops, c.cycles, c.uops, c.because)
		}
	}
}

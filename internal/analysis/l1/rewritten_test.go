package l1

import "testing"

// TestRewritten: which stores a later iteration writes over, and so (measured on Zen 4, see Rewritten) which loads keep stores from leaving together.
func TestRewritten(t *testing.T) {
	const stores = "movq %rax,0(%rbp); movq %rcx,8(%rbp); movq %rdx,16(%rbp)"
	for text, want := range map[string]int{
		stores:                           3,
		"subq $8,%rbp; " + stores:        2, // the topmost is not met again
		"addq $8,%rbp; " + stores:        2,
		"subq $16,%rbp; " + stores:       1,
		"subq $24,%rbp; " + stores:       0,
		"subq $64,%rbp; " + stores:       0,
		"addq $4,%rbp; movl %eax,(%rbp)": 0,
		"addq $4,%rbp; movq %rax,(%rbp)": 1,
		"movq %rax,(%rsp); movq 8(%rsp),%rcx; movq %rdx,(%rdi); addq $8,%rdi": 1,
	} {
		if got := len(Rewritten(bind(t, "zen4", text), nil)); got != want {
			t.Errorf("%s: %d stores are written over, want %d", text, got, want)
		}
	}
}

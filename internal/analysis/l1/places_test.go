package l1

import (
	"slices"
	"testing"
)

// TestLines checks which loads are known to stay in their places of a line.
func TestLines(t *testing.T) {
	got := Lines(bind(t, "emeraldrapids", "movq 72(%rax), %rbx; movl 4(%rbx), %ecx; addq $64, %rax; movq 8(%rdx), %rsi; addq $8, %rdx; movq %rcx, (%rdi)"))
	want := []Place{{Inst: 0, Offset: 8, Bytes: 8}, {Inst: 1, Offset: 4, Bytes: 4}} // 72 moves by whole lines, 8(%rdx) within one
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

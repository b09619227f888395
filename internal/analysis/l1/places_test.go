package l1_test

import (
	"slices"
	"testing"

	"incore/internal/analysis/l1"
)

// TestLines checks which loads are known to stay in their places of a line.
func TestLines(t *testing.T) {
	got := l1.Lines(bind(t, "emeraldrapids", "movq 72(%rax), %rbx; movl 4(%rbx), %ecx; addq $64, %rax; movq 8(%rdx), %rsi; addq $8, %rdx; movq %rcx, (%rdi)"))
	want := []l1.Place{{Inst: 0, Offset: 8, Bytes: 8}, {Inst: 1, Offset: 4, Bytes: 4}} // 72 moves by whole lines, 8(%rdx) within one
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

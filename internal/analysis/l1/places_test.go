package l1_test

import (
	"slices"
	"testing"

	"incore/internal/analysis/l1"
)

// TestLines checks which loads are known to stay in their places of a line, and which of them can meet.
func TestLines(t *testing.T) {
	b := bind(t, "emeraldrapids", "movq 72(%rax), %rbx; movl 4(%rbx), %ecx; addq $64, %rax; movq 8(%rdx), %rsi; addq $8, %rdx;"+
		"movq %rcx, (%rdi); movq 16(%rax), %rcx")
	want := []l1.Place{ // 72 moves by whole lines, 8(%rdx) within one
		{Inst: 0, Offset: 8, Bytes: 8}, {Inst: 1, Offset: 4, Bytes: 4}, {Inst: 6, Offset: 16, Bytes: 8},
	}
	if got := l1.Lines(b, true); !slices.Equal(got, want) {
		t.Errorf("aligned pointers: got %v, want %v", got, want)
	}
	want[1].Group = 1
	if got := l1.Lines(b, false); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

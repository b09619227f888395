package isa_test

import (
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestBrief: a line of megabytes, as of binary data that was taken for assembly, is not repeated in messages.
func TestBrief(t *testing.T) {
	if got := isa.Brief("addq\t%rax,  %rbx"); got != "addq %rax, %rbx" {
		t.Errorf("%q", got)
	}
	for _, s := range []string{strings.Repeat("(", 1<<20), strings.Repeat("µ", 1000), strings.Repeat(" \t", 1<<20) + "x"} {
		if got := isa.Brief(s); len(got) > 410 {
			t.Errorf("%d bytes of %q: %d", len(s), s[:4], len(got))
		}
	}
	if got := isa.Brief("\x1b[31mfoo \x00\xff"); got != "�[31mfoo ��" {
		t.Errorf("%q", got)
	}
	long := &isa.SyntaxError{Msg: "unknown", Stmt: strings.Repeat("x", 1<<20)}
	if n := len(long.Error()); n > 450 {
		t.Errorf("a message of %d bytes", n)
	}
}

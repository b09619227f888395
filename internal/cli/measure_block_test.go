package cli

import (
	"runtime"
	"testing"
)

// TestLabelledBlock: a block of a corpus that is a loop with its label is measured in place, with its own branch, as it is predicted; other blocks are copies.
func TestLabelledBlock(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the blocks are x86-64 code")
	}
	for text, want := range map[string]bool{
		".L1: addq %r8,%rdx; decq %rcx; jne .L1":              true,
		"1: addq %r8,%rdx; decq %rcx; jne 1b":                 true,
		"loop: add rdx, r8; dec rcx; jne loop":                true,
		".L1: addq %r8,%rdx; jc .L2; .L2: decq %rcx; jne .L1": false, // which way it goes is not known
		"addq %r8,%rdx; decq %rcx; jne .L1":                   false,
		"addq %r8,%rdx; .L1: decq %rcx; jne .L1":              false,
		"addq %r8,%rdx; decq %rcx":                            false,
	} {
		m, err := (&measureFlags{}).block(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := m.place != nil; got != want {
			t.Errorf("%s: in place %v, want %v", text, got, want)
		}
	}
	for _, f := range []measureFlags{{copies: true}, {unrolled: true}} {
		if m, err := f.block(".L1: addq %r8,%rdx; decq %rcx; jne .L1"); err != nil || m.place != nil {
			t.Errorf("%+v: in place %v, %v", f, m.place != nil, err)
		}
	}
}

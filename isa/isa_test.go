package isa_test

import (
	"strings"
	"testing"

	"incore/isa"
)

// TestOneStatement: text behind a separator is an error in every syntax, and never dropped; a prefix may stand before
// it.
func TestOneStatement(t *testing.T) {
	for name, texts := range map[string][]string{"x86-64": {"add rax, rbx; add rcx, rdx", "nop; nop", "nop;nop", "addq %rax, %rbx; addq %rcx, %rdx"}, "aarch64": {"nop; nop", "add x0, x1, x2; nop"}, "riscv64": {"nop; nop"}} {
		s, err := isa.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, syntax := range s.Syntaxes() {
			for _, text := range texts {
				if list, err := s.Parse(text, syntax); err == nil || !strings.Contains(err.Error(), "not one statement") {
					t.Errorf("%s %q: %q: %d instructions, %v", name, syntax, text, len(list), err)
				}
			}
		}
	}
	s, err := isa.Get("x86-64")
	if err != nil {
		t.Fatal(err)
	}
	if list, err := s.Parse("lock; incq (%rax)", "att"); err != nil || len(list) != 1 {
		t.Errorf("a prefix as a statement: %d instructions, %v", len(list), err)
	}
}

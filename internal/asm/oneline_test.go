package asm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"incore/internal/isa/x86"
)

// TestOneLine: a loop on one line has all its statements, whichever of them has an unknown mnemonic; what is a comment in other texts stays one.
func TestOneLine(t *testing.T) {
	loops := map[string][]string{
		"att":   {"movq (%rsi), %rax", "addq $8, %rsi", "vaddpd %ymm1, %ymm2, %ymm3", "movl %ecx, 8(%rdi)", "decq %rcx", "jnz 1b"},
		"intel": {"mov rax, [rsi]", "add rsi, 8", "vaddpd ymm1, ymm2, ymm3", "mov [rdi+8], ecx", "dec rcx", "jnz 1b"},
	}
	for syntax, loop := range loops {
		for k := range loop[:4] { // dec and jnz have no second operand: a word and a name may as well begin a comment
			statements := slices.Clone(loop)
			_, operands, _ := strings.Cut(statements[k], " ")
			statements[k] = "xyzzy " + operands
			text := "1: " + strings.Join(statements, "; ") + "\n"
			if d := dialectOf(text, x86.ISA()); d.separator != ';' {
				t.Errorf("%s, statement %d: %q is read with comments", syntax, k, text)
			}
		}
	}
	for _, comment := range []string{"load the first, then go", "x, y and z", "about 50 % of it", "rax is the sum", "see [rdi] there", "$ per hour"} {
		text := strings.Repeat(fmt.Sprintf("mov rax, [rsi] ; %s\n", comment), 3)
		if d := dialectOf(text, x86.ISA()); d.separator != 0 {
			t.Errorf("the comment %q is read as a statement", comment)
		}
	}
}

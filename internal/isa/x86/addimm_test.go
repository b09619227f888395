package x86

import (
	"testing"

	"incore/internal/isa"
)

func TestAddImm(t *testing.T) {
	a := ISA()
	for _, c := range []struct {
		stmt, dst, src string
		imm            int64
	}{
		{"addq $8, %rdi", "RDI", "RDI", 8},
		{"addq $-128, %rax", "RAX", "RAX", -128},
		{"addq $4096, %rax", "RAX", "RAX", 4096},
		{"subq $-128, %rbx", "RBX", "RBX", 128},
		{"subq $4096, %rbx", "RBX", "RBX", -4096},
		{"incq %rcx", "RCX", "RCX", 1},
		{"decq %rcx", "RCX", "RCX", -1},
		{"movq %rsp, %rbp", "RBP", "RSP", 0},
		{"leaq -16(%rsi), %rdx", "RDX", "RSI", -16},
		{"leaq (%rsi,%rcx), %rdx", "", "", 0},
		{"leaq foo(%rip), %rdx", "", "", 0},
		{"leaq foo(%rsi), %rdx", "", "", 0},
		{"addl $8, %edi", "", "", 0},
		{"movl %esi, %edi", "", "", 0},
		{"addq %rsi, %rdi", "", "", 0},
		{"addq $foo, %rdi", "", "", 0},
	} {
		insts, err := a.Parse(nil, c.stmt, "att")
		if err != nil || len(insts) != 1 {
			t.Fatalf("%s: %v", c.stmt, err)
		}
		dst, src, imm, ok := a.AddImm(&insts[0])
		if ok != (c.dst != "") || ok && (a.Regs.Name(dst) != c.dst || a.Regs.Name(src) != c.src || imm != c.imm) {
			t.Errorf("%s: %s = %s + %d, %v", c.stmt, a.Regs.Name(dst), a.Regs.Name(src), imm, ok)
		}
	}
}

// TestAddsOffset: which operands take a constant without a further operation.
func TestAddsOffset(t *testing.T) {
	a := ISA()
	for text, want := range map[string]bool{
		"movq %rsp, %rdi": true, "movl %esp, %edi": true, "movq 16(%rsp), %rax": true, "movq (%rsp,%rcx,8), %rax": true, "addq $1, (%rsp)": true,
		"leaq 8(%rsp), %rdi": true, "leaq (%rsp), %rdi": true, "leaq 8(%rsp,%rcx), %rdi": true, "leaq (%rsp,%rcx), %rdi": false, "leaq (%rsp,%rcx,4), %rdi": false,
		"cmpq %rsp, %rbx": false, "addq %rsp, %rcx": false, "subq $8, %rsp": false, "movzwl %sp, %edi": false, "movw %sp, %di": false, "movq %rsp, %xmm0": false,
	} {
		insts, err := a.Parse(nil, text, "att")
		if err != nil || len(insts) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		var effects isa.Effects
		got := false
		a.Effects(&insts[0], &effects)
		for _, r := range effects.Reads {
			got = got || a.StackPointer(r.Reg) && r.Op >= 0 && a.Offsets(&insts[0], int(r.Op))
		}
		if got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

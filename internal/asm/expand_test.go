package asm

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
)

// formsOf resolves a text and lists "line form" for each instruction.
func formsOf(t *testing.T, a *isa.ISA, text string) (string, *Program) {
	t.Helper()
	p, err := Parse(&source.File{Name: "test.s", Text: text}, Options{ISA: a})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i := range p.Len() {
		for _, l := range p.Lines(nil, i) {
			out = append(out, fmt.Sprintf("%d %s", l.No, a.FormName(&l.Inst)))
		}
	}
	return strings.Join(out, " · "), p
}

// TestExpand checks macros, repetitions, conditions, symbols, modes and code written as data.
// The forms are those that llvm-mc 19 shows for the same texts.
func TestExpand(t *testing.T) {
	x, a, r := x86.ISA(), aarch64.ISA(), riscv.ISA()
	tests := []struct {
		name string
		isa  *isa.ISA
		text string
		want string
	}{
		{"macro", x, ".macro add2 a, b=%rcx\n add \\a, \\b\n dec \\b\n.endm\nadd2 %rax, %rbx\nADD2 $5\n", "5 ADD64rr · 5 DEC64r · 6 ADD64ri8 · 6 DEC64r"},
		{"macro keyword", x, ".macro m dst src\n mov \\src, \\dst\n.endm\n m src=$1, dst=%eax\n", "4 MOV32ri"},
		{"macro vararg", x, ".macro m op, rest:vararg\n \\op \\rest\n.endm\n m addq, %rax, %rbx\n", "4 ADD64rr"},
		{"macro in macro", x, ".macro i r\n inc \\r\n.endm\n.macro j r\n i \\r\n i \\r\n.endm\n j %eax\n", "8 INC32r · 8 INC32r"},
		{"macro labels", x, ".macro spin\n.Ls\\@: dec %eax\n jnz .Ls\\@\n.endm\nspin\nspin\n", "5 DEC32r · 5 JCC_1 · 6 DEC32r · 6 JCC_1"},
		{"macro parts of names", a, ".macro ld n\n ldr q\\n, [x\\()\\n]\n.endm\n ld 3\n", "4 LDRQui"},
		{"exitm", x, ".macro m a\n.if \\a\n inc %eax\n.exitm\n.endif\n dec %eax\n.endm\n m 1\n m 0\n nop\n", "8 INC32r · 9 DEC32r · 10 NOOP"},
		{"rept", x, ".rept 2\n inc %eax\n.rept 2\n dec %eax\n.endr\n.endr\n", "2 INC32r · 4 DEC32r · 4 DEC32r · 2 INC32r · 4 DEC32r · 4 DEC32r"},
		{"rept in macro", x, ".macro m n\n.set i, 0\n.rept \\n\n mov i*8(%rdi), %rax\n.set i, i+1\n.endr\n.endm\n m 2\n nop\n", "8 MOV64rm · 8 MOV64rm · 9 NOOP"},
		{"irp", x, ".irp r, %eax, %rbx\n inc \\r\n.endr\n", "1 INC32r · 1 INC64r"},
		{"irpc", a, ".irpc i,01\n add x\\i, x\\i, x2\n.endr\n", "1 ADDXrs · 1 ADDXrs"},
		{"if", x, ".set N, 4\n.if N*2 == 8\n inc %eax\n.else\n dec %eax\n.endif\n.ifdef M\n nop\n.elseif N > 3 && N < 5\n dec %ebx\n.endif\n", "3 INC32r · 10 DEC32r"},
		{"set", x, ".set N, 8\nM = N+120\n.equ O, M<<4\n add $N, %eax\n add $M, %eax\n add $O, %ebx\n mov N(%rax,%rbx), %ecx\n", "4 ADD32ri8 · 5 ADD32i32 · 6 ADD32ri · 7 MOV32rm"},
		{"set again", r, ".equ N, 1\n li a0, N\n.equ N, 0x12345\n li a0, N\n", "2 ADDI · 4 LUI · 4 ADDIW"},
		{"forward", r, " lui a0, N\n addi a0, a0, N+1\n.equ N, 30\n", "1 LUI · 2 ADDI"},
		{"intel scale", x, ".intel_syntax noprefix\n.set n, 8\n lea rdx, [rax * n + rbx]\n", "3 LEA64r"},
		{"req", a, "acc .req v1\nptr .REQ x5\nfadd ACC.4s, acc.4s, v2.4s\nldr q0, [ptr], #16\n.unreq ptr\n", "3 FADDv4f32 · 4 LDRQpost"},
		{"modes", x, " inc %rax\n.code32\n push %eax\n.code64\n dec %rax\n", "1 INC64r · 5 DEC64r"},
		{"option pic", r, " la a0, x\n.option push\n.option pic\n la a0, x\n.option pop\n la a0, x\n", "1 AUIPC · 1 ADDI · 4 AUIPC · 4 LD · 6 AUIPC · 6 ADDI"},
		{"bytes", x, "f:\n inc %rax\n .byte 0x48, 0xff\n .byte 0xc8, 0x90\n ret\n .byte 0x90, 0x90\n", "2 INC64r · 3 DEC64r · 3 NOOP · 5 RET64"},
		{"data", x, "f:\n call abort\n.section .rodata\n.byte 0x90\n.text\ng:\n ret\n", "2 CALL64pcrel32 · 7 RET64"},
		{"table", a, " b.ne .L1\n.Lt:\n.word 0x8b010000\n.L1: ret\n", "1 Bcc · 4 RET"},
		{"inst", a, " .inst 0x8b010000\n.inst 0xd503201f\n", "1 ADDXrs · 2 HINT"},
		{"insn", r, " .insn 0x00b50533\n .insn r 0x33, 0, 0, a0, a1, a2\n", "1 ADD · 2 InsnR"},
		{"joined", x, " vfmadd213pd (%r14,%rax), \\\n   %ymm1, %ymm0\n inc %eax # x \\\n dec %eax\n", "1 VFMADD213PDYm · 3 INC32r · 4 DEC32r"},
		{"apple", a, "; a comment\n_f:\n ldr q0, [x0] ; encoding: [0x00]\n; CHECK: add x0, x0, x1\n ; bl x\n ret\n", "3 LDRQui · 6 RET"},
	}
	for _, x := range tests {
		got, p := formsOf(t, x.isa, x.text)
		if got != x.want || p.Unresolved > 0 {
			t.Errorf("%s: %s, %d unresolved; want %s\n%v", x.name, got, p.Unresolved, x.want, p.Errors)
		}
	}
}

// TestExpandBounds checks that expansion ends, and says so, where a text asks for too much.
func TestExpandBounds(t *testing.T) {
	for _, text := range []string{
		" nop\n.macro m\n m\n.endm\n m\n",
		" nop\n.macro m\n m\n m\n.endm\n m\n",
		" nop\n.rept 1000000\n.rept 1000000\n.endr\n.endr\n",
		" nop\n.rept 1048576\n nop\n nop\n.endr\n",
		" nop\n.macro m a\n m \\a\\a\n.endm\n m xxxxxxxx\n",
	} {
		_, p := formsOf(t, x86.ISA(), text)
		found := false
		for _, e := range p.Cut {
			found = found || strings.Contains(e.Msg, "at most")
		}
		if !found || p.Len() > maxRepeated+2 {
			t.Errorf("%q: %d instructions, %v", text, p.Len(), p.Cut)
		}
	}
}

// TestEvaluate checks constant expressions with GNU as' precedence.
func TestEvaluate(t *testing.T) {
	for text, want := range map[string]int64{"1+2*3": 7, "(1+2)*3": 9, "1<<4": 16, "1+1<<4": 17, "6|1+1": 8, "-1": -1, "~0": -1, "!0": 1, "'A": 65, "'A'": 65,
		"0x10": 16, "010": 8, "2==2": -1, "2!=2": 0, "1<2": -1, "2<=1": 0, "1&&0": 0, "1||0": 1, "7%4": 3, "5 > 3 && 2 < 4": 1, "n+1": 11, "0xffffffffffffffff": -1} {
		got, ok := evaluate(text, func(s string) (int64, bool) { return 10, s == "n" })
		if !ok || got != want {
			t.Errorf("%s = %d, %v; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "1+", "x", "1/0", "1 2", "(1", "1)", strings.Repeat("(", 1000), strings.Repeat("-", 100000) + "1"} {
		if v, ok := evaluate(text, func(string) (int64, bool) { return 0, false }); ok {
			t.Errorf("%.20q = %d", text, v)
		}
	}
}

// TestPreprocessor: text for the C preprocessor is warned of, once; comments and what a compiler says of lines are none.
func TestPreprocessor(t *testing.T) {
	for text, want := range map[string]string{
		"f:\n#ifdef A\n add x0, x0, 1\n#else\n sub x0, x0, 1\n#endif\n":                      "test.s:2:1: '#ifdef' is the C preprocessor's",
		"\r\n#define\tN 3\r\n add x0, x0, N\r\n":                                             "test.s:2:1: '#define' is the C preprocessor's",
		"# 1 \"a.c\"\n#APP\n# if this holds\n#ifdef_not\n # else\n add x0, x0, 1\n#NO_APP\n": "",
	} {
		_, p := formsOf(t, aarch64.ISA(), text)
		got := ""
		for _, n := range p.Notes {
			got += n.Error()
		}
		if !strings.HasPrefix(got, want) || strings.Count(got, "preprocessor") != min(len(want), 1) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

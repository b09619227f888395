package asm

import (
	"fmt"
	"strings"
	"testing"
)

// TestOtherMacros: what macros, structures and repetitions of NASM, FASM and .altmacro become.
func TestOtherMacros(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"rotate": {"%macro pushes 1-*\n%rep %0\n push %1\n%rotate 1\n%endrep\n%endmacro\n%macro pops 1-*\n%rep %0\n%rotate -1\n pop %1\n%endrep\n%endmacro\nf:\n.l:\n pushes rax, rbx, rcx\n pops rax, rbx, rcx\n dec rdi\n jnz .l\n",
			"push rax; push rbx; push rcx; pop rcx; pop rbx; pop rax; dec rdi; jnz .l"},
		"join":  {"%assign i 0\nf:\n.l:\n%rep 3\n movaps xmm%+i, [rdi+i*16]\n%assign i i+1\n%endrep\n addps xmm0, xmm%+i\n dec rdi\n jnz .l\n", "movaps xmm0, [rdi+0*16]; movaps xmm1, [rdi+1*16]; movaps xmm2, [rdi+2*16]; addps xmm0, xmm3; dec rdi; jnz .l"},
		"struc": {"struc p, 8\n .x: resq 1\n .y resd 1\n alignb 8\n .z: resb 3*2\nendstruc\nsection .text\nf:\n.l:\n mov rax, [rdi+p.x]\n add rax, [rdi+p.z]\n add rdi, p_size\n cmp rdi, rsi\n jb .l\n", "mov rax, [rdi+8]; add rax, [rdi+24]; add rdi, 30; cmp rdi, rsi; jb .l"},
		"equ":   {"N equ 4\nm: equ N*2\nsection .text\nf:\n.l:\n add rdi, N\n mov rax, [rsi+m]\n cmp rdi, rsi\n jb .l\n", "add rdi, 4; mov rax, [rsi+8]; cmp rdi, rsi; jb .l"},
		"alternate": {".altmacro\n.macro ld reg, off=0\n LOCAL at\n jmp at\nat:\n movq off(%rdi), reg\n.endm\nf:\n.l:\n ld %rax, 8\n ld <%rbx>, %8*2\n decq %rcx\n jnz .l\n",
			"jmp .LL0001; movq 8(%rdi), %rax; jmp .LL0002; movq 16(%rdi), %rbx; decq %rcx; jnz .l"},
		"fasm": {"format ELF64\nsection '.text' executable\npublic f\nproc f uses rbx, p\n@@:\n repeat 2\n add rax, [rsi]\n end repeat\n times 2 nop\n if 0\n ud2\n end if\n dec rcx\n jnz @b\n ret\nendp\n", "add rax, [rsi]; add rax, [rsi]; nop; nop; dec rcx; jnz @@1; ret"},
	} {
		p := parse(t, c.text)
		var got []string
		for i := range p.insts {
			text, ok := p.substituted[int32(i)]
			if !ok {
				text = p.instText(i)
			}
			got = append(got, strings.Join(strings.Fields(text), " "))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %s\nwant %s", name, s, c.want)
		}
	}
	for text, want := range map[string]string{
		"format ELF64\nuse64\nmacro m a { mov a, a }\nf:\n.l: add rax, rbx\n sub rcx, rdx\n dec rcx\n jnz .l\n":              "FASM's macro m a { mov a, a } is not known",
		"format ELF64\nuse64\nf:\n.l: add rax, rbx\n repeat 2\n add rax, %\n end repeat\n sub rcx, rdx\n dec rcx\n jnz .l\n": "FASM's % (the count of a repetition)",
	} {
		p := parse(t, text)
		if all := fmt.Sprint(p.Cut); !strings.Contains(all, want) {
			t.Errorf("%q: %s", text, all)
		}
	}
}

// TestMacroCalls: calls of a text's own macros say nothing of its instruction set, however many there are.
func TestMacroCalls(t *testing.T) {
	for isaName, c := range map[string][2]string{
		"x86-64":  {".macro A1 r\n addq \\r, %rax\n.endm\n", " A1 %rbx\n"},
		"aarch64": {".macro LD1 r, o\n ldr \\r, [x1, #\\o]\n.endm\n", " LD1 x2, 8\n"},
		"riscv64": {".macro LD1 r, o\n ld \\r, \\o(a1)\n.endm\n", " LD1 t0, 8\n"},
		"nasm":    {"%macro A1 1\n add rax, %1\n%endmacro\n", " A1 rbx\n"},
		"masm":    {"A1 MACRO r\n add rax, r\nENDM\n", " A1 rbx\n"},
	} {
		p := parse(t, c[0]+"f:\n"+strings.Repeat(c[1], 40))
		if want := strings.NewReplacer("nasm", "x86-64", "masm", "x86-64").Replace(isaName); p.Language.ISA.Name != want || len(p.insts) != 40 {
			t.Errorf("%s: %d instructions of %s", isaName, len(p.insts), p.Language.ISA.Name)
		}
	}
}

// TestUndeclaredFunctions: without directives, a label behind a return begins a function, though its first instruction heads a loop.
func TestUndeclaredFunctions(t *testing.T) {
	for _, local := range []string{"1", ".L2"} {
		jump := strings.NewReplacer("1", "1b").Replace(local)
		p := parse(t, "f:\n movl $1, %eax\n ret\ng:\n"+local+":\n addl $1, (%rdi)\n addq $4, %rdi\n cmpq %rsi, %rdi\n jne "+jump+"\n ret\nend:\n jne end\n ret\n")
		if len(p.Functions) != 2 || p.Functions[1].Name != "g" {
			t.Errorf("%s: functions %v", local, p.Functions)
		}
	}
}

// TestOtherLanguages: the hint names what a text without known instructions is.
func TestOtherLanguages(t *testing.T) {
	for text, want := range map[string]string{
		"%define MASK 15\n%include \"x86inc.asm\"\ncglobal add8, 3, 3, 2, dst\n RETX\n":                            "NASM's with another file's macros",
		"#include \"src/arm/asm.S\"\n.macro dir_table w\n vldfoo r3\n.endm\nfunction cdef, export=1\n vpushx q4\n": "run 'cc -E'",
		"#include <stdio.h>\nint f(int a)\n{\n return a;\n}\n":                                                     "C or C++ source",
		"define i32 @f(i32 %a) {\n %b = frob i32 %a, 1\n}\n":                                                       "LLVM IR",
		"TEXT ·f(SB), NOSPLIT, $0\n FROB R1\n":                                                                     "go tool objdump -gnu",
	} {
		_, err := tryParse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v\nwant %q", text, err, want)
		}
	}
}

// TestCodeRows: machine code that objdump --no-addresses goes on with on a line of its own counts for the places of jumps; arrows of radare2 begin with a point.
func TestCodeRows(t *testing.T) {
	nops := "\t66 2e 0f 1f 84 00 00 \tcs nopw 0x0(%rax,%rax,1)\n\t00 00 00 \n\t0f 1f 84 00 00 00 00 \tnopl   0x0(%rax,%rax,1)\n\t00 \n"
	text := "\nt.o:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n<f>:\n" + nops + "\tc3                   \tret\n\t48 83 c0 04          \tadd    $0x4,%rax\n\t48 39 d0             \tcmp    %rdx,%rax\n\t75 f7                \tjne    <f+0x13>\n\tc3                   \tret\n"
	if got := kernels(parse(t, text), Select{}); !strings.Contains(got, " 13-15 true") {
		t.Errorf("objdump --no-addresses: %s", got)
	}
	text = "|       .-> 0x00001130      f30f100c06     movss xmm1, dword [rsi + rax]\n|       :   0x00001135      4883c004       add rax, 4\n|       :   0x00001139      4839d0         cmp rax, rdx\n|       `=< 0x0000113c      75f2           jne 0x1130\n"
	if got := kernels(parse(t, text), Select{}); !strings.Contains(got, " 1-4 true") {
		t.Errorf("radare2: %s", got)
	}
}

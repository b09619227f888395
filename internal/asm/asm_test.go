package asm

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
)

func isas() []*isa.ISA { return []*isa.ISA{x86.ISA(), aarch64.ISA(), riscv.ISA()} }

func parse(t testing.TB, text string) *Program {
	t.Helper()
	p, err := tryParse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func tryParse(text string) (*Program, error) {
	f, err := source.New("t.s", []byte(text))
	if err != nil {
		return nil, err
	}
	return Parse(f, Options{ISAs: isas()})
}

// kernels lists what is found: "name lines loop depth".
func kernels(p *Program, sel Select) string {
	ks, _, err := p.Kernels(sel)
	if err != nil {
		return err.Error()
	}
	var out []string
	for i := range ks {
		out = append(out, fmt.Sprintf("%s %s %v %d", ks[i].Name, p.LineNumbers(&ks[i]), ks[i].Loop, ks[i].Depth))
	}
	return strings.Join(out, "; ")
}

const nested = `	.text
	.globl	f
	.type	f, @function
f:
	xorl	%eax, %eax
.L2:
	xorl	%ecx, %ecx
.L3:
	vaddsd	(%rdi,%rcx,8), %xmm0, %xmm0
	incq	%rcx
	cmpq	%rcx, %rsi
	jne	.L3
	incq	%rax
	cmpq	%rax, %rdx
	jne	.L2
	ret
	.size	f, .-f
	.globl	g
	.type	g, @function
g:
	jmp	.L6
.L5:
	addl	$1, %eax
.L6:
	cmpl	%esi, %eax
	jl	.L5
	ret
`

func TestLoops(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nest, then a loop entered in the middle", nested, "f:.L3 9-12 true 2; g:.L5 23,25-26 true 1"},
		{"a loop of one block", ".L1:\n\tdecl %eax\n\tjne .L1\n", ".L1 2-3 true 1"},
		{"numeric labels", "f:\n1:\tdecl %eax\n\tjne 1b\n1:\tdecl %ecx\n\tjne 1b\n\tjmp 2f\n2:\tret\n", "f:1 2-3 true 1; f:1 4-5 true 1"},
		{"cold block elsewhere", `f:
.L1:
	movl	(%rdi), %eax
	testl	%eax, %eax
	js	.L9
.L2:
	addq	$4, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
	ret
	.section .text.unlikely
.L9:
	negl	%eax
	jmp	.L2
`, "f:.L1 3-5,7-9 true 1"},
		{"non-contiguous body", `f:
.L1:
	addl	$1, %eax
	jmp	.L5
.L3:
	cmpl	%esi, %eax
	jne	.L1
	ret
.L5:
	imull	%eax, %ecx
	jmp	.L3
`, "f:.L1 3-4,6-7,10-11 true 1"},
		{"branchy body: falls through", `f:
.L1:
	movl	(%rdi), %eax
	cmpl	$5, %eax
	jg	.L2
	addl	%eax, %ecx
	jmp	.L3
.L2:
	subl	%eax, %ecx
.L3:
	addq	$4, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
	ret
`, "f:.L1 3-7,11-13 true 1"},
		{"not to a call", "f:\n.L1:\n\tldr s0, [x1]\n\tfcmp s0, #0.0\n\tbpl .L2\n\tbl sqrtf\n\tb .L3\n.L2:\n\tfsqrt s0, s0\n.L3:\n\tstr s0, [x1], 4\n\tcmp x0, x1\n\tbne .L1\n\tret\n", "f:.L1 3-5,9,11-13 true 1"},
		{"two entries", "f:\n\tjne .L2\n.L1:\n\tdecl %eax\n.L2:\n\tdecl %ecx\n\tjne .L1\n\tret\n", "f:.L1 4,6-7 true 1"},
		{"a64", "f:\n\tmov x3, 0\n.L3:\n\tldr d1, [x0, x3, lsl 3]\n\tfadd d0, d0, d1\n\tadd x3, x3, 1\n\tcmp x3, x1\n\tb.ne .L3\n\tret\n", "f:.L3 4-8 true 1"},
		{"riscv", "f:\n.L3:\n\tfld fa5,0(a0)\n\tfadd.d fa0,fa0,fa5\n\taddi a0,a0,8\n\tbne a0,a1,.L3\n\tret\n", "f:.L3 3-6 true 1"},
		{"hand-written loops without local labels", "outer:\n\txorl %ecx, %ecx\ninner:\n\tincl %ecx\n\tcmpl %ecx, %edx\n\tjne inner\n\tdecl %eax\n\tjne outer\n", "outer:inner 4-6 true 2"},
		{"rept", "\t.rept 3\n\taddl $1, %eax\n\t.endr\n", "all 2 false 0"},
		{"snippet whose label is elsewhere", "\tvaddsd (%rdi), %xmm0, %xmm0\n\taddq $8, %rdi\n\tcmpq %rdi, %rsi\n\tjne .L7\n", "all 1-4 true 0"},
		{"straight snippet", "\taddq $8, %rdi\n\timulq %rdi, %rsi\n", "all 1-2 false 0"},
	} {
		if got := kernels(parse(t, c.text), Select{}); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestSelect(t *testing.T) {
	p := parse(t, nested)
	lines, _ := source.ParseRanges("9-12,15")
	none, _ := source.ParseRanges("2-4")
	for _, c := range []struct {
		sel  Select
		want string
	}{
		{Select{Lines: lines}, "f:.L3 9-12,15 false 0"},
		{Select{Label: ".L3"}, "f:.L3 9-12 true 2"},
		{Select{Label: ".L2"}, "f:.L2 7,9-15 true 0"},
		{Select{Label: "f"}, "f 5 false 0"},
		{Select{Function: "g"}, "g:.L5 23,25-26 true 1"},
		{Select{Lines: none}, "t.s: no instructions on lines 2-4 (the instructions are on lines 5 to 27)"},
		{Select{Label: ".L9"}, `t.s: no label ".L9" with instructions behind it (labels are f, .L2, .L3, g, .L5, .L6)`},
		{Select{Function: "g:.L5"}, "g:.L5 23,25-26 true 1"},
		{Select{Function: "h"}, `t.s: no function "h" (functions are f, g)`},
		{Select{Whole: true}, "t.s 5,7,9-16,21,23,25-27 false 0"},
	} {
		if got := kernels(p, c.sel); got != c.want {
			t.Errorf("%+v:\n got %s\nwant %s", c.sel, got, c.want)
		}
	}
}

func TestMarkers(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"iaca x86 att", "\tmovl $111,%ebx\n\t.byte 100,103,144\n.L1:\n\tdecl %eax\n\tjne .L1\n\tmovl $222,%ebx\n\t.byte 100,103,144\n", ".L1 4-5 true 0"},
		{"iaca x86 intel", "\tmov ebx, 111\n\t.byte 100\n\t.byte 103\n\t.byte 144\n.L1:\n\tdec eax\n\tjne .L1\n\tmov ebx, 222\n\t.byte 0x64, 0x67, 0x90\n", ".L1 6-7 true 0"},
		{"iaca a64", "\tmov x1, #111\n\t.byte 213,3,32,31\n.L18:\n\tldr q2, [x20, x0]\n\tcmp x22, x0\n\tbne .L18\n\tmov x1, #222 //END\n\t.byte 213,3,32,31\n", ".L18 4-6 true 0"},
		{"iaca within the loop", ".L1:\n\tmovl $111,%ebx\n\t.byte 100,103,144\n\tdecl %eax\n\tjne .L1\n\tmovl $222,%ebx\n\t.byte 100,103,144\n", "line 4 4-5 true 0"},
		{"osaca", "\tnop\n# OSACA-BEGIN\n.L1:\n\tdecl %eax\n\tjne .L1\n# OSACA-END\n\tret\n", ".L1 4-5 true 0"},
		{"osaca a64", "\tnop\n// OSACA-BEGIN\n.L1:\n\tsubs x0, x0, #1\n\tb.ne .L1\n// OSACA-END\n\tret\n", ".L1 4-5 true 0"},
		{"mca named", "# LLVM-MCA-BEGIN first\n\taddl $1, %eax\n# LLVM-MCA-BEGIN second loop\n\timull %eax, %ecx\n# LLVM-MCA-END first\n\tdecl %ecx\n# LLVM-MCA-END second loop\n", "first 2,4 false 0; second loop 4,6 false 0"},
		{"mca nested without names", "# LLVM-MCA-BEGIN\n\taddl $1, %eax\n# LLVM-MCA-BEGIN inner\n\timull %eax, %ecx\n# LLVM-MCA-END\n\tdecl %ecx\n# LLVM-MCA-END\n", "line 2 2,4,6 false 0; inner 4 false 0"},
		{"no end", "\tnop\n# OSACA-BEGIN\n\tdecl %eax\n", "t.s:2:3: OSACA begin marker without an end (put the end marker behind the loop's last instruction)"},
		{"no beginning", "\tnop\n# OSACA-END\n\tdecl %eax\n", "t.s:2:3: OSACA end marker without a beginning (put the begin marker before the loop's label)"},
		{"nothing between", "\tnop\n# OSACA-BEGIN\n# OSACA-END\n", "t.s:2:3: no instructions between these OSACA markers"},
	} {
		if got := kernels(parse(t, c.text), Select{}); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, text, isa, syntax string }{
		{"att", "\tmovq %rax, %rbx\n\tret\n", "x86-64", "att"},
		{"intel without a directive", "f:\n\tmov rax, QWORD PTR [rdi+8]\n\tadd rax, rsi\n\tret\n", "x86-64", "intel"},
		{"intel by directive", "\t.intel_syntax noprefix\n\tmov rax, rbx\n", "x86-64", "intel"},
		{"att inline in intel", "\t.intel_syntax noprefix\n\tmov rax, rbx\n\t.att_syntax\n\tmovq %rax, %rbx\n\t.intel_syntax noprefix\n\tmov eax, 3\n", "x86-64", "intel"},
		{"intel behind att", "\tmovq %rax, %rbx\n\taddq $1, %rbx\n\t.intel_syntax noprefix\n\tmov rax, rbx\n\tadd rax, 1\n\tadd rbx, rcx\n", "x86-64", "att"},
		{"att behind intel", "\tmov rax, rbx\n\tadd rbx, 1\n\t.att_syntax\n\tmovq %rax, %rbx\n\taddq $1, %rbx\n\taddq $1, %rcx\n", "x86-64", "intel"},
		{"a64", "\tldp x29, x30, [sp], 16\n\tret\n", "aarch64", ""},
		{"a64, registers of both", "\tadd x0, x1, x2\n\tldr x3, [x0]\n\tret\n", "aarch64", ""},
		{"a64, registers mostly of both", "\tfmla v3.2d, v4.2d, v5.2d\n\tadd x8, x9, x10\n\tfmla v6.2d, v7.2d, v8.2d\n\tldr q1, [x3]\n\tcbnz x3, .L4\n", "aarch64", ""},
		{"riscv, registers of both", "\tadd x5, x6, x7\n\tld x5, 0(x6)\n\tret\n", "riscv64", ""},
		{"riscv", "\taddi sp,sp,-16\n\tsd ra,8(sp)\n\tret\n", "riscv64", ""},
		{"uppercase", "\tMOVQ %RAX, %RBX\n\tADDQ $1, %RBX\n", "x86-64", "att"},
		{"microsoft", "; Listing generated by Microsoft\n_TEXT\tSEGMENT\nf\tPROC\n$LL4@f:\n\tvaddsd\txmm0, xmm0, QWORD PTR [rcx]\n\tadd\trcx, 8 ; next\n\tcmp\trcx, rdx\n\tjne\tSHORT $LL4@f\n\tret\t0\nf\tENDP\n_TEXT\tENDS\nEND\n", "x86-64", "intel"},
		{"apple", "\t.section\t__TEXT,__text,regular,pure_instructions\n_f:                                     ; @f\n; %bb.0:\n\tadd\tw0, w0, #1 ; one more\n\tret\n", "aarch64", ""},
	} {
		p, err := tryParse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if p.Language.ISA.Name != c.isa || p.Language.Syntax != c.syntax || p.Unresolved != 0 {
			t.Errorf("%s: got %s %s, %v; want %s %s", c.name, p.Language.ISA.Name, p.Language.Syntax, p.Errors, c.isa, c.syntax)
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "t.s: is empty"},
		{"blank", " \n\t\n", "t.s: is empty"},
		{"comments only", "# nothing\n/* at all */\n", "t.s: holds no instructions"},
		{"data only", "\t.data\nx:\t.long 3\n", "t.s: holds no instructions"},
		{"C", "#include <stdio.h>\nint main(void) {\n  int i;\n  for (i = 0; i < 10; i++) printf(\"%d\", i);\n  return 0;\n}\n", "t.s: is not assembly of a known instruction set"},
		{"prose", "It was a dark and stormy night; the rain fell in torrents,\nexcept at occasional intervals.\n", "t.s: is not assembly of a known instruction set"},
		{"go assembly", "main.go:3\t0x1000\t4889\tMOVQ AX, BX\nTEXT main.f(SB) x.go\n  x.go:3\t0x1000\t4889d8\tMOVQ BX, AX\n", "t.s: is"},
		{"elf", "\x7fELF\x02\x01\x01\x00", "t.s: is an ELF object"},
		{"clang's 32-bit Arm", "\t.text\n\t.syntax unified\n.LBB0_1:\n\tldr r3, [r0], #4\n\tadds r1, r1, r3\n\tbne .LBB0_1\n", "t.s:2: is 32-bit Arm"},
		{"gcc's 32-bit Arm", "\t.arch armv7-a\n\t.eabi_attribute 28, 1\n.L3:\n\tvld1.32 {d16}, [r0]!\n\tadd r1, r1, r3\n\tbne .L3\n", "t.s:1: is 32-bit Arm"},
		{"Thumb", "\t.code\t16\n\t.thumb_func\nf:\n\tadds r0, r0, r1\n\tbx lr\n", "t.s:2: is 32-bit Arm"},
		{"clang's 32-bit RISC-V", "\t.attribute\t5, \"rv32i2p1_m2p0\"\n.L3:\n\tlw a5,0(a0)\n\tadd a1,a1,a5\n\tbne a0,a2,.L3\n", "t.s:1: is 32-bit RISC-V"},
		{"gcc's 32-bit RISC-V", "\t.attribute arch, \"rv32i2p1\"\n.L3:\n\tlw a5,0(a0)\n\tbne a0,a2,.L3\n", "t.s:1: is 32-bit RISC-V"},
	} {
		_, err := tryParse(c.text)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestNoLoop(t *testing.T) {
	p := parse(t, "f:\n\taddl $1, %eax\n\tret\ng:\n\tjmp *%rax\n")
	want := "t.s: no kernel: no marks, and no loop in 3 instructions of 2 functions (1 indirect jumps, whose targets are not known) (mark code with OSACA-BEGIN and OSACA-END comments, or give it alone)"
	if got := kernels(p, Select{}); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestErrors checks that all errors are collected, with their places.
func TestErrors(t *testing.T) {
	p := parse(t, "\taddl $1, %eax\n\tfrobnicate %eax\n\tmovl %eax, %ebx; \taddl %xmm0, %rax, %rbx\n\tdecl %eax\n")
	if p.Unresolved != 2 || len(p.Errors) != 2 {
		t.Fatalf("%d unresolved, %v", p.Unresolved, p.Errors)
	}
	if e := p.Errors[0]; e.Pos.Line != 2 || e.Pos.Col != 2 {
		t.Errorf("first at %v", e.Pos)
	}
	if e := p.Errors[1]; e.Pos.Line != 3 || e.Pos.Col < 20 {
		t.Errorf("second at %v", e.Pos)
	}
}

// TestRawInstructions checks that instructions given as numbers are decoded, and unknown ones, not nothing,
// if they are none, unless they mark a region.
func TestRawInstructions(t *testing.T) {
	p := parse(t, "f:\n.L1:\n\tadd x0, x0, x1\n\t.inst 0xffffffff\n\tsubs x2, x2, #1\n\tb.ne .L1\n\tret\n")
	if got, want := kernels(p, Select{}), "f:.L1 3-6 true 1"; got != want || p.Unresolved != 1 {
		t.Errorf("got %s, %d unresolved; want %s, 1", got, p.Unresolved, want)
	}
	p = parse(t, "\tmov x1, #111\n\t.inst 0xd503201f\n.L1:\n\tsubs x2, x2, #1\n\tb.ne .L1\n\tmov x1, #222\n\t.inst 0xd503201f\n")
	if got, want := kernels(p, Select{}), ".L1 4-5 true 0"; got != want || p.Unresolved != 0 {
		t.Errorf("got %s, %d unresolved; want %s, 0", got, p.Unresolved, want)
	}
}

func TestListings(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"objdump", `
a.o:     file format elf64-x86-64

0000000000000000 <f>:
   0:	48 8b 07             	mov    (%rdi),%rax
   3:	48 b8 88 77 66 55 44 	movabs $0x1122334455667788,%rax
   a:	33 22 11 
   d:	48 83 c7 08          	add    $0x8,%rdi
  11:	75 ed                	jne    0 <f>
  13:	e8 00 00 00 00       	callq  18 <f+0x18>
  18:	c3                   	retq   
`, "f 5-6,8-9 true 1"},
		{"objdump a64", `
a.o:     file format elf64-littleaarch64

0000000000000000 <f>:
   0:	1e602800 	fadd	d0, d0, d0
   4:	f1000400 	subs	x0, x0, #0x1
   8:	54ffffc1 	b.ne	0 <f>  // b.any
   c:	d65f03c0 	ret
`, "f 5-7 true 1"},
		{"llvm-objdump without code", `
a.o:	file format elf64-littleaarch64

0000000000000000 <f>:
       0:      	fadd	d0, d0, d0
       4:      	subs	x0, x0, #0x1
       8:      	b.ne	0x0 <f>
       c:      	ret
`, "f 5-7 true 1"},
		{"objdump, relocations", `
a.o:     file format elf64-x86-64

Disassembly of section .text:

0000000000000000 <f>:
   0:	48 03 05 00 00 00 00 	add    0x0(%rip),%rax        # 7 <f+0x7>
			3: R_X86_64_PC32	.LC0-0x4
   7:	48 ff cf             	dec    %rdi
   a:	75 f4                	jne    0 <f>
   c:	c3                   	ret
`, "f 7,9-10 true 1"},
		{"objdump, sections of one address", `
a.o:     file format elf64-x86-64

Disassembly of section .text:

0000000000000000 <f>:
   0:	48 ff c8             	dec    %rax
   3:	75 fb                	jne    0 <f>
   5:	c3                   	ret

Disassembly of section .text.startup:

0000000000000000 <main>:
   0:	90                   	nop
   1:	48 ff cf             	dec    %rdi
   4:	75 fb                	jne    1 <main+0x1>
   6:	75 f8                	jne    0 <main>
   8:	c3                   	ret
`, "main:.L1.2 15-16 true 2; f:.L0 7-8 true 1"},
		{"llvm-objdump --symbolize-operands", `
a.o:	file format elf64-x86-64

Disassembly of section .text:

0000000000000000 <f>:
<L0>:
       0: 48 ff c8                     	decq	%rax
       3: 75 fb                        	jne	 <L0>
       5: c3                           	retq

0000000000000010 <g>:
      10: 90                           	nop
<L0>:
      11: 48 ff cf                     	decq	%rdi
      14: 75 fb                        	jne	 <L0>
      16: c3                           	retq
`, "f:.L1.L0 8-9 true 1; g:.L2.L0 15-16 true 1"},
		{"a call that does not return, objdump", `
a.out:     file format elf64-x86-64

0000000000001000 <abort@plt>:
    1000:	ff 25 00 00 00 00    	jmp    *0x0(%rip)

0000000000401126 <f>:
  401126:	ff c8                	dec    %eax
  401128:	75 01                	jne    40112b <f+0x5>
  40112a:	c3                   	ret
  40112b:	e8 d0 fe bf ff       	call   1000 <abort@plt>
  401130:	eb f4                	jmp    401126 <f>
  401132:	ff cb                	dec    %ebx
  401134:	75 fc                	jne    401132 <f+0xc>
  401136:	c3                   	ret
`, "f:.L401132 13-14 true 1"},
		{"where Go grows the stack", "TEXT main.f(SB) /x/a.go\n  a.go:3\t\t0x47a740\t\t75fb\t\t\tJNE 0x47a743\t\t\t// jne 0x47a743\n  a.go:4\t\t0x47a742\t\tc3\t\t\tRET\t\t\t// retq\n  a.go:3\t\t0x47a743\t\te8\t\t\tCALL runtime.morestack_noctxt.abi0(SB)\t\t\t// callq 0x47d8c0\n  a.go:3\t\t0x47a748\t\teb\t\t\tJMP main.f(SB)\t\t\t// jmp 0x47a740\n  a.go:3\t\t0x47a74a\t\tff\t\t\tDECQ AX\t\t\t// dec %rax\n  a.go:3\t\t0x47a74d\t\tff\t\t\tJNE 0x47a74a\t\t\t// jne 0x47a74a\n", "main.f:.L47a74a 6-7 true 1"},
		{"go", "TEXT main.f(SB) /x/a.go\n  a.go:3\t\t0x47a740\t\t90\t\t\tNOPL\t\t\t// nop\n  a.go:3\t\t0x47a741\t\t48ffc8\t\t\tDECQ AX\t\t\t// dec %rax\n  a.go:3\t\t0x47a744\t\t75fb\t\t\tJNE 0x47a741\t\t\t// jne 0x47a741\n  a.go:4\t\t0x47a746\t\tc3\t\t\tRET\t\t\t// retq\n", "main.f:.L47a741 3-4 true 1"},
	} {
		p := parse(t, c.text)
		if got := kernels(p, Select{}); got != c.want && got != strings.Replace(c.want, "f ", "f:.L0 ", 1) || p.Unresolved > 0 {
			t.Errorf("%s: got %s, %v; want %s", c.name, got, p.Errors, c.want)
		}
	}
}

// TestBuild checks that a kernel's instructions are resolved, pseudo-instructions expanded.
func TestBuild(t *testing.T) {
	p := parse(t, "f:\n.L3:\n\tfld fa5,0(a0)\n\tli a4,305419896\n\tbne a0,a1,.L3\n\tret\n")
	ks, _, err := p.Kernels(Select{})
	if err != nil {
		t.Fatal(err)
	}
	k := p.Build(&ks[0])
	var got []string
	for i := range k.Lines {
		got = append(got, fmt.Sprintf("%d/%d %s", k.Lines[i].No, k.Lines[i].Part, k.ISA.FormName(&k.Lines[i].Inst)))
	}
	if want := "3/0 FLD, 4/0 LUI, 4/1 ADDIW, 5/0 BNE"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

// TestBuildSizes: the instructions of a kernel have the sizes of their machine code, whoever asks for the kernel.
func TestBuildSizes(t *testing.T) {
	for _, c := range []struct {
		text string
		want []uint8
	}{
		{"f:\n.L3:\n\tmovdqu 16(%rsi,%rdx), %xmm1\n\taddq $2, %rdx\n\tcmpq %rdx, %rcx\n\tjne .L3\n\tret\n", []uint8{6, 4, 3, 2}},
		{"f:\n.L3:\n\tadrp x2, a\n\tadd x2, x2, :lo12:a\n\tldr x3, [x2, :lo12:a]\n\tldr x4, .LC0\n\ttbz x3, 5, .L4\n.L4:\n\tcmp x0, x1\n\tb.ne .L3\n\tret\n", []uint8{4, 4, 4, 4, 4, 4, 4}},
		{"f:\n.L3:\n\tfld fa5,0(a0)\n\tli a4,305419896\n\tbne a0,a1,.L3\n\tret\n", []uint8{4, 4, 4, 4}},
	} {
		p := parse(t, c.text)
		ks, _, err := p.Kernels(Select{})
		if err != nil {
			t.Fatal(err)
		}
		var got []uint8
		for _, l := range p.Build(&ks[0]).Lines {
			got = append(got, l.Inst.Size)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: sizes %v, want %v", c.text, got, c.want)
		}
	}
}

// TestBranchSizes: on x86 a branch has the size that an assembler gives it, by the bytes between it and its target; jrcxz knows short ones alone.
func TestBranchSizes(t *testing.T) {
	const nop, inner = "\tnop\n", "\tjs .L9\n"
	nops := func(n int) string { return strings.Repeat(nop, n) }
	for _, c := range []struct {
		text  string // a kernel and its surroundings
		lines string // the kernel's lines; "": the loop
		want  uint8  // size of the branch on the kernel's last line
	}{
		{".L3:\n" + nops(126) + "\tjne .L3\n", "", 2},
		{".L3:\n" + nops(127) + "\tjne .L3\n", "", 6},
		{".L3:\n" + nops(126) + "\tjmp .L3\n", "1-128", 2},
		{".L3:\n" + nops(127) + "\tjmp .L3\n", "1-129", 5},
		{".L3:\n" + nops(500) + "\tjrcxz .L3\n", "1-502", 2},
		{"\tjne .L3\n" + nops(127) + ".L3:\n" + nop, "1", 2},
		{"\tjne .L3\n" + nops(128) + ".L3:\n" + nop, "1", 6},
		{"\tjmp .L3\n" + nops(128) + ".L3:\n" + nop, "1", 5},
		{".L3:\n" + nops(60) + inner + nops(64) + "\tjne .L3\n" + nops(30) + ".L9:\n" + nop, "1-127", 2}, // the inner branch is short
		{".L3:\n" + nops(60) + inner + nops(64) + "\tjne .L3\n" + nops(99) + ".L9:\n" + nop, "1-127", 6}, // it is long
		{nops(127) + "\tjne .L3\n", "", 6},                                                               // an excerpt of a loop
		{nops(127) + "\tjne 1b\n", "", 6},
		{"f:\n\tjmp .L8\n", "2", 2},
		{"f:\n\tjmp g\n", "2", 5},
		{"f:\n\tjne g\n\tret\n", "2", 6},
		{"f:\n\tjmp .\n", "2", 2},
	} {
		p := parse(t, c.text)
		var sel Select
		if c.lines != "" {
			sel.Lines = source.Ranges{{First: 1, Last: 1}}
			if _, err := fmt.Sscanf(c.lines, "%d-%d", &sel.Lines[0].First, &sel.Lines[0].Last); err != nil {
				sel.Lines[0].Last = sel.Lines[0].First
			}
		}
		ks, _, err := p.Kernels(sel)
		if err != nil {
			t.Fatal(err)
		}
		l := p.Build(&ks[0]).Lines
		if last := l[len(l)-1]; last.Inst.Size != c.want {
			t.Errorf("%s of %d bytes, want %d: %.20q …, %d lines", last.Text, last.Inst.Size, c.want, c.text, strings.Count(c.text, "\n"))
		}
	}
}

// TestSymbolSizes: an immediate or a displacement that is a symbol takes four bytes.
func TestSymbolSizes(t *testing.T) {
	for text, want := range map[string]uint8{
		"addq $arr, %rax": 6, "addq $arr+4, %rbx": 7, "cmpl $arr, %eax": 5, "pushq $arr": 5, "imulq $arr, %rax, %rbx": 7, "andl $arr, (%rbx)": 6,
		"addl $.L4-.L3, %eax": 5, "addw $arr, %cx": 5, "movl $arr, %eax": 5, "movl arr(%rax), %ecx": 6, "movl arr(,%rax,4), %ecx": 7,
		"addq $4, %rax": 4, "xorb $arr, %cl": 3,
	} {
		p := parse(t, "\t"+text+"\n")
		ks, _, err := p.Kernels(Select{Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Build(&ks[0]).Lines[0].Inst.Size; got != want {
			t.Errorf("%s of %d bytes, want %d", text, got, want)
		}
	}
}

// TestConfigured checks which vector configuration is taken to be in force in a loop that sets none itself.
func TestConfigured(t *testing.T) {
	const loop = ".L3:\n\tvadd.vv v8,v8,v9\n\taddi a0,a0,-1\n\tbnez a0,.L3\n"
	const e32m1, e64m2, e64m2tu = "\tvsetvli a5,zero,e32,m1,ta,ma\n", "\tvsetvli a5,zero,e64,m2,ta,ma\n", "\tvsetvli a5,zero,e64,m2,tu,ma\n"
	for _, c := range []struct {
		name, text string
		want       isa.VType
	}{
		{"just before", e64m2 + "\tli a4,0\n" + loop, isa.VType{SEW: 64, LMUL: 1}},
		{"in the loop", e64m2 + ".L3:\n\tvadd.vv v8,v8,v9\n\tvsetivli zero,4,e8,m4,tu,mu\n\tbnez a0,.L3\n", isa.VType{SEW: 8, LMUL: 2, Keep: isa.KeepTail | isa.KeepMasked, AVL: 4}},
		{"in the loop, from a register", e64m2 + ".L3:\n\tvadd.vv v8,v8,v9\n\tvsetvl a4,a5,a6\n\tbnez a0,.L3\n", isa.VType{}},
		{"before a jump around other code", e64m2 + "\tj .L1\n.L2:\n" + e32m1 + "\tret\n.L1:\n" + loop, isa.VType{SEW: 64, LMUL: 1}},
		{"on both ways", "\tbeqz a1,.L1\n" + e64m2 + "\tj .L2\n.L1:\n" + e64m2tu + ".L2:\n" + loop, isa.VType{SEW: 64, LMUL: 1, Keep: isa.KeepTail}},
		{"another on one way", "\tbeqz a1,.L1\n" + e64m2 + "\tj .L2\n.L1:\n" + e32m1 + ".L2:\n" + loop, isa.VType{}},
		{"on one way only", "\tbeqz a1,.L2\n" + e64m2 + ".L2:\n" + loop, isa.VType{}},
		{"before a loop around", e64m2 + ".L1:\n\tli a0,8\n\tbeqz a2,.L4\n\tnop\n" + loop + ".L4:\n\taddi a1,a1,-1\n\tbnez a1,.L1\n\tret\n", isa.VType{SEW: 64, LMUL: 1}},
		{"before a call", e64m2 + "\tcall g\n" + loop, isa.VType{}},
		{"by a caller", loop, isa.VType{}},
	} {
		p := parse(t, "f:\n"+c.text+"\tret\n")
		ks, _, err := p.Kernels(Select{})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Build(&ks[0]).Lines[0].Inst.VType; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestHot checks the order of loops by likely heat.
func TestHot(t *testing.T) {
	loop := func(label, body string) string {
		return label + ":\n" + body + "\tcmpq\t%rax, %rcx\n\tjne\t" + label + "\n"
	}
	scalar := "\tvaddsd (%rdi,%rax,8), %xmm0, %xmm0\n\tincq %rax\n"
	vector := "\tvaddpd (%rdi,%rax,8), %ymm0, %ymm0\n\taddq $4, %rax\n"
	integer := "\taddl %edx, %esi\n\tincq %rax\n"
	call := "\tcall g\n\tvaddpd (%rdi,%rax,8), %ymm0, %ymm0\n"
	for _, c := range []struct{ name, text, want string }{
		{"vector before scalar", loop(".L1", scalar) + loop(".L2", vector), "f:.L2"},
		{"floating point before integer", loop(".L1", integer) + loop(".L2", scalar), "f:.L2"},
		{"no call before call", loop(".L1", call) + loop(".L2", scalar), "f:.L2"},
		{"depth before work", loop(".L1", vector) + ".L5:\n\txorl %eax, %eax\n" + loop(".L2", integer) + "\tdecl %ebx\n\tjne .L5\n", "f:.L2"},
		{"first of equals", loop(".L1", scalar) + loop(".L2", scalar), "f:.L1"},
	} {
		p := parse(t, "f:\n\txorl %eax, %eax\n"+c.text+"\tret\n")
		ks, _, err := p.Kernels(Select{})
		if err != nil || ks[0].Name != c.want {
			t.Errorf("%s: %s first, want %s (%v)", c.name, ks[0].Name, c.want, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(nested)
	pasted, _ := filepath.Glob("testdata/pasted/*")
	for _, name := range pasted {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text))
		}
	}
	f.Add("\tmov x1, #111\n\t.byte 213,3,32,31\n1: subs x0,x0,1; bne 1b\n")
	f.Add("f:\n.rept 3\n.rept 2\n add x0,x0,#1\n.endr\n.endr\n b f")
	f.Add("TEXT f(SB)\n x.go:1\t0x1\t90\tNOP\t// nop\n")
	f.Add("0000000000000000 <f>:\n 0:\t90 \tnop\n 1:\teb fd \tjmp 0 <f>\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, ".rept") && len(text) > 200 {
			return // long repetitions are legal and slow
		}
		p, err := tryParse(text)
		if err != nil {
			return
		}
		ks, _, err := p.Kernels(Select{})
		if err == nil && len(ks) == 0 {
			t.Fatal("neither kernels nor an error")
		}
		for i := range ks {
			if k := p.Build(&ks[i]); len(k.Lines) == 0 {
				t.Fatal("a kernel without instructions")
			}
		}
	})
}

// TestPrefixes: a statement that is only a prefix belongs to the next one, but for a label between.
func TestPrefixes(t *testing.T) {
	p := parse(t, "f:\n\tlock; addl $1, (%rdi)\n\tlock\n\taddl $1, 4(%rdi)\n\trep\n1:\tmovsb\n\trep ; movsb\n\taddl $1, %eax\n\tcs\n\tnop\n\trepz\n\tret\n")
	var got []string
	for i := range p.insts {
		for _, l := range p.Lines(nil, i) {
			got = append(got, fmt.Sprintf("%d %s %s %d", l.No, l.Text, p.Language.ISA.FormName(&l.Inst), l.Inst.Prefix&(isa.PfxLock|isa.PfxRep)))
		}
	}
	want := []string{fmt.Sprintf("2 lock; addl $1, (%%rdi) ADD32mi8 %d", isa.PfxLock), fmt.Sprintf("4 addl $1, 4(%%rdi) ADD32mi8 %d", isa.PfxLock), fmt.Sprintf("5 rep REP_PREFIX %d", 0),
		"6 movsb MOVSB 0", fmt.Sprintf("7 rep ; movsb MOVSB %d", isa.PfxRep), "8 addl $1, %eax ADD32ri8 0",
		"10 nop NOOP 0", fmt.Sprintf("12 ret RET64 %d", isa.PfxRep)}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// TestSeparators: what follows ';' is code where it begins with a mnemonic, though that be the whole statement, and else a comment.
func TestSeparators(t *testing.T) {
	for text, want := range map[string]int{
		"movq %rdx, %rbp; cltq; addq %rcx, %r8\n":                     3,
		"addq %rdx, %rbp; leave\n":                                    2,
		"cltq; cqto; cltq\n":                                          3,
		"mov rax, rbx ; copy it; then more\nadd rax, 1 ; increment\n": 2,
	} {
		p := parse(t, text)
		ks, _, err := p.Kernels(Select{Whole: true})
		if err != nil || len(ks) != 1 {
			t.Fatalf("%q: %v, %v", text, ks, err)
		}
		if got := len(p.Build(&ks[0]).Lines); got != want {
			t.Errorf("%q: %d instructions, want %d", text, got, want)
		}
	}
}

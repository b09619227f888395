package asm

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"incore/internal/base/source"
)

// TestTables finds loops through tables of jump targets, as compilers write them.
func TestTables(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"gcc x86-64, position-independent, the table's address taken before the loop", `f:
	leaq	.L5(%rip), %rdx
.L2:
	cmpb	$9, (%rdi)
	ja	.L3
	movzbl	(%rdi), %eax
	incq	%rdi
	movslq	(%rdx,%rax,4), %rax
	addq	%rdx, %rax
	notrack jmp	*%rax
	.section	.rodata
	.align 4
.L5:
	.long	.L3-.L5
	.long	.L6-.L5
	.long	.L7-.L5
	.text
.L6:
	incq	%rcx
	jmp	.L2
.L7:
	decq	%rcx
	jmp	.L2
.L3:
	ret
`, "f:.L2 5-11,20-21 true 1"},
		{"a table in the jump", `f:
.L2:
	movzbl	(%rdi), %eax
	incq	%rdi
	jmp	*.L5(,%rax,8)
.L5:
	.quad	.L6
	.quad	.L7
.L6:
	incq	%rcx
	jmp	.L2
.L7:
	ret
`, "f:.L2 4-6,11-12 true 1"},
		{"Intel syntax", `	.intel_syntax noprefix
f:
.L2:
	movzx	eax, BYTE PTR [rdi]
	inc	rdi
	jmp	[QWORD PTR .L5[0+rax*8]]
.L5:
	.quad	.L6
	.quad	.L7
.L6:
	inc	rcx
	jmp	.L2
.L7:
	ret
`, "f:.L2 5-7,12-13 true 1"},
		{"computed goto, each instruction with a jump of its own: each is a loop, none of two of them", `f:
	leaq	T.0(%rip), %rcx
	movzbl	(%rdi), %eax
	jmp	*(%rcx,%rax,8)
.L1:
	incq	%rdx
	movzbl	(%rdi), %eax
	incq	%rdi
	jmp	*(%rcx,%rax,8)
.L2:
	decq	%rdx
	movzbl	(%rdi), %eax
	incq	%rdi
	jmp	*(%rcx,%rax,8)
.L3:
	ret
	.section	.data.rel.ro.local,"aw"
	.set	.LANCHOR0, . + 0
	.type	T.0, @object
T.0:
	.quad	.L1
	.quad	.L2
	.quad	.L3
`, "f:.L1 7-10 true 1; f:.L2 12-15 true 1"},
		{"AArch64, offsets of words in bytes", `f:
	.cfi_startproc
.L2:
	ldrb	w1, [x0], 1
	cmp	w1, 2
	bhi	.L3
	adrp	x3, .L5
	add	x3, x3, :lo12:.L5
	ldrb	w1, [x3,w1,uxtw]
	adr	x3, .Lrtx5
	add	x1, x3, w1, sxtb #2
	br	x1
.Lrtx5:
	.section	.rodata
.L5:
	.byte	(.L3 - .Lrtx5) / 4
	.byte	(.L6 - .Lrtx5) / 4
	.byte	(.L7 - .Lrtx5) / 4
	.text
.L6:
	add	x2, x2, 1
	b	.L2
.L7:
	sub	x2, x2, 1
	b	.L2
.L3:
	ret
`, "f:.L2 5-13,22-23 true 1"},
		{"RISC-V, whose loads have no index", `f:
	lla	a3, .L5
.L2:
	lbu	a5, 0(a4)
	addi	a4, a4, 1
	slli	a5, a5, 2
	add	a5, a5, a3
	lw	a5, 0(a5)
	add	a5, a5, a3
	jr	a5
	.section	.rodata
.L5:
	.word	.L6-.L5
	.word	.L7-.L5
	.text
.L6:
	addi	a0, a0, 1
	j	.L2
.L7:
	ret
`, "f:.L2 5-11,18-19 true 1"},
		{"a call in tail position is no jump through the table", `f:
.L2:
	movzbl	(%rdi), %eax
	incq	%rdi
	jmp	*.L5(,%rax,8)
.L5:
	.quad	.L6
	.quad	.L7
.L6:
	ret
.L7:
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	movq	(%rsi), %rax
	movq	16(%rax), %rax
	jmp	*%rax
`, "no loop"},
		{"data that name labels elsewhere are no table", `f:
.L2:
	movzbl	(%rdi), %eax
	jmp	*.L5(,%rax,8)
.L5:
	.quad	.L2
	.quad	g
`, "no loop"},
		{"a table cut short, an empty one, labels at the end", `f:
.L2:
	movzbl	(%rdi), %eax
	jmp	*.L5(,%rax,8)
.L5:
	.quad	.L2
	.quad	.L9, (
	.quad
.L9:
`, "no loop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := kernels(parse(t, "\t.text\n"+c.text), Select{})
			if c.want == "no loop" {
				if !strings.Contains(got, "no loop") {
					t.Errorf("found %s", got)
				}
				return
			}
			if got != c.want {
				t.Errorf("found %s, want %s", got, c.want)
			}
		})
	}
}

// TestTableNotes says which place behind the table is analysed.
func TestTableNotes(t *testing.T) {
	p := parse(t, "\t.text\nf:\n.L2:\n\tmovzbl (%rdi), %eax\n\tincq %rdi\n\tjmp *.L5(,%rax,8)\n.L5:\n\t.quad .L6\n\t.quad .L7\n.L6:\n\tincq %rcx\n\tjmp .L2\n.L7:\n\tret\n")
	ks, _, err := p.Kernels(Select{})
	if err != nil || len(ks) != 1 || len(ks[0].Notes) != 1 || !reflect.DeepEqual(ks[0].Notes[0], Note{Kind: TableJump, Lines: source.Ranges{{First: 6, Last: 6}}, Places: 2, To: 11}) {
		t.Errorf("%v %+v", err, ks)
	}
}

// TestTableOfMany: a table of very many entries that very many jumps share is left alone, in no time.
func TestTableOfMany(t *testing.T) {
	var b strings.Builder
	b.WriteString("\t.text\nf:\n")
	for i := range 5000 {
		fmt.Fprintf(&b, ".L%d:\n\tmovzbl (%%rdi), %%eax\n\tjmp *.LT(,%%rax,8)\n", i)
	}
	b.WriteString(".LT:\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "\t.quad .L%d\n", i)
	}
	if got := kernels(parse(t, b.String()), Select{}); !strings.Contains(got, "5000 indirect jumps, whose targets are not known") {
		t.Error(got)
	}
}

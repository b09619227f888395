	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"bytes.c"
	.text
	.align	2
	.p2align 5,,15
	.global	length
	.type	length, %function
length:
.LFB0:
	.cfi_startproc
	ldrb	w1, [x0]
	cbz	w1, .L3
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	add	x0, x0, 1
	mov	x29, sp
	bl	strlen
	add	x0, x0, 1
	ldp	x29, x30, [sp], 16
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.p2align 2,,3
.L3:
	mov	x0, 0
	ret
	.cfi_endproc
.LFE0:
	.size	length, .-length
	.align	2
	.p2align 5,,15
	.global	copy_bytes
	.type	copy_bytes, %function
copy_bytes:
.LFB1:
	.cfi_startproc
	cbz	x2, .L9
	mov	x3, 0
	.p2align 5,,15
.L11:
	ldrb	w4, [x1, x3]
	strb	w4, [x0, x3]
	add	x3, x3, 1
	cmp	x2, x3
	bne	.L11
.L9:
	ret
	.cfi_endproc
.LFE1:
	.size	copy_bytes, .-copy_bytes
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"gauss_seidel.c"
	.text
	.align	2
	.p2align 5,,15
	.global	gauss_seidel
	.type	gauss_seidel, %function
gauss_seidel:
.LFB0:
	.cfi_startproc
	sub	x12, x0, #1
	cmp	x0, 2
	ble	.L1
	cmp	x1, 2
	ble	.L1
	lsl	x11, x1, 3
	fmov	d4, 2.5e-1
	add	x3, x2, x1, lsl 4
	add	x0, x11, 16
	lsl	x10, x1, 1
	mov	x7, x1
	add	x6, x2, x0
	mov	x9, 0
	mov	x8, 1
	.p2align 5,,15
.L4:
	ldr	d1, [x6, -16]
	add	x8, x8, 1
	mov	x0, x6
	sub	x5, x9, x7
	sub	x4, x10, x7
	.p2align 5,,15
.L5:
	sub	x2, x0, #8
	ldr	d2, [x0]
	add	x0, x0, 8
	ldr	d0, [x2, x5, lsl 3]
	ldr	d3, [x2, x4, lsl 3]
	fadd	d0, d0, d3
	fadd	d0, d0, d2
	fadd	d1, d0, d1
	fmul	d1, d1, d4
	str	d1, [x0, -16]
	cmp	x3, x0
	bne	.L5
	add	x6, x6, x11
	add	x9, x9, x1
	add	x7, x7, x1
	add	x10, x10, x1
	add	x3, x3, x11
	cmp	x12, x8
	bne	.L4
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	gauss_seidel, .-gauss_seidel
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

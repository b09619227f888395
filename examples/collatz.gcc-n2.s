	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"collatz.c"
	.text
	.align	2
	.p2align 5,,15
	.global	collatz
	.type	collatz, %function
collatz:
.LFB0:
	.cfi_startproc
	mov	x1, x0
	mov	w0, 0
	cmp	x1, 1
	beq	.L1
	.p2align 5,,15
.L5:
	add	x2, x1, x1, lsl 1
	tbz	x1, 0, .L3
	add	w0, w0, 1
	add	x1, x2, 1
	cbnz	x2, .L5
.L1:
	ret
	.p2align 2,,3
.L3:
	lsr	x1, x1, 1
	add	w0, w0, 1
	cmp	x1, 1
	bne	.L5
	ret
	.cfi_endproc
.LFE0:
	.size	collatz, .-collatz
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

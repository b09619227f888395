	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"prefix_sum.c"
	.text
	.align	2
	.p2align 5,,15
	.global	prefix_sum
	.type	prefix_sum, %function
prefix_sum:
.LFB0:
	.cfi_startproc
	cmp	x1, 1
	ble	.L1
	add	x1, x0, x1, lsl 3
	ldr	d0, [x0], 8
	.p2align 5,,15
.L3:
	ldr	d1, [x0]
	fadd	d0, d0, d1
	str	d0, [x0], 8
	cmp	x1, x0
	bne	.L3
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	prefix_sum, .-prefix_sum
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

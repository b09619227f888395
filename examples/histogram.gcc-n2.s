	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"histogram.c"
	.text
	.align	2
	.p2align 5,,15
	.global	histogram
	.type	histogram, %function
histogram:
.LFB0:
	.cfi_startproc
	cmp	x2, 0
	ble	.L1
	add	x4, x1, x2
	.p2align 5,,15
.L3:
	ldrb	w2, [x1], 1
	lsl	x2, x2, 2
	ldr	w3, [x0, x2]
	add	w3, w3, 1
	str	w3, [x0, x2]
	cmp	x4, x1
	bne	.L3
.L1:
	ret
	.cfi_endproc
.LFE0:
	.size	histogram, .-histogram
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

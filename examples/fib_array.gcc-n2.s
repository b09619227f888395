	.arch armv9-a+crc+profile+rng+memtag+sve2-bitperm+i8mm+bf16
	.file	"fib_array.c"
	.text
	.align	2
	.p2align 5,,15
	.global	fib_array
	.type	fib_array, %function
fib_array:
.LFB0:
	.cfi_startproc
	cmp	x1, 2
	ble	.L1
	cmp	x1, 4
	ble	.L6
	mov	x6, x0
	ldr	x5, [x0]
	sub	x2, x1, #5
	and	x2, x2, -2
	mov	x3, 2
	ldr	x4, [x6, 8]!
	add	x2, x2, 4
.L4:
	add	x5, x5, x4
	add	x4, x4, x5
	str	x5, [x0, x3, lsl 3]
	str	x4, [x6, x3, lsl 3]
	add	x3, x3, 2
	cmp	x3, x2
	bne	.L4
.L3:
	sub	x6, x0, #16
	sub	x5, x0, #8
	.p2align 5,,15
.L5:
	ldr	x3, [x6, x2, lsl 3]
	ldr	x4, [x5, x2, lsl 3]
	add	x3, x3, x4
	str	x3, [x0, x2, lsl 3]
	add	x2, x2, 1
	cmp	x1, x2
	bgt	.L5
.L1:
	ret
.L6:
	mov	x2, 2
	b	.L3
	.cfi_endproc
.LFE0:
	.size	fib_array, .-fib_array
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

// Runs machine code on given registers and memory: see execution_test.go.
	.section .area,"awx"
	.globl _start
registers:
	.space 256
code:
	.space 768
	fmov d31, x0
	adr x0, registers
	stp x1, x2, [x0, 8]
	stp x3, x4, [x0, 24]
	stp x5, x6, [x0, 40]
	stp x7, x8, [x0, 56]
	stp x9, x10, [x0, 72]
	stp x11, x12, [x0, 88]
	stp x13, x14, [x0, 104]
	stp x15, x16, [x0, 120]
	stp x17, x18, [x0, 136]
	stp x19, x20, [x0, 152]
	stp x21, x22, [x0, 168]
	stp x23, x24, [x0, 184]
	stp x25, x26, [x0, 200]
	stp x27, x28, [x0, 216]
	stp x29, x30, [x0, 232]
	mov x1, sp
	str x1, [x0, 248]
	fmov x1, d31
	str x1, [x0]
	mov x1, x0
	mov x2, 256
	bl send
	adr x1, memory
	mov x2, 8192
	bl send
_start:
	adr x1, registers
	mov x20, 1024
	bl receive
	adr x1, memory
	mov x20, 8192
	bl receive
	adr x0, code
	mov x1, 768
1:	dc cvau, x0
	dsb ish
	ic ivau, x0
	add x0, x0, 4
	subs x1, x1, 4
	b.ne 1b
	dsb ish
	isb
	.if VECTOR
	.arch armv8.2-a+sve
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	ptrue p\n\().b
	.endr
	.endif
	adr x0, registers
	ldr x1, [x0, 248]
	mov sp, x1
	ldp x1, x2, [x0, 8]
	ldp x3, x4, [x0, 24]
	ldp x5, x6, [x0, 40]
	ldp x7, x8, [x0, 56]
	ldp x9, x10, [x0, 72]
	ldp x11, x12, [x0, 88]
	ldp x13, x14, [x0, 104]
	ldp x15, x16, [x0, 120]
	ldp x17, x18, [x0, 136]
	ldp x19, x20, [x0, 152]
	ldp x21, x22, [x0, 168]
	ldp x23, x24, [x0, 184]
	ldp x25, x26, [x0, 200]
	ldp x27, x28, [x0, 216]
	ldp x29, x30, [x0, 232]
	ldr x0, [x0]
	b code
send: // x2 bytes from x1
	mov x0, 1
	mov x8, 64
	svc 0
	ret
receive: // x20 bytes to x1
	mov x19, x1
2:	mov x0, 0
	mov x1, x19
	mov x2, x20
	mov x8, 63
	svc 0
	cmp x0, 0
	b.le 3f
	add x19, x19, x0
	subs x20, x20, x0
	b.ne 2b
	ret
3:	mov x0, 0
	mov x8, 93
	svc 0
	.balign 16384
memory:
	.space 8192

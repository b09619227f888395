# Runs machine code on given registers and memory: see execution_test.go.
	.option norelax
	.section .area,"awx"
	.globl _start
	.balign 4
registers:
	.space 256
code:
	.space 768
	fmv.d.x f31, x31
	lla x31, registers
	sd x1, 8(x31)
	sd x2, 16(x31)
	sd x3, 24(x31)
	sd x4, 32(x31)
	sd x5, 40(x31)
	sd x6, 48(x31)
	sd x7, 56(x31)
	sd x8, 64(x31)
	sd x9, 72(x31)
	sd x10, 80(x31)
	sd x11, 88(x31)
	sd x12, 96(x31)
	sd x13, 104(x31)
	sd x14, 112(x31)
	sd x15, 120(x31)
	sd x16, 128(x31)
	sd x17, 136(x31)
	sd x18, 144(x31)
	sd x19, 152(x31)
	sd x20, 160(x31)
	sd x21, 168(x31)
	sd x22, 176(x31)
	sd x23, 184(x31)
	sd x24, 192(x31)
	sd x25, 200(x31)
	sd x26, 208(x31)
	sd x27, 216(x31)
	sd x28, 224(x31)
	sd x29, 232(x31)
	sd x30, 240(x31)
	fmv.x.d x1, f31
	sd x1, 248(x31)
	mv a1, x31
	li a2, 256
	call send
	lla a1, memory
	li a2, 8192
	call send
_start:
	lla s0, registers
	li s1, 1024
	call receive
	lla s0, memory
	li s1, 8192
	call receive
	fence.i
	lla x31, registers
	ld x1, 8(x31)
	ld x2, 16(x31)
	ld x3, 24(x31)
	ld x4, 32(x31)
	ld x5, 40(x31)
	ld x6, 48(x31)
	ld x7, 56(x31)
	ld x8, 64(x31)
	ld x9, 72(x31)
	ld x10, 80(x31)
	ld x11, 88(x31)
	ld x12, 96(x31)
	ld x13, 104(x31)
	ld x14, 112(x31)
	ld x15, 120(x31)
	ld x16, 128(x31)
	ld x17, 136(x31)
	ld x18, 144(x31)
	ld x19, 152(x31)
	ld x20, 160(x31)
	ld x21, 168(x31)
	ld x22, 176(x31)
	ld x23, 184(x31)
	ld x24, 192(x31)
	ld x25, 200(x31)
	ld x26, 208(x31)
	ld x27, 216(x31)
	ld x28, 224(x31)
	ld x29, 232(x31)
	ld x30, 240(x31)
	ld x31, 248(x31)
	j code
send: # a2 bytes from a1
	li a0, 1
	li a7, 64
	ecall
	ret
receive: # s1 bytes to s0
	li a0, 0
	mv a1, s0
	mv a2, s1
	li a7, 63
	ecall
	blez a0, 1f
	add s0, s0, a0
	sub s1, s1, a0
	bnez s1, receive
	ret
1:	li a0, 0
	li a7, 93
	ecall
	.balign 16384
memory:
	.space 8192

	.file	"collatz.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	collatz
	.type	collatz, @function
collatz:
	mv	a5,a0
	li	a4,1
	li	a0,0
	beq	a5,a4,.L6
	li	a2,1
.L5:
	slli	a4,a5,1
	andi	a3,a5,1
	add	a4,a4,a5
	beq	a3,zero,.L3
	addi	a5,a4,1
	addiw	a0,a0,1
	bne	a5,a2,.L5
	ret
.L3:
	srli	a5,a5,1
	addiw	a0,a0,1
	bne	a5,a2,.L5
	ret
.L6:
	ret
	.size	collatz, .-collatz
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.file	"prefix_sum.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	prefix_sum
	.type	prefix_sum, @function
prefix_sum:
	li	a5,1
	ble	a1,a5,.L1
	slli	a1,a1,3
	addi	a5,a0,8
	fld	fa5,0(a0)
	add	a0,a0,a1
.L3:
	fld	fa4,0(a5)
	addi	a5,a5,8
	fadd.d	fa5,fa5,fa4
	fsd	fa5,-8(a5)
	bne	a0,a5,.L3
.L1:
	ret
	.size	prefix_sum, .-prefix_sum
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.file	"lu.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	lu
	.type	lu, @function
lu:
	ble	a0,zero,.L1
	li	a5,1
	beq	a0,a5,.L14
	slli	t1,a0,3
	mv	t5,a1
	neg	t0,t1
	addi	t2,t1,8
	li	a1,0
	li	t6,0
	li	t3,1
.L5:
	sub	t4,t3,t6
	add	a6,t1,t5
	slli	t4,t4,3
	mv	a2,t0
	mv	a7,t3
.L7:
	fld	fa3,0(a6)
	add	a5,t4,a6
	fld	fa5,0(t5)
	mv	a3,t3
	fdiv.d	fa3,fa3,fa5
	fsd	fa3,0(a6)
.L6:
	add	a4,a1,a5
	addi	a3,a3,1
	add	a4,a4,a2
	addi	a5,a5,8
	fld	fa4,-8(a5)
	fld	fa5,0(a4)
	fnmsub.d	fa5,fa3,fa5,fa4
	fsd	fa5,-8(a5)
	bgt	a0,a3,.L6
	addi	a7,a7,1
	add	a6,a6,t1
	sub	a2,a2,t1
	bgt	a0,a7,.L7
	addi	t3,t3,1
	addi	t6,t6,1
	add	a1,a1,t1
	sub	t0,t0,t1
	add	t5,t5,t2
	bne	a0,t3,.L5
	ret
.L1:
	ret
.L14:
	ret
	.size	lu, .-lu
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.file	"gauss_seidel.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	gauss_seidel
	.type	gauss_seidel, @function
gauss_seidel:
	li	a5,2
	addi	t4,a0,-1
	ble	a0,a5,.L1
	ble	a1,a5,.L1
	slli	a7,a1,3
	addi	a5,a2,-8
	slli	a1,a1,4
	addi	a4,a7,8
	add	t1,a2,a4
	neg	a6,a7
	add	a2,a5,a1
	fld	fa1,.LC0,a5
	li	a0,0
	li	t3,1
.L4:
	addi	t3,t3,1
	mv	a5,t1
	fld	fa4,-8(t1)
.L5:
	add	a4,a6,a5
	addi	a5,a5,8
	add	a3,a4,a0
	add	a4,a4,a1
	fld	fa3,0(a5)
	fld	fa5,0(a3)
	fld	fa2,0(a4)
	fadd.d	fa5,fa5,fa2
	fadd.d	fa5,fa5,fa3
	fadd.d	fa4,fa5,fa4
	fmul.d	fa4,fa4,fa1
	fsd	fa4,-8(a5)
	bne	a2,a5,.L5
	add	t1,t1,a7
	sub	a6,a6,a7
	add	a0,a0,a7
	add	a1,a1,a7
	add	a2,a2,a7
	bne	t4,t3,.L4
.L1:
	ret
	.size	gauss_seidel, .-gauss_seidel
	.section	.rodata.cst8,"aM",@progbits,8
	.align	3
.LC0:
	.word	0
	.word	1070596096
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

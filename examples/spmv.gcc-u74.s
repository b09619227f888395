	.file	"spmv.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	spmv
	.type	spmv, @function
spmv:
	ble	a0,zero,.L1
	slli	a0,a0,2
	add	t4,a1,a0
.L5:
	lw	t3,0(a1)
	lw	a0,4(a1)
	bge	t3,a0,.L6
	subw	t1,a0,t3
	slli	a6,t3,3
	slli	t1,t1,32
	slli	a7,t3,2
	srli	t1,t1,32
	add	a6,a3,a6
	add	t1,t1,t3
	add	a7,a2,a7
	slli	t1,t1,3
	fmv.d.x	fa5,zero
	add	t1,a3,t1
.L4:
	lw	a0,0(a7)
	addi	a6,a6,8
	slli	a0,a0,3
	addi	a7,a7,4
	add	a0,a4,a0
	fld	fa3,-8(a6)
	fld	fa4,0(a0)
	fmadd.d	fa5,fa3,fa4,fa5
	bne	t1,a6,.L4
	fsd	fa5,0(a5)
	addi	a1,a1,4
	addi	a5,a5,8
	bne	t4,a1,.L5
.L1:
	ret
.L6:
	fmv.d.x	fa5,zero
	addi	a1,a1,4
	addi	a5,a5,8
	fsd	fa5,-8(a5)
	bne	t4,a1,.L5
	j	.L1
	.size	spmv, .-spmv
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

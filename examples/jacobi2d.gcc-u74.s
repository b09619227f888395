	.file	"jacobi2d.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	jacobi2d
	.type	jacobi2d, @function
jacobi2d:
	li	a5,2
	ble	a0,a5,.L13
	addi	t5,a1,-1
	ble	a1,a5,.L13
	addi	sp,sp,-64
	slli	t0,a1,3
	neg	t1,t0
	slli	t4,a1,4
	sd	s0,56(sp)
	addi	s0,a1,-5
	sd	s2,40(sp)
	add	t6,a2,t0
	sd	s4,24(sp)
	addi	s2,a0,-1
	sd	s5,16(sp)
	fld	fa2,.LC0,a5
	sd	s6,8(sp)
	add	s5,a3,t0
	slli	s6,a1,1
	addi	s4,a2,8
	andi	s0,s0,-2
	li	t3,0
	sd	s1,48(sp)
	li	t2,1
	sd	s3,32(sp)
	li	s1,0
	sd	s7,0(sp)
	li	s3,4
.L4:
	addi	t2,t2,1
	li	a6,1
	ble	a1,s3,.L8
	fld	fa1,0(t6)
	add	a7,s4,t3
	fld	fa3,8(t6)
	add	a0,t4,a2
	add	a4,t3,s5
	addi	a6,s0,3
	mv	a5,t6
	li	s7,1
.L5:
	fmv.d	ft0,fa1
	fld	fa4,0(a7)
	fld	fa1,8(a0)
	fmv.d	fa0,fa3
	fld	fa5,16(a0)
	addi	a4,a4,16
	fld	fa3,8(a7)
	fadd.d	fa4,fa4,fa1
	fld	fa1,16(a5)
	addi	s7,s7,2
	fadd.d	fa5,fa5,fa3
	fld	fa3,24(a5)
	addi	a7,a7,16
	addi	a0,a0,16
	addi	a5,a5,16
	fadd.d	fa4,fa4,fa1
	fadd.d	fa5,fa5,fa3
	fadd.d	fa4,fa4,ft0
	fadd.d	fa5,fa5,fa0
	fmul.d	fa4,fa4,fa2
	fmul.d	fa5,fa5,fa2
	fsd	fa4,-8(a4)
	fsd	fa5,0(a4)
	bne	s7,a6,.L5
.L8:
	add	s1,s1,s6
	sub	s1,s1,a1
	add	a7,s1,a6
	addi	a5,a7,1
	slli	a7,a7,3
	slli	a5,a5,3
	add	a7,a3,a7
	add	a5,a2,a5
.L6:
	fld	fa4,-16(a5)
	add	a0,a5,t3
	fld	fa5,0(a5)
	add	a0,a0,t1
	add	a4,a5,t4
	addi	a7,a7,8
	fadd.d	fa5,fa5,fa4
	fld	fa3,-8(a0)
	add	a4,a4,t1
	addi	a6,a6,1
	addi	a5,a5,8
	fld	fa4,-8(a4)
	fadd.d	fa5,fa5,fa3
	fadd.d	fa5,fa5,fa4
	fmul.d	fa5,fa5,fa2
	fsd	fa5,-8(a7)
	bgt	t5,a6,.L6
	add	t3,t3,t0
	sub	t1,t1,t0
	add	t4,t4,t0
	add	t6,t6,t0
	bne	s2,t2,.L4
	ld	s0,56(sp)
	ld	s1,48(sp)
	ld	s2,40(sp)
	ld	s3,32(sp)
	ld	s4,24(sp)
	ld	s5,16(sp)
	ld	s6,8(sp)
	ld	s7,0(sp)
	addi	sp,sp,64
	jr	ra
.L13:
	ret
	.size	jacobi2d, .-jacobi2d
	.section	.rodata.cst8,"aM",@progbits,8
	.align	3
.LC0:
	.word	0
	.word	1070596096
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.file	"matvec.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	matvec
	.type	matvec, @function
matvec:
	ble	a0,zero,.L1
	slli	a6,a0,3
	li	a7,0
	add	t1,a3,a6
	add	a6,a2,a6
.L3:
	slli	a4,a7,3
	mv	a5,a2
	fmv.d.x	fa5,zero
	add	a4,a1,a4
.L4:
	fld	fa3,0(a4)
	addi	a5,a5,8
	fld	fa4,-8(a5)
	addi	a4,a4,8
	fmadd.d	fa5,fa3,fa4,fa5
	bne	a6,a5,.L4
	fsd	fa5,0(a3)
	addi	a3,a3,8
	add	a7,a7,a0
	bne	t1,a3,.L3
.L1:
	ret
	.size	matvec, .-matvec
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

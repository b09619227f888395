	.file	"sum.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	sum
	.type	sum, @function
sum:
	ble	a1,zero,.L4
	slli	a1,a1,3
	fmv.d.x	fa0,zero
	add	a5,a0,a1
.L3:
	fld	fa5,0(a0)
	addi	a0,a0,8
	fadd.d	fa0,fa0,fa5
	bne	a5,a0,.L3
	ret
.L4:
	fmv.d.x	fa0,zero
	ret
	.size	sum, .-sum
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.file	"cmul.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	cmul
	.type	cmul, @function
cmul:
	ble	a3,zero,.L1
	slli	a3,a3,3
	add	a5,a1,a3
.L3:
	flw	fa4,0(a2)
	addi	a0,a0,8
	flw	fa2,4(a2)
	addi	a1,a1,8
	flw	fa3,-4(a1)
	addi	a2,a2,8
	flw	fa5,-8(a1)
	fmul.s	fa1,fa3,fa2
	fmul.s	fa3,fa4,fa3
	fmsub.s	fa4,fa5,fa4,fa1
	fmadd.s	fa5,fa5,fa2,fa3
	fsw	fa4,-8(a0)
	fsw	fa5,-4(a0)
	bne	a5,a1,.L3
.L1:
	ret
	.size	cmul, .-cmul
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.file	"schoenauer.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	schoenauer
	.type	schoenauer, @function
schoenauer:
	ble	a4,zero,.L1
	slli	a4,a4,3
	li	a5,0
.L3:
	add	t3,a2,a5
	add	t1,a3,a5
	add	a7,a1,a5
	add	a6,a0,a5
	fld	fa5,0(t3)
	addi	a5,a5,8
	fld	fa3,0(t1)
	fld	fa4,0(a7)
	fmadd.d	fa5,fa5,fa3,fa4
	fsd	fa5,0(a6)
	bne	a4,a5,.L3
.L1:
	ret
	.size	schoenauer, .-schoenauer
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.file	"horner.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	horner
	.type	horner, @function
horner:
	ble	a3,zero,.L1
	slli	a5,a3,3
	fld	ft3,56(a2)
	add	a5,a1,a5
	fld	ft2,48(a2)
	fld	ft1,40(a2)
	fld	ft0,32(a2)
	fld	fa0,24(a2)
	fld	fa1,16(a2)
	fld	fa2,8(a2)
	fld	fa3,0(a2)
.L3:
	fld	fa4,0(a1)
	addi	a0,a0,8
	addi	a1,a1,8
	fmadd.d	fa5,ft3,fa4,ft2
	fmadd.d	fa5,fa4,fa5,ft1
	fmadd.d	fa5,fa4,fa5,ft0
	fmadd.d	fa5,fa4,fa5,fa0
	fmadd.d	fa5,fa4,fa5,fa1
	fmadd.d	fa5,fa4,fa5,fa2
	fmadd.d	fa4,fa4,fa5,fa3
	fsd	fa4,-8(a0)
	bne	a5,a1,.L3
.L1:
	ret
	.size	horner, .-horner
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.file	"copy.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	copy
	.type	copy, @function
copy:
	ble	a2,zero,.L1
	slli	a2,a2,3
	add	a5,a1,a2
.L3:
	fld	fa5,0(a1)
	addi	a1,a1,8
	addi	a0,a0,8
	fsd	fa5,-8(a0)
	bne	a1,a5,.L3
.L1:
	ret
	.size	copy, .-copy
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

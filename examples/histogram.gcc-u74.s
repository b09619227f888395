	.file	"histogram.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	histogram
	.type	histogram, @function
histogram:
	ble	a2,zero,.L1
	add	a2,a1,a2
.L3:
	lbu	a5,0(a1)
	addi	a1,a1,1
	slli	a5,a5,2
	add	a5,a0,a5
	lw	a4,0(a5)
	addiw	a4,a4,1
	sw	a4,0(a5)
	bne	a2,a1,.L3
.L1:
	ret
	.size	histogram, .-histogram
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

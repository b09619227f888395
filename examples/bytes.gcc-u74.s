	.file	"bytes.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	length
	.type	length, @function
length:
	lbu	a5,0(a0)
	beq	a5,zero,.L3
	addi	sp,sp,-16
	addi	a0,a0,1
	sd	ra,8(sp)
	call	strlen@plt
	ld	ra,8(sp)
	addi	a0,a0,1
	addi	sp,sp,16
	jr	ra
.L3:
	li	a0,0
	ret
	.size	length, .-length
	.align	1
	.globl	copy_bytes
	.type	copy_bytes, @function
copy_bytes:
	beq	a2,zero,.L9
	add	a2,a1,a2
.L11:
	lbu	a5,0(a1)
	addi	a1,a1,1
	sb	a5,0(a0)
	addi	a0,a0,1
	bne	a1,a2,.L11
.L9:
	ret
	.size	copy_bytes, .-copy_bytes
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

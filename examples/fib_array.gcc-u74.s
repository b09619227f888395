	.file	"fib_array.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	fib_array
	.type	fib_array, @function
fib_array:
	li	a5,2
	ble	a1,a5,.L1
	li	a5,4
	ble	a1,a5,.L6
	addi	a3,a1,-5
	addi	a2,a0,16
	andi	a3,a3,-2
	li	a6,2
	ld	a4,0(a0)
	addi	a3,a3,4
	ld	a5,8(a0)
.L4:
	add	a4,a4,a5
	addi	a6,a6,2
	add	a5,a5,a4
	addi	a2,a2,16
	sd	a4,-16(a2)
	sd	a5,-8(a2)
	bne	a6,a3,.L4
.L3:
	slli	a5,a3,3
	add	a5,a0,a5
.L5:
	ld	a4,-16(a5)
	addi	a5,a5,8
	ld	a2,-16(a5)
	addi	a3,a3,1
	add	a4,a4,a2
	sd	a4,-8(a5)
	bgt	a1,a3,.L5
.L1:
	ret
.L6:
	li	a3,2
	j	.L3
	.size	fib_array, .-fib_array
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"fib_array.c"
	.globl	fib_array                       # -- Begin function fib_array
	.p2align	1
	.type	fib_array,@function
fib_array:                              # @fib_array
# %bb.0:
	li	a2, 3
	blt	a1, a2, .LBB0_12
# %bb.1:
	addi	a5, a1, -2
	ld	a4, 8(a0)
	andi	a6, a5, 7
	li	a3, 2
	addi	a1, a1, -3
	li	a2, 7
	bltu	a1, a2, .LBB0_4
# %bb.2:
	andi	a1, a5, -8
	addi	a5, a0, 40
	li	a3, 2
.LBB0_3:                                # =>This Inner Loop Header: Depth=1
	ld	a2, -40(a5)
	addi	a3, a3, 8
	add	a2, a2, a4
	ld	a4, -32(a5)
	add	a4, a4, a2
	sd	a2, -24(a5)
	add	a2, a2, a4
	sd	a4, -16(a5)
	add	a4, a4, a2
	sd	a2, -8(a5)
	add	a2, a2, a4
	sd	a4, 0(a5)
	add	a4, a4, a2
	sd	a2, 8(a5)
	add	a2, a2, a4
	sd	a4, 16(a5)
	add	a4, a4, a2
	sd	a2, 24(a5)
	sd	a4, 32(a5)
	addi	a5, a5, 64
	addi	a1, a1, -8
	bnez	a1, .LBB0_3
.LBB0_4:
	beqz	a6, .LBB0_12
# %bb.5:
	sh3add	a0, a3, a0
	ld	a1, -16(a0)
	add	a4, a4, a1
	li	a1, 1
	sd	a4, 0(a0)
	beq	a6, a1, .LBB0_12
# %bb.6:
	ld	a1, -8(a0)
	add	a4, a4, a1
	li	a1, 2
	sd	a4, 8(a0)
	beq	a6, a1, .LBB0_12
# %bb.7:
	ld	a1, 0(a0)
	add	a4, a4, a1
	li	a1, 3
	sd	a4, 16(a0)
	beq	a6, a1, .LBB0_12
# %bb.8:
	ld	a1, 8(a0)
	add	a4, a4, a1
	li	a1, 4
	sd	a4, 24(a0)
	beq	a6, a1, .LBB0_12
# %bb.9:
	ld	a1, 16(a0)
	add	a4, a4, a1
	li	a1, 5
	sd	a4, 32(a0)
	beq	a6, a1, .LBB0_12
# %bb.10:
	ld	a1, 24(a0)
	add	a4, a4, a1
	li	a1, 6
	sd	a4, 40(a0)
	beq	a6, a1, .LBB0_12
# %bb.11:
	ld	a1, 32(a0)
	add	a1, a1, a4
	sd	a1, 48(a0)
.LBB0_12:
	ret
.Lfunc_end0:
	.size	fib_array, .Lfunc_end0-fib_array
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

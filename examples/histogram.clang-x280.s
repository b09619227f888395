	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"histogram.c"
	.globl	histogram                       # -- Begin function histogram
	.p2align	1
	.type	histogram,@function
histogram:                              # @histogram
# %bb.0:
	blez	a2, .LBB0_13
# %bb.1:
	andi	a6, a2, 7
	srli	a2, a2, 3
	beqz	a2, .LBB0_5
# %bb.2:
	slli	a2, a2, 4
	li	t0, 0
	srli	a4, a2, 4
	addi	a5, a1, 3
	slli	a4, a4, 3
	neg	a7, a4
.LBB0_3:                                # =>This Inner Loop Header: Depth=1
	lbu	a3, -3(a5)
	addi	t0, t0, -8
	sh2add	a3, a3, a0
	lbu	a4, -2(a5)
	sh2add	a4, a4, a0
	lw	a2, 0(a3)
	addi	a2, a2, 1
	sw	a2, 0(a3)
	lbu	a3, -1(a5)
	lw	a2, 0(a4)
	sh2add	a3, a3, a0
	addi	a2, a2, 1
	sw	a2, 0(a4)
	lbu	a2, 0(a5)
	lw	a4, 0(a3)
	sh2add	a2, a2, a0
	addi	a4, a4, 1
	sw	a4, 0(a3)
	lbu	a4, 1(a5)
	lw	a3, 0(a2)
	sh2add	a4, a4, a0
	addi	a3, a3, 1
	sw	a3, 0(a2)
	lbu	a2, 2(a5)
	lw	a3, 0(a4)
	sh2add	a2, a2, a0
	addi	a3, a3, 1
	sw	a3, 0(a4)
	lbu	a4, 3(a5)
	lw	a3, 0(a2)
	sh2add	a4, a4, a0
	addi	a3, a3, 1
	sw	a3, 0(a2)
	lbu	a2, 4(a5)
	addi	a5, a5, 8
	lw	a3, 0(a4)
	sh2add	a2, a2, a0
	addi	a3, a3, 1
	sw	a3, 0(a4)
	lw	a3, 0(a2)
	addi	a3, a3, 1
	sw	a3, 0(a2)
	bne	a7, t0, .LBB0_3
# %bb.4:
	neg	a2, t0
.LBB0_5:
	beqz	a6, .LBB0_13
# %bb.6:
	add	a1, a1, a2
	li	a5, 1
	lbu	a2, 0(a1)
	sh2add	a2, a2, a0
	lw	a4, 0(a2)
	addi	a4, a4, 1
	sw	a4, 0(a2)
	beq	a6, a5, .LBB0_13
# %bb.7:
	lbu	a2, 1(a1)
	li	a5, 2
	sh2add	a2, a2, a0
	lw	a4, 0(a2)
	addi	a4, a4, 1
	sw	a4, 0(a2)
	beq	a6, a5, .LBB0_13
# %bb.8:
	lbu	a2, 2(a1)
	li	a5, 3
	sh2add	a2, a2, a0
	lw	a4, 0(a2)
	addi	a4, a4, 1
	sw	a4, 0(a2)
	beq	a6, a5, .LBB0_13
# %bb.9:
	lbu	a2, 3(a1)
	li	a5, 4
	sh2add	a2, a2, a0
	lw	a4, 0(a2)
	addi	a4, a4, 1
	sw	a4, 0(a2)
	beq	a6, a5, .LBB0_13
# %bb.10:
	lbu	a2, 4(a1)
	li	a5, 5
	sh2add	a2, a2, a0
	lw	a4, 0(a2)
	addi	a4, a4, 1
	sw	a4, 0(a2)
	beq	a6, a5, .LBB0_13
# %bb.11:
	lbu	a2, 5(a1)
	li	a5, 6
	sh2add	a2, a2, a0
	lw	a4, 0(a2)
	addi	a4, a4, 1
	sw	a4, 0(a2)
	beq	a6, a5, .LBB0_13
# %bb.12:
	lbu	a1, 6(a1)
	sh2add	a0, a1, a0
	lw	a1, 0(a0)
	addi	a1, a1, 1
	sw	a1, 0(a0)
.LBB0_13:
	ret
.Lfunc_end0:
	.size	histogram, .Lfunc_end0-histogram
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

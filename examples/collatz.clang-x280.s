	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"collatz.c"
	.globl	collatz                         # -- Begin function collatz
	.p2align	1
	.type	collatz,@function
collatz:                                # @collatz
# %bb.0:
	li	a2, 1
	bne	a0, a2, .LBB0_2
# %bb.1:
	li	a0, 0
	ret
.LBB0_2:
	mv	a1, a0
	li	a0, 0
.LBB0_3:                                # =>This Inner Loop Header: Depth=1
	sh1add	a3, a1, a1
	andi	a4, a1, 1
	addi	a3, a3, 1
	bnez	a4, .LBB0_20
# %bb.19:                               #   in Loop: Header=BB0_3 Depth=1
	srli	a3, a1, 1
.LBB0_20:                               #   in Loop: Header=BB0_3 Depth=1
	beq	a3, a2, .LBB0_12
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=1
	sh1add	a1, a3, a3
	andi	a4, a3, 1
	addi	a1, a1, 1
	bnez	a4, .LBB0_22
# %bb.21:                               #   in Loop: Header=BB0_3 Depth=1
	srli	a1, a3, 1
.LBB0_22:                               #   in Loop: Header=BB0_3 Depth=1
	beq	a1, a2, .LBB0_13
# %bb.5:                                #   in Loop: Header=BB0_3 Depth=1
	sh1add	a3, a1, a1
	andi	a4, a1, 1
	addi	a3, a3, 1
	bnez	a4, .LBB0_24
# %bb.23:                               #   in Loop: Header=BB0_3 Depth=1
	srli	a3, a1, 1
.LBB0_24:                               #   in Loop: Header=BB0_3 Depth=1
	beq	a3, a2, .LBB0_14
# %bb.6:                                #   in Loop: Header=BB0_3 Depth=1
	sh1add	a1, a3, a3
	andi	a4, a3, 1
	addi	a1, a1, 1
	bnez	a4, .LBB0_26
# %bb.25:                               #   in Loop: Header=BB0_3 Depth=1
	srli	a1, a3, 1
.LBB0_26:                               #   in Loop: Header=BB0_3 Depth=1
	beq	a1, a2, .LBB0_15
# %bb.7:                                #   in Loop: Header=BB0_3 Depth=1
	sh1add	a3, a1, a1
	andi	a4, a1, 1
	addi	a3, a3, 1
	bnez	a4, .LBB0_28
# %bb.27:                               #   in Loop: Header=BB0_3 Depth=1
	srli	a3, a1, 1
.LBB0_28:                               #   in Loop: Header=BB0_3 Depth=1
	beq	a3, a2, .LBB0_16
# %bb.8:                                #   in Loop: Header=BB0_3 Depth=1
	sh1add	a1, a3, a3
	andi	a4, a3, 1
	addi	a1, a1, 1
	bnez	a4, .LBB0_30
# %bb.29:                               #   in Loop: Header=BB0_3 Depth=1
	srli	a1, a3, 1
.LBB0_30:                               #   in Loop: Header=BB0_3 Depth=1
	beq	a1, a2, .LBB0_17
# %bb.9:                                #   in Loop: Header=BB0_3 Depth=1
	sh1add	a3, a1, a1
	andi	a4, a1, 1
	addi	a3, a3, 1
	bnez	a4, .LBB0_32
# %bb.31:                               #   in Loop: Header=BB0_3 Depth=1
	srli	a3, a1, 1
.LBB0_32:                               #   in Loop: Header=BB0_3 Depth=1
	beq	a3, a2, .LBB0_18
# %bb.10:                               #   in Loop: Header=BB0_3 Depth=1
	sh1add	a1, a3, a3
	andi	a4, a3, 1
	addi	a1, a1, 1
	addiw	a0, a0, 8
	bnez	a4, .LBB0_34
# %bb.33:                               #   in Loop: Header=BB0_3 Depth=1
	srli	a1, a3, 1
.LBB0_34:                               #   in Loop: Header=BB0_3 Depth=1
	bne	a1, a2, .LBB0_3
# %bb.11:
	ret
.LBB0_12:
	addiw	a0, a0, 1
	ret
.LBB0_13:
	addiw	a0, a0, 2
	ret
.LBB0_14:
	addiw	a0, a0, 3
	ret
.LBB0_15:
	addiw	a0, a0, 4
	ret
.LBB0_16:
	addiw	a0, a0, 5
	ret
.LBB0_17:
	addiw	a0, a0, 6
	ret
.LBB0_18:
	addiw	a0, a0, 7
	ret
.Lfunc_end0:
	.size	collatz, .Lfunc_end0-collatz
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

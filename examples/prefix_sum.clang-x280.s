	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"prefix_sum.c"
	.globl	prefix_sum                      # -- Begin function prefix_sum
	.p2align	1
	.type	prefix_sum,@function
prefix_sum:                             # @prefix_sum
# %bb.0:
	li	a2, 2
	blt	a1, a2, .LBB0_12
# %bb.1:
	addi	a4, a1, -1
	li	a3, 1
	andi	a2, a4, 7
	addi	a1, a1, -2
	li	a5, 7
	fld	fa5, 0(a0)
	bltu	a1, a5, .LBB0_4
# %bb.2:
	andi	a1, a4, -8
	addi	a4, a0, 32
	li	a3, 1
.LBB0_3:                                # =>This Inner Loop Header: Depth=1
	fld	fa4, -24(a4)
	addi	a3, a3, 8
	fld	fa3, -8(a4)
	addi	a1, a1, -8
	fadd.d	fa5, fa4, fa5
	fld	fa4, -16(a4)
	fld	fa2, 0(a4)
	fld	fa1, 8(a4)
	fld	fa0, 16(a4)
	fld	ft0, 24(a4)
	fld	ft1, 32(a4)
	fadd.d	fa4, fa4, fa5
	fsd	fa5, -24(a4)
	fadd.d	fa3, fa3, fa4
	fsd	fa4, -16(a4)
	fadd.d	fa2, fa2, fa3
	fsd	fa3, -8(a4)
	fadd.d	fa1, fa1, fa2
	fsd	fa2, 0(a4)
	fadd.d	fa0, fa0, fa1
	fsd	fa1, 8(a4)
	fadd.d	ft0, ft0, fa0
	fsd	fa0, 16(a4)
	fadd.d	fa5, ft1, ft0
	fsd	ft0, 24(a4)
	fsd	fa5, 32(a4)
	addi	a4, a4, 64
	bnez	a1, .LBB0_3
.LBB0_4:
	beqz	a2, .LBB0_12
# %bb.5:
	sh3add	a0, a3, a0
	li	a1, 1
	fld	fa4, 0(a0)
	fadd.d	fa5, fa4, fa5
	fsd	fa5, 0(a0)
	beq	a2, a1, .LBB0_12
# %bb.6:
	fld	fa4, 8(a0)
	li	a1, 2
	fadd.d	fa5, fa4, fa5
	fsd	fa5, 8(a0)
	beq	a2, a1, .LBB0_12
# %bb.7:
	fld	fa4, 16(a0)
	li	a1, 3
	fadd.d	fa5, fa4, fa5
	fsd	fa5, 16(a0)
	beq	a2, a1, .LBB0_12
# %bb.8:
	fld	fa4, 24(a0)
	li	a1, 4
	fadd.d	fa5, fa4, fa5
	fsd	fa5, 24(a0)
	beq	a2, a1, .LBB0_12
# %bb.9:
	fld	fa4, 32(a0)
	li	a1, 5
	fadd.d	fa5, fa4, fa5
	fsd	fa5, 32(a0)
	beq	a2, a1, .LBB0_12
# %bb.10:
	fld	fa4, 40(a0)
	li	a1, 6
	fadd.d	fa5, fa4, fa5
	fsd	fa5, 40(a0)
	beq	a2, a1, .LBB0_12
# %bb.11:
	fld	fa4, 48(a0)
	fadd.d	fa5, fa4, fa5
	fsd	fa5, 48(a0)
.LBB0_12:
	ret
.Lfunc_end0:
	.size	prefix_sum, .Lfunc_end0-prefix_sum
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

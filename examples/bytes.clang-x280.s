	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"bytes.c"
	.globl	length                          # -- Begin function length
	.p2align	1
	.type	length,@function
length:                                 # @length
# %bb.0:
	mv	a1, a0
	li	a0, -1
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	add	a2, a1, a0
	lbu	a3, 1(a2)
	beqz	a3, .LBB0_10
# %bb.2:                                #   in Loop: Header=BB0_1 Depth=1
	lbu	a3, 2(a2)
	beqz	a3, .LBB0_11
# %bb.3:                                #   in Loop: Header=BB0_1 Depth=1
	lbu	a3, 3(a2)
	beqz	a3, .LBB0_12
# %bb.4:                                #   in Loop: Header=BB0_1 Depth=1
	lbu	a3, 4(a2)
	beqz	a3, .LBB0_13
# %bb.5:                                #   in Loop: Header=BB0_1 Depth=1
	lbu	a3, 5(a2)
	beqz	a3, .LBB0_14
# %bb.6:                                #   in Loop: Header=BB0_1 Depth=1
	lbu	a3, 6(a2)
	beqz	a3, .LBB0_15
# %bb.7:                                #   in Loop: Header=BB0_1 Depth=1
	lbu	a3, 7(a2)
	beqz	a3, .LBB0_16
# %bb.8:                                #   in Loop: Header=BB0_1 Depth=1
	addi	a0, a0, 8
	lbu	a2, 8(a2)
	bnez	a2, .LBB0_1
# %bb.9:
	ret
.LBB0_10:
	addi	a0, a0, 1
	ret
.LBB0_11:
	addi	a0, a0, 2
	ret
.LBB0_12:
	addi	a0, a0, 3
	ret
.LBB0_13:
	addi	a0, a0, 4
	ret
.LBB0_14:
	addi	a0, a0, 5
	ret
.LBB0_15:
	addi	a0, a0, 6
	ret
.LBB0_16:
	addi	a0, a0, 7
	ret
.Lfunc_end0:
	.size	length, .Lfunc_end0-length
                                        # -- End function
	.globl	copy_bytes                      # -- Begin function copy_bytes
	.p2align	1
	.type	copy_bytes,@function
copy_bytes:                             # @copy_bytes
# %bb.0:
	beqz	a2, .LBB1_13
# %bb.1:
	andi	a6, a2, 7
	srli	a2, a2, 3
	beqz	a2, .LBB1_5
# %bb.2:
	slli	a3, a2, 3
	li	a2, 0
	neg	a7, a3
	addi	a5, a0, 3
	addi	a3, a1, 3
.LBB1_3:                                # =>This Inner Loop Header: Depth=1
	lbu	a4, -3(a3)
	addi	a2, a2, -8
	sb	a4, -3(a5)
	lbu	a4, -2(a3)
	sb	a4, -2(a5)
	lbu	a4, -1(a3)
	sb	a4, -1(a5)
	lbu	a4, 0(a3)
	sb	a4, 0(a5)
	lbu	a4, 1(a3)
	sb	a4, 1(a5)
	lbu	a4, 2(a3)
	sb	a4, 2(a5)
	lbu	a4, 3(a3)
	sb	a4, 3(a5)
	lbu	a4, 4(a3)
	addi	a3, a3, 8
	sb	a4, 4(a5)
	addi	a5, a5, 8
	bne	a7, a2, .LBB1_3
# %bb.4:
	neg	a2, a2
.LBB1_5:
	beqz	a6, .LBB1_13
# %bb.6:
	add	a3, a1, a2
	add	a4, a0, a2
	li	a5, 1
	lbu	a3, 0(a3)
	sb	a3, 0(a4)
	beq	a6, a5, .LBB1_13
# %bb.7:
	addi	a3, a2, 1
	li	a5, 2
	add	a4, a1, a3
	add	a3, a3, a0
	lbu	a4, 0(a4)
	sb	a4, 0(a3)
	beq	a6, a5, .LBB1_13
# %bb.8:
	addi	a3, a2, 2
	li	a5, 3
	add	a4, a1, a3
	add	a3, a3, a0
	lbu	a4, 0(a4)
	sb	a4, 0(a3)
	beq	a6, a5, .LBB1_13
# %bb.9:
	addi	a3, a2, 3
	li	a5, 4
	add	a4, a1, a3
	add	a3, a3, a0
	lbu	a4, 0(a4)
	sb	a4, 0(a3)
	beq	a6, a5, .LBB1_13
# %bb.10:
	addi	a3, a2, 4
	li	a5, 5
	add	a4, a1, a3
	add	a3, a3, a0
	lbu	a4, 0(a4)
	sb	a4, 0(a3)
	beq	a6, a5, .LBB1_13
# %bb.11:
	addi	a3, a2, 5
	li	a5, 6
	add	a4, a1, a3
	add	a3, a3, a0
	lbu	a4, 0(a4)
	sb	a4, 0(a3)
	beq	a6, a5, .LBB1_13
# %bb.12:
	addi	a2, a2, 6
	add	a1, a1, a2
	add	a0, a0, a2
	lbu	a1, 0(a1)
	sb	a1, 0(a0)
.LBB1_13:
	ret
.Lfunc_end1:
	.size	copy_bytes, .Lfunc_end1-copy_bytes
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

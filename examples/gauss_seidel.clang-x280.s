	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"gauss_seidel.c"
	.section	.srodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function gauss_seidel
.LCPI0_0:
	.quad	0x3fd0000000000000              # double 0.25
	.text
	.globl	gauss_seidel
	.p2align	1
	.type	gauss_seidel,@function
gauss_seidel:                           # @gauss_seidel
# %bb.0:
	li	a3, 3
	blt	a0, a3, .LBB0_16
# %bb.1:
	blt	a1, a3, .LBB0_16
# %bb.2:
	addi	sp, sp, -112
	sd	ra, 104(sp)                     # 8-byte Folded Spill
	sd	s0, 96(sp)                      # 8-byte Folded Spill
	sd	s1, 88(sp)                      # 8-byte Folded Spill
	sd	s2, 80(sp)                      # 8-byte Folded Spill
	sd	s3, 72(sp)                      # 8-byte Folded Spill
	sd	s4, 64(sp)                      # 8-byte Folded Spill
	sd	s5, 56(sp)                      # 8-byte Folded Spill
	sd	s6, 48(sp)                      # 8-byte Folded Spill
	sd	s7, 40(sp)                      # 8-byte Folded Spill
	sd	s8, 32(sp)                      # 8-byte Folded Spill
	sd	s9, 24(sp)                      # 8-byte Folded Spill
	sd	s10, 16(sp)                     # 8-byte Folded Spill
	sd	s11, 8(sp)                      # 8-byte Folded Spill
	slli	a3, a1, 4
	addi	a6, a0, -2
	addi	a0, a1, -2
	addi	a4, a3, 64
.Lpcrel_hi0:
	auipc	a3, %pcrel_hi(.LCPI0_0)
	sh3add	t0, a1, a2
	andi	t1, a0, 7
	andi	a0, a0, -8
	li	s11, 0
	slli	t2, a1, 3
	addi	a7, a1, -3
	neg	a0, a0
	addi	t3, a2, 72
	addi	t4, t0, 40
	li	ra, 1
	li	t5, 7
	li	t6, 2
	li	s5, 3
	li	s4, 4
	li	s2, 5
	li	s3, 6
	li	s6, 1
	fld	fa5, %pcrel_lo(.Lpcrel_hi0)(a3)
	j	.LBB0_4
.LBB0_3:                                #   in Loop: Header=BB0_4 Depth=1
	addi	s11, s11, 1
	add	t3, t3, t2
	add	t4, t4, t2
	beq	s10, a6, .LBB0_15
.LBB0_4:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_6 Depth 2
	mul	a3, t2, s11
	mv	s10, s6
	add	a3, a3, t0
	li	s0, 1
	fld	fa4, 0(a3)
	bltu	a7, t5, .LBB0_7
# %bb.5:                                #   in Loop: Header=BB0_4 Depth=1
	mv	s1, t4
	mv	a3, t3
.LBB0_6:                                #   Parent Loop BB0_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	add	a5, a3, a4
	fld	fa3, -64(a3)
	fld	fa1, -24(s1)
	addi	s0, s0, 8
	fadd.d	fa4, fa3, fa4
	fld	fa2, -128(a5)
	fadd.d	fa3, fa2, fa1
	fadd.d	fa4, fa3, fa4
	fmul.d	fa3, fa4, fa5
	fsd	fa3, -32(s1)
	fld	fa3, -56(a3)
	fld	fa2, -120(a5)
	fadd.d	fa3, fa2, fa3
	fmadd.d	fa4, fa4, fa5, fa3
	fld	fa3, -16(s1)
	fadd.d	fa4, fa4, fa3
	fmul.d	fa3, fa4, fa5
	fsd	fa3, -24(s1)
	fld	fa3, -48(a3)
	fld	fa2, -112(a5)
	fadd.d	fa3, fa2, fa3
	fmadd.d	fa4, fa4, fa5, fa3
	fld	fa3, -8(s1)
	fadd.d	fa4, fa4, fa3
	fmul.d	fa3, fa4, fa5
	fsd	fa3, -16(s1)
	fld	fa3, -40(a3)
	fld	fa2, -104(a5)
	fadd.d	fa3, fa2, fa3
	fmadd.d	fa4, fa4, fa5, fa3
	fld	fa3, 0(s1)
	fadd.d	fa4, fa4, fa3
	fmul.d	fa3, fa4, fa5
	fsd	fa3, -8(s1)
	fld	fa3, -32(a3)
	fld	fa2, -96(a5)
	fadd.d	fa3, fa2, fa3
	fmadd.d	fa4, fa4, fa5, fa3
	fld	fa3, 8(s1)
	fadd.d	fa4, fa4, fa3
	fmul.d	fa3, fa4, fa5
	fsd	fa3, 0(s1)
	fld	fa3, -24(a3)
	fld	fa2, -88(a5)
	fadd.d	fa3, fa2, fa3
	fmadd.d	fa4, fa4, fa5, fa3
	fld	fa3, 16(s1)
	fadd.d	fa4, fa4, fa3
	fmul.d	fa3, fa4, fa5
	fsd	fa3, 8(s1)
	fld	fa3, -16(a3)
	fld	fa2, -80(a5)
	fadd.d	fa3, fa2, fa3
	fmadd.d	fa4, fa4, fa5, fa3
	fld	fa3, 24(s1)
	fadd.d	fa4, fa4, fa3
	fmul.d	fa3, fa4, fa5
	fsd	fa3, 16(s1)
	fld	fa3, -8(a3)
	addi	a3, a3, 64
	fld	fa2, -72(a5)
	add	a5, a0, s0
	fadd.d	fa3, fa2, fa3
	fmadd.d	fa4, fa4, fa5, fa3
	fld	fa3, 32(s1)
	fadd.d	fa4, fa4, fa3
	fmul.d	fa4, fa4, fa5
	fsd	fa4, 24(s1)
	addi	s1, s1, 64
	bne	a5, ra, .LBB0_6
.LBB0_7:                                #   in Loop: Header=BB0_4 Depth=1
	addi	s6, s10, 1
	beqz	t1, .LBB0_3
# %bb.8:                                #   in Loop: Header=BB0_4 Depth=1
	addi	a3, s10, -1
	mul	a3, a3, a1
	sh3add	s8, a3, a2
	mul	a3, s6, a1
	sh3add	s9, a3, a2
	mul	a3, s10, a1
	sh3add	s7, a3, a2
	sh3add	a3, s0, s8
	sh3add	a5, s0, s9
	sh3add	s1, s0, s7
	fld	fa3, 0(a3)
	fld	fa2, 0(a5)
	fld	fa1, 8(s1)
	fadd.d	fa4, fa2, fa4
	fadd.d	fa3, fa3, fa1
	fadd.d	fa4, fa4, fa3
	fmul.d	fa4, fa4, fa5
	fsd	fa4, 0(s1)
	beq	t1, ra, .LBB0_3
# %bb.9:                                #   in Loop: Header=BB0_4 Depth=1
	slli	s0, s0, 3
	addi	a3, s0, 8
	add	a5, s8, a3
	add	s1, s9, a3
	add	a3, a3, s7
	fld	fa3, 0(a5)
	fld	fa2, 0(s1)
	fld	fa1, 8(a3)
	fadd.d	fa3, fa2, fa3
	fadd.d	fa4, fa4, fa1
	fadd.d	fa4, fa3, fa4
	fmul.d	fa4, fa4, fa5
	fsd	fa4, 0(a3)
	beq	t1, t6, .LBB0_3
# %bb.10:                               #   in Loop: Header=BB0_4 Depth=1
	addi	a3, s0, 16
	add	a5, s8, a3
	add	s1, s9, a3
	add	a3, a3, s7
	fld	fa3, 0(a5)
	fld	fa2, 0(s1)
	fld	fa1, 8(a3)
	fadd.d	fa3, fa2, fa3
	fadd.d	fa4, fa4, fa1
	fadd.d	fa4, fa3, fa4
	fmul.d	fa4, fa4, fa5
	fsd	fa4, 0(a3)
	beq	t1, s5, .LBB0_3
# %bb.11:                               #   in Loop: Header=BB0_4 Depth=1
	addi	a3, s0, 24
	add	a5, s8, a3
	add	s1, s9, a3
	add	a3, a3, s7
	fld	fa3, 0(a5)
	fld	fa2, 0(s1)
	fld	fa1, 8(a3)
	fadd.d	fa3, fa2, fa3
	fadd.d	fa4, fa4, fa1
	fadd.d	fa4, fa3, fa4
	fmul.d	fa4, fa4, fa5
	fsd	fa4, 0(a3)
	beq	t1, s4, .LBB0_3
# %bb.12:                               #   in Loop: Header=BB0_4 Depth=1
	addi	a3, s0, 32
	add	a5, s8, a3
	add	s1, s9, a3
	add	a3, a3, s7
	fld	fa3, 0(a5)
	fld	fa2, 0(s1)
	fld	fa1, 8(a3)
	fadd.d	fa3, fa2, fa3
	fadd.d	fa4, fa4, fa1
	fadd.d	fa4, fa3, fa4
	fmul.d	fa4, fa4, fa5
	fsd	fa4, 0(a3)
	beq	t1, s2, .LBB0_3
# %bb.13:                               #   in Loop: Header=BB0_4 Depth=1
	addi	a3, s0, 40
	add	a5, s8, a3
	add	s1, s9, a3
	add	a3, a3, s7
	fld	fa3, 0(a5)
	fld	fa2, 0(s1)
	fld	fa1, 8(a3)
	fadd.d	fa3, fa2, fa3
	fadd.d	fa4, fa4, fa1
	fadd.d	fa4, fa3, fa4
	fmul.d	fa4, fa4, fa5
	fsd	fa4, 0(a3)
	beq	t1, s3, .LBB0_3
# %bb.14:                               #   in Loop: Header=BB0_4 Depth=1
	addi	a3, s0, 48
	add	s8, s8, a3
	add	s9, s9, a3
	add	a3, a3, s7
	fld	fa3, 0(s8)
	fld	fa2, 0(s9)
	fld	fa1, 8(a3)
	fadd.d	fa3, fa2, fa3
	fadd.d	fa4, fa4, fa1
	fadd.d	fa4, fa3, fa4
	fmul.d	fa4, fa4, fa5
	fsd	fa4, 0(a3)
	j	.LBB0_3
.LBB0_15:
	ld	ra, 104(sp)                     # 8-byte Folded Reload
	ld	s0, 96(sp)                      # 8-byte Folded Reload
	ld	s1, 88(sp)                      # 8-byte Folded Reload
	ld	s2, 80(sp)                      # 8-byte Folded Reload
	ld	s3, 72(sp)                      # 8-byte Folded Reload
	ld	s4, 64(sp)                      # 8-byte Folded Reload
	ld	s5, 56(sp)                      # 8-byte Folded Reload
	ld	s6, 48(sp)                      # 8-byte Folded Reload
	ld	s7, 40(sp)                      # 8-byte Folded Reload
	ld	s8, 32(sp)                      # 8-byte Folded Reload
	ld	s9, 24(sp)                      # 8-byte Folded Reload
	ld	s10, 16(sp)                     # 8-byte Folded Reload
	ld	s11, 8(sp)                      # 8-byte Folded Reload
	addi	sp, sp, 112
.LBB0_16:
	ret
.Lfunc_end0:
	.size	gauss_seidel, .Lfunc_end0-gauss_seidel
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

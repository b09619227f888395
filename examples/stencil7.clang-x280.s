	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"stencil7.c"
	.globl	stencil7                        # -- Begin function stencil7
	.p2align	1
	.type	stencil7,@function
stencil7:                               # @stencil7
# %bb.0:
	li	a3, 3
	blt	a0, a3, .LBB0_12
# %bb.1:
	addi	sp, sp, -192
	sd	ra, 184(sp)                     # 8-byte Folded Spill
	sd	s0, 176(sp)                     # 8-byte Folded Spill
	sd	s1, 168(sp)                     # 8-byte Folded Spill
	sd	s2, 160(sp)                     # 8-byte Folded Spill
	sd	s3, 152(sp)                     # 8-byte Folded Spill
	sd	s4, 144(sp)                     # 8-byte Folded Spill
	sd	s5, 136(sp)                     # 8-byte Folded Spill
	sd	s6, 128(sp)                     # 8-byte Folded Spill
	sd	s7, 120(sp)                     # 8-byte Folded Spill
	sd	s8, 112(sp)                     # 8-byte Folded Spill
	sd	s9, 104(sp)                     # 8-byte Folded Spill
	sd	s10, 96(sp)                     # 8-byte Folded Spill
	sd	s11, 88(sp)                     # 8-byte Folded Spill
	addi	a4, a0, -1
	slli	s4, a0, 3
	sd	a4, 72(sp)                      # 8-byte Folded Spill
	addi	a4, a0, -2
	sd	a4, 80(sp)                      # 8-byte Folded Spill
	slli	a4, a0, 4
	addi	t0, s4, 8
	addi	a4, a4, 8
	addi	s0, s4, 16
	csrr	t5, vlenb
	mul	a3, a0, a0
	li	s11, 0
	mul	a6, a0, t0
	slli	s1, a3, 3
	mul	a4, a0, a4
	add	t4, a1, a6
	mul	s0, a0, s0
	add	t6, a1, a4
	add	t2, a1, s0
	sh3add	s2, a3, a1
	add	s3, a2, a6
	srli	a5, t5, 2
	sd	s1, 0(sp)                       # 8-byte Folded Spill
	slli	t5, t5, 1
	addi	a7, t6, 8
	add	t0, t0, a1
	addi	s0, t2, 8
	addi	s1, s2, 8
	addi	a2, s3, 8
	sh3add	s5, a0, a1
	li	a1, 1
	mv	s6, t4
	j	.LBB0_3
.LBB0_2:                                #   in Loop: Header=BB0_3 Depth=1
	ld	s11, 64(sp)                     # 8-byte Folded Reload
	ld	a0, 0(sp)                       # 8-byte Folded Reload
	ld	s3, 32(sp)                      # 8-byte Folded Reload
	add	s11, s11, a0
	ld	t6, 56(sp)                      # 8-byte Folded Reload
	add	s3, s3, a0
	ld	s5, 24(sp)                      # 8-byte Folded Reload
	add	t6, t6, a0
	ld	t2, 48(sp)                      # 8-byte Folded Reload
	add	s5, s5, a0
	ld	s2, 40(sp)                      # 8-byte Folded Reload
	add	t2, t2, a0
	ld	s6, 8(sp)                       # 8-byte Folded Reload
	add	s2, s2, a0
	ld	a1, 16(sp)                      # 8-byte Folded Reload
	add	s6, s6, a0
	addi	a1, a1, 1
	ld	a0, 72(sp)                      # 8-byte Folded Reload
	beq	a1, a0, .LBB0_11
.LBB0_3:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_5 Depth 2
                                        #       Child Loop BB0_7 Depth 3
                                        #       Child Loop BB0_10 Depth 3
	li	t3, 1
	sd	a1, 16(sp)                      # 8-byte Folded Spill
	sd	s6, 8(sp)                       # 8-byte Folded Spill
	sd	s2, 40(sp)                      # 8-byte Folded Spill
	sd	t2, 48(sp)                      # 8-byte Folded Spill
	sd	s5, 24(sp)                      # 8-byte Folded Spill
	sd	t6, 56(sp)                      # 8-byte Folded Spill
	sd	s3, 32(sp)                      # 8-byte Folded Spill
	sd	s11, 64(sp)                     # 8-byte Folded Spill
	j	.LBB0_5
.LBB0_4:                                #   in Loop: Header=BB0_5 Depth=2
	add	s11, s11, s4
	add	s3, s3, s4
	add	t6, t6, s4
	add	s5, s5, s4
	add	t2, t2, s4
	add	s2, s2, s4
	add	s6, s6, s4
	addi	t3, t3, 1
	ld	a0, 72(sp)                      # 8-byte Folded Reload
	beq	t3, a0, .LBB0_2
.LBB0_5:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_7 Depth 3
                                        #       Child Loop BB0_10 Depth 3
	li	t1, 1
	ld	a0, 80(sp)                      # 8-byte Folded Reload
	bltu	a0, a5, .LBB0_9
# %bb.6:                                #   in Loop: Header=BB0_5 Depth=2
	neg	a0, a5
	ld	a1, 80(sp)                      # 8-byte Folded Reload
	and	a6, a1, a0
	mv	a1, s11
	addi	t1, a6, 1
	mv	a0, a6
	vsetvli	a4, zero, e64, m2, ta, ma
.LBB0_7:                                #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_5 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	add	a3, t4, a1
	sub	a0, a0, a5
	addi	a4, a3, 16
	vl2re64.v	v8, (a3)
	addi	a3, a3, 8
	vl2re64.v	v10, (a4)
	add	a4, s1, a1
	vfadd.vv	v8, v10, v8
	vl2re64.v	v10, (a4)
	add	a4, s0, a1
	vl2re64.v	v12, (a3)
	add	a3, a7, a1
	vfadd.vv	v8, v8, v10
	vl2re64.v	v10, (a4)
	add	a4, t0, a1
	vfadd.vv	v8, v8, v10
	vl2re64.v	v10, (a4)
	vfadd.vv	v8, v8, v10
	vfmul.vf	v10, v12, fa0
	vl2re64.v	v12, (a3)
	add	a3, a2, a1
	add	a1, a1, t5
	vfadd.vv	v8, v8, v12
	vfmadd.vf	v8, fa1, v10
	vs2r.v	v8, (a3)
	bnez	a0, .LBB0_7
# %bb.8:                                #   in Loop: Header=BB0_5 Depth=2
	ld	a0, 80(sp)                      # 8-byte Folded Reload
	beq	a0, a6, .LBB0_4
.LBB0_9:                                #   in Loop: Header=BB0_5 Depth=2
	ld	a0, 72(sp)                      # 8-byte Folded Reload
	mv	s7, s6
	sub	a6, a0, t1
	slli	t1, t1, 3
	mv	s8, s2
	mv	s9, t2
	mv	s10, s5
	mv	ra, t6
	mv	a0, s3
.LBB0_10:                               #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_5 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	add	a1, s7, t1
	add	a3, s8, t1
	add	a4, s9, t1
	addi	s9, s9, 8
	addi	s8, s8, 8
	addi	s7, s7, 8
	fld	fa5, -8(a1)
	addi	a6, a6, -1
	fld	fa4, 8(a1)
	fld	fa3, 0(a3)
	add	a3, s10, t1
	fld	fa2, 0(a4)
	fadd.d	fa5, fa4, fa5
	add	a4, ra, t1
	addi	ra, ra, 8
	fadd.d	fa4, fa3, fa2
	fld	fa3, 0(a3)
	addi	s10, s10, 8
	fld	fa2, 0(a4)
	fadd.d	fa5, fa5, fa4
	fadd.d	fa4, fa3, fa2
	fld	fa3, 0(a1)
	add	a1, a0, t1
	addi	a0, a0, 8
	fmul.d	fa3, fa3, fa0
	fadd.d	fa5, fa5, fa4
	fmadd.d	fa5, fa5, fa1, fa3
	fsd	fa5, 0(a1)
	bnez	a6, .LBB0_10
	j	.LBB0_4
.LBB0_11:
	ld	ra, 184(sp)                     # 8-byte Folded Reload
	ld	s0, 176(sp)                     # 8-byte Folded Reload
	ld	s1, 168(sp)                     # 8-byte Folded Reload
	ld	s2, 160(sp)                     # 8-byte Folded Reload
	ld	s3, 152(sp)                     # 8-byte Folded Reload
	ld	s4, 144(sp)                     # 8-byte Folded Reload
	ld	s5, 136(sp)                     # 8-byte Folded Reload
	ld	s6, 128(sp)                     # 8-byte Folded Reload
	ld	s7, 120(sp)                     # 8-byte Folded Reload
	ld	s8, 112(sp)                     # 8-byte Folded Reload
	ld	s9, 104(sp)                     # 8-byte Folded Reload
	ld	s10, 96(sp)                     # 8-byte Folded Reload
	ld	s11, 88(sp)                     # 8-byte Folded Reload
	addi	sp, sp, 192
.LBB0_12:
	ret
.Lfunc_end0:
	.size	stencil7, .Lfunc_end0-stencil7
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

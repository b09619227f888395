	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"lu.c"
	.globl	lu                              # -- Begin function lu
	.p2align	1
	.type	lu,@function
lu:                                     # @lu
# %bb.0:
	blez	a0, .LBB0_13
# %bb.1:
	addi	sp, sp, -128
	sd	ra, 120(sp)                     # 8-byte Folded Spill
	sd	s0, 112(sp)                     # 8-byte Folded Spill
	sd	s1, 104(sp)                     # 8-byte Folded Spill
	sd	s2, 96(sp)                      # 8-byte Folded Spill
	sd	s3, 88(sp)                      # 8-byte Folded Spill
	sd	s4, 80(sp)                      # 8-byte Folded Spill
	sd	s5, 72(sp)                      # 8-byte Folded Spill
	sd	s6, 64(sp)                      # 8-byte Folded Spill
	sd	s7, 56(sp)                      # 8-byte Folded Spill
	sd	s8, 48(sp)                      # 8-byte Folded Spill
	sd	s9, 40(sp)                      # 8-byte Folded Spill
	sd	s10, 32(sp)                     # 8-byte Folded Spill
	sd	s11, 24(sp)                     # 8-byte Folded Spill
	csrr	a3, vlenb
	slli	s9, a0, 3
	mul	a2, a0, a0
	addi	t2, s9, 8
	sh3add	a2, a2, a1
	add	a7, a1, t2
	sd	a2, 16(sp)                      # 8-byte Folded Spill
	addi	t0, a1, 8
	sh3add	t1, a0, a1
	srli	a4, a3, 2
	li	a2, 16
	li	s8, 0
	slli	a3, a3, 1
	maxu	t4, a4, a2
	mv	t5, a1
	mv	t6, t1
	mv	s2, a7
	mv	s3, t0
	slti	a5, s9, 0
	sd	a5, 8(sp)                       # 8-byte Folded Spill
	j	.LBB0_3
.LBB0_2:                                #   in Loop: Header=BB0_3 Depth=1
	add	s3, s3, t2
	add	s2, s2, t2
	add	t6, t6, s9
	add	t5, t5, s9
	beq	s8, a0, .LBB0_12
.LBB0_3:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_6 Depth 2
                                        #       Child Loop BB0_8 Depth 3
                                        #       Child Loop BB0_11 Depth 3
	mv	s7, s8
	addi	s8, s8, 1
	bge	s8, a0, .LBB0_2
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=1
	mul	a2, t2, s7
	not	s4, s7
	mul	s1, s9, s7
	add	a5, a7, a2
	add	s1, s1, t1
	add	a2, a2, t0
	sltu	a5, a5, s1
	ld	s1, 16(sp)                      # 8-byte Folded Reload
	add	s4, s4, a0
	sltu	a2, a2, s1
	mul	s0, s7, a0
	sltu	s1, s4, t4
	and	a2, a2, a5
	ld	a5, 8(sp)                       # 8-byte Folded Reload
	sh3add	s0, s0, a1
	or	a5, a5, s1
	sh3add	s5, s7, s0
	or	s6, a5, a2
	mv	ra, t6
	mv	s11, s2
	mv	a5, s8
	j	.LBB0_6
.LBB0_5:                                #   in Loop: Header=BB0_6 Depth=2
	add	s11, s11, s9
	add	ra, ra, s9
	addi	a5, a5, 1
	beq	a5, a0, .LBB0_2
.LBB0_6:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_8 Depth 3
                                        #       Child Loop BB0_11 Depth 3
	mul	a2, a5, a0
	fld	fa5, 0(s5)
	sh3add	a2, a2, a1
	mv	s0, s8
	sh3add	a2, s7, a2
	fld	fa4, 0(a2)
	fdiv.d	fa5, fa4, fa5
	fsd	fa5, 0(a2)
	bnez	s6, .LBB0_10
# %bb.7:                                #   in Loop: Header=BB0_6 Depth=2
	neg	a2, a4
	mv	s1, s11
	and	a6, s4, a2
	mv	a2, s3
	add	s0, s8, a6
	mv	s10, a6
	vsetvli	t3, zero, e64, m2, ta, ma
.LBB0_8:                                #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_6 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vl2re64.v	v8, (a2)
	add	a2, a2, a3
	sub	s10, s10, a4
	vl2re64.v	v10, (s1)
	vfnmsac.vf	v10, fa5, v8
	vs2r.v	v10, (s1)
	add	s1, s1, a3
	bnez	s10, .LBB0_8
# %bb.9:                                #   in Loop: Header=BB0_6 Depth=2
	beq	s4, a6, .LBB0_5
.LBB0_10:                               #   in Loop: Header=BB0_6 Depth=2
	sh3add	s1, s0, ra
	sub	a2, a0, s0
	sh3add	s0, s0, t5
.LBB0_11:                               #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_6 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	fld	fa4, 0(s0)
	addi	s0, s0, 8
	fld	fa3, 0(s1)
	addi	a2, a2, -1
	fnmsub.d	fa4, fa4, fa5, fa3
	fsd	fa4, 0(s1)
	addi	s1, s1, 8
	bnez	a2, .LBB0_11
	j	.LBB0_5
.LBB0_12:
	ld	ra, 120(sp)                     # 8-byte Folded Reload
	ld	s0, 112(sp)                     # 8-byte Folded Reload
	ld	s1, 104(sp)                     # 8-byte Folded Reload
	ld	s2, 96(sp)                      # 8-byte Folded Reload
	ld	s3, 88(sp)                      # 8-byte Folded Reload
	ld	s4, 80(sp)                      # 8-byte Folded Reload
	ld	s5, 72(sp)                      # 8-byte Folded Reload
	ld	s6, 64(sp)                      # 8-byte Folded Reload
	ld	s7, 56(sp)                      # 8-byte Folded Reload
	ld	s8, 48(sp)                      # 8-byte Folded Reload
	ld	s9, 40(sp)                      # 8-byte Folded Reload
	ld	s10, 32(sp)                     # 8-byte Folded Reload
	ld	s11, 24(sp)                     # 8-byte Folded Reload
	addi	sp, sp, 128
.LBB0_13:
	ret
.Lfunc_end0:
	.size	lu, .Lfunc_end0-lu
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

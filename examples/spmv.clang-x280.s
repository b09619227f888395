	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"spmv.c"
	.globl	spmv                            # -- Begin function spmv
	.p2align	1
	.type	spmv,@function
spmv:                                   # @spmv
# %bb.0:
	blez	a0, .LBB0_12
# %bb.1:
	addi	sp, sp, -32
	sd	s0, 24(sp)                      # 8-byte Folded Spill
	sd	s1, 16(sp)                      # 8-byte Folded Spill
	sd	s2, 8(sp)                       # 8-byte Folded Spill
	sd	s3, 0(sp)                       # 8-byte Folded Spill
	csrr	a6, vlenb
	vsetvli	s1, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	li	t0, 0
	lw	s1, 0(a1)
	fmv.d.x	fa5, zero
	srli	a7, a6, 2
	slli	t1, a6, 1
	neg	t2, a7
	vmv.s.x	v10, zero
	j	.LBB0_3
.LBB0_2:                                #   in Loop: Header=BB0_3 Depth=1
	sh3add	s0, t3, a5
	mv	s1, t4
	fsd	fa4, 0(s0)
	beq	t0, a0, .LBB0_11
.LBB0_3:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_7 Depth 2
                                        #     Child Loop BB0_10 Depth 2
	mv	t3, t0
	addi	t0, t0, 1
	sh2add	s0, t0, a1
	fmv.d	fa4, fa5
	lw	t4, 0(s0)
	bge	s1, t4, .LBB0_2
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=1
	sub	t6, t4, s1
	bgeu	t6, a7, .LBB0_6
# %bb.5:                                #   in Loop: Header=BB0_3 Depth=1
	mv	t5, s1
	fmv.d	fa4, fa5
	j	.LBB0_9
.LBB0_6:                                #   in Loop: Header=BB0_3 Depth=1
	and	s2, t6, t2
	vmv2r.v	v12, v8
	sh3add	s3, s1, a3
	add	t5, s2, s1
	sh2add	s1, s1, a2
	mv	s0, s2
.LBB0_7:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vl1re32.v	v11, (s1)
	add	s1, s1, a6
	sub	s0, s0, a7
	vl2re64.v	v16, (s3)
	add	s3, s3, t1
	vsext.vf2	v14, v11
	vsll.vi	v14, v14, 3
	vluxei64.v	v14, (a4), v14
	vfmacc.vv	v12, v14, v16
	bnez	s0, .LBB0_7
# %bb.8:                                #   in Loop: Header=BB0_3 Depth=1
	vfredusum.vs	v11, v12, v10
	vfmv.f.s	fa4, v11
	beq	t6, s2, .LBB0_2
.LBB0_9:                                #   in Loop: Header=BB0_3 Depth=1
	sh3add	s1, t5, a3
	sh2add	t6, t5, a2
	sh3add	t5, t4, a3
.LBB0_10:                               #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	lw	s0, 0(t6)
	addi	t6, t6, 4
	sh3add	s0, s0, a4
	fld	fa3, 0(s1)
	addi	s1, s1, 8
	fld	fa2, 0(s0)
	fmadd.d	fa4, fa2, fa3, fa4
	bne	s1, t5, .LBB0_10
	j	.LBB0_2
.LBB0_11:
	ld	s0, 24(sp)                      # 8-byte Folded Reload
	ld	s1, 16(sp)                      # 8-byte Folded Reload
	ld	s2, 8(sp)                       # 8-byte Folded Reload
	ld	s3, 0(sp)                       # 8-byte Folded Reload
	addi	sp, sp, 32
.LBB0_12:
	ret
.Lfunc_end0:
	.size	spmv, .Lfunc_end0-spmv
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

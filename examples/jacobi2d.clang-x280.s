	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"jacobi2d.c"
	.section	.srodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function jacobi2d
.LCPI0_0:
	.quad	0x3fd0000000000000              # double 0.25
	.text
	.globl	jacobi2d
	.p2align	1
	.type	jacobi2d,@function
jacobi2d:                               # @jacobi2d
# %bb.0:
	li	a4, 3
	blt	a0, a4, .LBB0_11
# %bb.1:
	blt	a1, a4, .LBB0_11
# %bb.2:
	addi	sp, sp, -80
	sd	s0, 72(sp)                      # 8-byte Folded Spill
	sd	s1, 64(sp)                      # 8-byte Folded Spill
	sd	s2, 56(sp)                      # 8-byte Folded Spill
	sd	s3, 48(sp)                      # 8-byte Folded Spill
	sd	s4, 40(sp)                      # 8-byte Folded Spill
	sd	s5, 32(sp)                      # 8-byte Folded Spill
	sd	s6, 24(sp)                      # 8-byte Folded Spill
	sd	s7, 16(sp)                      # 8-byte Folded Spill
	sd	s8, 8(sp)                       # 8-byte Folded Spill
	sd	s9, 0(sp)                       # 8-byte Folded Spill
	csrr	t3, vlenb
	slli	t6, a1, 4
	addi	t1, a2, 8
	sh3add	s6, a1, a3
	li	t2, 0
	addi	a6, a0, -2
	addi	a7, a1, -2
	srli	s8, t3, 2
	slli	t0, a1, 3
	slli	t3, t3, 1
	add	t4, t1, t6
	addi	s6, s6, 8
	sh3add	s7, a1, a2
	addi	t5, a1, -1
	add	t6, t6, a2
	li	a0, 1
	mv	s3, a2
	mv	s4, a1
.Lpcrel_hi0:
	auipc	s9, %pcrel_hi(.LCPI0_0)
	j	.LBB0_4
.LBB0_3:                                #   in Loop: Header=BB0_4 Depth=1
	addi	a0, s2, 1
	add	t2, t2, t0
	add	s4, s4, a1
	add	s3, s3, t0
	add	t6, t6, t0
	beq	s2, a6, .LBB0_10
.LBB0_4:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_6 Depth 2
                                        #     Child Loop BB0_9 Depth 2
	mv	s2, a0
	li	s5, 1
	bltu	a7, s8, .LBB0_8
# %bb.5:                                #   in Loop: Header=BB0_4 Depth=1
	neg	a0, s8
	mv	a5, t2
	and	a0, a7, a0
	vsetvli	s0, zero, e64, m2, ta, ma
	addi	s5, a0, 1
	mv	a4, a0
.LBB0_6:                                #   Parent Loop BB0_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	add	s0, a2, a5
	fld	fa5, %pcrel_lo(.Lpcrel_hi0)(s9)
	addi	s0, s0, 8
	sub	a4, a4, s8
	vl2re64.v	v8, (s0)
	add	s0, t4, a5
	vl2re64.v	v10, (s0)
	add	s0, s7, a5
	vfadd.vv	v8, v10, v8
	vl2re64.v	v10, (s0)
	addi	s0, s0, 16
	vfadd.vv	v8, v8, v10
	vl2re64.v	v10, (s0)
	add	s0, s6, a5
	add	a5, a5, t3
	vfadd.vv	v8, v8, v10
	vfmul.vf	v8, v8, fa5
	vs2r.v	v8, (s0)
	bnez	a4, .LBB0_6
# %bb.7:                                #   in Loop: Header=BB0_4 Depth=1
	beq	a7, a0, .LBB0_3
.LBB0_8:                                #   in Loop: Header=BB0_4 Depth=1
	add	a0, s5, s4
	sh3add	a5, s5, s3
	sh3add	s1, a0, a3
	sh3add	a4, a0, t1
	sub	a0, t5, s5
	sh3add	s0, s5, t6
.LBB0_9:                                #   Parent Loop BB0_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	fld	fa5, 0(a5)
	addi	a5, a5, 8
	fld	fa4, 0(s0)
	addi	s0, s0, 8
	fld	fa3, -16(a4)
	addi	a0, a0, -1
	fld	fa2, 0(a4)
	fadd.d	fa5, fa4, fa5
	addi	a4, a4, 8
	fadd.d	fa4, fa3, fa2
	fadd.d	fa5, fa5, fa4
	fld	fa4, %pcrel_lo(.Lpcrel_hi0)(s9)
	fmul.d	fa5, fa5, fa4
	fsd	fa5, 0(s1)
	addi	s1, s1, 8
	bnez	a0, .LBB0_9
	j	.LBB0_3
.LBB0_10:
	ld	s0, 72(sp)                      # 8-byte Folded Reload
	ld	s1, 64(sp)                      # 8-byte Folded Reload
	ld	s2, 56(sp)                      # 8-byte Folded Reload
	ld	s3, 48(sp)                      # 8-byte Folded Reload
	ld	s4, 40(sp)                      # 8-byte Folded Reload
	ld	s5, 32(sp)                      # 8-byte Folded Reload
	ld	s6, 24(sp)                      # 8-byte Folded Reload
	ld	s7, 16(sp)                      # 8-byte Folded Reload
	ld	s8, 8(sp)                       # 8-byte Folded Reload
	ld	s9, 0(sp)                       # 8-byte Folded Reload
	addi	sp, sp, 80
.LBB0_11:
	ret
.Lfunc_end0:
	.size	jacobi2d, .Lfunc_end0-jacobi2d
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

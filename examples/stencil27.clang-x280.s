	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"stencil27.c"
	.globl	stencil27                       # -- Begin function stencil27
	.p2align	1
	.type	stencil27,@function
stencil27:                              # @stencil27
# %bb.0:
	addi	sp, sp, -352
	sd	ra, 344(sp)                     # 8-byte Folded Spill
	sd	s0, 336(sp)                     # 8-byte Folded Spill
	sd	s1, 328(sp)                     # 8-byte Folded Spill
	sd	s2, 320(sp)                     # 8-byte Folded Spill
	sd	s3, 312(sp)                     # 8-byte Folded Spill
	sd	s4, 304(sp)                     # 8-byte Folded Spill
	sd	s5, 296(sp)                     # 8-byte Folded Spill
	sd	s6, 288(sp)                     # 8-byte Folded Spill
	sd	s7, 280(sp)                     # 8-byte Folded Spill
	sd	s8, 272(sp)                     # 8-byte Folded Spill
	sd	s9, 264(sp)                     # 8-byte Folded Spill
	sd	s10, 256(sp)                    # 8-byte Folded Spill
	sd	s11, 248(sp)                    # 8-byte Folded Spill
	sd	a1, 144(sp)                     # 8-byte Folded Spill
	li	a1, 3
	blt	a0, a1, .LBB0_11
# %bb.1:
	slli	s1, a0, 3
	mul	a5, a0, a0
	addi	a1, s1, 8
	addi	a4, a0, -2
	ld	s0, 144(sp)                     # 8-byte Folded Reload
	csrr	t3, vlenb
	sd	a4, 168(sp)                     # 8-byte Folded Spill
	addi	t1, a0, -1
	mul	a7, a0, a1
	slli	a1, a5, 3
	sd	a1, 8(sp)                       # 8-byte Folded Spill
	slli	a1, a0, 4
	sd	s1, 152(sp)                     # 8-byte Folded Spill
	addi	s1, s1, 16
	addi	a6, a1, 8
	add	a4, s0, a1
	addi	a1, a1, 16
	srli	t6, t3, 2
	add	t2, s0, a7
	slli	t3, t3, 1
	slli	t5, a5, 4
	sh3add	s2, a0, s0
	mul	s1, a0, s1
	add	a7, a7, a2
	mul	s4, a0, a6
	mv	a2, t1
	mul	a0, a0, a1
	mv	t1, a3
	sd	t3, 128(sp)                     # 8-byte Folded Spill
	add	t3, s0, t5
	add	t0, s0, s1
	sh3add	s3, a5, s0
	add	s4, s4, s0
	add	t5, s0, a0
	li	s5, 0
	fld	fa5, 0(a3)
	fld	fa4, 8(a3)
	addi	t4, a7, 8
	fld	fa3, 16(a3)
	li	a0, 1
	mv	a1, s2
	mv	a5, t0
	mv	s1, s3
	mv	a3, t5
	mv	a6, s4
	fld	fa2, 24(t1)
	sd	a4, 112(sp)                     # 8-byte Folded Spill
	sd	t3, 120(sp)                     # 8-byte Folded Spill
	sd	t2, 136(sp)                     # 8-byte Folded Spill
	j	.LBB0_3
.LBB0_2:                                #   in Loop: Header=BB0_3 Depth=1
	ld	s5, 104(sp)                     # 8-byte Folded Reload
	ld	a0, 8(sp)                       # 8-byte Folded Reload
	ld	a7, 96(sp)                      # 8-byte Folded Reload
	add	s5, s5, a0
	ld	t2, 16(sp)                      # 8-byte Folded Reload
	add	a7, a7, a0
	ld	a6, 24(sp)                      # 8-byte Folded Reload
	add	t2, t2, a0
	ld	t3, 32(sp)                      # 8-byte Folded Reload
	add	a6, a6, a0
	ld	a3, 40(sp)                      # 8-byte Folded Reload
	add	t3, t3, a0
	ld	s1, 48(sp)                      # 8-byte Folded Reload
	add	a3, a3, a0
	ld	a4, 56(sp)                      # 8-byte Folded Reload
	add	s1, s1, a0
	ld	a5, 64(sp)                      # 8-byte Folded Reload
	add	a4, a4, a0
	ld	a1, 72(sp)                      # 8-byte Folded Reload
	add	a5, a5, a0
	ld	s0, 80(sp)                      # 8-byte Folded Reload
	add	a1, a1, a0
	add	s0, s0, a0
	ld	a0, 88(sp)                      # 8-byte Folded Reload
	addi	a0, a0, 1
	beq	a0, a2, .LBB0_11
.LBB0_3:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_5 Depth 2
                                        #       Child Loop BB0_7 Depth 3
                                        #       Child Loop BB0_10 Depth 3
	sd	a0, 88(sp)                      # 8-byte Folded Spill
	mv	a0, s0
	sd	a1, 72(sp)                      # 8-byte Folded Spill
	sd	a4, 56(sp)                      # 8-byte Folded Spill
	sd	a4, 232(sp)                     # 8-byte Folded Spill
	mv	a4, a1
	li	a1, 1
	sd	s0, 80(sp)                      # 8-byte Folded Spill
	sd	a5, 64(sp)                      # 8-byte Folded Spill
	sd	a5, 240(sp)                     # 8-byte Folded Spill
	sd	s1, 48(sp)                      # 8-byte Folded Spill
	sd	s1, 224(sp)                     # 8-byte Folded Spill
	sd	a3, 40(sp)                      # 8-byte Folded Spill
	sd	a3, 216(sp)                     # 8-byte Folded Spill
	sd	t3, 32(sp)                      # 8-byte Folded Spill
	sd	t3, 208(sp)                     # 8-byte Folded Spill
	sd	a6, 24(sp)                      # 8-byte Folded Spill
	sd	a6, 200(sp)                     # 8-byte Folded Spill
	sd	t2, 16(sp)                      # 8-byte Folded Spill
	sd	t2, 192(sp)                     # 8-byte Folded Spill
	sd	a7, 96(sp)                      # 8-byte Folded Spill
	sd	a7, 184(sp)                     # 8-byte Folded Spill
	sd	s5, 104(sp)                     # 8-byte Folded Spill
	sd	s5, 176(sp)                     # 8-byte Folded Spill
	j	.LBB0_5
.LBB0_4:                                #   in Loop: Header=BB0_5 Depth=2
	ld	a1, 152(sp)                     # 8-byte Folded Reload
	ld	a3, 176(sp)                     # 8-byte Folded Reload
	add	a4, a4, a1
	add	a3, a3, a1
	add	a0, a0, a1
	sd	a3, 176(sp)                     # 8-byte Folded Spill
	ld	a3, 184(sp)                     # 8-byte Folded Reload
	add	a3, a3, a1
	sd	a3, 184(sp)                     # 8-byte Folded Spill
	ld	a3, 192(sp)                     # 8-byte Folded Reload
	add	a3, a3, a1
	sd	a3, 192(sp)                     # 8-byte Folded Spill
	ld	a3, 200(sp)                     # 8-byte Folded Reload
	add	a3, a3, a1
	sd	a3, 200(sp)                     # 8-byte Folded Spill
	ld	a3, 208(sp)                     # 8-byte Folded Reload
	add	a3, a3, a1
	sd	a3, 208(sp)                     # 8-byte Folded Spill
	ld	a3, 216(sp)                     # 8-byte Folded Reload
	add	a3, a3, a1
	sd	a3, 216(sp)                     # 8-byte Folded Spill
	ld	a3, 224(sp)                     # 8-byte Folded Reload
	add	a3, a3, a1
	sd	a3, 224(sp)                     # 8-byte Folded Spill
	ld	a3, 232(sp)                     # 8-byte Folded Reload
	add	a3, a3, a1
	sd	a3, 232(sp)                     # 8-byte Folded Spill
	ld	a3, 240(sp)                     # 8-byte Folded Reload
	add	a3, a3, a1
	ld	a1, 160(sp)                     # 8-byte Folded Reload
	addi	a1, a1, 1
	sd	a3, 240(sp)                     # 8-byte Folded Spill
	beq	a1, a2, .LBB0_2
.LBB0_5:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_7 Depth 3
                                        #       Child Loop BB0_10 Depth 3
	sd	a1, 160(sp)                     # 8-byte Folded Spill
	li	a7, 1
	ld	a1, 168(sp)                     # 8-byte Folded Reload
	bltu	a1, t6, .LBB0_9
# %bb.6:                                #   in Loop: Header=BB0_5 Depth=2
	neg	a3, t6
	ld	a1, 168(sp)                     # 8-byte Folded Reload
	and	a6, a1, a3
	mv	s6, a4
	mv	s5, a0
	mv	t1, a2
	addi	a7, a6, 1
	mv	a3, a6
	ld	s1, 176(sp)                     # 8-byte Folded Reload
	ld	t2, 144(sp)                     # 8-byte Folded Reload
	ld	t3, 136(sp)                     # 8-byte Folded Reload
	ld	a4, 128(sp)                     # 8-byte Folded Reload
	ld	a2, 120(sp)                     # 8-byte Folded Reload
	ld	a0, 112(sp)                     # 8-byte Folded Reload
	vsetvli	a1, zero, e64, m2, ta, ma
.LBB0_7:                                #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_5 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	add	s0, t3, s1
	sub	a3, a3, t6
	addi	a1, s0, 8
	vl2re64.v	v12, (s0)
	addi	s0, s0, 16
	vl2re64.v	v8, (a1)
	add	a1, s3, s1
	vl2re64.v	v14, (s0)
	addi	s0, a1, 16
	vfmul.vf	v10, v8, fa5
	vl2re64.v	v8, (a1)
	addi	a1, a1, 8
	vfadd.vv	v12, v14, v12
	vl2re64.v	v14, (s0)
	vfadd.vv	v8, v14, v8
	vl2re64.v	v14, (a1)
	add	a1, t0, s1
	addi	s0, a1, 8
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a1)
	addi	a1, a1, 16
	vfadd.vv	v8, v8, v14
	vl2re64.v	v14, (s0)
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a1)
	add	a1, s2, s1
	addi	s0, a1, 8
	vfadd.vv	v8, v8, v14
	vl2re64.v	v14, (s0)
	add	s0, s4, s1
	addi	a5, s0, 8
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a1)
	addi	a1, a1, 16
	vfadd.vv	v14, v8, v14
	vl2re64.v	v8, (a5)
	vfadd.vv	v8, v12, v8
	vl2re64.v	v12, (a1)
	add	a1, t2, s1
	addi	a5, a1, 16
	vfadd.vv	v12, v14, v12
	vl2re64.v	v14, (s0)
	addi	s0, s0, 16
	vfmadd.vf	v8, fa4, v10
	vl2re64.v	v10, (a1)
	addi	a1, a1, 8
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a5)
	add	a5, a0, s1
	vfadd.vv	v10, v14, v10
	vl2re64.v	v14, (s0)
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a5)
	vfadd.vv	v10, v10, v14
	vl2re64.v	v14, (a1)
	addi	a1, a5, 16
	addi	a5, a5, 8
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a1)
	add	a1, a2, s1
	vfadd.vv	v10, v10, v14
	vl2re64.v	v14, (a5)
	addi	a5, a1, 8
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a1)
	addi	a1, a1, 16
	vfadd.vv	v10, v10, v14
	vl2re64.v	v14, (a5)
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a1)
	add	a1, t5, s1
	addi	a5, a1, 8
	vfadd.vv	v10, v10, v14
	vl2re64.v	v14, (a5)
	vfadd.vv	v12, v12, v14
	vl2re64.v	v14, (a1)
	addi	a1, a1, 16
	vfadd.vv	v10, v10, v14
	vfmadd.vf	v12, fa3, v8
	vl2re64.v	v8, (a1)
	add	a1, t4, s1
	add	s1, s1, a4
	vfadd.vv	v8, v10, v8
	vfmadd.vf	v8, fa2, v12
	vs2r.v	v8, (a1)
	bnez	a3, .LBB0_7
# %bb.8:                                #   in Loop: Header=BB0_5 Depth=2
	mv	a2, t1
	ld	a1, 168(sp)                     # 8-byte Folded Reload
	mv	a0, s5
	mv	a4, s6
	beq	a1, a6, .LBB0_4
.LBB0_9:                                #   in Loop: Header=BB0_5 Depth=2
	sub	t2, a2, a7
	slli	t1, a7, 3
	mv	s5, a0
	mv	s6, a4
	ld	s7, 240(sp)                     # 8-byte Folded Reload
	ld	s8, 232(sp)                     # 8-byte Folded Reload
	ld	s9, 224(sp)                     # 8-byte Folded Reload
	ld	s10, 216(sp)                    # 8-byte Folded Reload
	ld	s11, 208(sp)                    # 8-byte Folded Reload
	ld	ra, 200(sp)                     # 8-byte Folded Reload
	ld	t3, 192(sp)                     # 8-byte Folded Reload
	ld	a3, 184(sp)                     # 8-byte Folded Reload
.LBB0_10:                               #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_5 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	add	a1, s9, t1
	add	a5, s7, t1
	add	s0, s6, t1
	add	s1, ra, t1
	add	a7, s5, t1
	add	a6, t3, t1
	fld	fa1, -8(a1)
	addi	t3, t3, 8
	fld	fa0, 8(a1)
	addi	ra, ra, 8
	fld	ft0, -8(a5)
	addi	s9, s9, 8
	fld	ft1, 8(a5)
	fadd.d	fa1, fa0, fa1
	fld	ft2, -8(s0)
	addi	s7, s7, 8
	fld	ft3, 8(s0)
	fadd.d	ft0, ft0, ft1
	fld	fa0, 8(s1)
	addi	s6, s6, 8
	fld	ft1, 0(a7)
	fadd.d	ft2, ft2, ft3
	fld	ft4, -8(a6)
	addi	s5, s5, 8
	fadd.d	fa0, fa0, ft1
	fld	ft1, 0(a1)
	add	a1, s8, t1
	fld	ft3, 8(a6)
	fld	ft5, 0(a5)
	add	a5, s11, t1
	fadd.d	ft3, ft3, ft4
	fld	ft4, -8(s1)
	fadd.d	ft1, ft1, ft5
	fld	ft6, -8(a7)
	fadd.d	fa1, fa1, ft0
	fld	ft0, 0(a1)
	fadd.d	ft2, ft2, ft4
	fld	ft4, 0(s0)
	fadd.d	fa0, fa0, ft0
	fld	ft0, 0(s1)
	fld	ft5, 0(a5)
	addi	s11, s11, 8
	fadd.d	ft0, ft4, ft0
	fld	ft4, -8(a1)
	addi	s8, s8, 8
	addi	t2, t2, -1
	fadd.d	ft1, ft3, ft1
	fld	ft3, 8(a7)
	fadd.d	fa1, fa1, ft2
	fld	ft2, 8(a1)
	fadd.d	fa0, fa0, ft5
	fld	ft5, -8(a5)
	fadd.d	ft3, ft3, ft6
	fld	ft6, 8(a5)
	fadd.d	ft2, ft4, ft2
	add	a1, s10, t1
	fadd.d	ft4, ft5, ft6
	fld	ft5, 0(a6)
	fadd.d	ft0, ft1, ft0
	addi	s10, s10, 8
	fmul.d	ft1, ft5, fa5
	fadd.d	fa1, fa1, fa0
	fld	fa0, -8(a1)
	fadd.d	ft2, ft3, ft2
	fld	ft3, 0(a1)
	fadd.d	fa0, ft4, fa0
	fmadd.d	ft0, ft0, fa4, ft1
	fld	ft1, 8(a1)
	add	a1, a3, t1
	addi	a3, a3, 8
	fadd.d	fa1, fa1, ft3
	fadd.d	fa0, ft2, fa0
	fmadd.d	fa1, fa1, fa3, ft0
	fadd.d	fa0, fa0, ft1
	fmadd.d	fa1, fa0, fa2, fa1
	fsd	fa1, 0(a1)
	bnez	t2, .LBB0_10
	j	.LBB0_4
.LBB0_11:
	ld	ra, 344(sp)                     # 8-byte Folded Reload
	ld	s0, 336(sp)                     # 8-byte Folded Reload
	ld	s1, 328(sp)                     # 8-byte Folded Reload
	ld	s2, 320(sp)                     # 8-byte Folded Reload
	ld	s3, 312(sp)                     # 8-byte Folded Reload
	ld	s4, 304(sp)                     # 8-byte Folded Reload
	ld	s5, 296(sp)                     # 8-byte Folded Reload
	ld	s6, 288(sp)                     # 8-byte Folded Reload
	ld	s7, 280(sp)                     # 8-byte Folded Reload
	ld	s8, 272(sp)                     # 8-byte Folded Reload
	ld	s9, 264(sp)                     # 8-byte Folded Reload
	ld	s10, 256(sp)                    # 8-byte Folded Reload
	ld	s11, 248(sp)                    # 8-byte Folded Reload
	addi	sp, sp, 352
	ret
.Lfunc_end0:
	.size	stencil27, .Lfunc_end0-stencil27
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

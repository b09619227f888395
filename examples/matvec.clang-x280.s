	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"matvec.c"
	.globl	matvec                          # -- Begin function matvec
	.p2align	1
	.type	matvec,@function
matvec:                                 # @matvec
# %bb.0:
	blez	a0, .LBB0_10
# %bb.1:
	csrr	t2, vlenb
	vsetvli	a4, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	li	a7, 0
	slli	a6, a0, 3
	fmv.d.x	fa5, zero
	srli	a4, t2, 3
	srli	t1, t2, 2
	slli	a4, a4, 1
	slli	t2, t2, 1
	neg	a4, a4
	vmv.s.x	v10, zero
	and	t0, a4, a0
	j	.LBB0_3
.LBB0_2:                                #   in Loop: Header=BB0_3 Depth=1
	sh3add	a4, a7, a3
	add	a1, a1, a6
	addi	a7, a7, 1
	fsd	fa4, 0(a4)
	beq	a7, a0, .LBB0_10
.LBB0_3:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_6 Depth 2
                                        #     Child Loop BB0_9 Depth 2
	bgeu	a0, t1, .LBB0_5
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=1
	li	a5, 0
	fmv.d	fa4, fa5
	j	.LBB0_8
.LBB0_5:                                #   in Loop: Header=BB0_3 Depth=1
	vmv2r.v	v12, v8
	mv	t3, t0
	mv	a5, a2
	mv	a4, a1
.LBB0_6:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vl2re64.v	v14, (a4)
	add	a4, a4, t2
	sub	t3, t3, t1
	vl2re64.v	v16, (a5)
	add	a5, a5, t2
	vfmacc.vv	v12, v16, v14
	bnez	t3, .LBB0_6
# %bb.7:                                #   in Loop: Header=BB0_3 Depth=1
	vfredusum.vs	v11, v12, v10
	mv	a5, t0
	vfmv.f.s	fa4, v11
	beq	t0, a0, .LBB0_2
.LBB0_8:                                #   in Loop: Header=BB0_3 Depth=1
	sh3add	t3, a5, a2
	sub	a4, a0, a5
	sh3add	a5, a5, a1
.LBB0_9:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	fld	fa3, 0(a5)
	addi	a5, a5, 8
	fld	fa2, 0(t3)
	addi	t3, t3, 8
	addi	a4, a4, -1
	fmadd.d	fa4, fa2, fa3, fa4
	bnez	a4, .LBB0_9
	j	.LBB0_2
.LBB0_10:
	ret
.Lfunc_end0:
	.size	matvec, .Lfunc_end0-matvec
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

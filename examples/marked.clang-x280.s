	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"marked.c"
	.globl	marked                          # -- Begin function marked
	.p2align	1
	.type	marked,@function
marked:                                 # @marked
# %bb.0:
	csrr	a6, vlenb
	#APP
	# OSACA-BEGIN
	#NO_APP
	blez	a2, .LBB0_3
# %bb.1:
	srli	t0, a6, 2
	bgeu	a2, t0, .LBB0_4
# %bb.2:
	li	a7, 0
	fmv.d.x	fa0, zero
	j	.LBB0_7
.LBB0_3:
	fmv.d.x	fa0, zero
	j	.LBB0_9
.LBB0_4:
	neg	a3, t0
	slli	t1, a6, 1
	and	a7, a3, a2
	vsetvli	a3, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	mv	a4, a7
	mv	a3, a1
	mv	a5, a0
.LBB0_5:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v10, (a5)
	add	a5, a5, t1
	sub	a4, a4, t0
	vl2re64.v	v12, (a3)
	add	a3, a3, t1
	vfmacc.vv	v8, v12, v10
	bnez	a4, .LBB0_5
# %bb.6:
	vmv.s.x	v10, zero
	vfredusum.vs	v8, v8, v10
	vfmv.f.s	fa0, v8
	beq	a7, a2, .LBB0_9
.LBB0_7:
	sh3add	a1, a7, a1
	sub	a5, a2, a7
	sh3add	a3, a7, a0
.LBB0_8:                                # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a3)
	addi	a3, a3, 8
	fld	fa4, 0(a1)
	addi	a1, a1, 8
	addi	a5, a5, -1
	fmadd.d	fa0, fa4, fa5, fa0
	bnez	a5, .LBB0_8
.LBB0_9:
	#APP
	# OSACA-END
	#NO_APP
	#APP
	# LLVM-MCA-BEGIN sum
	#NO_APP
	blez	a2, .LBB0_17
# %bb.10:
	srli	a4, a6, 2
	bgeu	a2, a4, .LBB0_12
# %bb.11:
	li	a1, 0
	j	.LBB0_15
.LBB0_12:
	vsetvli	a1, zero, e64, m1, ta, ma
	vmv.v.i	v10, 0
	vsetvli	zero, zero, e64, m1, tu, ma
	neg	a1, a4
	and	a1, a1, a2
	slli	a6, a6, 1
	mv	a5, a0
	vfmv.s.f	v10, fa0
	vsetvli	a3, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	mv	a3, a1
	vmv1r.v	v8, v10
.LBB0_13:                               # =>This Inner Loop Header: Depth=1
	vl2re64.v	v10, (a5)
	add	a5, a5, a6
	sub	a3, a3, a4
	vfadd.vv	v8, v10, v8
	bnez	a3, .LBB0_13
# %bb.14:
	vmv.s.x	v10, zero
	vfredusum.vs	v8, v8, v10
	vfmv.f.s	fa0, v8
	beq	a1, a2, .LBB0_17
.LBB0_15:
	sub	a2, a2, a1
	sh3add	a0, a1, a0
.LBB0_16:                               # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a0)
	addi	a0, a0, 8
	addi	a2, a2, -1
	fadd.d	fa0, fa5, fa0
	bnez	a2, .LBB0_16
.LBB0_17:
	#APP
	# LLVM-MCA-END sum
	#NO_APP
	ret
.Lfunc_end0:
	.size	marked, .Lfunc_end0-marked
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

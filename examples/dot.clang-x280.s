	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"dot.c"
	.globl	dot                             # -- Begin function dot
	.p2align	1
	.type	dot,@function
dot:                                    # @dot
# %bb.0:
	blez	a2, .LBB0_3
# %bb.1:
	csrr	t0, vlenb
	srli	a7, t0, 2
	bgeu	a2, a7, .LBB0_4
# %bb.2:
	li	a6, 0
	fmv.d.x	fa0, zero
	j	.LBB0_7
.LBB0_3:
	fmv.d.x	fa0, zero
	ret
.LBB0_4:
	neg	a3, a7
	slli	t0, t0, 1
	and	a6, a3, a2
	vsetvli	a3, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	mv	a3, a6
	mv	a5, a1
	mv	a4, a0
.LBB0_5:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v10, (a4)
	add	a4, a4, t0
	sub	a3, a3, a7
	vl2re64.v	v12, (a5)
	add	a5, a5, t0
	vfmacc.vv	v8, v12, v10
	bnez	a3, .LBB0_5
# %bb.6:
	vmv.s.x	v10, zero
	vfredusum.vs	v8, v8, v10
	vfmv.f.s	fa0, v8
	beq	a6, a2, .LBB0_9
.LBB0_7:
	sh3add	a1, a6, a1
	sub	a2, a2, a6
	sh3add	a0, a6, a0
.LBB0_8:                                # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a0)
	addi	a0, a0, 8
	fld	fa4, 0(a1)
	addi	a1, a1, 8
	addi	a2, a2, -1
	fmadd.d	fa0, fa4, fa5, fa0
	bnez	a2, .LBB0_8
.LBB0_9:
	ret
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

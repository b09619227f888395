	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"horner.c"
	.globl	horner                          # -- Begin function horner
	.p2align	1
	.type	horner,@function
horner:                                 # @horner
# %bb.0:
	blez	a3, .LBB0_8
# %bb.1:
	csrr	t0, vlenb
	fld	fa5, 56(a2)
	fld	fa4, 48(a2)
	fld	fa3, 40(a2)
	srli	a7, t0, 2
	fld	fa2, 32(a2)
	fld	fa1, 24(a2)
	fld	fa0, 16(a2)
	fld	ft0, 8(a2)
	fld	ft1, 0(a2)
	bgeu	a3, a7, .LBB0_3
# %bb.2:
	li	a6, 0
	j	.LBB0_6
.LBB0_3:
	vsetvli	a2, zero, e64, m2, ta, ma
	vfmv.v.f	v8, fa4
	neg	a2, a7
	slli	t0, t0, 1
	and	a6, a2, a3
	mv	a5, a0
	mv	a4, a6
	mv	a2, a1
	vfmv.v.f	v10, fa3
	vfmv.v.f	v12, fa2
	vfmv.v.f	v14, fa1
	vfmv.v.f	v16, fa0
	vfmv.v.f	v18, ft0
	vfmv.v.f	v20, ft1
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v22, (a2)
	add	a2, a2, t0
	sub	a4, a4, a7
	vmv2r.v	v24, v22
	vfmadd.vf	v24, fa5, v8
	vfmadd.vv	v24, v22, v10
	vfmadd.vv	v24, v22, v12
	vfmadd.vv	v24, v22, v14
	vfmadd.vv	v24, v22, v16
	vfmadd.vv	v24, v22, v18
	vfmadd.vv	v24, v22, v20
	vs2r.v	v24, (a5)
	add	a5, a5, t0
	bnez	a4, .LBB0_4
# %bb.5:
	beq	a6, a3, .LBB0_8
.LBB0_6:
	sh3add	a0, a6, a0
	sub	a2, a3, a6
	sh3add	a1, a6, a1
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	fld	ft2, 0(a1)
	addi	a1, a1, 8
	addi	a2, a2, -1
	fmadd.d	ft3, ft2, fa5, fa4
	fmadd.d	ft3, ft2, ft3, fa3
	fmadd.d	ft3, ft2, ft3, fa2
	fmadd.d	ft3, ft2, ft3, fa1
	fmadd.d	ft3, ft2, ft3, fa0
	fmadd.d	ft3, ft2, ft3, ft0
	fmadd.d	ft2, ft2, ft3, ft1
	fsd	ft2, 0(a0)
	addi	a0, a0, 8
	bnez	a2, .LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	horner, .Lfunc_end0-horner
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

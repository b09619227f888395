	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"cmul.c"
	.globl	cmul                            # -- Begin function cmul
	.p2align	1
	.type	cmul,@function
cmul:                                   # @cmul
# %bb.0:
	blez	a3, .LBB0_8
# %bb.1:
	csrr	t0, vlenb
	srli	a7, t0, 1
	bgeu	a3, a7, .LBB0_3
# %bb.2:
	li	a6, 0
	j	.LBB0_6
.LBB0_3:
	neg	a4, a7
	slli	t0, t0, 2
	and	a6, a4, a3
	mv	t2, a1
	mv	t1, a6
	mv	t3, a2
	mv	a4, a0
	vsetvli	a5, zero, e32, m2, ta, ma
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vlseg2e32.v	v8, (t2)
	add	t2, t2, t0
	sub	t1, t1, a7
	vlseg2e32.v	v12, (t3)
	add	t3, t3, t0
	vfmul.vv	v16, v14, v10
	vfmul.vv	v18, v10, v12
	vfmsac.vv	v16, v12, v8
	vfmacc.vv	v18, v8, v14
	vsseg2e32.v	v16, (a4)
	add	a4, a4, t0
	bnez	t1, .LBB0_4
# %bb.5:
	beq	a6, a3, .LBB0_8
.LBB0_6:
	slli	a4, a6, 3
	sub	a3, a3, a6
	addi	a4, a4, 4
	add	a1, a1, a4
	add	a2, a2, a4
	add	a0, a0, a4
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	flw	fa5, 0(a1)
	addi	a3, a3, -1
	flw	fa4, 0(a2)
	flw	fa3, -4(a2)
	addi	a2, a2, 8
	fmul.s	fa2, fa4, fa5
	flw	fa1, -4(a1)
	fmul.s	fa5, fa5, fa3
	addi	a1, a1, 8
	fmsub.s	fa3, fa3, fa1, fa2
	fmadd.s	fa5, fa4, fa1, fa5
	fsw	fa3, -4(a0)
	fsw	fa5, 0(a0)
	addi	a0, a0, 8
	bnez	a3, .LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	cmul, .Lfunc_end0-cmul
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

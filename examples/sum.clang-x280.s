	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"sum.c"
	.globl	sum                             # -- Begin function sum
	.p2align	1
	.type	sum,@function
sum:                                    # @sum
# %bb.0:
	blez	a1, .LBB0_3
# %bb.1:
	csrr	a2, vlenb
	srli	a3, a2, 2
	bgeu	a1, a3, .LBB0_4
# %bb.2:
	li	a6, 0
	fmv.d.x	fa0, zero
	j	.LBB0_7
.LBB0_3:
	fmv.d.x	fa0, zero
	ret
.LBB0_4:
	neg	a4, a3
	slli	a2, a2, 1
	and	a6, a4, a1
	vsetvli	a4, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	mv	a5, a6
	mv	a4, a0
.LBB0_5:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v10, (a4)
	add	a4, a4, a2
	sub	a5, a5, a3
	vfadd.vv	v8, v10, v8
	bnez	a5, .LBB0_5
# %bb.6:
	vmv.s.x	v10, zero
	vfredusum.vs	v8, v8, v10
	vfmv.f.s	fa0, v8
	beq	a6, a1, .LBB0_9
.LBB0_7:
	sub	a1, a1, a6
	sh3add	a0, a6, a0
.LBB0_8:                                # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a0)
	addi	a0, a0, 8
	addi	a1, a1, -1
	fadd.d	fa0, fa5, fa0
	bnez	a1, .LBB0_8
.LBB0_9:
	ret
.Lfunc_end0:
	.size	sum, .Lfunc_end0-sum
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

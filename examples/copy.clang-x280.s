	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"copy.c"
	.globl	copy                            # -- Begin function copy
	.p2align	1
	.type	copy,@function
copy:                                   # @copy
# %bb.0:
	blez	a2, .LBB0_8
# %bb.1:
	csrr	t0, vlenb
	srli	a7, t0, 2
	bgeu	a2, a7, .LBB0_3
# %bb.2:
	li	a6, 0
	j	.LBB0_6
.LBB0_3:
	neg	a3, a7
	slli	t0, t0, 1
	and	a6, a3, a2
	mv	a5, a0
	mv	a3, a6
	mv	a4, a1
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v8, (a4)
	add	a4, a4, t0
	sub	a3, a3, a7
	vs2r.v	v8, (a5)
	add	a5, a5, t0
	bnez	a3, .LBB0_4
# %bb.5:
	beq	a6, a2, .LBB0_8
.LBB0_6:
	sh3add	a0, a6, a0
	sub	a2, a2, a6
	sh3add	a1, a6, a1
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a1)
	addi	a1, a1, 8
	addi	a2, a2, -1
	fsd	fa5, 0(a0)
	addi	a0, a0, 8
	bnez	a2, .LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	copy, .Lfunc_end0-copy
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

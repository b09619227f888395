	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"rsqrt.c"
	.section	.srodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function rsqrt
.LCPI0_0:
	.quad	0x3ff0000000000000              # double 1
	.text
	.globl	rsqrt
	.p2align	1
	.type	rsqrt,@function
rsqrt:                                  # @rsqrt
# %bb.0:
	blez	a2, .LBB0_8
# %bb.1:
	csrr	t1, vlenb
.Lpcrel_hi0:
	auipc	a6, %pcrel_hi(.LCPI0_0)
	srli	t0, t1, 2
	bgeu	a2, t0, .LBB0_3
# %bb.2:
	li	a7, 0
	j	.LBB0_6
.LBB0_3:
	neg	a3, t0
	slli	t1, t1, 1
	and	a7, a3, a2
	mv	a3, a0
	mv	t2, a7
	mv	a5, a1
	fld	fa5, %pcrel_lo(.Lpcrel_hi0)(a6)
	vsetvli	a4, zero, e64, m2, ta, ma
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v8, (a5)
	add	a5, a5, t1
	sub	t2, t2, t0
	vfsqrt.v	v8, v8
	vfrdiv.vf	v8, v8, fa5
	vs2r.v	v8, (a3)
	add	a3, a3, t1
	bnez	t2, .LBB0_4
# %bb.5:
	beq	a7, a2, .LBB0_8
.LBB0_6:
	sh3add	a0, a7, a0
	sub	a2, a2, a7
	sh3add	a1, a7, a1
	fld	fa5, %pcrel_lo(.Lpcrel_hi0)(a6)
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	fld	fa4, 0(a1)
	addi	a1, a1, 8
	addi	a2, a2, -1
	fsqrt.d	fa4, fa4
	fdiv.d	fa4, fa5, fa4
	fsd	fa4, 0(a0)
	addi	a0, a0, 8
	bnez	a2, .LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	rsqrt, .Lfunc_end0-rsqrt
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zfh1p0_zfhmin1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvfh1p0_zvfhmin1p0_zvl128b1p0_zvl256b1p0_zvl32b1p0_zvl512b1p0_zvl64b1p0"
	.file	"pi.c"
	.section	.srodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function pi
.LCPI0_0:
	.quad	0x3ff0000000000000              # double 1
.LCPI0_1:
	.quad	0x3fe0000000000000              # double 0.5
.LCPI0_2:
	.quad	0x4010000000000000              # double 4
	.text
	.globl	pi
	.p2align	1
	.type	pi,@function
pi:                                     # @pi
# %bb.0:
.Lpcrel_hi0:
	auipc	a1, %pcrel_hi(.LCPI0_0)
	fcvt.d.l	fa5, a0
	addi	a5, a1, %pcrel_lo(.Lpcrel_hi0)
	fld	fa4, 0(a5)
	fdiv.d	fa5, fa4, fa5
	blez	a0, .LBB0_3
# %bb.1:
	csrr	a4, vlenb
.Lpcrel_hi1:
	auipc	a2, %pcrel_hi(.LCPI0_1)
.Lpcrel_hi2:
	auipc	a3, %pcrel_hi(.LCPI0_2)
	srli	a4, a4, 2
	bgeu	a0, a4, .LBB0_4
# %bb.2:
	li	a1, 0
	fmv.d.x	fa3, zero
	j	.LBB0_7
.LBB0_3:
	fmv.d.x	fa3, zero
	fmul.d	fa0, fa3, fa5
	ret
.LBB0_4:
	vsetvli	a1, zero, e64, m2, ta, ma
	vid.v	v8
	neg	a1, a4
	vlse64.v	v12, (a5), zero
	and	a1, a1, a0
	fld	fa3, %pcrel_lo(.Lpcrel_hi1)(a2)
	mv	a5, a1
	fld	fa2, %pcrel_lo(.Lpcrel_hi2)(a3)
	vmv.v.i	v10, 0
.LBB0_5:                                # =>This Inner Loop Header: Depth=1
	vfcvt.f.xu.v	v14, v8
	sub	a5, a5, a4
	vadd.vx	v8, v8, a4
	vfadd.vf	v14, v14, fa3
	vfmul.vf	v14, v14, fa5
	vfmadd.vv	v14, v14, v12
	vfrdiv.vf	v14, v14, fa2
	vfadd.vv	v10, v14, v10
	bnez	a5, .LBB0_5
# %bb.6:
	vmv.s.x	v8, zero
	vfredusum.vs	v8, v10, v8
	vfmv.f.s	fa3, v8
	beq	a1, a0, .LBB0_9
.LBB0_7:
	fld	fa2, %pcrel_lo(.Lpcrel_hi1)(a2)
	fld	fa1, %pcrel_lo(.Lpcrel_hi2)(a3)
.LBB0_8:                                # =>This Inner Loop Header: Depth=1
	fcvt.d.lu	fa0, a1
	addi	a1, a1, 1
	fadd.d	fa0, fa0, fa2
	fmul.d	fa0, fa0, fa5
	fmadd.d	fa0, fa0, fa0, fa4
	fdiv.d	fa0, fa1, fa0
	fadd.d	fa3, fa0, fa3
	bne	a0, a1, .LBB0_8
.LBB0_9:
	fmul.d	fa0, fa3, fa5
	ret
.Lfunc_end0:
	.size	pi, .Lfunc_end0-pi
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

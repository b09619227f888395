	.file	"pi.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	pi
	.type	pi, @function
pi:
	fcvt.d.l	fa0,a0
	fld	fa3,.LC0,a5
	fdiv.d	fa0,fa3,fa0
	ble	a0,zero,.L4
	fmv.d.x	fa4,zero
	fld	fa1,.LC1,a5
	fld	fa2,.LC2,a5
	li	a5,0
.L3:
	fcvt.d.l	fa5,a5
	addi	a5,a5,1
	fadd.d	fa5,fa5,fa1
	fmul.d	fa5,fa5,fa0
	fmadd.d	fa5,fa5,fa5,fa3
	fdiv.d	fa5,fa2,fa5
	fadd.d	fa4,fa4,fa5
	bne	a0,a5,.L3
	fmul.d	fa0,fa0,fa4
	ret
.L4:
	fmv.d.x	fa0,zero
	ret
	.size	pi, .-pi
	.section	.rodata.cst8,"aM",@progbits,8
	.align	3
.LC0:
	.word	0
	.word	1072693248
	.align	3
.LC1:
	.word	0
	.word	1071644672
	.align	3
.LC2:
	.word	0
	.word	1074790400
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

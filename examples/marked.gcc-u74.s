	.file	"marked.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	marked
	.type	marked, @function
marked:
#APP
# 10 "marked.c" 1
	# OSACA-BEGIN
# 0 "" 2
#NO_APP
	ble	a2,zero,.L2
	slli	a2,a2,3
	mv	a5,a0
	fmv.d.x	fa0,zero
	add	a4,a0,a2
.L3:
	fld	fa4,0(a5)
	addi	a5,a5,8
	fld	fa5,0(a1)
	addi	a1,a1,8
	fmadd.d	fa0,fa4,fa5,fa0
	bne	a4,a5,.L3
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
.L6:
	fld	fa5,0(a0)
	addi	a0,a0,8
	fadd.d	fa0,fa0,fa5
	bne	a4,a0,.L6
#APP
# 17 "marked.c" 1
	# LLVM-MCA-END sum
# 0 "" 2
#NO_APP
	ret
.L2:
#APP
# 13 "marked.c" 1
	# OSACA-END
# 0 "" 2
# 14 "marked.c" 1
	# LLVM-MCA-BEGIN sum
# 0 "" 2
#NO_APP
	fmv.d.x	fa0,zero
#APP
# 17 "marked.c" 1
	# LLVM-MCA-END sum
# 0 "" 2
#NO_APP
	ret
	.size	marked, .-marked
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

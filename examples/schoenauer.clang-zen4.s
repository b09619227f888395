	.text
	.file	"schoenauer.c"
	.globl	schoenauer                      # -- Begin function schoenauer
	.p2align	4, 0x90
	.type	schoenauer,@function
schoenauer:                             # @schoenauer
# %bb.0:
	testq	%r8, %r8
	jle	.LBB0_7
# %bb.1:
	cmpq	$31, %r8
	ja	.LBB0_3
# %bb.2:
	xorl	%eax, %eax
	jmp	.LBB0_6
.LBB0_3:
	movabsq	$9223372036854775776, %rax      # imm = 0x7FFFFFFFFFFFFFE0
	xorl	%r9d, %r9d
	andq	%r8, %rax
	.p2align	4, 0x90
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vmovupd	(%rdx,%r9,8), %zmm0
	vmovupd	(%rcx,%r9,8), %zmm4
	vmovupd	64(%rdx,%r9,8), %zmm1
	vmovupd	64(%rcx,%r9,8), %zmm5
	vmovupd	128(%rdx,%r9,8), %zmm2
	vmovupd	128(%rcx,%r9,8), %zmm6
	vmovupd	192(%rdx,%r9,8), %zmm3
	vmovupd	192(%rcx,%r9,8), %zmm7
	vfmadd213pd	(%rsi,%r9,8), %zmm0, %zmm4 # zmm4 = (zmm0 * zmm4) + mem
	vfmadd213pd	64(%rsi,%r9,8), %zmm1, %zmm5 # zmm5 = (zmm1 * zmm5) + mem
	vfmadd213pd	128(%rsi,%r9,8), %zmm2, %zmm6 # zmm6 = (zmm2 * zmm6) + mem
	vfmadd213pd	192(%rsi,%r9,8), %zmm3, %zmm7 # zmm7 = (zmm3 * zmm7) + mem
	vmovupd	%zmm4, (%rdi,%r9,8)
	vmovupd	%zmm5, 64(%rdi,%r9,8)
	vmovupd	%zmm6, 128(%rdi,%r9,8)
	vmovupd	%zmm7, 192(%rdi,%r9,8)
	addq	$32, %r9
	cmpq	%r9, %rax
	jne	.LBB0_4
# %bb.5:
	cmpq	%r8, %rax
	je	.LBB0_7
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	vmovsd	(%rdx,%rax,8), %xmm0            # xmm0 = mem[0],zero
	vmovsd	(%rcx,%rax,8), %xmm1            # xmm1 = mem[0],zero
	vfmadd213sd	(%rsi,%rax,8), %xmm0, %xmm1 # xmm1 = (xmm0 * xmm1) + mem
	vmovsd	%xmm1, (%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %r8
	jne	.LBB0_6
.LBB0_7:
	vzeroupper
	retq
.Lfunc_end0:
	.size	schoenauer, .Lfunc_end0-schoenauer
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

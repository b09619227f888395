	.text
	.file	"gauss_seidel.c"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function gauss_seidel
.LCPI0_0:
	.quad	0x3fd0000000000000              # double 0.25
	.text
	.globl	gauss_seidel
	.p2align	4, 0x90
	.type	gauss_seidel,@function
gauss_seidel:                           # @gauss_seidel
# %bb.0:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	cmpq	$3, %rdi
	movq	%rdi, -24(%rsp)                 # 8-byte Spill
	setl	%al
	cmpq	$3, %rsi
	setl	%cl
	orb	%al, %cl
	jne	.LBB0_11
# %bb.1:
	vmovsd	.LCPI0_0(%rip), %xmm0           # xmm0 = [2.5E-1,0.0E+0]
	addq	$-2, -24(%rsp)                  # 8-byte Folded Spill
	leaq	-3(%rsi), %rdi
	leaq	-2(%rsi), %rax
	leaq	(,%rsi,8), %rcx
	leaq	72(%rdx,%rsi,8), %r11
	leaq	8(%rdx,%rsi,8), %rbx
	leaq	8(%rdx), %r15
	xorl	%r12d, %r12d
	movq	%rdi, -8(%rsp)                  # 8-byte Spill
	leaq	(%rdx,%rsi,8), %rdi
	shlq	$4, %rsi
	movl	%eax, %r10d
	andl	$7, %r10d
	andq	$-8, %rax
	leaq	64(%rdx,%rsi), %r14
	addq	%rdx, %rsi
	movq	%rdi, -16(%rsp)                 # 8-byte Spill
	movl	$1, %edi
	jmp	.LBB0_2
	.p2align	4, 0x90
.LBB0_10:                               #   in Loop: Header=BB0_2 Depth=1
	leaq	1(%rdi), %r8
	incq	%r12
	addq	%rcx, %r11
	addq	%rcx, %r14
	addq	%rcx, %r15
	addq	%rcx, %rbx
	addq	%rcx, %rsi
	addq	%rcx, %rdx
	cmpq	-24(%rsp), %rdi                 # 8-byte Folded Reload
	movq	%r8, %rdi
	je	.LBB0_11
.LBB0_2:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_5 Depth 2
                                        #     Child Loop BB0_9 Depth 2
	movq	-16(%rsp), %r9                  # 8-byte Reload
	movq	%rcx, %r8
	imulq	%r12, %r8
	cmpq	$7, -8(%rsp)                    # 8-byte Folded Reload
	vmovsd	(%r9,%r8), %xmm1                # xmm1 = mem[0],zero
	jae	.LBB0_4
# %bb.3:                                #   in Loop: Header=BB0_2 Depth=1
	movl	$1, %ebp
	testq	%r10, %r10
	jne	.LBB0_8
	jmp	.LBB0_10
	.p2align	4, 0x90
.LBB0_4:                                #   in Loop: Header=BB0_2 Depth=1
	xorl	%ebp, %ebp
	.p2align	4, 0x90
.LBB0_5:                                #   Parent Loop BB0_2 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovsd	-56(%r14,%rbp,8), %xmm2         # xmm2 = mem[0],zero
	vaddsd	(%r15,%rbp,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	-56(%r11,%rbp,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -64(%r11,%rbp,8)
	vmovsd	-48(%r14,%rbp,8), %xmm2         # xmm2 = mem[0],zero
	vaddsd	8(%r15,%rbp,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	-48(%r11,%rbp,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -56(%r11,%rbp,8)
	vmovsd	-40(%r14,%rbp,8), %xmm2         # xmm2 = mem[0],zero
	vaddsd	16(%r15,%rbp,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	-40(%r11,%rbp,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -48(%r11,%rbp,8)
	vmovsd	-32(%r14,%rbp,8), %xmm2         # xmm2 = mem[0],zero
	vaddsd	24(%r15,%rbp,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	-32(%r11,%rbp,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -40(%r11,%rbp,8)
	vmovsd	-24(%r14,%rbp,8), %xmm2         # xmm2 = mem[0],zero
	vaddsd	32(%r15,%rbp,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	-24(%r11,%rbp,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -32(%r11,%rbp,8)
	vmovsd	-16(%r14,%rbp,8), %xmm2         # xmm2 = mem[0],zero
	vaddsd	40(%r15,%rbp,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	-16(%r11,%rbp,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -24(%r11,%rbp,8)
	vmovsd	-8(%r14,%rbp,8), %xmm2          # xmm2 = mem[0],zero
	vaddsd	48(%r15,%rbp,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	-8(%r11,%rbp,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -16(%r11,%rbp,8)
	vmovsd	(%r14,%rbp,8), %xmm2            # xmm2 = mem[0],zero
	vaddsd	56(%r15,%rbp,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	(%r11,%rbp,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -8(%r11,%rbp,8)
	addq	$8, %rbp
	cmpq	%rbp, %rax
	jne	.LBB0_5
# %bb.6:                                #   in Loop: Header=BB0_2 Depth=1
	incq	%rbp
	testq	%r10, %r10
	je	.LBB0_10
.LBB0_8:                                #   in Loop: Header=BB0_2 Depth=1
	leaq	(%rbx,%rbp,8), %r8
	leaq	(%rsi,%rbp,8), %r9
	leaq	(%rdx,%rbp,8), %rbp
	xorl	%r13d, %r13d
	.p2align	4, 0x90
.LBB0_9:                                #   Parent Loop BB0_2 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovsd	(%r9,%r13,8), %xmm2             # xmm2 = mem[0],zero
	vaddsd	(%rbp,%r13,8), %xmm2, %xmm2
	vaddsd	%xmm1, %xmm2, %xmm1
	vaddsd	(%r8,%r13,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, -8(%r8,%r13,8)
	incq	%r13
	cmpq	%r13, %r10
	jne	.LBB0_9
	jmp	.LBB0_10
.LBB0_11:
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.Lfunc_end0:
	.size	gauss_seidel, .Lfunc_end0-gauss_seidel
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

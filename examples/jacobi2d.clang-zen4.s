	.text
	.file	"jacobi2d.c"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function jacobi2d
.LCPI0_0:
	.quad	0x3fd0000000000000              # double 0.25
	.text
	.globl	jacobi2d
	.p2align	4, 0x90
	.type	jacobi2d,@function
jacobi2d:                               # @jacobi2d
# %bb.0:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$16, %rsp
	cmpq	$3, %rdi
	movq	%rcx, -120(%rsp)                # 8-byte Spill
	setl	%al
	cmpq	$3, %rsi
	setl	%cl
	orb	%al, %cl
	jne	.LBB0_23
# %bb.1:
	leaq	-2(%rsi), %rax
	movl	$1, %r13d
	movq	%rdx, -96(%rsp)                 # 8-byte Spill
	movq	%rsi, -104(%rsp)                # 8-byte Spill
	movq	%rdi, -112(%rsp)                # 8-byte Spill
	movq	%rax, -128(%rsp)                # 8-byte Spill
	cmpq	$3, %rdi
	jne	.LBB0_2
.LBB0_16:
	testb	$1, -112(%rsp)                  # 1-byte Folded Reload
	movq	-96(%rsp), %rbx                 # 8-byte Reload
	movq	-104(%rsp), %r14                # 8-byte Reload
	je	.LBB0_23
# %bb.17:
	leaq	-1(%r13), %rax
	leaq	1(%r13), %rcx
	imulq	%r14, %r13
	cmpq	$16, -128(%rsp)                 # 8-byte Folded Reload
	movl	$1, %edx
	jb	.LBB0_21
# %bb.18:
	vbroadcastsd	.LCPI0_0(%rip), %zmm0   # zmm0 = [2.5E-1,2.5E-1,2.5E-1,2.5E-1,2.5E-1,2.5E-1,2.5E-1,2.5E-1]
	movq	-128(%rsp), %rsi                # 8-byte Reload
	movq	-120(%rsp), %rdi                # 8-byte Reload
	movq	%r14, %r9
	imulq	%rcx, %r9
	movq	%r14, %r10
	imulq	%rax, %r10
	leaq	80(%rbx,%r13,8), %r8
	xorl	%r11d, %r11d
	leaq	72(%rbx,%r9,8), %r9
	leaq	72(%rbx,%r10,8), %r10
	andq	$-16, %rsi
	leaq	72(%rdi,%r13,8), %rdi
	leaq	1(%rsi), %rdx
	.p2align	4, 0x90
.LBB0_19:                               # =>This Inner Loop Header: Depth=1
	vmovupd	-64(%r9,%r11,8), %zmm1
	vmovupd	(%r9,%r11,8), %zmm2
	vaddpd	-64(%r10,%r11,8), %zmm1, %zmm1
	vaddpd	(%r10,%r11,8), %zmm2, %zmm2
	vaddpd	-80(%r8,%r11,8), %zmm1, %zmm1
	vaddpd	-16(%r8,%r11,8), %zmm2, %zmm2
	vaddpd	-64(%r8,%r11,8), %zmm1, %zmm1
	vaddpd	(%r8,%r11,8), %zmm2, %zmm2
	vmulpd	%zmm0, %zmm1, %zmm1
	vmulpd	%zmm0, %zmm2, %zmm2
	vmovupd	%zmm1, -64(%rdi,%r11,8)
	vmovupd	%zmm2, (%rdi,%r11,8)
	addq	$16, %r11
	cmpq	%r11, %rsi
	jne	.LBB0_19
# %bb.20:
	cmpq	%rsi, -128(%rsp)                # 8-byte Folded Reload
	je	.LBB0_23
.LBB0_21:
	vmovsd	.LCPI0_0(%rip), %xmm0           # xmm0 = [2.5E-1,0.0E+0]
	movq	-120(%rsp), %rdi                # 8-byte Reload
	imulq	%r14, %rcx
	imulq	%r14, %rax
	movq	%rdx, %rsi
	addq	%rdx, %r13
	shlq	$3, %rdx
	notq	%rsi
	leaq	8(%rbx,%r13,8), %r8
	addq	%r14, %rsi
	leaq	(%rdx,%rcx,8), %rcx
	leaq	(%rdx,%rax,8), %rax
	xorl	%edx, %edx
	leaq	(%rdi,%r13,8), %rdi
	addq	%rbx, %rcx
	addq	%rbx, %rax
	.p2align	4, 0x90
.LBB0_22:                               # =>This Inner Loop Header: Depth=1
	vmovsd	(%rcx,%rdx,8), %xmm1            # xmm1 = mem[0],zero
	vaddsd	(%rax,%rdx,8), %xmm1, %xmm1
	vaddsd	-16(%r8,%rdx,8), %xmm1, %xmm1
	vaddsd	(%r8,%rdx,8), %xmm1, %xmm1
	vmulsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, (%rdi,%rdx,8)
	incq	%rdx
	cmpq	%rdx, %rsi
	jne	.LBB0_22
.LBB0_23:
	addq	$16, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.LBB0_2:
	movq	-128(%rsp), %r10                # 8-byte Reload
	movq	-104(%rsp), %r9                 # 8-byte Reload
	movabsq	$9223372036854775806, %rcx      # imm = 0x7FFFFFFFFFFFFFFE
	andq	-112(%rsp), %rcx                # 8-byte Folded Reload
	movq	-96(%rsp), %r8                  # 8-byte Reload
	vbroadcastsd	.LCPI0_0(%rip), %zmm1   # zmm1 = [2.5E-1,2.5E-1,2.5E-1,2.5E-1,2.5E-1,2.5E-1,2.5E-1,2.5E-1]
	vmovsd	.LCPI0_0(%rip), %xmm0           # xmm0 = [2.5E-1,0.0E+0]
	andq	$-16, %r10
	movq	%r9, %r11
	shlq	$4, %r11
	addq	$-4, %rcx
	leaq	80(%r8,%r9,8), %r12
	leaq	72(%r8,%r9,8), %rsi
	leaq	(%r9,%r9), %rbx
	movq	%r9, -72(%rsp)                  # 8-byte Spill
	leaq	1(%r10), %rax
	movq	%rcx, -8(%rsp)                  # 8-byte Spill
	leaq	-1(%r9), %rcx
	leaq	72(%r8,%r11), %r14
	movq	%r11, -16(%rsp)                 # 8-byte Spill
	movq	%rbx, -24(%rsp)                 # 8-byte Spill
	movq	%rbx, -64(%rsp)                 # 8-byte Spill
	movq	%rax, -88(%rsp)                 # 8-byte Spill
	movq	-120(%rsp), %rax                # 8-byte Reload
	movq	%rcx, -80(%rsp)                 # 8-byte Spill
	leaq	8(%r8), %rcx
	movq	%rcx, -32(%rsp)                 # 8-byte Spill
	leaq	8(%r8,%r11), %rcx
	movq	%rcx, -40(%rsp)                 # 8-byte Spill
	leaq	(%r8,%r11), %rcx
	leaq	72(%rax,%r9,8), %r15
	leaq	72(%rax,%r11), %rdi
	leaq	(%r9,%r9,2), %rax
	leaq	72(%r8,%rax,8), %rdx
	leaq	(%r8,%rax,8), %rax
	movq	%rax, -48(%rsp)                 # 8-byte Spill
	leaq	(%r8,%r9,8), %rax
	movq	%rax, -56(%rsp)                 # 8-byte Spill
	xorl	%eax, %eax
	jmp	.LBB0_3
	.p2align	4, 0x90
.LBB0_15:                               #   in Loop: Header=BB0_3 Depth=1
	movq	-16(%rsp), %rax                 # 8-byte Reload
	movq	-24(%rsp), %r9                  # 8-byte Reload
	movq	8(%rsp), %r13                   # 8-byte Reload
	addq	%rax, %r8
	addq	%rax, %r14
	addq	%rax, %r15
	addq	%rax, %r12
	addq	%rax, %rcx
	addq	%rax, %rdi
	addq	%rax, %rdx
	addq	%rax, %rsi
	addq	%rax, -40(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -48(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -56(%rsp)                 # 8-byte Folded Spill
	movq	(%rsp), %rax                    # 8-byte Reload
	addq	%r9, -72(%rsp)                  # 8-byte Folded Spill
	addq	%r9, -64(%rsp)                  # 8-byte Folded Spill
	addq	$2, %r13
	cmpq	-8(%rsp), %rax                  # 8-byte Folded Reload
	leaq	2(%rax), %rax
	je	.LBB0_16
.LBB0_3:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_5 Depth 2
                                        #     Child Loop BB0_8 Depth 2
                                        #     Child Loop BB0_11 Depth 2
                                        #     Child Loop BB0_14 Depth 2
	cmpq	$16, -128(%rsp)                 # 8-byte Folded Reload
	movq	%rax, (%rsp)                    # 8-byte Spill
	movl	$1, %eax
	movq	%r13, 8(%rsp)                   # 8-byte Spill
	jb	.LBB0_7
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=1
	xorl	%r9d, %r9d
	.p2align	4, 0x90
.LBB0_5:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovupd	-64(%r14,%r9,8), %zmm2
	vmovupd	(%r14,%r9,8), %zmm3
	vaddpd	8(%r8,%r9,8), %zmm2, %zmm2
	vaddpd	72(%r8,%r9,8), %zmm3, %zmm3
	vaddpd	-80(%r12,%r9,8), %zmm2, %zmm2
	vaddpd	-16(%r12,%r9,8), %zmm3, %zmm3
	vaddpd	-64(%r12,%r9,8), %zmm2, %zmm2
	vaddpd	(%r12,%r9,8), %zmm3, %zmm3
	vmulpd	%zmm1, %zmm2, %zmm2
	vmulpd	%zmm1, %zmm3, %zmm3
	vmovupd	%zmm2, -64(%r15,%r9,8)
	vmovupd	%zmm3, (%r15,%r9,8)
	addq	$16, %r9
	cmpq	%r9, %r10
	jne	.LBB0_5
# %bb.6:                                #   in Loop: Header=BB0_3 Depth=1
	movq	-88(%rsp), %rax                 # 8-byte Reload
	cmpq	%r10, -128(%rsp)                # 8-byte Folded Reload
	je	.LBB0_9
.LBB0_7:                                #   in Loop: Header=BB0_3 Depth=1
	movq	-72(%rsp), %r9                  # 8-byte Reload
	movq	-120(%rsp), %r13                # 8-byte Reload
	movq	-80(%rsp), %r11                 # 8-byte Reload
	leaq	(%rcx,%rax,8), %rbp
	leaq	(%rax,%r9), %rbx
	subq	%rax, %r11
	leaq	(%r8,%rax,8), %rax
	leaq	(%r13,%rbx,8), %r9
	movq	-32(%rsp), %r13                 # 8-byte Reload
	leaq	(%r13,%rbx,8), %r13
	xorl	%ebx, %ebx
	.p2align	4, 0x90
.LBB0_8:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovsd	(%rbp,%rbx,8), %xmm2            # xmm2 = mem[0],zero
	vaddsd	(%rax,%rbx,8), %xmm2, %xmm2
	vaddsd	-16(%r13,%rbx,8), %xmm2, %xmm2
	vaddsd	(%r13,%rbx,8), %xmm2, %xmm2
	vmulsd	%xmm0, %xmm2, %xmm2
	vmovsd	%xmm2, (%r9,%rbx,8)
	incq	%rbx
	cmpq	%rbx, %r11
	jne	.LBB0_8
.LBB0_9:                                #   in Loop: Header=BB0_3 Depth=1
	cmpq	$16, -128(%rsp)                 # 8-byte Folded Reload
	movl	$1, %eax
	jb	.LBB0_13
# %bb.10:                               #   in Loop: Header=BB0_3 Depth=1
	xorl	%r9d, %r9d
	.p2align	4, 0x90
.LBB0_11:                               #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovupd	-64(%rdx,%r9,8), %zmm2
	vmovupd	(%rdx,%r9,8), %zmm3
	vaddpd	-64(%rsi,%r9,8), %zmm2, %zmm2
	vaddpd	(%rsi,%r9,8), %zmm3, %zmm3
	vaddpd	(%rcx,%r9,8), %zmm2, %zmm2
	vaddpd	64(%rcx,%r9,8), %zmm3, %zmm3
	vaddpd	16(%rcx,%r9,8), %zmm2, %zmm2
	vaddpd	80(%rcx,%r9,8), %zmm3, %zmm3
	vmulpd	%zmm1, %zmm2, %zmm2
	vmulpd	%zmm1, %zmm3, %zmm3
	vmovupd	%zmm2, -64(%rdi,%r9,8)
	vmovupd	%zmm3, (%rdi,%r9,8)
	addq	$16, %r9
	cmpq	%r9, %r10
	jne	.LBB0_11
# %bb.12:                               #   in Loop: Header=BB0_3 Depth=1
	movq	-88(%rsp), %rax                 # 8-byte Reload
	cmpq	%r10, -128(%rsp)                # 8-byte Folded Reload
	je	.LBB0_15
.LBB0_13:                               #   in Loop: Header=BB0_3 Depth=1
	movq	-64(%rsp), %r9                  # 8-byte Reload
	movq	-120(%rsp), %rbx                # 8-byte Reload
	movq	-80(%rsp), %r11                 # 8-byte Reload
	addq	%rax, %r9
	subq	%rax, %r11
	leaq	(%rbx,%r9,8), %r9
	movq	-40(%rsp), %rbx                 # 8-byte Reload
	leaq	(%rbx,%rax,8), %r13
	movq	-48(%rsp), %rbx                 # 8-byte Reload
	leaq	(%rbx,%rax,8), %rbp
	movq	-56(%rsp), %rbx                 # 8-byte Reload
	leaq	(%rbx,%rax,8), %rax
	xorl	%ebx, %ebx
	.p2align	4, 0x90
.LBB0_14:                               #   Parent Loop BB0_3 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovsd	(%rbp,%rbx,8), %xmm2            # xmm2 = mem[0],zero
	vaddsd	(%rax,%rbx,8), %xmm2, %xmm2
	vaddsd	-16(%r13,%rbx,8), %xmm2, %xmm2
	vaddsd	(%r13,%rbx,8), %xmm2, %xmm2
	vmulsd	%xmm0, %xmm2, %xmm2
	vmovsd	%xmm2, (%r9,%rbx,8)
	incq	%rbx
	cmpq	%rbx, %r11
	jne	.LBB0_14
	jmp	.LBB0_15
.Lfunc_end0:
	.size	jacobi2d, .Lfunc_end0-jacobi2d
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

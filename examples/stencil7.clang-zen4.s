	.text
	.file	"stencil7.c"
	.globl	stencil7                        # -- Begin function stencil7
	.p2align	4, 0x90
	.type	stencil7,@function
stencil7:                               # @stencil7
# %bb.0:
	cmpq	$3, %rdi
	jl	.LBB0_12
# %bb.1:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$72, %rsp
	leaq	-1(%rdi), %rax
	movq	%rdi, %r9
	shlq	$4, %r9
	leaq	16(,%rdi,8), %r10
	movq	%rdi, %rcx
	imulq	%rdi, %rcx
	leaq	-2(%rdi), %r8
	vbroadcastsd	%xmm0, %zmm2
	vbroadcastsd	%xmm1, %zmm3
	leaq	200(%rsi,%rdi,8), %r11
	movq	%rax, -128(%rsp)                # 8-byte Spill
	leaq	(,%rdi,8), %rax
	orq	$8, %r9
	movq	%r8, -120(%rsp)                 # 8-byte Spill
	andq	$-32, %r8
	imulq	%rdi, %r9
	imulq	%rdi, %r10
	movq	%rax, 56(%rsp)                  # 8-byte Spill
	leaq	8(,%rdi,8), %rax
	leaq	200(%rsi,%rcx,8), %r12
	leaq	(%rsi,%rcx,8), %r13
	leaq	(,%rcx,8), %rcx
	imulq	%rdi, %rax
	leaq	200(%rsi,%r9), %rbx
	leaq	200(%rsi,%r10), %r14
	leaq	(%rsi,%rdi,8), %rdi
	movq	%rcx, -64(%rsp)                 # 8-byte Spill
	leaq	1(%r8), %rcx
	addq	%rsi, %r9
	addq	%rsi, %r10
	movq	%rcx, 48(%rsp)                  # 8-byte Spill
	leaq	208(%rax,%rsi), %rbp
	leaq	200(%rdx,%rax), %r15
	addq	%rax, %rdx
	leaq	-8(%rax,%rsi), %rax
	movq	%rbp, %rsi
	movl	$1, %ebp
	jmp	.LBB0_2
	.p2align	4, 0x90
.LBB0_10:                               #   in Loop: Header=BB0_2 Depth=1
	movq	-56(%rsp), %rbp                 # 8-byte Reload
	movq	32(%rsp), %rsi                  # 8-byte Reload
	movq	-64(%rsp), %rcx                 # 8-byte Reload
	movq	16(%rsp), %rbx                  # 8-byte Reload
	movq	8(%rsp), %r11                   # 8-byte Reload
	movq	-8(%rsp), %r14                  # 8-byte Reload
	movq	-40(%rsp), %r12                 # 8-byte Reload
	movq	-16(%rsp), %r15                 # 8-byte Reload
	movq	40(%rsp), %rdx                  # 8-byte Reload
	movq	24(%rsp), %r9                   # 8-byte Reload
	movq	-24(%rsp), %rdi                 # 8-byte Reload
	movq	(%rsp), %r10                    # 8-byte Reload
	movq	-48(%rsp), %r13                 # 8-byte Reload
	movq	-32(%rsp), %rax                 # 8-byte Reload
	incq	%rbp
	addq	%rcx, %rsi
	addq	%rcx, %rbx
	addq	%rcx, %r11
	addq	%rcx, %r14
	addq	%rcx, %r12
	addq	%rcx, %r15
	addq	%rcx, %rdx
	addq	%rcx, %r9
	addq	%rcx, %rdi
	addq	%rcx, %r10
	addq	%rcx, %r13
	addq	%rcx, %rax
	cmpq	-128(%rsp), %rbp                # 8-byte Folded Reload
	je	.LBB0_11
.LBB0_2:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_3 Depth 2
                                        #       Child Loop BB0_5 Depth 3
                                        #       Child Loop BB0_8 Depth 3
	movq	%rsi, 32(%rsp)                  # 8-byte Spill
	movq	%rsi, %rcx
	movl	$1, %esi
	movq	%rbp, -56(%rsp)                 # 8-byte Spill
	movq	%rax, -32(%rsp)                 # 8-byte Spill
	movq	%rax, -72(%rsp)                 # 8-byte Spill
	movq	%r13, -48(%rsp)                 # 8-byte Spill
	movq	%r13, -80(%rsp)                 # 8-byte Spill
	movq	%r10, (%rsp)                    # 8-byte Spill
	movq	%r10, -88(%rsp)                 # 8-byte Spill
	movq	%rdi, -24(%rsp)                 # 8-byte Spill
	movq	%rdi, -96(%rsp)                 # 8-byte Spill
	movq	%r9, 24(%rsp)                   # 8-byte Spill
	movq	%r9, -104(%rsp)                 # 8-byte Spill
	movq	%rdx, 40(%rsp)                  # 8-byte Spill
	movq	%rdx, -112(%rsp)                # 8-byte Spill
	movq	%r15, -16(%rsp)                 # 8-byte Spill
	movq	%r15, %r10
	movq	%r11, %rdx
	movq	%r12, -40(%rsp)                 # 8-byte Spill
	movq	%r14, -8(%rsp)                  # 8-byte Spill
	movq	%r11, 8(%rsp)                   # 8-byte Spill
	movq	%rbx, 16(%rsp)                  # 8-byte Spill
	jmp	.LBB0_3
	.p2align	4, 0x90
.LBB0_9:                                #   in Loop: Header=BB0_3 Depth=2
	movq	56(%rsp), %rax                  # 8-byte Reload
	movq	64(%rsp), %rsi                  # 8-byte Reload
	addq	%rax, -112(%rsp)                # 8-byte Folded Spill
	addq	%rax, -104(%rsp)                # 8-byte Folded Spill
	addq	%rax, -96(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -88(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -80(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -72(%rsp)                 # 8-byte Folded Spill
	incq	%rsi
	addq	%rax, %rcx
	addq	%rax, %rbx
	addq	%rax, %rdx
	addq	%rax, %r14
	addq	%rax, %r12
	addq	%rax, %r10
	cmpq	-128(%rsp), %rsi                # 8-byte Folded Reload
	je	.LBB0_10
.LBB0_3:                                #   Parent Loop BB0_2 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_5 Depth 3
                                        #       Child Loop BB0_8 Depth 3
	cmpq	$32, -120(%rsp)                 # 8-byte Folded Reload
	movl	$1, %eax
	movq	%rsi, 64(%rsp)                  # 8-byte Spill
	jb	.LBB0_7
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=2
	xorl	%ebp, %ebp
	.p2align	4, 0x90
.LBB0_5:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovupd	-192(%rcx,%rbp,8), %zmm8
	vmovupd	-128(%rcx,%rbp,8), %zmm9
	vmovupd	-64(%rcx,%rbp,8), %zmm10
	vmovupd	(%rcx,%rbp,8), %zmm11
	vmulpd	-200(%rcx,%rbp,8), %zmm2, %zmm4
	vmulpd	-136(%rcx,%rbp,8), %zmm2, %zmm5
	vmulpd	-72(%rcx,%rbp,8), %zmm2, %zmm6
	vmulpd	-8(%rcx,%rbp,8), %zmm2, %zmm7
	vaddpd	-208(%rcx,%rbp,8), %zmm8, %zmm8
	vaddpd	-144(%rcx,%rbp,8), %zmm9, %zmm9
	vaddpd	-80(%rcx,%rbp,8), %zmm10, %zmm10
	vaddpd	-16(%rcx,%rbp,8), %zmm11, %zmm11
	vaddpd	-192(%r12,%rbp,8), %zmm8, %zmm8
	vaddpd	-128(%r12,%rbp,8), %zmm9, %zmm9
	vaddpd	-64(%r12,%rbp,8), %zmm10, %zmm10
	vaddpd	(%r12,%rbp,8), %zmm11, %zmm11
	vaddpd	-192(%r14,%rbp,8), %zmm8, %zmm8
	vaddpd	-128(%r14,%rbp,8), %zmm9, %zmm9
	vaddpd	-64(%r14,%rbp,8), %zmm10, %zmm10
	vaddpd	(%r14,%rbp,8), %zmm11, %zmm11
	vaddpd	-192(%rdx,%rbp,8), %zmm8, %zmm8
	vaddpd	-128(%rdx,%rbp,8), %zmm9, %zmm9
	vaddpd	-64(%rdx,%rbp,8), %zmm10, %zmm10
	vaddpd	(%rdx,%rbp,8), %zmm11, %zmm11
	vaddpd	-192(%rbx,%rbp,8), %zmm8, %zmm8
	vaddpd	-128(%rbx,%rbp,8), %zmm9, %zmm9
	vaddpd	-64(%rbx,%rbp,8), %zmm10, %zmm10
	vaddpd	(%rbx,%rbp,8), %zmm11, %zmm11
	vfmadd213pd	%zmm4, %zmm3, %zmm8     # zmm8 = (zmm3 * zmm8) + zmm4
	vfmadd213pd	%zmm5, %zmm3, %zmm9     # zmm9 = (zmm3 * zmm9) + zmm5
	vfmadd213pd	%zmm6, %zmm3, %zmm10    # zmm10 = (zmm3 * zmm10) + zmm6
	vfmadd213pd	%zmm7, %zmm3, %zmm11    # zmm11 = (zmm3 * zmm11) + zmm7
	vmovupd	%zmm8, -192(%r10,%rbp,8)
	vmovupd	%zmm9, -128(%r10,%rbp,8)
	vmovupd	%zmm10, -64(%r10,%rbp,8)
	vmovupd	%zmm11, (%r10,%rbp,8)
	addq	$32, %rbp
	cmpq	%rbp, %r8
	jne	.LBB0_5
# %bb.6:                                #   in Loop: Header=BB0_3 Depth=2
	movq	48(%rsp), %rax                  # 8-byte Reload
	cmpq	%r8, -120(%rsp)                 # 8-byte Folded Reload
	je	.LBB0_9
.LBB0_7:                                #   in Loop: Header=BB0_3 Depth=2
	movq	-88(%rsp), %r9                  # 8-byte Reload
	movq	-104(%rsp), %rdi                # 8-byte Reload
	movq	-128(%rsp), %rbp                # 8-byte Reload
	movq	-112(%rsp), %rsi                # 8-byte Reload
	leaq	(%r9,%rax,8), %r13
	movq	-80(%rsp), %r9                  # 8-byte Reload
	leaq	(%rdi,%rax,8), %r15
	movq	-96(%rsp), %rdi                 # 8-byte Reload
	leaq	(%rsi,%rax,8), %rsi
	subq	%rax, %rbp
	leaq	(%r9,%rax,8), %r11
	movq	-72(%rsp), %r9                  # 8-byte Reload
	leaq	(%rdi,%rax,8), %rdi
	leaq	(%r9,%rax,8), %rax
	xorl	%r9d, %r9d
	.p2align	4, 0x90
.LBB0_8:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovsd	16(%rax,%r9,8), %xmm5           # xmm5 = mem[0],zero
	vmulsd	8(%rax,%r9,8), %xmm0, %xmm4
	vaddsd	(%rax,%r9,8), %xmm5, %xmm5
	vaddsd	(%r11,%r9,8), %xmm5, %xmm5
	vaddsd	(%r13,%r9,8), %xmm5, %xmm5
	vaddsd	(%rdi,%r9,8), %xmm5, %xmm5
	vaddsd	(%r15,%r9,8), %xmm5, %xmm5
	vfmadd213sd	%xmm4, %xmm1, %xmm5     # xmm5 = (xmm1 * xmm5) + xmm4
	vmovsd	%xmm5, (%rsi,%r9,8)
	incq	%r9
	cmpq	%r9, %rbp
	jne	.LBB0_8
	jmp	.LBB0_9
.LBB0_11:
	addq	$72, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
.LBB0_12:
	vzeroupper
	retq
.Lfunc_end0:
	.size	stencil7, .Lfunc_end0-stencil7
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

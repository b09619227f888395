	.text
	.file	"lu.c"
	.globl	lu                              # -- Begin function lu
	.p2align	4, 0x90
	.type	lu,@function
lu:                                     # @lu
# %bb.0:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movq	%rsi, -96(%rsp)                 # 8-byte Spill
	testq	%rdi, %rdi
	jle	.LBB0_15
# %bb.1:
	movq	-96(%rsp), %r15                 # 8-byte Reload
	leaq	8(,%rdi,8), %rcx
	movq	%rdi, %rsi
	leaq	(,%rdi,8), %rax
	xorl	%ebp, %ebp
	movq	%rcx, -56(%rsp)                 # 8-byte Spill
	movq	%rdi, %rcx
	imulq	%rsi, %rcx
	leaq	8(%r15,%rdi,8), %r8
	leaq	8(%r15), %rdx
	leaq	(%r15,%rcx,8), %rcx
	leaq	200(%r15), %rbx
	movq	%rdx, -40(%rsp)                 # 8-byte Spill
	leaq	-1(%rdi), %rdx
	movq	%r8, -32(%rsp)                  # 8-byte Spill
	leaq	(%r15,%rdi,8), %r8
	movq	%rdx, -64(%rsp)                 # 8-byte Spill
	leaq	200(%r15,%rdi,8), %rdx
	movq	%rcx, -24(%rsp)                 # 8-byte Spill
	movq	%rdx, -72(%rsp)                 # 8-byte Spill
	movq	%r8, -48(%rsp)                  # 8-byte Spill
	movq	%r8, -80(%rsp)                  # 8-byte Spill
	jmp	.LBB0_3
	.p2align	4, 0x90
.LBB0_2:                                #   in Loop: Header=BB0_3 Depth=1
	movq	-56(%rsp), %rcx                 # 8-byte Reload
	decq	-64(%rsp)                       # 8-byte Folded Spill
	addq	%rax, -80(%rsp)                 # 8-byte Folded Spill
	movq	-88(%rsp), %rbp                 # 8-byte Reload
	addq	%rax, %r15
	addq	%rcx, -72(%rsp)                 # 8-byte Folded Spill
	addq	%rcx, %rbx
	cmpq	%rsi, %rbp
	je	.LBB0_15
.LBB0_3:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_5 Depth 2
                                        #       Child Loop BB0_7 Depth 3
                                        #       Child Loop BB0_11 Depth 3
                                        #       Child Loop BB0_13 Depth 3
	leaq	1(%rbp), %rcx
	movq	%rcx, -88(%rsp)                 # 8-byte Spill
	cmpq	%rsi, %rcx
	jge	.LBB0_2
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=1
	movq	-56(%rsp), %rcx                 # 8-byte Reload
	movq	-64(%rsp), %r11                 # 8-byte Reload
	movq	-32(%rsp), %rdx                 # 8-byte Reload
	movq	%rax, %rdi
	imulq	%rbp, %rdi
	addq	-48(%rsp), %rdi                 # 8-byte Folded Reload
	movq	%rbp, %r8
	notq	%r8
	movq	%rbp, %r9
	movq	-96(%rsp), %r10                 # 8-byte Reload
	movq	-88(%rsp), %r13                 # 8-byte Reload
	movq	-80(%rsp), %r12                 # 8-byte Reload
	addq	%rsi, %r8
	imulq	%rbp, %rcx
	andq	$-32, %r11
	addq	%rcx, %rdx
	addq	-40(%rsp), %rcx                 # 8-byte Folded Reload
	testq	%rax, %rax
	sets	%r14b
	imulq	%rsi, %r9
	cmpq	%rdi, %rdx
	setb	%dl
	cmpq	-24(%rsp), %rcx                 # 8-byte Folded Reload
	movq	%r8, %rcx
	leaq	(%r10,%r9,8), %r9
	setb	%r10b
	andq	$-32, %rcx
	andb	%dl, %r10b
	movq	%rcx, -8(%rsp)                  # 8-byte Spill
	addq	%r13, %rcx
	orb	%r14b, %r10b
	movq	-72(%rsp), %r14                 # 8-byte Reload
	movq	%rcx, -16(%rsp)                 # 8-byte Spill
	jmp	.LBB0_5
	.p2align	4, 0x90
.LBB0_14:                               #   in Loop: Header=BB0_5 Depth=2
	incq	%r13
	addq	%rax, %r14
	addq	%rax, %r12
	cmpq	%rsi, %r13
	je	.LBB0_2
.LBB0_5:                                #   Parent Loop BB0_3 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_7 Depth 3
                                        #       Child Loop BB0_11 Depth 3
                                        #       Child Loop BB0_13 Depth 3
	movq	-96(%rsp), %rdi                 # 8-byte Reload
	cmpq	$32, %r8
	movq	%r13, %rdx
	setb	%cl
	imulq	%rsi, %rdx
	orb	%r10b, %cl
	leaq	(%rdi,%rdx,8), %rdx
	vmovsd	(%rdx,%rbp,8), %xmm0            # xmm0 = mem[0],zero
	vdivsd	(%r9,%rbp,8), %xmm0, %xmm0
	vmovsd	%xmm0, (%rdx,%rbp,8)
	movq	-88(%rsp), %rdx                 # 8-byte Reload
	jne	.LBB0_9
# %bb.6:                                #   in Loop: Header=BB0_5 Depth=2
	vbroadcastsd	%xmm0, %zmm1
	xorl	%ecx, %ecx
	.p2align	4, 0x90
.LBB0_7:                                #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_5 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovupd	-192(%rbx,%rcx,8), %zmm2
	vmovupd	-128(%rbx,%rcx,8), %zmm3
	vmovupd	-64(%rbx,%rcx,8), %zmm4
	vmovupd	(%rbx,%rcx,8), %zmm5
	vfnmadd213pd	-192(%r14,%rcx,8), %zmm1, %zmm2 # zmm2 = -(zmm1 * zmm2) + mem
	vfnmadd213pd	-128(%r14,%rcx,8), %zmm1, %zmm3 # zmm3 = -(zmm1 * zmm3) + mem
	vfnmadd213pd	-64(%r14,%rcx,8), %zmm1, %zmm4 # zmm4 = -(zmm1 * zmm4) + mem
	vfnmadd213pd	(%r14,%rcx,8), %zmm1, %zmm5 # zmm5 = -(zmm1 * zmm5) + mem
	vmovupd	%zmm2, -192(%r14,%rcx,8)
	vmovupd	%zmm3, -128(%r14,%rcx,8)
	vmovupd	%zmm4, -64(%r14,%rcx,8)
	vmovupd	%zmm5, (%r14,%rcx,8)
	addq	$32, %rcx
	cmpq	%rcx, %r11
	jne	.LBB0_7
# %bb.8:                                #   in Loop: Header=BB0_5 Depth=2
	movq	-16(%rsp), %rdx                 # 8-byte Reload
	cmpq	-8(%rsp), %r8                   # 8-byte Folded Reload
	je	.LBB0_14
.LBB0_9:                                #   in Loop: Header=BB0_5 Depth=2
	movl	%esi, %edi
	subl	%edx, %edi
	movq	%rdx, %rcx
	andl	$7, %edi
	je	.LBB0_12
# %bb.10:                               #   in Loop: Header=BB0_5 Depth=2
	movq	%rdx, %rcx
	.p2align	4, 0x90
.LBB0_11:                               #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_5 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovsd	(%r15,%rcx,8), %xmm1            # xmm1 = mem[0],zero
	vfnmadd213sd	(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, (%r12,%rcx,8)
	incq	%rcx
	decq	%rdi
	jne	.LBB0_11
.LBB0_12:                               #   in Loop: Header=BB0_5 Depth=2
	subq	%rsi, %rdx
	cmpq	$-8, %rdx
	ja	.LBB0_14
	.p2align	4, 0x90
.LBB0_13:                               #   Parent Loop BB0_3 Depth=1
                                        #     Parent Loop BB0_5 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovsd	(%r15,%rcx,8), %xmm1            # xmm1 = mem[0],zero
	vfnmadd213sd	(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, (%r12,%rcx,8)
	vmovsd	8(%r15,%rcx,8), %xmm1           # xmm1 = mem[0],zero
	vfnmadd213sd	8(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, 8(%r12,%rcx,8)
	vmovsd	16(%r15,%rcx,8), %xmm1          # xmm1 = mem[0],zero
	vfnmadd213sd	16(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, 16(%r12,%rcx,8)
	vmovsd	24(%r15,%rcx,8), %xmm1          # xmm1 = mem[0],zero
	vfnmadd213sd	24(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, 24(%r12,%rcx,8)
	vmovsd	32(%r15,%rcx,8), %xmm1          # xmm1 = mem[0],zero
	vfnmadd213sd	32(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, 32(%r12,%rcx,8)
	vmovsd	40(%r15,%rcx,8), %xmm1          # xmm1 = mem[0],zero
	vfnmadd213sd	40(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, 40(%r12,%rcx,8)
	vmovsd	48(%r15,%rcx,8), %xmm1          # xmm1 = mem[0],zero
	vfnmadd213sd	48(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, 48(%r12,%rcx,8)
	vmovsd	56(%r15,%rcx,8), %xmm1          # xmm1 = mem[0],zero
	vfnmadd213sd	56(%r12,%rcx,8), %xmm0, %xmm1 # xmm1 = -(xmm0 * xmm1) + mem
	vmovsd	%xmm1, 56(%r12,%rcx,8)
	addq	$8, %rcx
	cmpq	%rcx, %rsi
	jne	.LBB0_13
	jmp	.LBB0_14
.LBB0_15:
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end0:
	.size	lu, .Lfunc_end0-lu
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

	.text
	.file	"stencil27.c"
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	3, 0x0                          # -- Begin function stencil27
.LCPI0_0:
	.quad	1                               # 0x1
.LCPI0_1:
	.quad	3                               # 0x3
	.text
	.globl	stencil27
	.p2align	4, 0x90
	.type	stencil27,@function
stencil27:                              # @stencil27
# %bb.0:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$232, %rsp
	movq	%rsi, -120(%rsp)                # 8-byte Spill
	cmpq	$3, %rdi
	jl	.LBB0_11
# %bb.1:
	leaq	-2(%rdi), %rax
	movq	-120(%rsp), %r9                 # 8-byte Reload
	vmovupd	(%rcx), %ymm0
	movq	%rdi, %r8
	movq	%r8, %r15
	shlq	$4, %r15
	vbroadcastsd	.LCPI0_0(%rip), %zmm2   # zmm2 = [1,1,1,1,1,1,1,1]
	vbroadcastsd	.LCPI0_1(%rip), %zmm4   # zmm4 = [3,3,3,3,3,3,3,3]
	movq	%rax, -48(%rsp)                 # 8-byte Spill
	andq	$-8, %rax
	movq	%rax, -56(%rsp)                 # 8-byte Spill
	leaq	8(,%rdi,8), %rax
	imulq	%rdi, %rax
	leaq	16(%r9,%rax), %rcx
	leaq	8(%rdx,%rax), %r13
	addq	%rax, %rdx
	leaq	8(%r9,%rax), %rbp
	movq	%rdx, -128(%rsp)                # 8-byte Spill
	vpermpd	%zmm0, %zmm2, %zmm2
	vpermpd	%zmm0, %zmm4, %zmm4
	vextractf128	$1, %ymm0, %xmm3
	vbroadcastsd	%xmm0, %zmm1
	movq	%rcx, -64(%rsp)                 # 8-byte Spill
	movq	%rdi, %rcx
	imulq	%rdi, %rcx
	vbroadcastsd	%xmm3, %zmm3
	leaq	(,%rcx,8), %rdi
	leaq	16(%r9,%rcx,8), %rsi
	movq	%rcx, %r14
	leaq	8(%r9,%rcx,8), %rbx
	leaq	16(%r15), %rcx
	shlq	$4, %r14
	leaq	16(%r9,%r14), %rdx
	addq	%r9, %r14
	movq	%rdi, 96(%rsp)                  # 8-byte Spill
	leaq	16(,%r8,8), %rdi
	movq	%rsi, -72(%rsp)                 # 8-byte Spill
	movq	%r8, %rsi
	imulq	%rsi, %rcx
	movq	%rdx, -80(%rsp)                 # 8-byte Spill
	leaq	16(%r9,%r15), %rdx
	imulq	%r8, %rdi
	leaq	8(%r15), %r8
	addq	%r9, %r15
	leaq	8(%rcx,%r9), %r10
	movq	%rdx, -88(%rsp)                 # 8-byte Spill
	leaq	16(%rcx,%r9), %rax
	imulq	%rsi, %r8
	leaq	16(%rdi,%r9), %r11
	leaq	-8(%rdi,%r9), %rdx
	movq	%r10, %rdi
	leaq	(,%rsi,8), %r10
	movq	%rax, %rcx
	leaq	16(%r9,%rsi,8), %rax
	leaq	16(%r8,%r9), %r12
	leaq	8(%r8,%r9), %r8
	movq	%r10, 216(%rsp)                 # 8-byte Spill
	leaq	-1(%rsi), %r10
	movq	%r10, -104(%rsp)                # 8-byte Spill
	leaq	8(%r9,%rsi,8), %r10
	movq	-56(%rsp), %rsi                 # 8-byte Reload
	incq	%rsi
	movq	%rsi, 208(%rsp)                 # 8-byte Spill
	leaq	16(%r9), %rsi
	movl	$1, %r9d
	movq	%r9, -96(%rsp)                  # 8-byte Spill
	movq	-128(%rsp), %r9                 # 8-byte Reload
	jmp	.LBB0_2
	.p2align	4, 0x90
.LBB0_10:                               #   in Loop: Header=BB0_2 Depth=1
	movq	96(%rsp), %rax                  # 8-byte Reload
	movq	-96(%rsp), %r9                  # 8-byte Reload
	movq	112(%rsp), %rsi                 # 8-byte Reload
	movq	128(%rsp), %r11                 # 8-byte Reload
	movq	176(%rsp), %r12                 # 8-byte Reload
	movq	144(%rsp), %rcx                 # 8-byte Reload
	movq	168(%rsp), %r13                 # 8-byte Reload
	movq	160(%rsp), %rbp                 # 8-byte Reload
	movq	152(%rsp), %r8                  # 8-byte Reload
	movq	192(%rsp), %r14                 # 8-byte Reload
	movq	136(%rsp), %rdi                 # 8-byte Reload
	movq	200(%rsp), %rbx                 # 8-byte Reload
	movq	184(%rsp), %r15                 # 8-byte Reload
	movq	120(%rsp), %rdx                 # 8-byte Reload
	movq	104(%rsp), %r10                 # 8-byte Reload
	incq	%r9
	addq	%rax, -112(%rsp)                # 8-byte Folded Spill
	addq	%rax, %rsi
	addq	%rax, -128(%rsp)                # 8-byte Folded Spill
	addq	%rax, -64(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -80(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -88(%rsp)                 # 8-byte Folded Spill
	addq	%rax, %r11
	addq	%rax, -72(%rsp)                 # 8-byte Folded Spill
	addq	%rax, %r12
	addq	%rax, %rcx
	addq	%rax, %r13
	addq	%rax, %rbp
	addq	%rax, %r8
	addq	%rax, %r14
	addq	%rax, %rdi
	addq	%rax, %rbx
	addq	%rax, %r15
	addq	%rax, %rdx
	addq	%rax, %r10
	addq	%rax, -120(%rsp)                # 8-byte Folded Spill
	movq	%rsi, %rax
	movq	-112(%rsp), %rsi                # 8-byte Reload
	movq	%r9, -96(%rsp)                  # 8-byte Spill
	cmpq	-104(%rsp), %r9                 # 8-byte Folded Reload
	movq	-128(%rsp), %r9                 # 8-byte Reload
	je	.LBB0_11
.LBB0_2:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_3 Depth 2
                                        #       Child Loop BB0_5 Depth 3
                                        #       Child Loop BB0_8 Depth 3
	movq	%rsi, -112(%rsp)                # 8-byte Spill
	movq	%rax, %rsi
	movq	-120(%rsp), %rax                # 8-byte Reload
	movq	%r10, 104(%rsp)                 # 8-byte Spill
	movq	%r10, 24(%rsp)                  # 8-byte Spill
	movq	%rdx, 120(%rsp)                 # 8-byte Spill
	movq	%rdx, 16(%rsp)                  # 8-byte Spill
	movq	%r15, 184(%rsp)                 # 8-byte Spill
	movq	%r15, 8(%rsp)                   # 8-byte Spill
	movq	%rdi, 136(%rsp)                 # 8-byte Spill
	movq	%rdi, -8(%rsp)                  # 8-byte Spill
	movq	%r8, 152(%rsp)                  # 8-byte Spill
	movq	%r8, -24(%rsp)                  # 8-byte Spill
	movq	-72(%rsp), %rdx                 # 8-byte Reload
	movq	%rsi, 112(%rsp)                 # 8-byte Spill
	movq	%rsi, %rdi
	movq	-88(%rsp), %r10                 # 8-byte Reload
	movq	-80(%rsp), %r15                 # 8-byte Reload
	movq	-64(%rsp), %r8                  # 8-byte Reload
	movq	%r9, -128(%rsp)                 # 8-byte Spill
	movq	%r9, -40(%rsp)                  # 8-byte Spill
	movl	$1, %r9d
	movq	%rbx, 200(%rsp)                 # 8-byte Spill
	movq	%rbx, (%rsp)                    # 8-byte Spill
	movq	%r14, 192(%rsp)                 # 8-byte Spill
	movq	%r14, -16(%rsp)                 # 8-byte Spill
	movq	%rbp, 160(%rsp)                 # 8-byte Spill
	movq	%rbp, -32(%rsp)                 # 8-byte Spill
	movq	%r13, 168(%rsp)                 # 8-byte Spill
	movq	%rcx, 144(%rsp)                 # 8-byte Spill
	movq	%r12, 176(%rsp)                 # 8-byte Spill
	movq	%r11, 128(%rsp)                 # 8-byte Spill
	movq	-112(%rsp), %rsi                # 8-byte Reload
	movq	%rax, 32(%rsp)                  # 8-byte Spill
	jmp	.LBB0_3
	.p2align	4, 0x90
.LBB0_9:                                #   in Loop: Header=BB0_3 Depth=2
	movq	216(%rsp), %rax                 # 8-byte Reload
	movq	224(%rsp), %r9                  # 8-byte Reload
	movq	40(%rsp), %rsi                  # 8-byte Reload
	movq	48(%rsp), %rdi                  # 8-byte Reload
	movq	56(%rsp), %r11                  # 8-byte Reload
	movq	64(%rsp), %rdx                  # 8-byte Reload
	movq	72(%rsp), %r12                  # 8-byte Reload
	movq	80(%rsp), %rcx                  # 8-byte Reload
	movq	88(%rsp), %r13                  # 8-byte Reload
	addq	%rax, -40(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -32(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -24(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -16(%rsp)                 # 8-byte Folded Spill
	addq	%rax, -8(%rsp)                  # 8-byte Folded Spill
	addq	%rax, (%rsp)                    # 8-byte Folded Spill
	addq	%rax, 8(%rsp)                   # 8-byte Folded Spill
	addq	%rax, 16(%rsp)                  # 8-byte Folded Spill
	addq	%rax, 24(%rsp)                  # 8-byte Folded Spill
	addq	%rax, 32(%rsp)                  # 8-byte Folded Spill
	incq	%r9
	addq	%rax, %r8
	addq	%rax, %r15
	addq	%rax, %r10
	addq	%rax, %rsi
	addq	%rax, %rdi
	addq	%rax, %r11
	addq	%rax, %rdx
	addq	%rax, %r12
	addq	%rax, %rcx
	addq	%rax, %r13
	cmpq	-104(%rsp), %r9                 # 8-byte Folded Reload
	je	.LBB0_10
.LBB0_3:                                #   Parent Loop BB0_2 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_5 Depth 3
                                        #       Child Loop BB0_8 Depth 3
	cmpq	$8, -48(%rsp)                   # 8-byte Folded Reload
	movq	%rsi, 40(%rsp)                  # 8-byte Spill
	movl	$1, %esi
	movq	%r9, 224(%rsp)                  # 8-byte Spill
	movq	%rdi, 48(%rsp)                  # 8-byte Spill
	movq	%r11, 56(%rsp)                  # 8-byte Spill
	movq	%rdx, 64(%rsp)                  # 8-byte Spill
	movq	%r12, 72(%rsp)                  # 8-byte Spill
	movq	%rcx, 80(%rsp)                  # 8-byte Spill
	movq	%r13, 88(%rsp)                  # 8-byte Spill
	jb	.LBB0_7
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=2
	movq	-56(%rsp), %rcx                 # 8-byte Reload
	movq	88(%rsp), %rdx                  # 8-byte Reload
	movq	80(%rsp), %rsi                  # 8-byte Reload
	movq	72(%rsp), %rdi                  # 8-byte Reload
	movq	64(%rsp), %r9                   # 8-byte Reload
	movq	56(%rsp), %r11                  # 8-byte Reload
	movq	48(%rsp), %rbx                  # 8-byte Reload
	movq	40(%rsp), %r14                  # 8-byte Reload
	xorl	%eax, %eax
	.p2align	4, 0x90
.LBB0_5:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovupd	(%r8,%rax,8), %zmm6
	vmulpd	-8(%r8,%rax,8), %zmm1, %zmm5
	vmovupd	(%r9,%rax,8), %zmm7
	vaddpd	-16(%r8,%rax,8), %zmm6, %zmm6
	vaddpd	-8(%r9,%rax,8), %zmm6, %zmm6
	vaddpd	-8(%r11,%rax,8), %zmm6, %zmm6
	vaddpd	-8(%rbx,%rax,8), %zmm6, %zmm6
	vaddpd	-8(%rdi,%rax,8), %zmm6, %zmm6
	vfmadd213pd	%zmm5, %zmm2, %zmm6     # zmm6 = (zmm2 * zmm6) + zmm5
	vaddpd	-16(%r9,%rax,8), %zmm7, %zmm5
	vmovupd	(%r14,%rax,8), %zmm7
	vaddpd	-16(%r11,%rax,8), %zmm5, %zmm5
	vaddpd	(%r11,%rax,8), %zmm5, %zmm5
	vaddpd	-16(%rbx,%rax,8), %zmm5, %zmm5
	vaddpd	(%rbx,%rax,8), %zmm5, %zmm5
	vaddpd	-16(%rdi,%rax,8), %zmm5, %zmm5
	vaddpd	(%rdi,%rax,8), %zmm5, %zmm5
	vaddpd	-8(%r14,%rax,8), %zmm5, %zmm5
	vaddpd	-8(%r10,%rax,8), %zmm5, %zmm5
	vaddpd	-8(%r15,%rax,8), %zmm5, %zmm5
	vaddpd	-8(%rsi,%rax,8), %zmm5, %zmm5
	vfmadd213pd	%zmm6, %zmm3, %zmm5     # zmm5 = (zmm3 * zmm5) + zmm6
	vaddpd	-16(%r14,%rax,8), %zmm7, %zmm6
	vaddpd	-16(%r10,%rax,8), %zmm6, %zmm6
	vaddpd	(%r10,%rax,8), %zmm6, %zmm6
	vaddpd	-16(%r15,%rax,8), %zmm6, %zmm6
	vaddpd	(%r15,%rax,8), %zmm6, %zmm6
	vaddpd	-16(%rsi,%rax,8), %zmm6, %zmm6
	vaddpd	(%rsi,%rax,8), %zmm6, %zmm6
	vfmadd213pd	%zmm5, %zmm4, %zmm6     # zmm6 = (zmm4 * zmm6) + zmm5
	vmovupd	%zmm6, (%rdx,%rax,8)
	addq	$8, %rax
	cmpq	%rax, %rcx
	jne	.LBB0_5
# %bb.6:                                #   in Loop: Header=BB0_3 Depth=2
	movq	208(%rsp), %rsi                 # 8-byte Reload
	cmpq	%rcx, -48(%rsp)                 # 8-byte Folded Reload
	je	.LBB0_9
.LBB0_7:                                #   in Loop: Header=BB0_3 Depth=2
	movq	-16(%rsp), %rdi                 # 8-byte Reload
	movq	-40(%rsp), %rax                 # 8-byte Reload
	movq	24(%rsp), %r11                  # 8-byte Reload
	movq	-32(%rsp), %rdx                 # 8-byte Reload
	movq	-24(%rsp), %rcx                 # 8-byte Reload
	movq	-8(%rsp), %r9                   # 8-byte Reload
	movq	-104(%rsp), %r14                # 8-byte Reload
	leaq	(%rdi,%rsi,8), %rbx
	movq	(%rsp), %rdi                    # 8-byte Reload
	leaq	(%rax,%rsi,8), %rbp
	leaq	(%r11,%rsi,8), %r13
	movq	32(%rsp), %r11                  # 8-byte Reload
	leaq	(%rdx,%rsi,8), %rdx
	leaq	(%rcx,%rsi,8), %rcx
	leaq	(%r9,%rsi,8), %r9
	subq	%rsi, %r14
	leaq	(%rdi,%rsi,8), %rax
	movq	8(%rsp), %rdi                   # 8-byte Reload
	leaq	(%r11,%rsi,8), %r11
	leaq	(%rdi,%rsi,8), %r12
	movq	16(%rsp), %rdi                  # 8-byte Reload
	leaq	(%rdi,%rsi,8), %rdi
	xorl	%esi, %esi
	.p2align	4, 0x90
.LBB0_8:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovsd	(%rax,%rsi,8), %xmm5            # xmm5 = mem[0],zero
	vmovsd	(%rdx,%rsi,8), %xmm8            # xmm8 = mem[0],zero
	vmovsd	-16(%rdx,%rsi,8), %xmm6         # xmm6 = mem[0],zero
	vmovsd	-8(%rdx,%rsi,8), %xmm7          # xmm7 = mem[0],zero
	vaddsd	-16(%rax,%rsi,8), %xmm5, %xmm5
	vmovhpd	(%rcx,%rsi,8), %xmm6, %xmm6     # xmm6 = xmm6[0],mem[0]
	vaddsd	(%rdi,%rsi,8), %xmm5, %xmm5
	vaddsd	16(%rdi,%rsi,8), %xmm5, %xmm5
	vaddsd	-16(%r13,%rsi,8), %xmm5, %xmm5
	vaddsd	(%r13,%rsi,8), %xmm5, %xmm5
	vaddsd	-16(%rcx,%rsi,8), %xmm5, %xmm5
	vunpcklpd	%xmm5, %xmm8, %xmm5     # xmm5 = xmm8[0],xmm5[0]
	vmovsd	-8(%rax,%rsi,8), %xmm8          # xmm8 = mem[0],zero
	vmovhpd	(%r11,%rsi,8), %xmm8, %xmm8     # xmm8 = xmm8[0],mem[0]
	vaddpd	%xmm6, %xmm8, %xmm6
	vmovsd	8(%rdi,%rsi,8), %xmm8           # xmm8 = mem[0],zero
	vmovhpd	(%r12,%rsi,8), %xmm8, %xmm8     # xmm8 = xmm8[0],mem[0]
	vaddpd	%xmm6, %xmm8, %xmm6
	vmovsd	-8(%r13,%rsi,8), %xmm8          # xmm8 = mem[0],zero
	vmovhpd	(%rbx,%rsi,8), %xmm8, %xmm8     # xmm8 = xmm8[0],mem[0]
	vaddpd	%xmm6, %xmm8, %xmm6
	vmovsd	-8(%rcx,%rsi,8), %xmm8          # xmm8 = mem[0],zero
	vmovhpd	-8(%r9,%rsi,8), %xmm8, %xmm8    # xmm8 = xmm8[0],mem[0]
	vaddpd	%xmm6, %xmm8, %xmm6
	vaddpd	%xmm6, %xmm5, %xmm5
	vmovsd	8(%r11,%rsi,8), %xmm6           # xmm6 = mem[0],zero
	vaddsd	-8(%r11,%rsi,8), %xmm6, %xmm6
	vpermpd	$208, %ymm5, %ymm5              # ymm5 = ymm5[0,0,1,3]
	vaddsd	-8(%r12,%rsi,8), %xmm6, %xmm6
	vblendpd	$1, %ymm7, %ymm5, %ymm5         # ymm5 = ymm7[0],ymm5[1,2,3]
	vaddsd	8(%r12,%rsi,8), %xmm6, %xmm6
	vaddsd	-8(%rbx,%rsi,8), %xmm6, %xmm6
	vaddsd	8(%rbx,%rsi,8), %xmm6, %xmm6
	vaddsd	-16(%r9,%rsi,8), %xmm6, %xmm6
	vaddsd	(%r9,%rsi,8), %xmm6, %xmm6
	vbroadcastsd	%xmm6, %ymm6
	vblendpd	$8, %ymm6, %ymm5, %ymm5         # ymm5 = ymm5[0,1,2],ymm6[3]
	vmulpd	%ymm0, %ymm5, %ymm5
	vextractf128	$1, %ymm5, %xmm6
	vaddpd	%xmm6, %xmm5, %xmm5
	vshufpd	$1, %xmm5, %xmm5, %xmm6         # xmm6 = xmm5[1,0]
	vaddsd	%xmm6, %xmm5, %xmm5
	vmovsd	%xmm5, (%rbp,%rsi,8)
	incq	%rsi
	cmpq	%rsi, %r14
	jne	.LBB0_8
	jmp	.LBB0_9
.LBB0_11:
	addq	$232, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end0:
	.size	stencil27, .Lfunc_end0-stencil27
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

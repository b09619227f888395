	.text
	.file	"spmv.c"
	.globl	spmv                            # -- Begin function spmv
	.p2align	4, 0x90
	.type	spmv,@function
spmv:                                   # @spmv
# %bb.0:
	testl	%edi, %edi
	jle	.LBB0_9
# %bb.1:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movl	(%rsi), %r10d
	movl	%edi, %eax
	leaq	192(%rcx), %rdi
	xorl	%ebx, %ebx
	movq	%rdi, -8(%rsp)                  # 8-byte Spill
	leaq	96(%rdx), %rdi
	movq	%rdi, -16(%rsp)                 # 8-byte Spill
	jmp	.LBB0_2
	.p2align	4, 0x90
.LBB0_7:                                #   in Loop: Header=BB0_2 Depth=1
	vmovsd	%xmm0, (%r9,%rbx,8)
	incq	%rbx
	cmpq	%rax, %rbx
	je	.LBB0_8
.LBB0_2:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_5 Depth 2
                                        #     Child Loop BB0_10 Depth 2
	movl	%r10d, %edi
	movl	4(%rsi,%rbx,4), %r10d
	vxorpd	%xmm0, %xmm0, %xmm0
	cmpl	%r10d, %edi
	jge	.LBB0_7
# %bb.3:                                #   in Loop: Header=BB0_2 Depth=1
	movslq	%r10d, %r14
	movslq	%edi, %r15
	movq	%r14, %r12
	subq	%r15, %r12
	cmpq	$31, %r12
	jbe	.LBB0_10
# %bb.4:                                #   in Loop: Header=BB0_2 Depth=1
	movq	-8(%rsp), %rdi                  # 8-byte Reload
	movq	%r12, %r13
	andq	$-32, %r13
	vxorpd	%xmm0, %xmm0, %xmm0
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorpd	%xmm2, %xmm2, %xmm2
	vxorpd	%xmm3, %xmm3, %xmm3
	xorl	%r11d, %r11d
	leaq	(%rdi,%r15,8), %rbp
	movq	-16(%rsp), %rdi                 # 8-byte Reload
	leaq	(%rdi,%r15,4), %rdi
	addq	%r13, %r15
	.p2align	4, 0x90
.LBB0_5:                                #   Parent Loop BB0_2 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovupd	-96(%rdi,%r11,4), %ymm4
	vmovupd	-64(%rdi,%r11,4), %ymm5
	vmovupd	-32(%rdi,%r11,4), %ymm6
	vmovupd	(%rdi,%r11,4), %ymm7
	kxnorw	%k0, %k0, %k1
	vxorpd	%xmm8, %xmm8, %xmm8
	vgatherdpd	(%r8,%ymm4,8), %zmm8 {%k1}
	kxnorw	%k0, %k0, %k1
	vxorpd	%xmm4, %xmm4, %xmm4
	vfmadd231pd	-192(%rbp,%r11,8), %zmm8, %zmm0 # zmm0 = (zmm8 * mem) + zmm0
	vgatherdpd	(%r8,%ymm5,8), %zmm4 {%k1}
	kxnorw	%k0, %k0, %k1
	vxorpd	%xmm5, %xmm5, %xmm5
	vfmadd231pd	-128(%rbp,%r11,8), %zmm4, %zmm1 # zmm1 = (zmm4 * mem) + zmm1
	vgatherdpd	(%r8,%ymm6,8), %zmm5 {%k1}
	kxnorw	%k0, %k0, %k1
	vxorpd	%xmm6, %xmm6, %xmm6
	vfmadd231pd	-64(%rbp,%r11,8), %zmm5, %zmm2 # zmm2 = (zmm5 * mem) + zmm2
	vgatherdpd	(%r8,%ymm7,8), %zmm6 {%k1}
	vfmadd231pd	(%rbp,%r11,8), %zmm6, %zmm3 # zmm3 = (zmm6 * mem) + zmm3
	addq	$32, %r11
	cmpq	%r11, %r13
	jne	.LBB0_5
# %bb.6:                                #   in Loop: Header=BB0_2 Depth=1
	vaddpd	%zmm0, %zmm1, %zmm0
	vaddpd	%zmm2, %zmm3, %zmm2
	vaddpd	%zmm0, %zmm2, %zmm0
	vextractf64x4	$1, %zmm0, %ymm1
	vaddpd	%zmm1, %zmm0, %zmm0
	vextractf128	$1, %ymm0, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vshufpd	$1, %xmm0, %xmm0, %xmm1         # xmm1 = xmm0[1,0]
	vaddsd	%xmm1, %xmm0, %xmm0
	cmpq	%r13, %r12
	je	.LBB0_7
	.p2align	4, 0x90
.LBB0_10:                               #   Parent Loop BB0_2 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	movslq	(%rdx,%r15,4), %rdi
	vmovsd	(%r8,%rdi,8), %xmm1             # xmm1 = mem[0],zero
	vfmadd231sd	(%rcx,%r15,8), %xmm1, %xmm0 # xmm0 = (xmm1 * mem) + xmm0
	incq	%r15
	cmpq	%r15, %r14
	jne	.LBB0_10
	jmp	.LBB0_7
.LBB0_8:
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
.LBB0_9:
	vzeroupper
	retq
.Lfunc_end0:
	.size	spmv, .Lfunc_end0-spmv
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

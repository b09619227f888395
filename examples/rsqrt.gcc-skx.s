	.file	"rsqrt.c"
	.text
	.p2align 4
	.globl	rsqrt
	.type	rsqrt, @function
rsqrt:
	movq	%rdi, %rcx
	testq	%rdx, %rdx
	jle	.L17
	leaq	-1(%rdx), %rax
	cmpq	$2, %rax
	jbe	.L8
	movq	%rdx, %rdi
	shrq	$2, %rdi
	vbroadcastsd	.LC1(%rip), %ymm1
	salq	$5, %rdi
	xorl	%eax, %eax
	.p2align 4,,10
	.p2align 3
.L4:
	vsqrtpd	(%rsi,%rax), %ymm0
	vdivpd	%ymm0, %ymm1, %ymm0
	vmovupd	%ymm0, (%rcx,%rax)
	addq	$32, %rax
	cmpq	%rax, %rdi
	jne	.L4
	movq	%rdx, %rax
	andq	$-4, %rax
	movq	%rax, %rdi
	cmpq	%rax, %rdx
	je	.L19
	vzeroupper
.L3:
	subq	%rdi, %rdx
	cmpq	$1, %rdx
	je	.L6
	vsqrtpd	(%rsi,%rdi,8), %xmm1
	vmovddup	.LC1(%rip), %xmm0
	vdivpd	%xmm1, %xmm0, %xmm0
	vmovupd	%xmm0, (%rcx,%rdi,8)
	testb	$1, %dl
	je	.L17
	andq	$-2, %rdx
	addq	%rdx, %rax
.L6:
	vxorps	%xmm0, %xmm0, %xmm0
	vsqrtsd	(%rsi,%rax,8), %xmm0, %xmm0
	vmovsd	.LC1(%rip), %xmm1
	vdivsd	%xmm0, %xmm1, %xmm1
	vmovsd	%xmm1, (%rcx,%rax,8)
.L17:
	ret
	.p2align 4,,10
	.p2align 3
.L19:
	vzeroupper
	ret
.L8:
	xorl	%edi, %edi
	xorl	%eax, %eax
	jmp	.L3
	.size	rsqrt, .-rsqrt
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC1:
	.long	0
	.long	1072693248
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

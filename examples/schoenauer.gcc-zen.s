	.file	"schoenauer.c"
	.text
	.p2align 4
	.globl	schoenauer
	.type	schoenauer, @function
schoenauer:
	testq	%r8, %r8
	jle	.L47
	cmpq	$1, %r8
	je	.L6
	movq	%r8, %r10
	xorl	%eax, %eax
	shrq	%r10
	salq	$4, %r10
	leaq	-16(%r10), %r9
	shrq	$4, %r9
	incq	%r9
	andl	$7, %r9d
	je	.L4
	cmpq	$1, %r9
	je	.L31
	cmpq	$2, %r9
	je	.L32
	cmpq	$3, %r9
	je	.L33
	cmpq	$4, %r9
	je	.L34
	cmpq	$5, %r9
	je	.L35
	cmpq	$6, %r9
	jne	.L49
.L36:
	vmovupd	(%rdx,%rax), %xmm1
	vmovupd	(%rsi,%rax), %xmm5
	vfmadd132pd	(%rcx,%rax), %xmm5, %xmm1
	vmovupd	%xmm1, (%rdi,%rax)
	addq	$16, %rax
.L35:
	vmovupd	(%rdx,%rax), %xmm2
	vmovupd	(%rsi,%rax), %xmm4
	vfmadd132pd	(%rcx,%rax), %xmm4, %xmm2
	vmovupd	%xmm2, (%rdi,%rax)
	addq	$16, %rax
.L34:
	vmovupd	(%rdx,%rax), %xmm3
	vmovupd	(%rsi,%rax), %xmm7
	vfmadd132pd	(%rcx,%rax), %xmm7, %xmm3
	vmovupd	%xmm3, (%rdi,%rax)
	addq	$16, %rax
.L33:
	vmovupd	(%rdx,%rax), %xmm8
	vmovupd	(%rsi,%rax), %xmm9
	vfmadd132pd	(%rcx,%rax), %xmm9, %xmm8
	vmovupd	%xmm8, (%rdi,%rax)
	addq	$16, %rax
.L32:
	vmovupd	(%rdx,%rax), %xmm10
	vmovupd	(%rsi,%rax), %xmm11
	vfmadd132pd	(%rcx,%rax), %xmm11, %xmm10
	vmovupd	%xmm10, (%rdi,%rax)
	addq	$16, %rax
.L31:
	vmovupd	(%rdx,%rax), %xmm12
	vmovupd	(%rsi,%rax), %xmm13
	vfmadd132pd	(%rcx,%rax), %xmm13, %xmm12
	vmovupd	%xmm12, (%rdi,%rax)
	addq	$16, %rax
	cmpq	%r10, %rax
	je	.L46
.L4:
	vmovupd	(%rdx,%rax), %xmm14
	vmovupd	(%rsi,%rax), %xmm15
	vmovupd	16(%rdx,%rax), %xmm0
	vmovupd	16(%rsi,%rax), %xmm6
	vmovupd	32(%rdx,%rax), %xmm1
	vmovupd	32(%rsi,%rax), %xmm5
	vmovupd	48(%rdx,%rax), %xmm2
	vmovupd	48(%rsi,%rax), %xmm4
	vmovupd	64(%rdx,%rax), %xmm3
	vmovupd	64(%rsi,%rax), %xmm7
	vmovupd	80(%rdx,%rax), %xmm8
	vmovupd	80(%rsi,%rax), %xmm9
	vmovupd	96(%rdx,%rax), %xmm10
	vmovupd	96(%rsi,%rax), %xmm11
	vmovupd	112(%rdx,%rax), %xmm12
	vmovupd	112(%rsi,%rax), %xmm13
	vfmadd132pd	(%rcx,%rax), %xmm15, %xmm14
	vfmadd132pd	16(%rcx,%rax), %xmm6, %xmm0
	vfmadd132pd	32(%rcx,%rax), %xmm5, %xmm1
	vfmadd132pd	48(%rcx,%rax), %xmm4, %xmm2
	vfmadd132pd	64(%rcx,%rax), %xmm7, %xmm3
	vfmadd132pd	80(%rcx,%rax), %xmm9, %xmm8
	vfmadd132pd	96(%rcx,%rax), %xmm11, %xmm10
	vfmadd132pd	112(%rcx,%rax), %xmm13, %xmm12
	vmovupd	%xmm14, (%rdi,%rax)
	vmovupd	%xmm0, 16(%rdi,%rax)
	vmovupd	%xmm1, 32(%rdi,%rax)
	vmovupd	%xmm2, 48(%rdi,%rax)
	vmovupd	%xmm3, 64(%rdi,%rax)
	vmovupd	%xmm8, 80(%rdi,%rax)
	vmovupd	%xmm10, 96(%rdi,%rax)
	vmovupd	%xmm12, 112(%rdi,%rax)
	subq	$-128, %rax
	cmpq	%r10, %rax
	jne	.L4
.L46:
	testb	$1, %r8b
	je	.L47
	andq	$-2, %r8
.L3:
	vmovsd	(%rcx,%r8,8), %xmm14
	vmovsd	(%rsi,%r8,8), %xmm15
	vfmadd132sd	(%rdx,%r8,8), %xmm15, %xmm14
	vmovsd	%xmm14, (%rdi,%r8,8)
.L47:
	ret
	.p2align 4
	.p2align 3
.L49:
	vmovupd	(%rdx), %xmm0
	vmovupd	(%rsi), %xmm6
	movl	$16, %eax
	vfmadd132pd	(%rcx), %xmm6, %xmm0
	vmovupd	%xmm0, (%rdi)
	jmp	.L36
.L6:
	xorl	%r8d, %r8d
	jmp	.L3
	.size	schoenauer, .-schoenauer
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

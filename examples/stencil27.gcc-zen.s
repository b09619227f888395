	.file	"stencil27.c"
	.text
	.p2align 4
	.globl	stencil27
	.type	stencil27, @function
stencil27:
	movq	%rcx, %rax
	movq	%rdi, %rcx
	pushq	%r15
	pushq	%r14
	imulq	%rdi, %rcx
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	pushq	%rbx
	movq	%rdi, %rbx
	subq	$416, %rsp
	vmovsd	(%rax), %xmm5
	vmovsd	8(%rax), %xmm4
	movq	%rdx, -32(%rsp)
	leaq	-1(%rdi), %rdx
	vmovsd	16(%rax), %xmm3
	vmovsd	24(%rax), %xmm2
	movq	%rdi, 168(%rsp)
	movq	%rsi, -40(%rsp)
	movq	%rcx, 352(%rsp)
	movq	%rdx, 296(%rsp)
	cmpq	$1, %rdx
	jle	.L17
	movq	%rsi, %r8
	movq	%rcx, %rbp
	movq	%rdi, %rsi
	movq	$-8, %r13
	negq	%rsi
	negq	%rbp
	movl	$8, %edx
	movq	%rcx, %r12
	leaq	0(,%rsi,8), %r15
	leaq	0(,%rbp,8), %r9
	movq	%r13, %rax
	movq	%rdx, %rcx
	movq	%r9, %r14
	leaq	-8(%r15), %r10
	movq	%r15, %rdi
	leaq	-8(%r9), %rsi
	negq	%rdi
	negq	%r14
	movq	%r10, -48(%rsp)
	movq	%r13, %r10
	subq	%r9, %r10
	subq	%r9, %rdx
	movq	%rdi, -24(%rsp)
	movq	%r9, -56(%rsp)
	leaq	8(%r9), %rdi
	movq	%r14, 48(%rsp)
	movq	%r9, %r14
	movq	%rbx, %r9
	subq	%r15, %rax
	subq	%rbx, %rbp
	subq	%r12, %r9
	subq	%r15, %rcx
	leaq	0(,%rbp,8), %rbp
	movq	%rax, 56(%rsp)
	movq	%rdi, (%rsp)
	leaq	(%rbx,%r12), %rax
	leaq	0(,%r9,8), %rdi
	leaq	8(%r15), %r11
	leaq	0(,%rax,8), %r9
	movq	%rcx, 64(%rsp)
	subq	%rdi, %r13
	leaq	-8(%rbp), %rcx
	movq	%rbp, 8(%rsp)
	addq	$8, %rbp
	movq	%r11, -16(%rsp)
	movq	%rbp, 24(%rsp)
	movq	%rdi, %r11
	movq	%r9, %rbp
	movq	%r13, 88(%rsp)
	movq	%r12, %r13
	movq	%r8, %rax
	negq	%r11
	subq	%rbx, %r13
	subq	%r14, %rbp
	movq	%rsi, -8(%rsp)
	movq	%r11, 80(%rsp)
	leaq	-8(%rdi), %rsi
	leaq	8(,%r13,8), %r11
	leaq	8(%r8,%rbp), %rbp
	movq	%rax, %r13
	subq	%r15, %r8
	leaq	(%r9,%rax), %rax
	movq	%rsi, 32(%rsp)
	movq	%r10, 72(%rsp)
	movq	%r8, %rsi
	movq	%r8, 376(%rsp)
	movq	%rax, 360(%rsp)
	movq	%r14, %r8
	subq	%r8, %r13
	addq	%rsi, %r14
	leaq	-2(%rbx), %rsi
	leaq	-8(%r9), %r10
	movq	-32(%rsp), %rax
	movq	%rsi, %rbx
	movq	%r13, 368(%rsp)
	movq	%rsi, %r13
	orq	$1, %r13
	shrq	%rbx
	leaq	-8(%r15,%r8,2), %r8
	movq	%rcx, 16(%rsp)
	salq	$4, %rbx
	leaq	8(%rdi), %rcx
	movq	%r10, 40(%rsp)
	movq	%r13, 312(%rsp)
	leaq	8(%r9), %r10
	movl	$1, %r13d
	andl	$1, %esi
	movq	%rbx, 104(%rsp)
	addq	$8, %rax
	movq	%r9, %rbx
	movq	%r8, 392(%rsp)
	movq	%r14, 400(%rsp)
	movq	%rax, 384(%rsp)
	movq	%r9, %r14
	vmovddup	%xmm5, %xmm9
	movq	%r10, %r9
	vmovddup	%xmm4, %xmm8
	movq	%rdi, %r10
	vmovddup	%xmm3, %xmm7
	movq	%r11, %rdi
	vmovddup	%xmm2, %xmm6
	movq	%rsi, 304(%rsp)
	movq	%rcx, 96(%rsp)
	movq	%rdx, %r8
	movq	%r13, 320(%rsp)
	movq	%r12, 328(%rsp)
	movq	%r15, %r11
	.p2align 4
	.p2align 3
.L3:
	movq	%rbp, -104(%rsp)
	movq	$1, 160(%rsp)
	movq	%rbp, 336(%rsp)
	movq	%rbx, 344(%rsp)
	movq	168(%rsp), %r12
	movq	328(%rsp), %rcx
	movq	-40(%rsp), %rdx
	leaq	(%r12,%rcx), %r15
	leaq	0(,%rcx,8), %rcx
	movq	400(%rsp), %r12
	leaq	(%rdx,%rcx), %r13
	leaq	(%rdx,%rbx), %rsi
	movq	-56(%rsp), %rdx
	movq	%r15, -112(%rsp)
	movq	%rsi, 176(%rsp)
	movq	%r13, 112(%rsp)
	movq	%r15, -120(%rsp)
	movq	%r14, %r15
	movq	%r10, %r14
	leaq	(%r12,%rcx), %r13
	addq	%rbx, %r12
	movq	%rdx, %rax
	movq	%r13, 120(%rsp)
	movq	-48(%rsp), %r13
	movq	%r12, 136(%rsp)
	subq	%r11, %rax
	leaq	(%rax,%rbp), %rsi
	movq	376(%rsp), %rax
	movq	360(%rsp), %r12
	addq	%rbx, %rax
	addq	%rbx, %r12
	movq	%rax, 184(%rsp)
	movq	%rdx, %rax
	subq	%r10, %rdx
	movq	%r12, 128(%rsp)
	subq	%r13, %rax
	movq	%r9, %r10
	addq	%rbp, %rdx
	movq	%rdi, %r9
	addq	%rbp, %rax
	movq	%rsi, %r12
	movq	%r11, %rdi
	movq	%rax, -96(%rsp)
	movq	368(%rsp), %rax
	leaq	(%rbx,%rax), %r13
	addq	%rcx, %rax
	movq	384(%rsp), %rcx
	movq	%r13, 192(%rsp)
	leaq	8(%rbp), %r13
	movq	%rax, 152(%rsp)
	movq	%r13, -88(%rsp)
	movq	392(%rsp), %r13
	addq	%rbx, %rcx
	movq	%rcx, -80(%rsp)
	addq	%rbp, %r13
	movq	%r13, 144(%rsp)
	movq	%r8, %r13
	.p2align 4
	.p2align 3
.L9:
	cmpq	$3, 168(%rsp)
	je	.L11
	movq	176(%rsp), %rax
	movq	112(%rsp), %rsi
	leaq	16(%rax), %rbx
	leaq	8(%rsi), %r8
	leaq	8(%rax), %rbp
	movq	%rbx, 232(%rsp)
	movq	120(%rsp), %rbx
	movq	%r8, 224(%rsp)
	movq	%rbp, 240(%rsp)
	leaq	16(%rsi), %rbp
	movq	144(%rsp), %rsi
	leaq	8(%rbx), %rcx
	addq	$16, %rbx
	movq	%rcx, 216(%rsp)
	movq	136(%rsp), %rcx
	leaq	8(%rsi), %r11
	movq	%rcx, %r8
	addq	$16, %rcx
	movq	%rcx, -64(%rsp)
	movq	128(%rsp), %rcx
	addq	$8, %r8
	movq	%r8, 208(%rsp)
	movq	128(%rsp), %r8
	addq	$16, %rcx
	movq	%rcx, -72(%rsp)
	movq	112(%rsp), %rcx
	addq	$8, %r8
	movq	%r8, 200(%rsp)
	leaq	16(%rsi), %r8
	movq	152(%rsp), %rsi
	vmovupd	(%rcx), %xmm1
	movq	192(%rsp), %rcx
	addq	$16, %rsi
	vaddpd	(%rcx), %xmm1, %xmm11
	movq	120(%rsp), %rcx
	vmovupd	(%rcx), %xmm0
	movq	184(%rsp), %rcx
	vaddpd	(%rcx), %xmm0, %xmm10
	movq	144(%rsp), %rcx
	vmovupd	(%rcx), %xmm12
	movq	128(%rsp), %rcx
	vaddpd	(%rcx), %xmm12, %xmm13
	movq	152(%rsp), %rcx
	vaddpd	%xmm10, %xmm11, %xmm11
	vmovupd	(%rcx), %xmm14
	movq	136(%rsp), %rcx
	vmovapd	%xmm14, 248(%rsp)
	vaddpd	(%rcx), %xmm14, %xmm15
	vmovupd	(%rax), %xmm0
	movq	%r14, 248(%rsp)
	movq	%r15, 264(%rsp)
	movq	%r9, 272(%rsp)
	xorl	%eax, %eax
	movq	%r10, 280(%rsp)
	movq	%r13, 288(%rsp)
	movq	208(%rsp), %r9
	movq	216(%rsp), %r10
	movq	%rdi, 208(%rsp)
	movq	224(%rsp), %r13
	movq	232(%rsp), %r14
	movq	240(%rsp), %r15
	movq	200(%rsp), %rdi
	vaddpd	%xmm15, %xmm13, %xmm10
	jmp	.L5
	.p2align 4
	.p2align 3
.L10:
	vmovapd	%xmm12, %xmm0
.L5:
	movq	-96(%rsp), %rcx
	vmovapd	%xmm11, %xmm13
	vmovupd	(%r14,%rax), %xmm12
	vmovupd	(%rcx,%rax), %xmm1
	movq	-88(%rsp), %rcx
	vaddpd	0(%rbp,%rax), %xmm1, %xmm11
	vmovupd	(%r10,%rax), %xmm1
	vmovupd	(%rcx,%rax), %xmm14
	movq	-104(%rsp), %rcx
	vaddpd	(%rbx,%rax), %xmm14, %xmm15
	vaddpd	0(%r13,%rax), %xmm12, %xmm14
	vaddpd	(%rcx,%rax), %xmm0, %xmm0
	movq	-72(%rsp), %rcx
	vaddpd	%xmm15, %xmm11, %xmm11
	vaddpd	(%r12,%rax), %xmm1, %xmm15
	vaddpd	%xmm13, %xmm11, %xmm13
	vaddpd	%xmm14, %xmm15, %xmm1
	vmovupd	(%r9,%rax), %xmm15
	vmovupd	(%rdi,%rax), %xmm14
	vaddpd	%xmm0, %xmm1, %xmm1
	vaddpd	(%r11,%rax), %xmm15, %xmm0
	vaddpd	(%rdx,%rax), %xmm14, %xmm15
	vaddpd	%xmm15, %xmm0, %xmm0
	vaddpd	%xmm13, %xmm0, %xmm14
	vmulpd	%xmm7, %xmm14, %xmm0
	vfmadd231pd	%xmm1, %xmm8, %xmm0
	vmovapd	%xmm10, %xmm1
	vmovupd	(%rcx,%rax), %xmm10
	movq	-64(%rsp), %rcx
	vaddpd	(%rsi,%rax), %xmm10, %xmm15
	vmovupd	(%rcx,%rax), %xmm13
	movq	-80(%rsp), %rcx
	vaddpd	(%r8,%rax), %xmm13, %xmm14
	vaddpd	%xmm14, %xmm15, %xmm10
	vaddpd	%xmm1, %xmm10, %xmm1
	vmulpd	%xmm6, %xmm1, %xmm15
	vfmadd231pd	(%r15,%rax), %xmm9, %xmm15
	vaddpd	%xmm0, %xmm15, %xmm0
	vmovupd	%xmm0, (%rcx,%rax)
	movq	104(%rsp), %rcx
	addq	$16, %rax
	cmpq	%rcx, %rax
	jne	.L10
	cmpq	$0, 304(%rsp)
	movq	248(%rsp), %r14
	movq	264(%rsp), %r15
	movq	272(%rsp), %r9
	movq	280(%rsp), %r10
	movq	288(%rsp), %r13
	movq	208(%rsp), %rdi
	je	.L4
	movq	312(%rsp), %r11
.L8:
	movq	-112(%rsp), %rbx
	movq	-40(%rsp), %rbp
	movq	-24(%rsp), %rsi
	movq	48(%rsp), %rax
	movq	-56(%rsp), %rcx
	addq	%r11, %rbx
	leaq	0(%rbp,%rbx,8), %r8
	movq	-16(%rsp), %rbx
	movq	-48(%rsp), %rbp
	vmovsd	(%r8,%rsi), %xmm12
	vmovsd	8(%r8), %xmm10
	vaddsd	(%r8,%rdi), %xmm12, %xmm11
	vaddsd	-8(%r8), %xmm10, %xmm13
	vmovsd	(%r8,%rax), %xmm1
	movq	64(%rsp), %rsi
	vaddsd	(%r8,%rcx), %xmm1, %xmm15
	movq	56(%rsp), %rax
	vmovsd	(%r8,%rbx), %xmm12
	movq	(%rsp), %rcx
	movq	-8(%rsp), %rbx
	vmovsd	(%r8,%rsi), %xmm10
	movq	8(%rsp), %rsi
	vaddsd	%xmm13, %xmm11, %xmm14
	vaddsd	(%r8,%rbp), %xmm12, %xmm11
	movq	72(%rsp), %rbp
	vmovsd	(%r8,%r13), %xmm12
	vaddsd	%xmm15, %xmm14, %xmm0
	vaddsd	(%r8,%rax), %xmm10, %xmm14
	vmovsd	(%r8,%rcx), %xmm15
	movq	80(%rsp), %rax
	vmulsd	%xmm4, %xmm0, %xmm13
	vaddsd	(%r8,%rbx), %xmm15, %xmm0
	vfmadd231sd	(%r8), %xmm5, %xmm13
	vaddsd	%xmm14, %xmm11, %xmm1
	vaddsd	(%r8,%rbp), %xmm12, %xmm11
	vaddsd	%xmm11, %xmm0, %xmm10
	vmovsd	(%r8,%r15), %xmm0
	vaddsd	%xmm10, %xmm1, %xmm14
	vmovsd	(%r8,%r14), %xmm1
	vaddsd	(%r8,%rsi), %xmm1, %xmm15
	vaddsd	(%r8,%rax), %xmm0, %xmm12
	movq	24(%rsp), %rcx
	movq	96(%rsp), %rbp
	movq	16(%rsp), %rbx
	movq	32(%rsp), %rsi
	movq	88(%rsp), %rax
	vaddsd	%xmm12, %xmm15, %xmm11
	vmovsd	(%r8,%rbp), %xmm15
	vmovsd	(%r8,%r9), %xmm12
	vaddsd	(%r8,%rsi), %xmm15, %xmm0
	vaddsd	%xmm11, %xmm14, %xmm10
	vmovsd	(%r8,%rcx), %xmm14
	movq	40(%rsp), %rcx
	vaddsd	(%r8,%rbx), %xmm14, %xmm1
	vaddsd	(%r8,%rax), %xmm12, %xmm11
	movq	-32(%rsp), %rbx
	vaddsd	%xmm0, %xmm1, %xmm14
	vmovsd	(%r8,%r10), %xmm1
	vaddsd	(%r8,%rcx), %xmm1, %xmm15
	movq	-120(%rsp), %r8
	addq	%r8, %r11
	vaddsd	%xmm15, %xmm11, %xmm0
	vaddsd	%xmm0, %xmm14, %xmm14
	vmulsd	%xmm2, %xmm14, %xmm12
	vfmadd132sd	%xmm3, %xmm12, %xmm10
	vaddsd	%xmm10, %xmm13, %xmm13
	vmovsd	%xmm13, (%rbx,%r11,8)
.L4:
	incq	160(%rsp)
	subq	%rdi, %r12
	subq	%rdi, %rdx
	movq	168(%rsp), %rbp
	subq	%rdi, 176(%rsp)
	addq	%rbp, -112(%rsp)
	addq	%rbp, -120(%rsp)
	subq	%rdi, 112(%rsp)
	subq	%rdi, 120(%rsp)
	subq	%rdi, -104(%rsp)
	subq	%rdi, 184(%rsp)
	subq	%rdi, -96(%rsp)
	subq	%rdi, 192(%rsp)
	subq	%rdi, -88(%rsp)
	subq	%rdi, 144(%rsp)
	subq	%rdi, 136(%rsp)
	subq	%rdi, 128(%rsp)
	subq	%rdi, 152(%rsp)
	movq	160(%rsp), %r11
	subq	%rdi, -80(%rsp)
	movq	296(%rsp), %rsi
	cmpq	%rsi, %r11
	jne	.L9
	incq	320(%rsp)
	movq	336(%rsp), %rbp
	movq	%r13, %r8
	movq	%rdi, %r11
	movq	-56(%rsp), %r13
	movq	344(%rsp), %rbx
	movq	%r9, %rdi
	movq	%r10, %r9
	movq	320(%rsp), %r12
	movq	%r14, %r10
	movq	%r15, %r14
	movq	296(%rsp), %r15
	movq	352(%rsp), %rdx
	addq	%rdx, 328(%rsp)
	subq	%r13, %rbp
	subq	%r13, %rbx
	cmpq	%r15, %r12
	jne	.L3
.L17:
	addq	$416, %rsp
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
	.p2align 4
	.p2align 3
.L11:
	movl	$1, %r11d
	jmp	.L8
	.size	stencil27, .-stencil27
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

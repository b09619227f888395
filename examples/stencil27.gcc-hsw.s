	.file	"stencil27.c"
	.text
	.p2align 4
	.globl	stencil27
	.type	stencil27, @function
stencil27:
	pushq	%rbp
	movq	%rcx, %rax
	movq	%rdi, %rcx
	imulq	%rdi, %rcx
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	movq	%rdi, %rbx
	andq	$-32, %rsp
	subq	$584, %rsp
	movq	%rdi, 120(%rsp)
	movq	%rdx, 408(%rsp)
	vmovsd	(%rax), %xmm5
	vmovsd	8(%rax), %xmm4
	movq	%rcx, -72(%rsp)
	vmovsd	16(%rax), %xmm3
	vmovsd	24(%rax), %xmm1
	leaq	-1(%rdi), %rax
	movq	%rax, 56(%rsp)
	cmpq	$1, %rax
	jle	.L26
	movq	%rbx, %rax
	movq	%rcx, %rdi
	movq	$-8, %rdx
	negq	%rcx
	negq	%rax
	vbroadcastsd	%xmm5, %ymm8
	vbroadcastsd	%xmm4, %ymm7
	movq	%rsi, %r11
	leaq	0(,%rax,8), %r10
	leaq	0(,%rcx,8), %rsi
	vbroadcastsd	%xmm3, %ymm6
	leaq	8(%r10), %rax
	movq	%rsi, %r14
	leaq	8(%rsi), %r9
	movq	%r10, %r8
	movq	%rax, 360(%rsp)
	movq	%rdx, %rax
	negq	%r14
	leaq	-8(%r10), %r12
	subq	%r10, %rax
	movq	%r14, 272(%rsp)
	negq	%r8
	movq	%rax, 264(%rsp)
	movl	$8, %eax
	movq	%rax, %r14
	subq	%rsi, %rax
	movq	%r9, 352(%rsp)
	movq	%rdx, %r9
	movq	%rax, 240(%rsp)
	movq	%rcx, %rax
	subq	%rsi, %r9
	subq	%r10, %r14
	subq	%rbx, %rax
	movq	%r9, 248(%rsp)
	leaq	0(,%rax,8), %r15
	movq	%rbx, %rax
	movq	%r14, 256(%rsp)
	leaq	-8(%rsi), %r14
	subq	%rdi, %rax
	leaq	-8(%r15), %r13
	movq	%r15, 344(%rsp)
	addq	$8, %r15
	leaq	0(,%rax,8), %r9
	movq	%r14, 416(%rsp)
	movq	%rsi, %r14
	movq	%r9, %rax
	movq	%rsi, 424(%rsp)
	subq	%r9, %rdx
	negq	%rax
	movq	%r15, 320(%rsp)
	leaq	-8(%r9), %r15
	movq	%rax, 232(%rsp)
	leaq	(%rbx,%rdi), %rax
	leaq	0(,%rax,8), %rsi
	movq	%rdi, %rax
	movq	%r15, 312(%rsp)
	leaq	8(%r9), %r15
	subq	%rbx, %rax
	movq	%r15, 304(%rsp)
	leaq	8(,%rax,8), %r15
	movq	%r11, %rax
	movq	%r13, 328(%rsp)
	subq	%r10, %rax
	movq	%r15, 296(%rsp)
	leaq	-8(%rsi), %r15
	leaq	(%rax,%rsi), %r13
	movq	%rsi, %rax
	movq	%r15, 288(%rsp)
	leaq	8(%rsi), %r15
	subq	%r14, %rax
	movq	%rdx, 224(%rsp)
	leaq	(%rsi,%r11), %rdx
	leaq	(%rax,%r11), %r14
	movq	%rsi, %rax
	movq	%r15, 280(%rsp)
	subq	%r12, %rax
	movq	%r12, 400(%rsp)
	movq	%rdx, %r12
	leaq	(%rax,%r11), %r15
	movq	416(%rsp), %rax
	movq	%r9, 432(%rsp)
	movq	%r8, 368(%rsp)
	subq	%r11, %r8
	subq	%rax, %r12
	movq	%rdx, %rax
	movq	%rsi, 336(%rsp)
	subq	%r9, %rax
	movq	%rdi, %r9
	salq	$4, %rdi
	movq	%r12, 576(%rsp)
	movq	%rax, 568(%rsp)
	movq	%rdi, %rax
	movq	%rdx, %r12
	movq	408(%rsp), %rdi
	addq	%r11, %rax
	movq	%rax, 112(%rsp)
	movq	%rbx, %rax
	salq	$4, %rbx
	addq	%rsi, %rdi
	movq	%rbx, -80(%rsp)
	movq	%rax, %rbx
	leaq	(%rax,%rax), %rax
	movq	%rax, %rdx
	movq	%rdi, 104(%rsp)
	movq	%rcx, %rdi
	subq	%r9, %rdx
	salq	$4, %rdi
	movq	%rdx, -88(%rsp)
	leaq	(%r9,%rax), %rdx
	leaq	-2(%rbx), %rax
	subq	$3, %rbx
	movq	%rdi, -104(%rsp)
	movq	%r9, %rdi
	movq	%rdx, -96(%rsp)
	addq	%r9, %rdi
	movq	576(%rsp), %rsi
	movq	%rbx, 48(%rsp)
	movq	%rax, %rbx
	movq	568(%rsp), %rcx
	andq	$-4, %rbx
	movq	%rax, 40(%rsp)
	shrq	$2, %rax
	movq	%rbx, 8(%rsp)
	incq	%rbx
	salq	$5, %rax
	movq	%rdi, -112(%rsp)
	leaq	8(%r11), %rdi
	movq	%rbx, 16(%rsp)
	movq	%r9, (%rsp)
	movq	%r14, -8(%rsp)
	movq	%rax, 392(%rsp)
	movl	$1, %eax
	movq	%rdi, 32(%rsp)
	leaq	16(%r11), %rdi
	movq	%rax, %rdx
	movq	%r13, %rax
	movq	%rdi, 24(%rsp)
	movq	%r10, %r13
	movq	%r8, %rdi
	.p2align 4,,10
	.p2align 3
.L3:
	movq	112(%rsp), %r14
	movq	-104(%rsp), %rbx
	movq	$0, 152(%rsp)
	movq	432(%rsp), %r9
	movq	(%rsp), %r10
	movq	$1, 192(%rsp)
	addq	%r14, %rbx
	movq	%rbx, 552(%rsp)
	leaq	(%r9,%r12), %rbx
	movq	%rbx, 568(%rsp)
	movq	-80(%rsp), %rbx
	addq	%r14, %rbx
	movq	%rbx, 576(%rsp)
	movq	120(%rsp), %rbx
	leaq	(%rbx,%r10), %r8
	leaq	0(,%r10,8), %rbx
	movq	%rbx, 216(%rsp)
	addq	%r9, %rbx
	movq	%rbx, 440(%rsp)
	leaq	(%r12,%rdi), %rbx
	movq	%rbx, 208(%rsp)
	leaq	(%r14,%rdi), %rbx
	movq	%r10, %r14
	movq	%rbx, 200(%rsp)
	movq	-72(%rsp), %rbx
	movq	%r8, 560(%rsp)
	subq	%rbx, %r14
	movq	-88(%rsp), %rbx
	movq	%r8, 384(%rsp)
	movq	%r14, 184(%rsp)
	addq	%r10, %rbx
	movq	%rbx, 176(%rsp)
	movq	-96(%rsp), %rbx
	addq	%r10, %rbx
	movq	%rbx, 168(%rsp)
	movq	-112(%rsp), %rbx
	addq	%r14, %rbx
	movq	%rbx, (%rsp)
	movq	%rbx, 160(%rsp)
	leaq	8(%rax), %rbx
	movq	%rbx, 96(%rsp)
	movq	-8(%rsp), %rbx
	addq	$8, %rbx
	movq	%rbx, 88(%rsp)
	leaq	8(%r15), %rbx
	movq	%rbx, 80(%rsp)
	leaq	8(%rsi), %rbx
	movq	%rbx, 72(%rsp)
	leaq	8(%rcx), %rbx
	movq	%rbx, 64(%rsp)
	movq	%rdx, -16(%rsp)
	movq	%rsi, -24(%rsp)
	movq	%rcx, -32(%rsp)
	movq	%r12, -40(%rsp)
	movq	%r12, 376(%rsp)
	movq	%rax, -48(%rsp)
	movq	%r15, -56(%rsp)
	movq	%rdi, -64(%rsp)
	.p2align 4,,10
	.p2align 3
.L11:
	cmpq	$2, 48(%rsp)
	jbe	.L12
	movq	376(%rsp), %rbx
	movq	216(%rsp), %rcx
	vbroadcastsd	%xmm1, %ymm2
	movq	96(%rsp), %rdi
	movq	552(%rsp), %r12
	leaq	8(%rbx), %rax
	addq	$16, %rbx
	leaq	(%r11,%rcx), %r15
	movq	%rbx, 144(%rsp)
	movq	32(%rsp), %rbx
	leaq	16(%r12), %r9
	movq	%rax, 136(%rsp)
	movq	152(%rsp), %rax
	leaq	(%rcx,%rbx), %rsi
	movq	%rsi, 456(%rsp)
	leaq	(%rdi,%rax), %rsi
	movq	%rsi, 464(%rsp)
	movq	440(%rsp), %rsi
	leaq	(%rsi,%rbx), %rdi
	movq	24(%rsp), %rbx
	movq	%rdi, 472(%rsp)
	movq	88(%rsp), %rdi
	addq	%rbx, %rcx
	addq	%rax, %rdi
	movq	%rcx, 488(%rsp)
	movq	208(%rsp), %rcx
	movq	%rdi, 480(%rsp)
	movq	80(%rsp), %rdi
	addq	%r11, %rcx
	movq	%rcx, 496(%rsp)
	leaq	(%rdi,%rax), %rcx
	movq	%rcx, 504(%rsp)
	leaq	(%r11,%rsi), %rcx
	addq	%rbx, %rsi
	movq	568(%rsp), %rbx
	movq	%rsi, 520(%rsp)
	movq	200(%rsp), %rsi
	leaq	8(%rbx), %rdi
	movq	%rcx, 512(%rsp)
	leaq	16(%rbx), %r8
	movq	112(%rsp), %rbx
	leaq	(%r11,%rsi), %r14
	movq	72(%rsp), %rsi
	movq	%rdi, 544(%rsp)
	leaq	(%rax,%rbx), %rdi
	addq	%rax, %rsi
	movq	%rsi, 528(%rsp)
	leaq	8(%r12), %rsi
	movq	%rsi, 536(%rsp)
	movq	64(%rsp), %rsi
	leaq	(%rsi,%rax), %rcx
	leaq	16(%rax,%rbx), %rsi
	movq	%rcx, 552(%rsp)
	movq	576(%rsp), %rcx
	movq	104(%rsp), %rdx
	movq	%r11, 128(%rsp)
	movq	376(%rsp), %rbx
	movq	144(%rsp), %r11
	leaq	8(%rcx), %r10
	movq	%r13, 144(%rsp)
	leaq	8(%rax,%rdx), %rdx
	movq	136(%rsp), %r13
	addq	$16, %rcx
	xorl	%eax, %eax
	movq	%rdx, 448(%rsp)
	.p2align 4,,10
	.p2align 3
.L7:
	movq	456(%rsp), %rdx
	vmovupd	(%r11,%rax), %ymm0
	vaddpd	(%rbx,%rax), %ymm0, %ymm9
	vaddpd	(%rdx,%rax), %ymm9, %ymm9
	movq	464(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm9, %ymm9
	movq	472(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm9, %ymm9
	movq	480(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm9, %ymm9
	movq	488(%rsp), %rdx
	vmovupd	(%rdx,%rax), %ymm0
	movq	496(%rsp), %rdx
	vaddpd	(%r15,%rax), %ymm0, %ymm0
	vmulpd	%ymm7, %ymm9, %ymm9
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	movq	504(%rsp), %rdx
	vfmadd231pd	0(%r13,%rax), %ymm8, %ymm9
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	movq	512(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	movq	520(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	movq	528(%rsp), %rdx
	vaddpd	(%r14,%rax), %ymm0, %ymm0
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	movq	536(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	movq	544(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	movq	552(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	vaddpd	(%r10,%rax), %ymm0, %ymm0
	vmovupd	(%r9,%rax), %ymm12
	movq	568(%rsp), %rdx
	vfmadd132pd	%ymm6, %ymm9, %ymm0
	vaddpd	(%r12,%rax), %ymm12, %ymm9
	vaddpd	(%rdx,%rax), %ymm9, %ymm9
	movq	576(%rsp), %rdx
	vaddpd	(%r8,%rax), %ymm9, %ymm9
	vaddpd	(%rdi,%rax), %ymm9, %ymm9
	vaddpd	(%rsi,%rax), %ymm9, %ymm9
	vaddpd	(%rdx,%rax), %ymm9, %ymm9
	vaddpd	(%rcx,%rax), %ymm9, %ymm9
	movq	448(%rsp), %rdx
	vfmadd231pd	%ymm9, %ymm2, %ymm0
	vmovupd	%ymm0, (%rdx,%rax)
	addq	$32, %rax
	cmpq	%rax, 392(%rsp)
	jne	.L7
	movq	%rbx, 376(%rsp)
	movq	128(%rsp), %r11
	movq	%r12, 552(%rsp)
	movq	144(%rsp), %r13
	testb	$3, 40(%rsp)
	je	.L4
	movq	8(%rsp), %rdx
	movq	16(%rsp), %rax
.L10:
	movq	120(%rsp), %rcx
	subq	%rdx, %rcx
	leaq	-2(%rcx), %rdi
	movq	%rdi, 488(%rsp)
	cmpq	$3, %rcx
	je	.L5
	movq	560(%rsp), %rcx
	movq	208(%rsp), %r8
	leaq	0(,%rdx,8), %rsi
	leaq	8(,%rdx,8), %r9
	movq	216(%rsp), %r15
	leaq	8(%r9), %rdi
	vmovddup	%xmm4, %xmm11
	movq	400(%rsp), %rbx
	leaq	1(%rcx,%rdx), %r10
	vmovddup	%xmm5, %xmm2
	vmovddup	%xmm3, %xmm10
	addq	%rsi, %r8
	leaq	0(,%r10,8), %rcx
	leaq	(%r15,%rsi), %r14
	vmovddup	%xmm1, %xmm9
	movq	%r8, 536(%rsp)
	movq	%rcx, %r8
	movq	%r14, 544(%rsp)
	leaq	(%r15,%rdi), %r14
	addq	%r11, %r15
	subq	%rbx, %r8
	vmovupd	-8(%r11,%rcx), %xmm0
	vaddpd	8(%r11,%rcx), %xmm0, %xmm0
	movq	%r8, 528(%rsp)
	movq	440(%rsp), %r8
	vaddpd	(%r15,%r9), %xmm0, %xmm0
	movq	%rcx, %r15
	movq	432(%rsp), %r12
	addq	%r8, %rdi
	subq	%r13, %r15
	leaq	(%r8,%rsi), %rbx
	vaddpd	(%r11,%r15), %xmm0, %xmm0
	movq	%rdi, 520(%rsp)
	movq	440(%rsp), %r15
	movq	200(%rsp), %rdi
	addq	%r11, %r15
	addq	%rdi, %rsi
	movq	416(%rsp), %rdi
	vaddpd	(%r15,%r9), %xmm0, %xmm0
	movq	%rsi, 512(%rsp)
	movq	%rcx, %rsi
	movq	%rcx, %r9
	movq	424(%rsp), %r15
	subq	%rdi, %rsi
	movq	%rsi, 504(%rsp)
	movq	184(%rsp), %rsi
	subq	%r15, %r9
	vaddpd	(%r11,%r9), %xmm0, %xmm0
	leaq	1(%rsi,%rdx), %r8
	movq	176(%rsp), %rsi
	movq	544(%rsp), %r9
	salq	$3, %r8
	leaq	1(%rsi,%rdx), %rdi
	movq	%rcx, %rsi
	vmulpd	%xmm11, %xmm0, %xmm0
	subq	%r12, %rsi
	movq	168(%rsp), %r12
	salq	$3, %rdi
	vfmadd132pd	(%r11,%r10,8), %xmm0, %xmm2
	vmovupd	(%r11,%r14), %xmm0
	movq	%rsi, 496(%rsp)
	vaddpd	(%r11,%r9), %xmm0, %xmm0
	movq	536(%rsp), %r9
	leaq	1(%r12,%rdx), %rsi
	movq	160(%rsp), %r12
	salq	$3, %rsi
	vaddpd	(%r11,%r9), %xmm0, %xmm0
	movq	528(%rsp), %r14
	movq	504(%rsp), %r10
	addq	%r12, %rdx
	vaddpd	(%r11,%r14), %xmm0, %xmm0
	vaddpd	(%r11,%rbx), %xmm0, %xmm0
	movq	520(%rsp), %rbx
	movq	496(%rsp), %r14
	vaddpd	(%r11,%rbx), %xmm0, %xmm0
	movq	512(%rsp), %rbx
	vaddpd	(%r11,%rbx), %xmm0, %xmm0
	vaddpd	(%r11,%r10), %xmm0, %xmm0
	vaddpd	(%r11,%r8), %xmm0, %xmm0
	vaddpd	(%r11,%rdi), %xmm0, %xmm0
	vaddpd	(%r11,%r14), %xmm0, %xmm0
	vaddpd	(%r11,%rsi), %xmm0, %xmm0
	movq	408(%rsp), %rbx
	vfmadd132pd	%xmm10, %xmm2, %xmm0
	vmovupd	-8(%r11,%r8), %xmm2
	vaddpd	8(%r11,%r8), %xmm2, %xmm2
	vaddpd	-8(%r11,%rdi), %xmm2, %xmm2
	vaddpd	8(%r11,%rdi), %xmm2, %xmm2
	vaddpd	(%r11,%rdx,8), %xmm2, %xmm2
	vaddpd	16(%r11,%rdx,8), %xmm2, %xmm2
	vaddpd	-8(%r11,%rsi), %xmm2, %xmm2
	vaddpd	8(%r11,%rsi), %xmm2, %xmm2
	movq	488(%rsp), %rdi
	vfmadd132pd	%xmm2, %xmm0, %xmm9
	vmovupd	%xmm9, (%rbx,%rcx)
	testb	$1, %dil
	je	.L4
	movq	%rdi, %rdx
	andq	$-2, %rdx
	addq	%rdx, %rax
.L5:
	movq	560(%rsp), %rdi
	movq	368(%rsp), %rcx
	movq	424(%rsp), %rsi
	leaq	(%rax,%rdi), %rdx
	movq	272(%rsp), %rdi
	leaq	(%r11,%rdx,8), %rdx
	vmovsd	8(%rdx), %xmm0
	vaddsd	-8(%rdx), %xmm0, %xmm2
	vaddsd	(%rdx,%r13), %xmm2, %xmm2
	vaddsd	(%rdx,%rcx), %xmm2, %xmm2
	movq	360(%rsp), %rcx
	vaddsd	(%rdx,%rsi), %xmm2, %xmm2
	movq	400(%rsp), %rsi
	vaddsd	(%rdx,%rdi), %xmm2, %xmm2
	vmovsd	(%rdx,%rcx), %xmm0
	movq	264(%rsp), %rdi
	vaddsd	(%rdx,%rsi), %xmm0, %xmm0
	movq	256(%rsp), %rcx
	movq	416(%rsp), %rsi
	vaddsd	(%rdx,%rdi), %xmm0, %xmm0
	vmulsd	%xmm4, %xmm2, %xmm2
	vaddsd	(%rdx,%rcx), %xmm0, %xmm0
	movq	352(%rsp), %rdi
	vaddsd	(%rdx,%rsi), %xmm0, %xmm0
	movq	248(%rsp), %rcx
	movq	240(%rsp), %rsi
	vaddsd	(%rdx,%rdi), %xmm0, %xmm0
	movq	344(%rsp), %rdi
	vaddsd	(%rdx,%rcx), %xmm0, %xmm0
	movq	432(%rsp), %rcx
	vaddsd	(%rdx,%rsi), %xmm0, %xmm0
	movq	232(%rsp), %rsi
	vfmadd231sd	(%rdx), %xmm5, %xmm2
	vaddsd	(%rdx,%rdi), %xmm0, %xmm0
	vaddsd	(%rdx,%rcx), %xmm0, %xmm0
	vaddsd	(%rdx,%rsi), %xmm0, %xmm0
	movq	336(%rsp), %rdi
	movq	384(%rsp), %rcx
	movq	320(%rsp), %rsi
	vaddsd	(%rdx,%rdi), %xmm0, %xmm0
	movq	328(%rsp), %rdi
	addq	%rcx, %rax
	movq	312(%rsp), %rcx
	vfmadd132sd	%xmm3, %xmm2, %xmm0
	vmovsd	(%rdx,%rsi), %xmm2
	vaddsd	(%rdx,%rdi), %xmm2, %xmm2
	movq	304(%rsp), %rsi
	movq	224(%rsp), %rdi
	vaddsd	(%rdx,%rcx), %xmm2, %xmm2
	movq	296(%rsp), %rcx
	vaddsd	(%rdx,%rsi), %xmm2, %xmm2
	movq	288(%rsp), %rsi
	vaddsd	(%rdx,%rdi), %xmm2, %xmm2
	movq	280(%rsp), %rdi
	vaddsd	(%rdx,%rcx), %xmm2, %xmm2
	vaddsd	(%rdx,%rsi), %xmm2, %xmm2
	vaddsd	(%rdx,%rdi), %xmm2, %xmm2
	movq	408(%rsp), %rcx
	vfmadd231sd	%xmm1, %xmm2, %xmm0
	vmovsd	%xmm0, (%rcx,%rax,8)
.L4:
	movq	120(%rsp), %rax
	incq	192(%rsp)
	addq	%rax, 560(%rsp)
	movq	192(%rsp), %rdi
	addq	%rax, 384(%rsp)
	addq	%rax, 184(%rsp)
	addq	%rax, 176(%rsp)
	addq	%rax, 168(%rsp)
	addq	%rax, 160(%rsp)
	subq	%r13, 376(%rsp)
	subq	%r13, 552(%rsp)
	subq	%r13, 568(%rsp)
	subq	%r13, 576(%rsp)
	subq	%r13, 216(%rsp)
	subq	%r13, 440(%rsp)
	subq	%r13, 208(%rsp)
	subq	%r13, 200(%rsp)
	subq	%r13, 152(%rsp)
	movq	56(%rsp), %rax
	cmpq	%rax, %rdi
	jne	.L11
	movq	424(%rsp), %rbx
	movq	-24(%rsp), %rsi
	movq	-32(%rsp), %rcx
	movq	-40(%rsp), %r12
	movq	-48(%rsp), %rax
	movq	-56(%rsp), %r15
	subq	%rbx, %rsi
	movq	-16(%rsp), %rdx
	subq	%rbx, -8(%rsp)
	subq	%rbx, %rcx
	subq	%rbx, %r12
	subq	%rbx, 112(%rsp)
	subq	%rbx, %rax
	subq	%rbx, %r15
	movq	-64(%rsp), %rdi
	subq	%rbx, 104(%rsp)
	movq	56(%rsp), %rbx
	incq	%rdx
	cmpq	%rbx, %rdx
	jne	.L3
	vzeroupper
.L26:
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
	.p2align 4,,10
	.p2align 3
.L12:
	xorl	%edx, %edx
	movl	$1, %eax
	jmp	.L10
	.size	stencil27, .-stencil27
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits

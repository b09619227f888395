	.file	"stencil27.c"
	.text
	.p2align 4
	.globl	stencil27
	.type	stencil27, @function
stencil27:
	pushq	%rbp
	leaq	-1(%rdi), %rax
	movq	%rsp, %rbp
	pushq	%r15
	movq	%rdi, %r15
	imulq	%rdi, %r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	subq	$584, %rsp
	movq	%rdi, 104(%rsp)
	movq	%rdx, 400(%rsp)
	movq	%rax, 40(%rsp)
	vmovsd	(%rcx), %xmm5
	vmovsd	8(%rcx), %xmm4
	vmovsd	16(%rcx), %xmm3
	vmovsd	24(%rcx), %xmm2
	cmpq	$1, %rax
	jle	.L26
	movq	%rdi, %rax
	negq	%rax
	leaq	0(,%rax,8), %r14
	movq	$-8, %rdx
	movq	%r14, %r11
	movq	%rdx, %rax
	movq	%r15, %rcx
	negq	%rcx
	subq	%r11, %rax
	movq	%rdi, %rbx
	leaq	8(%r11), %r9
	leaq	0(,%rcx,8), %rdi
	movq	%rax, 264(%rsp)
	movl	$8, %eax
	movq	%r9, 360(%rsp)
	movq	%rdi, %r8
	movq	%rax, %r9
	subq	%rdi, %rax
	movq	%rax, 240(%rsp)
	negq	%r8
	movq	%rcx, %rax
	subq	%rbx, %rax
	movq	%r8, 272(%rsp)
	leaq	8(%rdi), %r8
	leaq	0(,%rax,8), %r10
	movq	%r8, 352(%rsp)
	movq	%rbx, %rax
	movq	%rdx, %r8
	subq	%r11, %r9
	subq	%rdi, %r8
	subq	%r15, %rax
	movq	%rdi, 416(%rsp)
	movq	%r9, 256(%rsp)
	movq	%r8, 248(%rsp)
	leaq	-8(%rdi), %r9
	movq	%rdi, %r8
	leaq	0(,%rax,8), %rdi
	movq	%rdi, %r13
	leaq	(%rbx,%r15), %rax
	negq	%r13
	movq	%r9, 408(%rsp)
	movq	%r10, 344(%rsp)
	leaq	0(,%rax,8), %r9
	movq	%r13, 232(%rsp)
	movq	%r15, %rax
	leaq	-8(%r10), %r13
	addq	$8, %r10
	movq	%r10, 320(%rsp)
	subq	%rbx, %rax
	leaq	-8(%rdi), %r10
	subq	%rdi, %rdx
	movq	%rdi, 424(%rsp)
	movq	%r13, 328(%rsp)
	movq	%r10, 312(%rsp)
	movq	%rdi, %r13
	leaq	8(%rdi), %r10
	movq	%rbx, %rdi
	leaq	8(,%rax,8), %rbx
	movq	%rbx, 296(%rsp)
	leaq	-8(%r9), %rbx
	movq	%rbx, 288(%rsp)
	movq	%rsi, %rax
	leaq	8(%r9), %rbx
	subq	%r11, %rax
	movq	%rbx, 280(%rsp)
	movq	%r9, %rbx
	leaq	-8(%r11), %r12
	movq	%r9, 336(%rsp)
	movq	%r10, 304(%rsp)
	leaq	(%rax,%r9), %r10
	subq	%r8, %r9
	movq	%rbx, %rax
	subq	%r12, %rax
	leaq	(%r9,%rsi), %r11
	movq	%rbx, %r9
	movq	%rdx, 224(%rsp)
	leaq	(%rax,%rsi), %rbx
	leaq	(%r9,%rsi), %rdx
	movq	408(%rsp), %rax
	movq	%r12, 392(%rsp)
	movq	%rdx, %r12
	movq	%rdx, %r8
	subq	%rax, %r12
	movq	%r15, %rax
	subq	%r13, %r8
	salq	$4, %rax
	movq	%r8, %r13
	leaq	(%rax,%rsi), %r8
	movq	400(%rsp), %rax
	salq	$4, %rcx
	addq	%r9, %rax
	movq	%rax, 88(%rsp)
	movq	%rdi, %rax
	salq	$4, %rdi
	movq	%rdi, -96(%rsp)
	movq	%rax, %rdi
	leaq	(%rax,%rax), %rax
	movq	%rcx, -120(%rsp)
	movq	%rax, %rcx
	subq	%r15, %rcx
	addq	%r15, %rax
	movq	%r14, 568(%rsp)
	movq	%rcx, -104(%rsp)
	movq	%rax, -112(%rsp)
	leaq	-2(%rdi), %rcx
	negq	%r14
	leaq	-3(%rdi), %rax
	movq	%r14, 368(%rsp)
	movq	%r8, 96(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%rax, 32(%rsp)
	movq	%rcx, %rax
	shrq	$2, %rax
	andq	$-4, %rcx
	salq	$5, %rax
	movq	%rax, 384(%rsp)
	movq	%rcx, -8(%rsp)
	leaq	1(%rcx), %rax
	leaq	8(%rsi), %rcx
	movq	%rcx, 16(%rsp)
	leaq	16(%rsi), %rcx
	movq	%rcx, 8(%rsp)
	movq	%rsi, 560(%rsp)
	subq	%rsi, %r14
	movq	%rax, (%rsp)
	movq	%rdx, %r8
	movq	%r14, %r9
	movq	%r13, %rdx
	movq	%r15, %rax
	movl	$1, %r14d
	vbroadcastsd	%xmm5, %ymm8
	vbroadcastsd	%xmm4, %ymm7
	vbroadcastsd	%xmm3, %ymm6
	movq	%rbx, %r13
	.p2align 4,,10
	.p2align 3
.L3:
	movq	96(%rsp), %rcx
	movq	-120(%rsp), %rbx
	movq	424(%rsp), %rsi
	addq	%rcx, %rbx
	movq	%rbx, 192(%rsp)
	leaq	(%rsi,%r8), %rbx
	movq	%rbx, 200(%rsp)
	movq	-96(%rsp), %rbx
	movq	%r8, 216(%rsp)
	addq	%rcx, %rbx
	movq	%rbx, 208(%rsp)
	movq	104(%rsp), %rbx
	movq	$0, 120(%rsp)
	leaq	(%rbx,%rax), %rdi
	leaq	0(,%rax,8), %rbx
	movq	%rbx, 184(%rsp)
	addq	%rsi, %rbx
	movq	%rbx, 432(%rsp)
	leaq	(%r8,%r9), %rbx
	movq	%rbx, 176(%rsp)
	leaq	(%rcx,%r9), %rbx
	movq	%rbx, 168(%rsp)
	movq	%rax, %rbx
	subq	%r15, %rbx
	movq	%rbx, 152(%rsp)
	movq	-104(%rsp), %rbx
	movq	%rdi, 576(%rsp)
	addq	%rax, %rbx
	movq	%rbx, 144(%rsp)
	movq	-112(%rsp), %rbx
	movq	%rdi, 376(%rsp)
	addq	%rax, %rbx
	movq	%rbx, 136(%rsp)
	leaq	8(%r10), %rbx
	movq	%rbx, 80(%rsp)
	leaq	8(%r11), %rbx
	movq	%rbx, 72(%rsp)
	leaq	8(%r13), %rbx
	movq	%rbx, 64(%rsp)
	leaq	8(%r12), %rbx
	movq	%rbx, 56(%rsp)
	addq	%r15, %rax
	leaq	8(%rdx), %rbx
	movq	%rbx, 48(%rsp)
	movq	%rax, 128(%rsp)
	movq	$1, 160(%rsp)
	movq	%r11, -16(%rsp)
	movq	%rax, -24(%rsp)
	movq	%r15, -32(%rsp)
	movq	%r14, -40(%rsp)
	movq	%r8, -48(%rsp)
	movq	%rdx, -56(%rsp)
	movq	%r12, -64(%rsp)
	movq	%r13, -72(%rsp)
	movq	%r10, -80(%rsp)
	movq	%r9, -88(%rsp)
	movq	560(%rsp), %rbx
	.p2align 4,,10
	.p2align 3
.L11:
	cmpq	$2, 32(%rsp)
	jbe	.L12
	movq	216(%rsp), %rax
	movq	80(%rsp), %rsi
	leaq	8(%rax), %rcx
	movq	%rcx, 472(%rsp)
	leaq	16(%rax), %rcx
	movq	120(%rsp), %rax
	movq	16(%rsp), %rdi
	addq	%rax, %rsi
	movq	%rcx, 480(%rsp)
	movq	%rsi, 488(%rsp)
	movq	184(%rsp), %rcx
	movq	432(%rsp), %rsi
	leaq	(%rcx,%rdi), %r15
	leaq	(%rsi,%rdi), %r14
	movq	72(%rsp), %rdi
	leaq	(%rbx,%rcx), %r13
	addq	%rax, %rdi
	movq	%rdi, 496(%rsp)
	movq	8(%rsp), %rdi
	leaq	(%rbx,%rsi), %r11
	addq	%rdi, %rcx
	movq	%rcx, 504(%rsp)
	movq	176(%rsp), %rcx
	movq	208(%rsp), %rdx
	leaq	(%rbx,%rcx), %r12
	movq	64(%rsp), %rcx
	vbroadcastsd	%xmm2, %ymm10
	addq	%rax, %rcx
	movq	%rcx, 512(%rsp)
	leaq	(%rsi,%rdi), %rcx
	movq	%rcx, 520(%rsp)
	movq	200(%rsp), %rsi
	movq	168(%rsp), %rcx
	leaq	8(%rsi), %rdi
	leaq	(%rbx,%rcx), %r10
	movq	56(%rsp), %rcx
	movq	%rdi, 536(%rsp)
	movq	48(%rsp), %rdi
	addq	%rax, %rcx
	movq	%rcx, 528(%rsp)
	leaq	(%rdi,%rax), %r8
	movq	192(%rsp), %rcx
	movq	%rdx, %rdi
	addq	$8, %rdi
	movq	%rdi, 544(%rsp)
	leaq	8(%rcx), %r9
	leaq	16(%rcx), %rdi
	movq	96(%rsp), %rcx
	movq	%rdi, 552(%rsp)
	leaq	16(%rsi), %rdi
	movq	%rdi, 560(%rsp)
	leaq	16(%rax,%rcx), %rsi
	movq	%rcx, %rdi
	leaq	16(%rdx), %rcx
	movq	88(%rsp), %rdx
	addq	%rax, %rdi
	leaq	8(%rax,%rdx), %rdx
	movq	%rdx, 456(%rsp)
	movq	216(%rsp), %rdx
	xorl	%eax, %eax
	movq	%rdx, 464(%rsp)
	movq	%rcx, 448(%rsp)
	movq	%rsi, 440(%rsp)
	movq	%rbx, 112(%rsp)
	movq	208(%rsp), %rcx
	movq	200(%rsp), %rsi
	movq	192(%rsp), %rbx
	.p2align 4,,10
	.p2align 3
.L7:
	movq	480(%rsp), %rdx
	vmovupd	(%rdx,%rax), %ymm0
	movq	464(%rsp), %rdx
	vaddpd	(%rdx,%rax), %ymm0, %ymm0
	movq	488(%rsp), %rdx
	vmovupd	(%rdx,%rax), %ymm1
	movq	496(%rsp), %rdx
	vaddpd	(%r15,%rax), %ymm1, %ymm1
	vaddpd	%ymm1, %ymm0, %ymm0
	vmovupd	(%rdx,%rax), %ymm1
	movq	472(%rsp), %rdx
	vaddpd	(%r14,%rax), %ymm1, %ymm1
	vaddpd	%ymm1, %ymm0, %ymm0
	vmulpd	%ymm7, %ymm0, %ymm0
	vmovapd	%ymm0, %ymm1
	vfmadd231pd	(%rdx,%rax), %ymm8, %ymm1
	movq	504(%rsp), %rdx
	vmovupd	(%rdx,%rax), %ymm0
	movq	512(%rsp), %rdx
	vaddpd	0(%r13,%rax), %ymm0, %ymm0
	vmovupd	(%rdx,%rax), %ymm13
	movq	520(%rsp), %rdx
	vaddpd	(%r12,%rax), %ymm13, %ymm9
	vmovupd	(%rdx,%rax), %ymm14
	movq	528(%rsp), %rdx
	vaddpd	%ymm9, %ymm0, %ymm0
	vaddpd	(%r11,%rax), %ymm14, %ymm9
	vmovupd	(%rdx,%rax), %ymm15
	movq	536(%rsp), %rdx
	vaddpd	%ymm9, %ymm0, %ymm0
	vmovupd	(%rdx,%rax), %ymm13
	vaddpd	(%r10,%rax), %ymm15, %ymm9
	movq	544(%rsp), %rdx
	vmovupd	(%rdx,%rax), %ymm14
	movq	552(%rsp), %rdx
	vaddpd	%ymm9, %ymm0, %ymm0
	vaddpd	(%r9,%rax), %ymm13, %ymm9
	vmovupd	(%rdx,%rax), %ymm15
	vaddpd	%ymm9, %ymm0, %ymm0
	vaddpd	(%r8,%rax), %ymm14, %ymm9
	vaddpd	(%rbx,%rax), %ymm15, %ymm11
	movq	560(%rsp), %rdx
	vaddpd	%ymm9, %ymm0, %ymm0
	vmovupd	(%rdx,%rax), %ymm12
	movq	440(%rsp), %rdx
	vaddpd	(%rsi,%rax), %ymm12, %ymm9
	vmovupd	(%rdx,%rax), %ymm13
	movq	448(%rsp), %rdx
	vaddpd	%ymm9, %ymm11, %ymm15
	vaddpd	(%rdi,%rax), %ymm13, %ymm9
	vmovupd	(%rdx,%rax), %ymm14
	movq	456(%rsp), %rdx
	vaddpd	%ymm9, %ymm15, %ymm12
	vaddpd	(%rcx,%rax), %ymm14, %ymm9
	vaddpd	%ymm9, %ymm12, %ymm13
	vmulpd	%ymm10, %ymm13, %ymm14
	vfmadd132pd	%ymm6, %ymm14, %ymm0
	vaddpd	%ymm0, %ymm1, %ymm0
	vmovupd	%ymm0, (%rdx,%rax)
	addq	$32, %rax
	cmpq	%rax, 384(%rsp)
	jne	.L7
	movq	112(%rsp), %rbx
	testb	$3, 24(%rsp)
	je	.L4
	movq	-8(%rsp), %rdx
	movq	(%rsp), %rax
.L10:
	movq	104(%rsp), %rcx
	subq	%rdx, %rcx
	leaq	-2(%rcx), %rsi
	movq	%rsi, 528(%rsp)
	cmpq	$3, %rcx
	je	.L5
	movq	184(%rsp), %r13
	leaq	0(,%rdx,8), %rsi
	leaq	0(%r13,%rsi), %rdi
	movq	576(%rsp), %rcx
	kmovq	%rdi, %k2
	movq	176(%rsp), %rdi
	leaq	1(%rcx,%rdx), %r11
	leaq	0(,%r11,8), %rcx
	movq	392(%rsp), %r15
	addq	%rsi, %rdi
	kmovq	%rdi, %k3
	movq	%rcx, %rdi
	subq	%r15, %rdi
	leaq	8(,%rdx,8), %r12
	movq	%rdi, 560(%rsp)
	movq	432(%rsp), %rdi
	leaq	8(%r12), %r10
	movq	168(%rsp), %r8
	leaq	0(%r13,%r10), %r14
	leaq	(%rdi,%rsi), %r15
	addq	%r10, %rdi
	movq	424(%rsp), %r10
	movq	%rdi, 552(%rsp)
	addq	%r8, %rsi
	movq	%rcx, %rdi
	movq	408(%rsp), %r8
	subq	%r10, %rdi
	addq	%rbx, %r13
	movq	136(%rsp), %r10
	movq	%rcx, %r9
	vmovupd	0(%r13,%r12), %xmm0
	subq	%r8, %r9
	movq	432(%rsp), %r13
	movq	%r9, 544(%rsp)
	movq	%rdi, 536(%rsp)
	movq	152(%rsp), %r8
	leaq	1(%r10,%rdx), %rdi
	movq	144(%rsp), %r9
	movq	128(%rsp), %r10
	addq	%rbx, %r13
	vmovupd	0(%r13,%r12), %xmm1
	leaq	1(%r8,%rdx), %r8
	leaq	1(%r9,%rdx), %r9
	addq	%r10, %rdx
	movq	568(%rsp), %r10
	movq	%rcx, %r12
	vaddpd	-8(%rbx,%rcx), %xmm1, %xmm1
	vaddpd	8(%rbx,%rcx), %xmm0, %xmm0
	subq	%r10, %r12
	movq	416(%rsp), %r10
	movq	%rcx, %r13
	subq	%r10, %r13
	vaddpd	%xmm1, %xmm0, %xmm0
	vmovupd	(%rbx,%r13), %xmm1
	vmovddup	%xmm5, %xmm9
	vaddpd	(%rbx,%r12), %xmm1, %xmm1
	salq	$3, %r8
	salq	$3, %r9
	vaddpd	%xmm1, %xmm0, %xmm0
	vmovddup	%xmm4, %xmm1
	salq	$3, %rdi
	vmulpd	%xmm1, %xmm0, %xmm0
	vmovupd	(%rbx,%rsi), %xmm1
	movq	552(%rsp), %rsi
	vaddpd	(%rbx,%r15), %xmm1, %xmm1
	salq	$3, %rdx
	vfmadd132pd	(%rbx,%r11,8), %xmm0, %xmm9
	kmovq	%k3, %r11
	vmovupd	(%rbx,%r11), %xmm0
	kmovq	%k2, %r11
	vaddpd	(%rbx,%r11), %xmm0, %xmm0
	vmovddup	%xmm2, %xmm11
	vmovddup	%xmm3, %xmm10
	vaddpd	%xmm1, %xmm0, %xmm0
	vmovupd	(%rbx,%rsi), %xmm1
	vaddpd	(%rbx,%r14), %xmm1, %xmm1
	movq	544(%rsp), %r14
	movq	560(%rsp), %rsi
	vaddpd	%xmm1, %xmm0, %xmm0
	vmovupd	(%rbx,%r8), %xmm1
	vmovupd	(%rbx,%rdx), %xmm15
	vaddpd	(%rbx,%r9), %xmm1, %xmm1
	vaddpd	-8(%rbx,%rdi), %xmm15, %xmm12
	vaddpd	%xmm1, %xmm0, %xmm0
	vmovupd	(%rbx,%r14), %xmm1
	vaddpd	(%rbx,%rsi), %xmm1, %xmm1
	movq	536(%rsp), %rsi
	vaddpd	%xmm1, %xmm0, %xmm0
	vmovupd	(%rbx,%rsi), %xmm1
	movq	528(%rsp), %rsi
	vaddpd	(%rbx,%rdi), %xmm1, %xmm1
	vaddpd	%xmm1, %xmm0, %xmm0
	vmovupd	-8(%rbx,%r8), %xmm1
	vaddpd	-8(%rbx,%r9), %xmm1, %xmm1
	vaddpd	%xmm12, %xmm1, %xmm1
	vmovupd	8(%rbx,%r9), %xmm12
	vaddpd	8(%rbx,%r8), %xmm12, %xmm12
	vaddpd	%xmm12, %xmm1, %xmm1
	vmovupd	8(%rbx,%rdi), %xmm12
	movq	400(%rsp), %rdi
	vaddpd	16(%rbx,%rdx), %xmm12, %xmm12
	vaddpd	%xmm12, %xmm1, %xmm1
	vmulpd	%xmm11, %xmm1, %xmm1
	vfmadd132pd	%xmm10, %xmm1, %xmm0
	vaddpd	%xmm0, %xmm9, %xmm0
	vmovupd	%xmm0, (%rdi,%rcx)
	testb	$1, %sil
	je	.L4
	movq	%rsi, %rdx
	andq	$-2, %rdx
	addq	%rdx, %rax
.L5:
	movq	576(%rsp), %rdi
	movq	368(%rsp), %rsi
	leaq	(%rax,%rdi), %rdx
	leaq	(%rbx,%rdx,8), %rdx
	vmovsd	(%rdx,%rsi), %xmm0
	movq	568(%rsp), %rcx
	vmovsd	8(%rdx), %xmm1
	vaddsd	(%rdx,%rcx), %xmm0, %xmm0
	vaddsd	-8(%rdx), %xmm1, %xmm1
	movq	272(%rsp), %rdi
	movq	416(%rsp), %rsi
	vaddsd	%xmm1, %xmm0, %xmm0
	vmovsd	(%rdx,%rdi), %xmm1
	movq	360(%rsp), %rcx
	vaddsd	(%rdx,%rsi), %xmm1, %xmm1
	movq	256(%rsp), %rsi
	movq	392(%rsp), %rdi
	vaddsd	%xmm1, %xmm0, %xmm10
	vmovsd	(%rdx,%rcx), %xmm0
	vmovsd	(%rdx,%rsi), %xmm1
	movq	264(%rsp), %rcx
	vaddsd	(%rdx,%rdi), %xmm0, %xmm0
	vaddsd	(%rdx,%rcx), %xmm1, %xmm1
	movq	352(%rsp), %rdi
	movq	240(%rsp), %rcx
	movq	408(%rsp), %rsi
	vmovsd	(%rdx,%rcx), %xmm9
	vaddsd	%xmm1, %xmm0, %xmm0
	vmovsd	(%rdx,%rdi), %xmm1
	movq	248(%rsp), %rdi
	vaddsd	(%rdx,%rsi), %xmm1, %xmm1
	vaddsd	(%rdx,%rdi), %xmm9, %xmm9
	vmulsd	%xmm4, %xmm10, %xmm10
	movq	424(%rsp), %rsi
	vaddsd	%xmm9, %xmm1, %xmm1
	movq	344(%rsp), %rcx
	vaddsd	%xmm1, %xmm0, %xmm0
	vmovsd	(%rdx,%rsi), %xmm1
	vfmadd231sd	(%rdx), %xmm5, %xmm10
	vaddsd	(%rdx,%rcx), %xmm1, %xmm1
	movq	336(%rsp), %rdi
	movq	232(%rsp), %rsi
	vmovsd	(%rdx,%rdi), %xmm9
	movq	296(%rsp), %rcx
	vaddsd	(%rdx,%rsi), %xmm9, %xmm9
	movq	288(%rsp), %rsi
	movq	224(%rsp), %rdi
	vaddsd	%xmm9, %xmm1, %xmm1
	vmovsd	(%rdx,%rsi), %xmm9
	movq	328(%rsp), %rsi
	vaddsd	%xmm1, %xmm0, %xmm0
	vmovsd	(%rdx,%rcx), %xmm1
	movq	280(%rsp), %rcx
	vaddsd	(%rdx,%rdi), %xmm1, %xmm1
	vaddsd	(%rdx,%rcx), %xmm9, %xmm9
	movq	320(%rsp), %rdi
	movq	304(%rsp), %rcx
	vaddsd	%xmm9, %xmm1, %xmm1
	vmovsd	(%rdx,%rcx), %xmm11
	vmovsd	(%rdx,%rdi), %xmm9
	movq	312(%rsp), %rdi
	vaddsd	(%rdx,%rsi), %xmm9, %xmm9
	vaddsd	(%rdx,%rdi), %xmm11, %xmm11
	movq	376(%rsp), %rsi
	movq	400(%rsp), %rcx
	vaddsd	%xmm11, %xmm9, %xmm9
	addq	%rsi, %rax
	vaddsd	%xmm9, %xmm1, %xmm1
	vmulsd	%xmm2, %xmm1, %xmm1
	vfmadd132sd	%xmm3, %xmm1, %xmm0
	vaddsd	%xmm0, %xmm10, %xmm10
	vmovsd	%xmm10, (%rcx,%rax,8)
.L4:
	incq	160(%rsp)
	movq	568(%rsp), %rax
	movq	104(%rsp), %rdi
	subq	%rax, 216(%rsp)
	subq	%rax, 192(%rsp)
	subq	%rax, 200(%rsp)
	subq	%rax, 208(%rsp)
	subq	%rax, 184(%rsp)
	subq	%rax, 432(%rsp)
	subq	%rax, 176(%rsp)
	subq	%rax, 168(%rsp)
	addq	%rdi, 576(%rsp)
	addq	%rdi, 376(%rsp)
	addq	%rdi, 152(%rsp)
	addq	%rdi, 144(%rsp)
	addq	%rdi, 136(%rsp)
	movq	160(%rsp), %rcx
	addq	%rdi, 128(%rsp)
	subq	%rax, 120(%rsp)
	movq	40(%rsp), %rax
	cmpq	%rax, %rcx
	jne	.L11
	movq	-40(%rsp), %r14
	movq	416(%rsp), %rcx
	movq	%rbx, 560(%rsp)
	movq	-16(%rsp), %r11
	movq	-48(%rsp), %r8
	movq	-56(%rsp), %rdx
	movq	-64(%rsp), %r12
	movq	-72(%rsp), %r13
	movq	-80(%rsp), %r10
	movq	40(%rsp), %rbx
	incq	%r14
	subq	%rcx, 96(%rsp)
	subq	%rcx, 88(%rsp)
	movq	-24(%rsp), %rax
	movq	-32(%rsp), %r15
	movq	-88(%rsp), %r9
	subq	%rcx, %r10
	subq	%rcx, %r11
	subq	%rcx, %r13
	subq	%rcx, %r12
	subq	%rcx, %rdx
	subq	%rcx, %r8
	cmpq	%rbx, %r14
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

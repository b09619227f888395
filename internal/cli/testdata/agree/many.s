# More loops than are shown in full.
	.text
f0:
.L0:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L0
	ret
f1:
.L1:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L1
	ret
f2:
.L2:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L2
	ret
f3:
.L3:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L3
	ret
f4:
.L4:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L4
	ret
f5:
.L5:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L5
	ret
f6:
.L6:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L6
	ret
f7:
.L7:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L7
	ret
f8:
.L8:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L8
	ret
f9:
.L9:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L9
	ret
f10:
.L10:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L10
	ret
f11:
.L11:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L11
	ret
f12:
.L12:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L12
	ret
f13:
.L13:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L13
	ret
f14:
.L14:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L14
	ret
f15:
.L15:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L15
	ret
f16:
.L16:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L16
	ret
f17:
.L17:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L17
	ret
f18:
.L18:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L18
	ret
f19:
.L19:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L19
	ret
f20:
.L20:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L20
	ret
f21:
.L21:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L21
	ret
f22:
.L22:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L22
	ret
f23:
.L23:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L23
	ret
f24:
.L24:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L24
	ret
f25:
.L25:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L25
	ret
f26:
.L26:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L26
	ret
f27:
.L27:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L27
	ret
f28:
.L28:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L28
	ret
f29:
.L29:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L29
	ret
f30:
.L30:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L30
	ret
f31:
.L31:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L31
	ret
f32:
.L32:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L32
	ret
f33:
.L33:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L33
	ret
f34:
.L34:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L34
	ret
f35:
.L35:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L35
	ret
f36:
.L36:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L36
	ret
f37:
.L37:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L37
	ret
f38:
.L38:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L38
	ret
f39:
.L39:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L39
	ret
f40:
.L40:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L40
	ret
f41:
.L41:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L41
	ret
f42:
.L42:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L42
	ret
f43:
.L43:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L43
	ret
f44:
.L44:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L44
	ret
f45:
.L45:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L45
	ret
f46:
.L46:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L46
	ret
f47:
.L47:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L47
	ret
f48:
.L48:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L48
	ret
f49:
.L49:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L49
	ret
f50:
.L50:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L50
	ret
f51:
.L51:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L51
	ret
f52:
.L52:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L52
	ret
f53:
.L53:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L53
	ret
f54:
.L54:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L54
	ret
f55:
.L55:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L55
	ret
f56:
.L56:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L56
	ret
f57:
.L57:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L57
	ret
f58:
.L58:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L58
	ret
f59:
.L59:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L59
	ret
f60:
.L60:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L60
	ret
f61:
.L61:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L61
	ret
f62:
.L62:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L62
	ret
f63:
.L63:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L63
	ret
f64:
.L64:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L64
	ret
f65:
.L65:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L65
	ret
f66:
.L66:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L66
	ret
f67:
.L67:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L67
	ret
f68:
.L68:
	addsd	(%rdi), %xmm0
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L68
	ret
f69:
.L69:
	movntps	%xmm0, (%rdi)
	addq	$8, %rdi
	cmpq	%rdi, %rsi
	jne	.L69
	ret

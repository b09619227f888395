# Runs machine code on given registers and memory: see execution_test.go.
	.section .area,"awx"
	.globl _start
registers:
	.space 256
code:
	.space 768
	movq %rax, registers(%rip)
	movq %rcx, registers+8(%rip)
	movq %rdx, registers+16(%rip)
	movq %rbx, registers+24(%rip)
	movq %rsp, registers+32(%rip)
	movq %rbp, registers+40(%rip)
	movq %rsi, registers+48(%rip)
	movq %rdi, registers+56(%rip)
	movq %r8, registers+64(%rip)
	movq %r9, registers+72(%rip)
	movq %r10, registers+80(%rip)
	movq %r11, registers+88(%rip)
	movq %r12, registers+96(%rip)
	movq %r13, registers+104(%rip)
	movq %r14, registers+112(%rip)
	movq %r15, registers+120(%rip)
	leaq own+256(%rip), %rsp
	leaq registers(%rip), %rsi
	movl $256, %edx
	call send
	leaq memory(%rip), %rsi
	movl $8192, %edx
	call send
_start:
	leaq own+256(%rip), %rsp
	cld
	leaq registers(%rip), %rsi
	movl $1024, %ebx
	call receive
	leaq memory(%rip), %rsi
	movl $8192, %ebx
	call receive
	movq registers+8(%rip), %rcx
	movq registers+16(%rip), %rdx
	movq registers+24(%rip), %rbx
	movq registers+32(%rip), %rsp
	movq registers+40(%rip), %rbp
	movq registers+48(%rip), %rsi
	movq registers+56(%rip), %rdi
	movq registers+64(%rip), %r8
	movq registers+72(%rip), %r9
	movq registers+80(%rip), %r10
	movq registers+88(%rip), %r11
	movq registers+96(%rip), %r12
	movq registers+104(%rip), %r13
	movq registers+112(%rip), %r14
	movq registers+120(%rip), %r15
	movq registers(%rip), %rax
	jmp code
send: # rdx bytes from rsi
	movl $1, %eax
	movl $1, %edi
	syscall
	ret
receive: # rbx bytes to rsi
	xorl %eax, %eax
	xorl %edi, %edi
	movq %rbx, %rdx
	syscall
	testq %rax, %rax
	jle 1f
	addq %rax, %rsi
	subq %rax, %rbx
	jnz receive
	ret
1:	movl $60, %eax
	xorl %edi, %edi
	syscall
	.balign 256
own:
	.space 256
	.balign 16384
memory:
	.space 8192

# accumulators that are kept in registers and stored in each iteration, as gcc leaves them in a tile of a matrix product
tile:
.L3:
	vmovupd (%rsi), %ymm8
	vbroadcastsd (%rdi), %ymm9
	vfmadd231pd %ymm8, %ymm9, %ymm0
	vmovapd %ymm0, -128(%rsp)
	vbroadcastsd 8(%rdi), %ymm9
	vfmadd231pd %ymm8, %ymm9, %ymm1
	vmovapd %ymm1, -96(%rsp)
	vbroadcastsd 16(%rdi), %ymm9
	vfmadd231pd %ymm8, %ymm9, %ymm2
	vmovapd %ymm2, -64(%rsp)
	vbroadcastsd 24(%rdi), %ymm9
	vfmadd231pd %ymm8, %ymm9, %ymm3
	vmovapd %ymm3, -32(%rsp)
	vmulpd %ymm8, %ymm9, %ymm4
	vmovapd %ymm4, -192(%rsp)
	vaddpd %ymm4, %ymm4, %ymm4
	addq $32, %rsi
	addq $32, %rdi
	cmpq %rsi, %rdx
	jne .L3
	ret

want: f | vmovups ymm1, [rdi+0]; vaddps ymm1, ymm1, ymm0; vmovups [rdi+0], ymm1; vmovups ymm2, [rdi+32]; vaddps ymm2, ymm2, ymm0; vmovups [rdi+32], ymm2; add rdi, 64; cmp rdi, rsi; jne .loop
%macro STEP 2
    vmovups %1, [rdi+%2]
    vaddps %1, %1, ymm0
    vmovups [rdi+%2], %1
%endmacro
%define OFF 64
section .text
f:
.loop:
    STEP ymm1, 0
    STEP ymm2, 32
    add rdi, OFF
    cmp rdi, rsi
    jne .loop
    ret

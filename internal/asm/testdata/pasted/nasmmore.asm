want: g:..@0.again g:..@1.again | mov eax, [rsi + 8+0]; jz ..@0.again
%macro LOADS 1-2 0
%%again:
    mov eax, [%1+%2]
    jz %%again
%endmacro
%assign i 0
section .text
bits 64
global g
g:
.loop:
%rep 3
    add rax, [rdi+i*8]
%assign i i+1
%endrep
    LOADS rsi + 8
    LOADS rsi, 4
    times i imul rbx, rbx
    dec rcx
    jnz .loop
    ret
%ifdef OTHER
%endif

want: dot | movsd xmm1, [rdi+8]; mulsd xmm1, [rsi+8]; movsd xmm1, [rdi]; mulsd xmm1, [rsi]; add rax, 16; sub rdx, 2; ja .l
%define WIDE
%ifdef WIDE
 %define R rax
%else
 %define R rbx
%endif
%macro FMA 3-4 0
 %ifidn %1,xmm0
    movsd xmm1, [%2+%4]
 %else
    movsd xmm1, [%2]
 %endif
 %if %0 > 3
    mulsd xmm1, [%3+%4]
 %elif %0 == 3
    mulsd xmm1, [%3]
 %endif
%endmacro
section .text
dot:
.l: FMA xmm0, rdi, rsi, 8
    FMA xmm2, rdi, rsi
 %if 0
    nop
 %endif
    add R, 16
    sub rdx, 2
    ja .l
    ret

want: f | add rax, [rdi]; add rdi, 8; add rax, [rdi]; add rdi, 8; add rax, [rdi]; add rdi, 8; add rax, [rdi]; add rdi, 8; imul rbx, rbx; imul rbx, rbx; imul rbx, rbx; dec rcx; jnz .loop
section .text
global f
f:
.loop:
%rep 4
    add rax, [rdi]
    add rdi, 8
%endrep
    times 3 imul rbx, rbx
    dec rcx
    jnz .loop
    ret

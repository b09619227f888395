want: sum:@@1 | add rax, QWORD PTR [rcx]; add rcx, 8; dec rdx; jnz @@1
.code
sum PROC
    xor rax, rax
@@:
    add rax, QWORD PTR [rcx]
    add rcx, 8
    dec rdx
    jnz @B
    test rax, rax
    jz @F
    inc rax
@@:
    ret
sum ENDP
END

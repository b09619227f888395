want: sum:@@1 | addsd xmm0, REAL8 PTR [rcx]; add rcx, 8; dec rdx; jnz @@1
.code
sum PROC
    xorps xmm0, xmm0
@@:
    addsd xmm0, REAL8 PTR [rcx]
    add rcx, 8
    dec rdx
    jnz @B
    jmp @F
    nop
@@: ret
sum ENDP
END

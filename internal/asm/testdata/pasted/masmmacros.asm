want: dot | vmovups ymm8, YMMWORD PTR [rsi+0]; vfmadd231ps ymm0, ymm8, YMMWORD PTR [rdi+0]; jc ..@0.skip; vmovups ymm8, YMMWORD PTR [rsi+32]; vfmadd231ps ymm1, ymm8, YMMWORD PTR [rdi+32]; jc ..@1.skip; add rax, [rcx]; add rax, [rcx]; inc rbx; inc r8; add r9, 128 + 3; add r10, 4; lea rcx, [rcx + 32]; sub rdx, 16; ja lp
.data
arr QWORD 16 DUP(0)
few DWORD 1, 2, 3
N = 4
STEP EQU 8
ACC TEXTEQU <rax>
FMAS MACRO acc, off:=<0>
  LOCAL skip
    vmovups ymm8, YMMWORD PTR [rsi+off]
  IFNB <acc>
    vfmadd231ps acc, ymm8, YMMWORD PTR [rdi+off]
  ENDIF
    jc skip
  skip:
ENDM
.code
dot PROC
lp:
    FMAS ymm0
    FMAS ymm1, 32
  REPT N - 2
    add ACC, [rcx]
  ENDM
  FOR r, <rbx, r8>
    inc r
  ENDM
  IF N GT 4
    nop
  ENDIF
    add r9, SIZEOF arr + LENGTHOF few
    add r10, TYPE few
    lea rcx, [rcx + SIZEOF YMMWORD]
    sub rdx, 16
    ja lp
  WHILE N LT 3
    nop
  ENDM
    ret
dot ENDP
END

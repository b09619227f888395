#include "textflag.h"

// func rdtime() uint64
TEXT ·rdtime(SB), NOSPLIT, $0-8
	RDTIME X5
	MOV    X5, ret+0(FP)
	RET

// func rdcycle() uint64
TEXT ·rdcycle(SB), NOSPLIT, $0-8
	RDCYCLE X5
	MOV     X5, ret+0(FP)
	RET

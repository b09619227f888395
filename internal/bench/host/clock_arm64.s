#include "textflag.h"

// func cntvct() uint64
TEXT ·cntvct(SB), NOSPLIT, $0-8
	ISB  $15
	WORD $0xd53be040 // mrs x0, cntvct_el0
	MOVD R0, ret+0(FP)
	RET

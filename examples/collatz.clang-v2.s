	.text
	.file	"collatz.c"
	.globl	collatz                         // -- Begin function collatz
	.p2align	4
	.type	collatz,@function
collatz:                                // @collatz
// %bb.0:
	cmp	x0, #1
	b.ne	.LBB0_2
// %bb.1:
	mov	w0, wzr
	ret
.LBB0_2:
	mov	w8, wzr
	.p2align	5, , 16
.LBB0_3:                                // =>This Inner Loop Header: Depth=1
	add	x9, x0, x0, lsl #1
	lsr	x10, x0, #1
	tst	x0, #0x1
	add	w8, w8, #1
	csinc	x0, x10, x9, eq
	cmp	x0, #1
	b.ne	.LBB0_3
// %bb.4:
	mov	w0, w8
	ret
.Lfunc_end0:
	.size	collatz, .Lfunc_end0-collatz
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

	.text
	.file	"fib_array.c"
	.globl	fib_array                       // -- Begin function fib_array
	.p2align	4
	.type	fib_array,@function
fib_array:                              // @fib_array
// %bb.0:
	cmp	x1, #3
	b.lt	.LBB0_7
// %bb.1:
	ldr	x8, [x0, #8]
	cmp	x1, #3
	b.ne	.LBB0_3
// %bb.2:
	mov	w9, #2                          // =0x2
	tbnz	w1, #0, .LBB0_6
	b	.LBB0_7
.LBB0_3:
	and	x9, x1, #0x7ffffffffffffffe
	add	x11, x0, #16
	neg	x10, x9
	mov	x9, #-2                         // =0xfffffffffffffffe
	.p2align	5, , 16
.LBB0_4:                                // =>This Inner Loop Header: Depth=1
	ldp	x12, x13, [x11, #-16]
	sub	x9, x9, #2
	add	x12, x12, x8
	add	x8, x13, x12
	stp	x12, x8, [x11], #16
	cmp	x10, x9
	b.ne	.LBB0_4
// %bb.5:
	neg	x9, x9
	tbz	w1, #0, .LBB0_7
.LBB0_6:
	add	x9, x0, x9, lsl #3
	ldur	x10, [x9, #-16]
	add	x8, x10, x8
	str	x8, [x9]
.LBB0_7:
	ret
.Lfunc_end0:
	.size	fib_array, .Lfunc_end0-fib_array
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

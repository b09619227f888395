	.text
	.file	"copy.c"
	.globl	copy                            // -- Begin function copy
	.p2align	4
	.type	copy,@function
copy:                                   // @copy
// %bb.0:
	cmp	x2, #1
	b.lt	.LBB0_2
// %bb.1:
	lsl	x2, x2, #3
	b	memcpy
.LBB0_2:
	ret
.Lfunc_end0:
	.size	copy, .Lfunc_end0-copy
                                        // -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig

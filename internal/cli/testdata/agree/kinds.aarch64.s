// More µops of one kind than are dispatched in a cycle.
	.text
f:
.L3:
	mul	x3, x3, x4
	mul	x5, x5, x4
	mul	x6, x6, x4
	mul	x7, x7, x4
	mul	x8, x8, x4
	madd	x9, x9, x4, x10
	subs	x2, x2, #1
	b.ne	.L3
	ret

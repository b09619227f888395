// a[i] += s * b[i] in vectors of the core's length
.L4:
	ld1d	{z0.d}, p0/z, [x1, x3, lsl #3]
	ld1d	{z1.d}, p0/z, [x0, x3, lsl #3]
	fmla	z1.d, p0/m, z0.d, z2.d
	st1d	{z1.d}, p0, [x0, x3, lsl #3]
	incd	x3
	whilelo	p0.d, x3, x4
	b.any	.L4

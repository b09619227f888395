// SVE on a core without it.
	.text
f:
.L3:
	ld1d	z2.d, p0/z, [x2, x3, lsl 3]
	ld1d	z1.d, p0/z, [x1, x3, lsl 3]
	fmad	z1.d, p1/m, z0.d, z2.d
	st1d	z1.d, p0, [x2, x3, lsl 3]
	add	x3, x3, x4
	whilelo	p0.d, x3, x0
	b.any	.L3
	ret

# The specification reserves the configuration: elements of 64 bits need a whole register.
	li	a4, 4
.L2:
	vsetvli	t0, a0, e64, mf2, ta, ma
	vle64.v	v8, (a1)
	vfadd.vv	v8, v8, v9
	vse64.v	v8, (a1)
	add	a1, a1, t0
	bne	a1, a2, .L2

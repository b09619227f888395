/* products of vectors of 16-bit numbers */
#include "../nest.h"
#ifndef N
#define N 5000
#endif
#define REPEAT 12
static short a[N], b[N];
static int y[REPEAT];
void init(void)
{
	for (int i = 0; i < N; i++) {
		a[i] = (short)(i * 11 % 200);
		b[i] = (short)(i * 7 % 150);
	}
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(y)
	for (int t = 0; t < REPEAT; t++) {
		int s = t;
		INNER
		for (int i = 0; i < N; i++)
			s += a[i] * b[i];
		y[t] = s;
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof y / sizeof *y); i++)
		r += (double)y[i] * (i % 7 + 1);
	return r;
}

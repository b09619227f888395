/* a signal filtered by a loop over weights (FIR) */
#include "../nest.h"
#ifndef N
#define N 1300
#endif
#define REPEAT 5
static T x[N + 16], y[N], h[16];
void init(void)
{
	FILL(x);
	FILL(h);
}
void kernel(void)
{
	POINTER(x) POINTER(y) POINTER(h)
	for (int r = 0; r < REPEAT; r++)
		for (int i = 0; i < N; i++) {
			T s = (T)r;
			INNER
			for (int k = 0; k < 16; k++)
				s += h[k] * x[i + k];
			y[i] = s;
		}
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}

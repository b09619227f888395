/* Thomas' algorithm for a tridiagonal system */
#include "../nest.h"
#ifndef N
#define N 500
#endif
#define REPEAT 3
static T a[N], b[N], c[N], d[N], x[N];
void init(void)
{
	FILL(a);
	FILL(b);
	FILL(c);
	FILL(d);
	for (int i = 0; i < N; i++)
		b[i] += 4;
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(c) POINTER(d) POINTER(x)
	for (int r = 0; r < REPEAT; r++) {
		T e = c[0] / b[0];
		x[0] = d[0] / b[0];
		c[0] = e;
		INNER
		for (int i = 1; i < N; i++) {
			T m = (T)1 / (b[i] - a[i] * c[i - 1]);
			c[i] = c[i] * m;
			x[i] = (d[i] - a[i] * x[i - 1]) * m;
		}
		INNER
		for (int i = N - 2; i >= 0; i--)
			x[i] -= c[i] * x[i + 1];
	}
}
double check(void)
{
	double r = 0;
	SUM(r, x);
	return r;
}

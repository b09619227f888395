/* Jacobi's iteration on a line, three points */
#include "../nest.h"
#ifndef N
#define N 1400
#endif
#define STEPS 16
static T a[N], b[N];
void init(void)
{
	FILL(a);
	FILL(b);
}
void kernel(void)
{
	POINTER(a) POINTER(b)
	for (int t = 0; t < STEPS; t++) {
		INNER
		for (int i = 1; i < N - 1; i++)
			b[i] = (T)0.33333 * (a[i - 1] + a[i] + a[i + 1]);
		INNER
		for (int i = 1; i < N - 1; i++)
			a[i] = (T)0.33333 * (b[i - 1] + b[i] + b[i + 1]);
	}
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}

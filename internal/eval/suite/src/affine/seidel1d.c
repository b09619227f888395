/* Gauss and Seidel's iteration on a line */
#include "../nest.h"
#ifndef N
#define N 1000
#endif
#define STEPS 6
static T a[N];
void init(void)
{
	FILL(a);
}
void kernel(void)
{
	POINTER(a)
	for (int t = 0; t < STEPS; t++)
		INNER
		for (int i = 1; i < N - 1; i++)
			a[i] = (T)0.33333 * (a[i - 1] + a[i] + a[i + 1]);
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}

/* y += a x */
#include "../nest.h"
#ifndef N
#define N 1400
#endif
#define REPEAT 30
static T x[N], y[N];
void init(void)
{
	FILL(x);
	FILL(y);
}
void kernel(void)
{
	POINTER(x) POINTER(y)
	for (int r = 0; r < REPEAT; r++)
		INNER
		for (int i = 0; i < N; i++)
			y[i] += (T)0.5 * x[i];
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}
